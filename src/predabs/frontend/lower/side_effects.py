"""What evaluating an expression of the syntax tree can do: change something, or go wrong.

Both answers may err towards "yes". `effects` decides where values must be saved to keep C's (here:
left to right) order; `simple` decides what may be evaluated although C would not evaluate it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.types import CBOOL, ArrayType, FloatType, PointerType
from .. import ast
from ..symbols import StorageClass, Symbol
from .lost_faults import may_change

_ALWAYS_FINE = frozenset(["==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "&&", "||"])

_LITERALS = frozenset([ast.IntLiteral, ast.FloatLiteral, ast.StringLiteral, ast.VlaSize])


class SideEffects:
    """Memoised answers, one instance per function; with `conversions`, one between integer types
    that changes the value is something that goes wrong."""

    def __init__(self, conversions: bool = False) -> None:
        self._conversions = conversions
        self._effects: dict[ast.Expr, bool] = {}
        self._simple: dict[ast.Expr, bool] = {}

    def effects(self, expr: ast.Expr) -> bool:
        """May evaluating it change a variable, branch, or read an input?"""
        if type(expr) in _LITERALS:
            return False
        if isinstance(expr, ast.Ref):
            return expr.volatile
        found = self._effects.get(expr)
        if found is None:
            found = self._effects[expr] = self._compute(expr)
        return found

    def _compute(self, expr: ast.Expr) -> bool:
        match expr:
            case ast.Unary():
                return expr.volatile or "x" in expr.op or self.effects(expr.arg)
            case ast.Binary():
                if expr.op in ("&&", "||") and not self.simple(expr.right):
                    return True
                return self.effects(expr.left) or self.effects(expr.right)
            case ast.Conditional():
                sides = (expr.then or expr.cond, expr.other)
                return self.effects(expr.cond) or not all(self.simple(side) for side in sides)
            case ast.Cast():
                return self.effects(expr.arg)
            case ast.Member():
                return expr.volatile or self.effects(expr.base)
            case ast.Subscript():
                return expr.volatile or self.effects(expr.base) or self.effects(expr.index)
            case ast.Assign() | ast.Call() | ast.InitList() | ast.StatementExpr() | ast.VaArg():
                return True
            case ast.LabelAddress():
                return True
            case ast.CompoundLiteral():
                return not expr.static
        return False

    def simple(self, expr: ast.Expr) -> bool:
        """Can it be evaluated at any time: no effect, no input, no way to go wrong, no overflow?"""
        if type(expr) in _LITERALS:
            return True
        if isinstance(expr, ast.Ref):
            return not expr.volatile
        found = self._simple.get(expr)
        if found is None:
            found = self._simple[expr] = self._is_simple(expr)
        return found

    def _is_simple(self, expr: ast.Expr) -> bool:
        match expr:
            case ast.Unary(op, arg, _, volatile, _):
                if op not in ("!", "~", "&") or volatile:
                    return False
                return (op != "&" or isinstance(arg, ast.Ref)) and self.simple(arg)
            case ast.Binary(op, left, right, _, _):
                return op in _ALWAYS_FINE and self.simple(left) and self.simple(right)
            case ast.Conditional(cond, then, other, _, _):
                return all(self.simple(part) for part in (cond, then or cond, other))
            case ast.Cast(arg, type_, _):
                if isinstance(arg.type, FloatType) and not isinstance(type_, FloatType):
                    return False
                if self._conversions and type_ is not CBOOL and may_change(arg.type, type_):
                    return False
                return self.simple(arg)
            case ast.Member(base, _, arrow, _, volatile, _):
                if arrow or volatile or isinstance(base.type, PointerType):
                    return False
                return self.simple(base)
            case _:
                return False


def addressed(body: ast.Stmt) -> frozenset[Symbol]:
    """The variables whose address a function takes: what a call may change of its locals."""
    roots = (
        root(node.arg) for node in nodes_of(body) if isinstance(node, ast.Unary) and node.op == "&"
    )
    return frozenset(symbol for symbol in roots if symbol is not None)


def variables_in(init: ast.Expr) -> frozenset[Symbol]:
    """The global variables that an initialiser mentions: it can only take their addresses, or read
    them if they are constants."""
    found = (node.symbol for node in nodes_of(init) if isinstance(node, ast.Ref))
    return frozenset(symbol for symbol in found if symbol.storage is StorageClass.GLOBAL)


def assigned(expr: ast.Expr) -> frozenset[Symbol]:
    """The variables that an expression assigns to by name, itself or in part."""
    found = set()
    for node in nodes_of(expr):
        match node:
            case ast.Assign():
                found.add(root(node.left))
            case ast.Unary(op, arg) if "x" in op:
                found.add(root(arg))
            case ast.Declare(symbol) | ast.VaArg(ast.Ref(symbol)):
                found.add(symbol)
            case ast.Asm(outputs):
                found.update(root(output) for output in outputs)
    return frozenset(symbol for symbol in found if symbol is not None)


def root(expr: ast.Expr) -> Symbol | None:
    """The variable that an lvalue is, or is a part of, without going through a pointer."""
    while True:
        match expr:
            case ast.Ref(symbol, _, _, _):
                return symbol
            case ast.Member(base, _, False, _, _, _):
                expr = base
            case ast.Subscript(ast.Cast(base, _, _), _, _, _, _) if isinstance(
                base.type, ArrayType
            ):
                expr = base
            case _:
                return None


def parts_of(node: object) -> list[object]:
    """What a node of the tree is made of, in order."""
    names: tuple[str, ...] = vars(type(node))["__match_args__"]
    return [getattr(node, name) for name in names]


def nodes_of(tree: ast.Expr | ast.Stmt) -> Iterator[object]:
    """All nodes of a syntax tree."""
    todo: list[object] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif type(node).__module__ == ast.__name__:
            yield node
            todo.extend(parts_of(node))
