"""What a function does to the storage of its callers, as operations without control
flow: its side-effect summary.

That is all that the analyses of a caller need to know of it: which storage may be written, and what
pointers may point to. They do not look at the order of operations, so none is kept, and all
conditions and numbers are left out. Functions that it calls are part of it, with variables of other
names.

Soundness duty: whatever a call may write, some of the operations may write too, and each pointer
may point wherever it may after a call.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.points_to.sets import PointsTo
from ...errors import UnsupportedFeature
from ...ir.cfa import Edge, Function
from ...ir.def_use import op_target
from ...ir.expr import Expr, Lvalue, Var
from ...ir.ops import Assign, Call, Copy, Fill, Havoc, Source
from ...ir.types import PointerType
from ...ir.walk import rename, variables
from ...records import dataclass


@dataclass(frozen=True, slots=True)
class SideEffectSummary:
    """The operations of a function and of all that it calls; `locals` are the variables that they
    have beside the parameters and the globals of all files, `globals` those globals, `externals`
    the functions without a body."""

    steps: tuple[Assign | Havoc, ...]
    locals: tuple[Var, ...]
    globals: tuple[Var, ...]
    externals: tuple[str, ...]


def side_effect_summary(points_to: PointsTo, name: str) -> SideEffectSummary:
    """The summary of a function; an `UnsupportedFeature` says why it has none."""
    program = points_to.program
    builder = _SummaryBuilder(points_to, name)
    seen: dict[str, None] = {name: None}
    for called in _growing(seen):
        for edge in program.functions[called].edges:
            builder.edge(edge, seen)
    for private in builder.private.values():
        builder.steps[Havoc(private, Source.EXTERN, name)] = None
    own = program.functions[name].locals
    others = [var for f in seen if f != name for var in _variables(program.functions[f])]
    locals_ = (*own, *map(builder.named, others), *builder.private.values())
    return SideEffectSummary(
        tuple(builder.steps), locals_, tuple(builder.globals), tuple(builder.externals)
    )


def _growing(seen: dict[str, None]) -> Iterator[str]:
    """All keys, also those that are added on the way."""
    done = 0
    while done < len(seen):
        yield list(seen)[done]
        done += 1


def _variables(function: Function) -> tuple[Var, ...]:
    return (*function.params, *function.locals)


class _SummaryBuilder:
    def __init__(self, points_to: PointsTo, name: str) -> None:
        self._points_to = points_to
        self._functions = points_to.program.functions
        self._linked = {item.var for item in points_to.program.globals if item.linked}
        self._root = name
        self.private: dict[Var, Var] = {}  # static variables and literals, by new names
        self.globals: dict[Var, None] = {}
        self.steps: dict[Assign | Havoc, None] = {}
        self.externals: dict[str, None] = {}

    def named(self, var: Var) -> Var:
        """A variable of a called function, or a static one, is a variable of the function itself,
        under a longer name."""
        if var.function == self._root:
            return var
        if var.function:
            return Var(f"{self._root}::{var.function}::{var.short}", var.type)
        if var in self._linked:
            self.globals[var] = None
            return var
        return self.private.setdefault(var, Var(f"{self._root}::static {var.name}", var.type))

    def _renamed(self, expr: Expr) -> Expr:
        return rename(expr, {var: self.named(var) for var in variables(expr)})

    def edge(self, edge: Edge, seen: dict[str, None]) -> None:
        op = edge.op
        if isinstance(op, Fill | Copy):
            raise UnsupportedFeature(
                f"{edge.coord}: what memset or memcpy writes cannot be told without the body"
            )
        if isinstance(op, Call):
            self._call(edge, op, seen)
        target = op_target(op)
        if target is None:
            return
        if isinstance(op, Assign) and isinstance(target.type, PointerType):
            self._assign(target, op.value)
        elif not (isinstance(op, Havoc) and op.source is Source.UNINITIALIZED):
            self._change(target)

    def _call(self, edge: Edge, op: Call, seen: dict[str, None]) -> None:
        if self._points_to.may_be_unknown(edge):
            raise UnsupportedFeature(
                f"{edge.coord}: a function from outside is called, which may do anything"
            )
        for name in self._points_to.call_targets(edge):
            function = self._functions.get(name)
            if function is None:
                self.externals[name] = None
                continue
            seen.setdefault(name)
            for number, param in enumerate(function.params):
                arg = op.args[number] if number < len(op.args) else None
                if arg is not None and arg.type is param.type and isinstance(arg.type, PointerType):
                    self._assign(param, arg)
                else:
                    self._change(param)

    def _assign(self, target: Lvalue, value: Expr) -> None:
        self.steps[Assign(self._lvalue(target), self._renamed(value))] = None

    def _change(self, target: Lvalue) -> None:
        self.steps[Havoc(self._lvalue(target), Source.EXTERN, self._root)] = None

    def _lvalue(self, target: Lvalue) -> Lvalue:
        lvalue = self._renamed(target)
        assert isinstance(lvalue, Lvalue)
        return lvalue
