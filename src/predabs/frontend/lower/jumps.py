"""Which variables come into scope by a jump past their declarations: they hold any value then.

`goto` and `switch` can enter a block or skip a declaration. Soundness duty: no variable keeps
the value of an earlier round, or seems to have its initial value, when a jump skipped that.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TypeAlias

from ...records import dataclass, field
from .. import ast
from ..symbols import StorageClass, Symbol
from .side_effects import parts_of


@dataclass(slots=True, eq=False)
class _Scope:
    """A scope, with what it declares, and where, in order."""

    outer: _Scope | None
    positions: list[int] = field(default_factory=list)
    declared: list[Symbol] = field(default_factory=list)

    def between(self, start: int, end: int) -> list[Symbol]:
        """What is declared behind one position and in front of the other."""
        return self.declared[bisect_right(self.positions, start) : bisect_left(self.positions, end)]


_LEAVES = (ast.IntLiteral, ast.StringLiteral, ast.Ref, ast.Break, ast.Continue, ast.Empty)
_NODES = frozenset(
    kind
    for kind in vars(ast).values()
    if hasattr(kind, "__match_args__") and kind.__module__ == ast.__name__
).difference(_LEAVES)
_Position: TypeAlias = tuple[int, _Scope]
_Jump: TypeAlias = ast.Goto | ast.Switch | ast.Asm
_Target: TypeAlias = ast.Case | ast.Default | str


class Jumps:
    """The jumps of one function; positions are counted in the order of the source."""

    def __init__(self, body: ast.Stmt) -> None:
        self._from: dict[_Jump, _Position] = {}
        self._to: dict[_Target, _Position] = {}
        todo: list[tuple[object, _Scope]] = [(body, _Scope(None))]
        count = 0
        while todo:
            node, scope = todo.pop()
            count += 1
            match node:
                case tuple():
                    todo += [(part, scope) for part in reversed(node) if _is_inside(part)]
                    continue
                case ast.Compound() | ast.For():
                    scope = _Scope(scope)
                case ast.Declare(symbol):
                    if symbol.storage is StorageClass.LOCAL and not symbol.vla:
                        scope.positions.append(count)
                        scope.declared.append(symbol)
                case ast.Goto() | ast.Switch() | ast.Asm():
                    self._from[node] = count, scope
                case ast.Case() | ast.Default():
                    self._to[node] = count, scope
                case ast.Label(name):
                    self._to[name] = count, scope
            todo += [(part, scope) for part in reversed(parts_of(node)) if _is_inside(part)]

    def labels(self) -> list[str]:
        """The labels of the function."""
        return [target for target in self._to if isinstance(target, str)]

    def skipped(self, jump: _Jump, target: _Target) -> list[Symbol]:
        """The variables in scope at the target whose declaration the jump passes over."""
        start, source = self._from[jump]
        end, inner = self._to[target]
        around = set()
        at: _Scope | None = source
        while at is not None:
            around.add(at)
            at = at.outer
        found: list[Symbol] = []
        at = inner
        while at is not None:
            found += at.between(start if at in around else 0, end)
            at = at.outer
        return found

    def crossed(self, jump: _Jump, target: _Target) -> tuple[list[Symbol], list[Symbol]]:
        """The variables of the blocks that the jump leaves, inner ones first, and of those that it
        enters."""
        source, inner = _around(self._from[jump][1]), _around(self._to[target][1])
        left = [scope for scope in source if scope not in inner]
        entered = [scope for scope in reversed(inner) if scope not in source]
        return _declared(left), _declared(entered)


def _around(scope: _Scope | None) -> list[_Scope]:
    """The scope and those around it."""
    found = []
    while scope is not None:
        found.append(scope)
        scope = scope.outer
    return found


def _declared(scopes: list[_Scope]) -> list[Symbol]:
    return [symbol for scope in scopes for symbol in scope.declared]


def _is_inside(part: object) -> bool:
    """Is it a node of the tree that has parts, or several?"""
    return type(part) is tuple or type(part) in _NODES
