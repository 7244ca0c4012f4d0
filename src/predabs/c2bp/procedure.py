"""One procedure: each edge of the automaton becomes Boolean code (paper 001, section 4.3).

Soundness duty (001, theorem 1): whatever a run of the C program does at an edge, the Boolean code
can do to the values of the predicates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ..analysis.effects import Slot
from ..boolprog.syntax import (
    FALSE,
    STAR,
    TRUE,
    Assert,
    Assign,
    Assume,
    Call,
    Expr,
    Position,
    Return,
    Skip,
    Var,
)
from ..ir import ops
from ..ir.cfa import Coord, Edge
from ..ir.expr import Expr as CExpr
from ..ir.expr import Lvalue
from ..ir.expr import Var as CVar
from ..ir.show import show_expr, show_op
from ..ir.walk import substitute, variables
from ..logic.updates import is_scalar
from .booleans import Boolean, Scope
from .code import Code, Coded, Note, Several, Step
from .context import Context
from .interface import Interface
from .shape import structured


@dataclass(slots=True)
class _Temporaries:
    """How many variables the calls of a procedure need for arguments and results."""

    prm: int = 0
    ret: int = 0

    def arguments(self, count: int) -> tuple[str, ...]:
        self.prm = max(self.prm, count)
        return tuple(f"prm{number}" for number in range(1, count + 1))

    def results(self, count: int) -> tuple[str, ...]:
        self.ret = max(self.ret, count)
        return tuple(f"ret{number}" for number in range(1, count + 1))

    def names(self) -> tuple[str, ...]:
        return (*self.arguments(self.prm), *self.results(self.ret))


@dataclass(slots=True)
class Abstraction:
    """The abstraction of one function; `shared` are the global variables of the program."""

    context: Context
    mine: Interface
    interfaces: Mapping[str, Interface]
    shared: tuple[Boolean, ...]
    _temporaries: _Temporaries = field(default_factory=_Temporaries)
    _stale: set[str] = field(default_factory=set)

    def code(self, start: Code = ()) -> Coded:
        """The whole procedure; `start` is done before anything else."""
        body = start + self._bind() + structured(self.mine.function, self)
        scope = self._scope()
        stale, shared = frozenset(self._stale), frozenset(v.name for v in self.shared)
        return Coded(
            self.mine.name,
            tuple(variable.name for variable in self.mine.formals),
            len(self.mine.returned),
            (*(v.name for v in self.mine.locals), *self._temporaries.names()),
            body,
            scope.invariant(stale, shared),
            Note(position(self.mine.function.coord), f"{self.mine.function.name}()"),
        )

    def _scope(self) -> Scope:
        return Scope(self.context.cubes, self.shared + self.mine.own)

    def _bind(self) -> Code:
        """The symbolic constants get their values."""
        mapping: dict[CExpr, CExpr] = dict(self.mine.constants.items())
        changed = {}
        for variable in self.mine.own:
            before = substitute(variable.expr, mapping)
            if before is not variable.expr:
                changed[variable.name] = self._scope().value(before)
        texts = [f"{c.short} = {show_expr(e)};" for c, e in self.mine.constants.items()]
        note = Note(position(self.mine.function.coord), " ".join(texts))
        return assignment(changed, note) if changed else ()

    # --- what edges become ------------------------------------------------------------------------

    def note(self, edge: Edge, text: str | None = None) -> Note:
        own = show_op(edge.op, self.context.naming)
        return Note(position(edge.coord), own if text is None else text)

    def text(self, edge: Edge) -> str:
        assert isinstance(edge.op, ops.Assume)
        return show_expr(edge.op.cond, self.context.naming)

    def condition(self, edge: Edge) -> Expr:
        assert isinstance(edge.op, ops.Assume)
        return self._scope().value(edge.op.cond)

    def step(self, edge: Edge) -> Code:
        note = self.note(edge)
        match edge.op:
            case ops.Skip():
                return ()
            case ops.Assume(cond):
                known = self._scope().assumed(cond)
                return (Step(Skip() if known is TRUE else Assume(known), note),)
            case ops.Error():
                return (Step(Assert(FALSE), note),)
            case ops.Halt():
                return (Step(Assume(FALSE), note),)
            case ops.Return():
                values = tuple(Var(variable.name) for variable in self.mine.returned)
                return (Step(Return(values), note),)
            case ops.Call():
                return self._calls(edge, edge.op, note)
            case (
                ops.Assign()
                | ops.Havoc()
                | ops.Alloc()
                | ops.Free()
                | ops.Fill()
                | ops.Copy()
                | ops.Print()
            ):
                return self._assign(edge.op, self.context.written(edge), note)
        assert_never(edge.op)

    def _assign(self, op: ops.Operation, writes: frozenset[Slot], note: Note) -> Code:
        """All predicates that the operation changes, at once."""
        scope = self._scope()
        changed: dict[str, Expr] = {}
        for variable in scope.variables:
            before = self.context.before(op, writes, variable.expr)
            if before is None:
                changed[variable.name] = STAR
            elif before is not variable.expr:
                changed[variable.name] = scope.value(before)
        return assignment(changed, note)

    # --- calls ------------------------------------------------------------------------------------

    def _calls(self, edge: Edge, op: ops.Call, note: Note) -> Code:
        """A call of one of the functions that it may reach."""
        effects = self.context.effects
        ways = [self._call(op, self.interfaces[name], note) for name in effects.callees(edge)]
        if effects.may_leave(edge):
            ways.append(self._leave(op, note))
        if not ways:
            return (Step(Assume(FALSE), note),)  # the pointer points to no function
        return ways[0] if len(ways) == 1 else (Several(tuple(ways), note),)

    def _leave(self, op: ops.Call, note: Note) -> Code:
        """A function without a body changes nothing but the place of its result."""
        if op.target is None:
            return (Step(Skip(), note),)
        unknown = ops.Havoc(op.target, ops.Source.EXTERN, "result")
        return self._assign(unknown, self.context.effects.slots.of_target(op.target), note)

    def _call(self, op: ops.Call, callee: Interface, note: Note) -> Code:
        """Arguments, the call, and what it changes here (001, sections 4.4.3 and 5.4)."""
        binding = arguments_of(op, callee)
        scope = self._scope()
        arguments = self._temporaries.arguments(len(callee.formals))
        results = self._temporaries.results(len(callee.returned))
        unknown = frozenset(callee.function.params) - binding.keys()
        values = {
            name: STAR
            if unknown & set(variables(formal.expr))
            else scope.value(substitute(formal.expr, binding))
            for name, formal in zip(arguments, callee.formals, strict=True)
        }
        call = Call(results, callee.name, tuple(Var(name) for name in arguments))
        silent = Note(note.at)
        code: Code = (Step(call, silent if values else note),)
        if values:
            code = assignment(values, note) + code
        changed = self._after(op, callee, binding, results)
        return code + (assignment(changed, silent) if changed else ())

    def _constants(
        self,
        callee: Interface,
        binding: Mapping[CExpr, CExpr],
        originals: dict[Lvalue, CVar],
        writes: frozenset[Slot],
    ) -> dict[CExpr, CExpr]:
        """What the symbolic constants of the callee are here."""
        found: dict[CExpr, CExpr] = {}
        for constant, value in callee.constants.items():
            if frozenset(callee.function.params) & set(variables(value)) <= binding.keys():
                actual = substitute(value, binding)
                found[constant] = self.context.original(originals, actual, writes)
            else:
                found[constant] = self.context.names.fresh("before", value)
        return found

    def _after(
        self,
        op: ops.Call,
        callee: Interface,
        binding: Mapping[CExpr, CExpr],
        results: Sequence[str],
    ) -> dict[str, Expr]:
        """The new values of the predicates that the call may change (E_u).

        When the callee has returned and nothing is assigned yet, a variable of this procedure
        tells of the state before the call, a global one and a result of the state now.
        """
        context = self.context
        writes = context.effects.writes(callee.function.name)
        originals: dict[Lvalue, CVar] = {}
        returned = self._returned(op, callee)
        meaning = self._constants(callee, binding, originals, writes)
        if callee.result is not None and returned is not None:
            meaning[callee.result] = returned
        now = [
            *self.shared,
            *(
                Boolean(variable.name, context.original(originals, variable.expr, writes))
                for variable in self.mine.own
            ),
            *(
                Boolean(name, substitute(variable.expr, meaning))
                for name, variable in zip(results, callee.returned, strict=True)
            ),
        ]
        scope = Scope(context.cubes, tuple(now))
        changed: dict[str, Expr] = {}
        for variable in (*self.shared, *self.mine.own):
            own = variable not in self.shared
            after = self._stored(op, returned, variable.expr, writes)
            touched = own and context.touched(variable.expr, writes)
            if touched:
                self._stale.add(variable.name)
            if after is None:
                changed[variable.name] = STAR
            elif touched or after is not variable.expr:
                changed[variable.name] = scope.value(after)
        return changed

    def _returned(self, op: ops.Call, callee: Interface) -> CVar | None:
        """A name for the value that the call returns; None if there is none."""
        if callee.result is not None:
            return self.context.names.fresh("result", callee.result)
        return None if op.target is None else self.context.names.fresh("result", op.target)

    def _stored(
        self, op: ops.Call, returned: CVar | None, predicate: CExpr, writes: frozenset[Slot]
    ) -> CExpr | None:
        """What must hold when the callee has returned, so that the predicate holds when the result
        is stored; None if there is no formula for that."""
        target = op.target
        if target is None:
            return predicate
        context = self.context
        slots = context.effects.slots.of_target(target)
        place = context.effects.slots.of_place(target)
        if (
            returned is None
            or returned.type is not target.type
            or not is_scalar(target.type)
            or place & writes  # where the result goes was settled before the call
        ):
            return None if context.touched(predicate, slots) else predicate
        return context.before(ops.Assign(target, returned), slots, predicate)


def arguments_of(op: ops.Call, callee: Interface) -> dict[CExpr, CExpr]:
    """The arguments by parameter; without those that do not fit, which may be anything."""
    pairs = zip(callee.function.params, op.args, strict=False)
    return {param: arg for param, arg in pairs if arg.type is param.type}


def assignment(changed: Mapping[str, Expr], note: Note) -> Code:
    """The parallel assignment."""
    if not changed:
        return (Step(Skip(), note),)
    return (Step(Assign(tuple(changed), tuple(changed.values())), note),)


def position(coord: Coord) -> Position:
    return Position(coord.file, coord.line, coord.column)
