"""Newton: predicates that explain why no run follows a path of the C program [BR02].

From the error backwards, the conditions of the core are carried through the statements of the path
by weakest preconditions, into calls and out of them. Whatever they say at a point is a predicate of
the function there. A condition on the result of a call becomes one on the callee's result; what it
says of its caller's variables is said in terms of the callee's arguments (`'x`, the symbolic
constants of [BMR05]), so that it serves every caller. What the callee returned on this path, as a
term over its arguments (the strongest postcondition of the path), is a predicate as well.

No soundness duty: predicates can only make the abstraction more precise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from ...analysis.effects import Slot
from ...analysis.modref import ModRef
from ...errors import InternalError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Edge, Program
from ...ir.expr import AddressOf, Binary, Const, Expr, FunctionAddress, Lvalue, Op, Var
from ...ir.ops import Assign, Assume, Call, Error, Halt, Havoc, Operation, Return, Source
from ...ir.path import Path
from ...ir.sums import folded
from ...ir.types import PointerType, is_scalar
from ...ir.walk import reads, substitute, subterms, variables
from ...records import dataclass, field
from ...wp.aliasing import Aliasing
from ...wp.weakest_precondition import Preconditions
from ..atoms import atoms, conjuncts, eliminated, equal_to

_LARGEST = 100  # parts of a condition that is carried on


@dataclass(frozen=True, slots=True)
class NewtonPredicate:
    """A predicate of a function (None: over globals alone), and the symbolic constants in it."""

    function: str | None
    expr: Expr
    constants: Mapping[Var, Lvalue]


@dataclass(slots=True, eq=False)
class _Frame:
    """A call on the path.

    `kept` are conditions behind it that it does not change. `outer` has names for the variables of
    its own function that belong to a call further out. `values` are names for what it returned and
    left in globals, with what held that in its caller; `about_constants` are the atoms that speak
    of them.
    """

    function: str
    call: Call | None
    returned: bool = False
    kept: list[Expr] = field(default_factory=list)
    outer: dict[Expr, Expr] = field(default_factory=dict)
    values: dict[Var, Lvalue | None] = field(default_factory=dict)
    about_constants: dict[Expr, None] = field(default_factory=dict)

    def names(self, condition: Expr) -> list[Var]:
        """The names of its values that a condition speaks of."""
        return [var for var in variables(condition) if var in self.values]


class Newton:
    """Looks at the paths of one program."""

    def __init__(self, program: Program, effects: ModRef, aliasing: Aliasing) -> None:
        self.program = program
        self.effects = effects
        self.names = aliasing.names
        self.before = Preconditions(aliasing)
        self.globals = frozenset(item.var for item in program.globals)
        self._own = {
            name: frozenset((*function.params, *function.locals))
            for name, function in program.functions.items()
        }

    def predicates(self, path: Path, core: Iterable[int]) -> list[NewtonPredicate]:
        """The predicates at all points of a path, those near its end first."""
        return _Walk(self, path.edges, frozenset(core)).run()

    def variables(self, function: str) -> frozenset[Var]:
        return self._own[function]

    def constant(self, function: str, var: Var) -> Var:
        """The symbolic constant of a parameter or global."""
        return Var(f"{function}::'{var.short}", var.type)

    def touched(self, condition: Expr, writes: frozenset[Slot]) -> bool:
        """May a call that writes these slots change what the condition says?"""
        for lvalue in reads(condition):
            if lvalue not in self.names.made:
                try:
                    if not self.effects.slots.of_target(self.names.in_program(lvalue)).isdisjoint(
                        writes
                    ):
                        return True
                except (UnsupportedFeature, InternalError):
                    return True
        return False


class _Walk:
    """One path, from its end to its start; `_now` are the conditions at the present point."""

    def __init__(self, newton: Newton, edges: Sequence[Edge], core: frozenset[int]) -> None:
        self._newton = newton
        self._edges = edges
        self._core = core
        self._found: dict[tuple[str | None, Expr], NewtonPredicate] = {}
        self._at: list[_Frame] = []  # in which call each edge is
        self._entered: dict[int, _Frame] = {}
        self._now: dict[Expr, None] = {}
        stack = [_Frame(newton.program.entry, None)]
        for number, edge in enumerate(edges):
            self._at.append(stack[-1])
            after = edges[number + 1] if number + 1 < len(edges) else None
            if isinstance(edge.op, Call) and after is not None and after.src is not edge.dst:
                stack.append(_Frame(after.src.function, edge.op))
                self._entered[number] = stack[-1]
            elif isinstance(edge.op, Return) and len(stack) > 1:
                stack.pop().returned = True

    def run(self) -> list[NewtonPredicate]:
        for number in range(len(self._edges) - 1, -1, -1):
            frame = self._at[number]
            match self._edges[number].op:
                case Return(value):
                    if frame.returned:
                        self._into(frame, value)
                case Call() as call:
                    if number in self._entered:
                        self._out(self._entered[number], call, frame)
                        if number in self._core:
                            self._now.update(_called(call, self._entered[number].function))
                    elif call.target is not None:
                        self._through(Havoc(call.target, Source.EXTERN, "result"))
                case Assume(cond):
                    if number in self._core:
                        self._now.update(dict.fromkeys(conjuncts(cond)))
                case Error() | Halt():
                    pass
                case op:
                    self._through(op)
            for condition in self._now:
                self._record(frame, condition)
        return list(self._found.values())

    # --- statements -------------------------------------------------------------------------------

    def _through(self, op: Operation) -> None:
        """From behind a statement to before it."""
        made = self._newton.names.made
        known = len(made)
        found: dict[Expr, None] = {}
        for condition in self._now:
            try:
                before = folded(self._newton.before.pre(op, condition))
            except UnsupportedFeature:
                continue
            if not isinstance(before, Const) and _is_small(before):
                found.update(dict.fromkeys(conjuncts(before)))
        self._now = dict.fromkeys(eliminated(found, list(islice(made, known, None))))

    # --- calls ------------------------------------------------------------------------------------

    def _into(self, frame: _Frame, value: Expr | None) -> None:
        """From behind a call to the end of the callee."""
        newton, call = self._newton, frame.call
        assert call is not None
        result: Var | None = None
        if call.target is not None and is_scalar(call.target.type):
            result = newton.names.fresh("result", call.target)
            self._through_result(Assign(call.target, result))
        writes = newton.effects.writes(frame.function)
        inside: dict[Expr, None] = {}
        for condition in self._now:
            used = variables(condition)
            if result not in used and not newton.touched(condition, writes):
                frame.kept.append(condition)
                continue
            for var in used:
                if var in newton.variables(frame.function):
                    frame.outer.setdefault(var, newton.names.fresh("outer", var))
            inner_condition = substitute(condition, frame.outer)
            if result is not None and result in used:
                if value is None or value.type is not result.type:
                    continue
                inner_condition = substitute(inner_condition, {result: value})
            inside[inner_condition] = None
        changed: dict[Var, Lvalue | None] = {
            var: var
            for condition in inside
            for var in variables(condition)
            if var in newton.globals and is_scalar(var.type) and newton.touched(var, writes)
        }
        if inside and isinstance(value, Var) and value not in changed:
            changed[value] = call.target
        for var, held in changed.items():
            name = newton.names.fresh("value", var)
            frame.values[name] = held
            inside[make.equal(var, name)] = None
        self._now = inside

    def _through_result(self, op: Assign) -> None:
        """Before the result is stored; its name stays."""
        found: dict[Expr, None] = {}
        for condition in self._now:
            try:
                before = folded(self._newton.before.pre(op, condition))
            except UnsupportedFeature:
                continue
            found.update(dict.fromkeys(conjuncts(before)))
        self._now = found

    def _out(self, frame: _Frame, call: Call, caller: _Frame) -> None:
        """From the start of a callee to before its call."""
        newton = self._newton
        params = newton.program.functions[frame.function].params
        actuals: dict[Expr, Expr] = {
            param: arg
            for param, arg in zip(params, call.args, strict=False)
            if param.type is arg.type
        }
        for name, held in frame.values.items():
            self._tell_value(frame, name, held, actuals, caller)
        back: dict[Expr, Expr] = {name: var for var, name in frame.outer.items()}
        found = dict.fromkeys(frame.kept)
        for condition in self._now:
            used = set(variables(condition))
            if frame.values.keys() & used:
                continue
            if (used & newton.variables(frame.function)) - actuals.keys():
                continue
            before = substitute(substitute(condition, actuals), back)
            if not isinstance(before, Const):
                found.update(dict.fromkeys(conjuncts(before)))
        self._now = found

    def _tell_value(
        self,
        frame: _Frame,
        name: Var,
        held: Lvalue | None,
        actuals: Mapping[Expr, Expr],
        caller: _Frame,
    ) -> None:
        """What the callee returned or left in a global, as a term over its arguments, is a
        predicate at all its points, and one of its caller behind the call."""
        newton = self._newton
        params = newton.program.functions[frame.function].params
        for condition in self._now:
            for value in equal_to(condition, name):
                used = variables(value)
                if not newton.globals.union(params).issuperset(used):
                    continue
                constants: dict[Var, Lvalue] = {
                    newton.constant(frame.function, var): var for var in used
                }
                then = substitute(value, {var: constant for constant, var in constants.items()})
                for atom in frame.about_constants:
                    if frame.names(atom) == [name]:
                        self._add(frame.function, substitute(atom, {name: then}), constants)
                if isinstance(held, Var) and held.type is value.type and held not in used:
                    stored = make.equal(held, substitute(value, actuals))
                    self._add(caller.function, stored, {})
                return

    # --- predicates -------------------------------------------------------------------------------

    def _record(self, frame: _Frame, condition: Expr) -> None:
        for atom in atoms(condition):
            if frame.names(atom):
                frame.about_constants[atom] = None
            elif frame.returned:
                self._add(frame.function, *self._said_inside(frame, atom))
            else:
                self._add(frame.function, atom, {})

    def _said_inside(self, frame: _Frame, atom: Expr) -> tuple[Expr, Mapping[Var, Lvalue]]:
        """An atom with the arguments of the callee for what its caller knows."""
        newton, call = self._newton, frame.call
        assert call is not None
        params = newton.program.functions[frame.function].params
        constants: dict[Var, Lvalue] = {}
        for param, arg in zip(params, call.args, strict=False):
            if self._is_inside(frame, atom):
                break
            if param.type is not arg.type or isinstance(arg, Const):
                continue
            constant = newton.constant(frame.function, param)
            there = substitute(arg, frame.outer)
            said = substitute(atom, {there: constant})
            if said is atom:
                said = substitute(atom, dict(_solved(there, constant)))
            if said is not atom:
                constants[constant] = param
                atom = said
        return atom, constants

    def _is_inside(self, frame: _Frame, atom: Expr) -> bool:
        known = self._newton.globals | self._newton.variables(frame.function)
        return known.issuperset(variables(atom))

    def _add(self, function: str, atom: Expr, constants: Mapping[Var, Lvalue]) -> None:
        if isinstance(atom, Const):
            return
        newton = self._newton
        found = set(variables(atom))
        fixed = {c: lvalue for c, lvalue in constants.items() if c in found}
        used = found - fixed.keys()
        if used <= newton.globals | newton.variables(function):
            where = None if used <= newton.globals and not fixed else function
            self._found.setdefault((where, atom), NewtonPredicate(where, atom, fixed))


def _called(call: Call, function: str) -> dict[Expr, None]:
    """That a call through a pointer goes to a function."""
    type_ = call.callee.type
    if isinstance(call.callee, FunctionAddress) or not isinstance(type_, PointerType):
        return {}
    return {make.equal(call.callee, FunctionAddress(function, type_)): None}


def _solved(term: Expr, value: Expr) -> Iterable[tuple[Expr, Expr]]:
    """What a variable is, if the term, its sum with a constant or its address, has this value."""
    match term:
        case AddressOf(Var() as var, _):
            yield var, make.deref(value)
        case Binary(Op.ADD, Var() as var, Const() as number, _):
            yield var, make.binary(Op.SUB, value, number)
        case Binary(Op.SUB, Var() as var, Const() as number, _):
            yield var, make.binary(Op.ADD, value, number)


def _is_small(condition: Expr) -> bool:
    return sum(1 for _ in islice(subterms(condition), _LARGEST + 1)) <= _LARGEST
