"""One procedure: each edge of the automaton becomes Boolean code [BMR05, section 4.3].

`step` is the code of one edge, which the engine keeps as a graph (`boolean_graphs`); `code` is the
whole in loops and branches, for a reader.

Soundness duty [BMR05, theorem 1]: whatever a run of the C program does at an edge, the Boolean code
can do to the values of the predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from ..analysis.effects import Slot
from ..boolprog.syntax import (
    FALSE,
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
from ..ir import make, ops
from ..ir.ada_text import ada_expr, ada_op
from ..ir.cfa import Coord, Edge
from ..ir.expr import Expr as CExpr
from ..ir.expr import FunctionAddress
from ..ir.expr import Var as CVar
from ..ir.show import show_expr
from ..ir.types import PointerType, is_scalar
from ..ir.walk import substitute, variables
from ..records import dataclass, field
from .abstraction_context import AbstractionContext
from .boolean_code import BooleanProcedure, Code, CodeBranch, CodeStep, Meaning, Note
from .boolean_variables import Boolean, VisibleBooleans
from .direct.method import DirectBlocks
from .interface import Interface
from .structured_code import structured


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
class ProcedureAbstraction:
    """The abstraction of one function; `shared` are the global variables of the program, `blocks`
    abstracts its basic blocks if they are not abstracted statement by statement, and
    `tests_as_variables` says that a test which is a predicate becomes its variable."""

    context: AbstractionContext
    mine: Interface
    interfaces: Mapping[str, Interface]
    shared: tuple[Boolean, ...]
    blocks: DirectBlocks | None = None
    tests_as_variables: bool = False
    _temporaries: _Temporaries = field(default_factory=_Temporaries)
    _stale: set[str] = field(default_factory=set)
    _seen: VisibleBooleans | None = None

    def code(self, start: Code = ()) -> BooleanProcedure:
        """The whole procedure; `start` is done before anything else."""
        body = start + self.bind() + structured(self.mine.function, self)
        return BooleanProcedure(
            self.mine.name,
            tuple(variable.name for variable in self.mine.formals),
            len(self.mine.returned),
            self.local_names(),
            body,
            self.impossible(),
            Note(position(self.mine.function.coord), f"{self.mine.function.name}()"),
        )

    def local_names(self) -> tuple[str, ...]:
        """The local variables, once all edges have been translated."""
        return (*(v.name for v in self.mine.locals), *self._temporaries.names())

    @property
    def variables(self) -> tuple[Boolean, ...]:
        """What the statements see."""
        return self.shared + self.mine.own

    def impossible(self) -> Expr | None:
        """The `enforce` of the procedure, once all edges have been translated."""
        return self._scope().invariant(self.mixed)

    def mixed(self, names: Iterable[str]) -> bool:
        """Do some of the variables speak of another time than others, during a call? Those of this
        procedure that the callee may change are old then, global ones are not. To be asked once all
        edges have been translated."""
        shared = {variable.name for variable in self.shared}
        found = set(names)
        return not found.isdisjoint(self._stale) and not found.isdisjoint(shared)

    def _scope(self) -> VisibleBooleans:
        if self._seen is None:
            self._seen = VisibleBooleans(
                self.context.cubes, self.variables, self.tests_as_variables
            )
        return self._seen

    def bind(self) -> Code:
        """The symbolic constants get their values."""
        mapping: dict[CExpr, CExpr] = dict(self.mine.constants.items())
        changed: dict[str, Expr] = {}
        after: dict[str, CExpr | None] = {}
        scope = self._scope()
        for variable in self.mine.own:
            before = substitute(variable.expr, mapping)
            if before is not variable.expr:
                after[variable.name] = before
                changed[variable.name] = scope.value(before)
        texts = [f"{c.short} = {show_expr(e)};" for c, e in self.mine.constants.items()]
        note = Note(position(self.mine.function.coord), " ".join(texts))
        meaning = Meaning(scope.variables, after)
        return assignment(changed, note, meaning) if changed else ()

    # --- what edges become ------------------------------------------------------------------------

    def note(self, edge: Edge, text: str | None = None) -> Note:
        own = ada_op(edge.op, self.context.program.ada, self.context.naming)
        return Note(position(edge.coord), own if text is None else text)

    def text(self, edge: Edge) -> str:
        assert isinstance(edge.op, ops.Assume)
        return ada_expr(edge.op.cond, self.context.program.ada, self.context.naming)

    def condition(self, edge: Edge) -> Expr:
        assert isinstance(edge.op, ops.Assume)
        return self._scope().value(edge.op.cond)

    def step(self, edge: Edge) -> Code:
        block = None if self.blocks is None else self.blocks.code(edge, self.variables)
        if block is not None:
            return block
        note = self.note(edge)
        match edge.op:
            case ops.Skip():
                return ()
            case ops.Assume(cond):
                scope = self._scope()
                known = scope.assumed(cond)
                meaning = Meaning(scope.variables, holds=cond)
                return (CodeStep(Skip() if known is TRUE else Assume(known), note, meaning),)
            case ops.Error():
                return (CodeStep(Assert(FALSE), note),)
            case ops.Halt():
                return (CodeStep(Assume(FALSE), note),)
            case ops.Return():
                values = tuple(Var(variable.name) for variable in self.mine.returned)
                return (CodeStep(Return(values), note),)
            case ops.Call():
                return self._calls(edge, edge.op, note)
            case (
                ops.Assign()
                | ops.Havoc()
                | ops.Alloc()
                | ops.Free()
                | ops.Fill()
                | ops.Copy()
                | ops.Sweep()
                | ops.Print()
            ):
                return self._assign(edge.op, self.context.written(edge), note)
        assert_never(edge.op)

    def _assign(self, op: ops.Operation, writes: frozenset[Slot], note: Note) -> Code:
        """All predicates that the operation changes, at once."""
        scope = self._scope()
        after: dict[str, CExpr | None] = {}
        for variable in scope.variables:
            before = self.context.before(op, writes, variable.expr)
            if before is not variable.expr:
                after[variable.name] = before
        return assignment(scope.values(after), note, Meaning(scope.variables, after))

    # --- calls ------------------------------------------------------------------------------------

    def _calls(self, edge: Edge, op: ops.Call, note: Note) -> Code:
        """A call of one of the functions that it may reach."""
        effects = self.context.effects
        targets = [
            self._chosen(op, name, note) + self._call(op, self.interfaces[name], note)
            for name in effects.callees(edge)
        ]
        if effects.may_leave(edge):
            targets.append(self._leave(op, note))
        if not targets:
            return (CodeStep(Assume(FALSE), note),)  # the pointer points to no function
        return targets[0] if len(targets) == 1 else (CodeBranch(tuple(targets), note),)

    def _chosen(self, op: ops.Call, name: str, note: Note) -> Code:
        """What is known if a call through a pointer goes to this function."""
        type_ = op.callee.type
        if isinstance(op.callee, FunctionAddress) or not isinstance(type_, PointerType):
            return ()
        goes_there = make.equal(op.callee, FunctionAddress(name, type_))
        scope = self._scope()
        known = scope.assumed(goes_there)
        meaning = Meaning(scope.variables, holds=goes_there)
        return () if known is TRUE else (CodeStep(Assume(known), Note(note.at), meaning),)

    def _leave(self, op: ops.Call, note: Note) -> Code:
        """A function without a body changes nothing but the storage of its result."""
        if op.target is None:
            return (CodeStep(Skip(), note),)
        unknown = ops.Havoc(op.target, ops.Source.EXTERN, "result")
        return self._assign(unknown, self.context.effects.slots.of_target(op.target), note)

    def _call(self, op: ops.Call, callee: Interface, note: Note) -> Code:
        """Arguments, the call, and what it changes here [BMR05, sections 4.4.3 and 5.4]."""
        binding = arguments_of(op, callee)
        scope = self._scope()
        arguments = self._temporaries.arguments(len(callee.formals))
        results = self._temporaries.results(len(callee.returned))
        unknown = frozenset(callee.function.params) - binding.keys()
        actuals: dict[str, CExpr | None] = {
            name: None
            if unknown & set(variables(formal.expr))
            else substitute(formal.expr, binding)
            for name, formal in zip(arguments, callee.formals, strict=True)
        }
        call = Call(results, callee.name, tuple(Var(name) for name in arguments))
        silent = Note(note.at)
        code: Code = (CodeStep(call, silent if actuals else note),)
        if actuals:
            code = assignment(scope.values(actuals), note, Meaning(scope.variables, actuals)) + code
        back = self._after(op, callee, binding, results)
        if not back.after:
            return code
        changed = VisibleBooleans(self.context.cubes, back.now).values(back.after)
        return code + assignment(changed, silent, back)

    def _constants(
        self,
        callee: Interface,
        binding: Mapping[CExpr, CExpr],
        writes: frozenset[Slot],
    ) -> dict[CExpr, CExpr]:
        """What the symbolic constants of the callee are here."""
        found: dict[CExpr, CExpr] = {}
        for constant, value in callee.constants.items():
            if frozenset(callee.function.params) & set(variables(value)) <= binding.keys():
                actual = substitute(value, binding)
                found[constant] = self.context.original(actual, writes)
            else:
                found[constant] = self.context.name("unknown", value)
        return found

    def _after(
        self,
        op: ops.Call,
        callee: Interface,
        binding: Mapping[CExpr, CExpr],
        results: Sequence[str],
    ) -> Meaning:
        """What the new values of the predicates depend on that the call may change (E_u).

        When the callee has returned and nothing is assigned yet, a variable of this procedure
        has its value before the call, a global one and a result have their values now.
        """
        context = self.context
        writes = context.effects.writes(callee.function.name)
        returned = self._returned(op, callee)
        meaning = self._constants(callee, binding, writes)
        if callee.result is not None and returned is not None:
            meaning[callee.result] = returned
        now = [
            *self.shared,
            *(
                Boolean(variable.name, context.original(variable.expr, writes))
                for variable in self.mine.own
            ),
            *(
                Boolean(name, substitute(variable.expr, meaning))
                for name, variable in zip(results, callee.returned, strict=True)
            ),
        ]
        changed: dict[str, CExpr | None] = {}
        for variable in (*self.shared, *self.mine.own):
            own = variable not in self.shared
            after = self._stored(op, returned, variable.expr, writes)
            touched = own and context.touched(variable.expr, writes)
            if touched:
                self._stale.add(variable.name)
            if touched or after is not variable.expr:
                changed[variable.name] = after
        return Meaning(tuple(now), changed)

    def _returned(self, op: ops.Call, callee: Interface) -> CVar | None:
        """A name for the value that the call returns; None if there is none."""
        if callee.result is not None:
            return self.context.name("result", callee.result)
        return None if op.target is None else self.context.name("result", op.target)

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
        address_reads = context.effects.slots.of_address(target)
        if (
            returned is None
            or returned.type is not target.type
            or not is_scalar(target.type)
            or address_reads & writes  # where the result goes was settled before the call
        ):
            return None if context.touched(predicate, slots) else predicate
        return context.before(ops.Assign(target, returned), slots, predicate)


def arguments_of(op: ops.Call, callee: Interface) -> dict[CExpr, CExpr]:
    """The arguments by parameter; without those that do not fit, which may be anything."""
    pairs = zip(callee.function.params, op.args, strict=False)
    return {param: arg for param, arg in pairs if arg.type is param.type}


def assignment(changed: Mapping[str, Expr], note: Note, meaning: Meaning | None = None) -> Code:
    """The parallel assignment."""
    if not changed:
        return (CodeStep(Skip(), note),)
    return (CodeStep(Assign(tuple(changed), tuple(changed.values())), note, meaning),)


def position(coord: Coord) -> Position:
    return Position(coord.file, coord.line, coord.column)
