"""The rounds of a loop as linear maps: every path from its head back to it, calls included.

Along a path, the interval analysis says what conditions leave of inputs, and each floating-point
variable has a linear form over the variables at the head and over the inputs of the round.

Soundness duty: if a run is at the head with all variables in the ranges given for them, then what
it does until it comes back there, or leaves the loop, is one of the paths; what a path says of the
variables at its end, and of those that were just assigned, holds. None if there are too many paths,
or one of them does what is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import inf

from ...ir.cfa import Edge, Location
from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.expr import Binary, Const, Expr, Lvalue, Op, Var
from ...ir.ops import Assign, Assume, Call, Havoc, Operation, Skip
from ...ir.types import FloatType, IntType
from ...records import dataclass
from . import float_bounds
from .bounds import Bounds
from .interval import Interval, inside, of_type
from .linear_forms import Key, Linear, Linearisation, Range, Ranges, unit
from .state import State
from .transfer import Transfer

_MOST_PATHS = 48
_MOST_STEPS = 1_500
MOST_COUNT = 1 << 53  # counters that are exact as numbers of Python


@dataclass(frozen=True, slots=True)
class Outcome:
    """Forms of variables at one place, over keys in these ranges; `bounds` of the variables there.
    What has no form may be anything within its bounds, and what has no bounds may be NaN."""

    forms: Mapping[Var, Linear]
    bounds: Mapping[Var, Range]
    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Rounds:
    """Each way back to the head; and where a variable was just assigned, all ways to come there."""

    back: tuple[Outcome, ...]
    inside: Mapping[tuple[Location, Var], tuple[Outcome, ...]]


class _TooMuch(Exception):
    """The loop is not looked at."""


class _Path:
    """What is known where a path has come to."""

    __slots__ = ("forms", "ranges", "seen", "state")

    def __init__(
        self,
        state: State,
        forms: dict[Var, Linear | None],
        ranges: dict[Key, Range],
        seen: frozenset[Configuration],
    ) -> None:
        self.state = state
        self.forms = forms  # of what was written; None if nothing is known
        self.ranges = ranges
        self.seen = seen

    def copy(self, at: Configuration) -> _Path:
        return _Path(self.state, dict(self.forms), dict(self.ranges), self.seen | {at})


class LoopRounds:
    """The loop with this head, and these locations of its function."""

    def __init__(
        self,
        transfer: Transfer,
        head: Location,
        inside: frozenset[Location],
    ) -> None:
        self._flow = flow = transfer.flow
        self._bounds = transfer.bounds
        self._slots = transfer.slots
        self._required = transfer.required
        self._head = Configuration(head, None)
        self._inside = inside
        incoming = flow.program.functions[head.function].incoming
        self._single = {at for at in inside if at is not head and len(incoming[at]) == 1}

    def of(self, state: State, ranges: Mapping[Var, Range]) -> Rounds | None:
        """All rounds from a state at the head, where these variables lie in these ranges."""
        self._inputs = 0
        self._tracked = tuple(ranges)
        for var, (low, high) in ranges.items():
            if isinstance(var.type, FloatType):
                state = state.updated(var, (float_bounds.rank(low), float_bounds.rank(high)))
        self._back: list[Outcome] = []
        self._found: dict[tuple[Location, Var], list[Outcome]] = {}
        try:
            self._follow(_Path(state, {}, dict(ranges.items()), frozenset()))
        except _TooMuch:
            return None
        inside = {place: tuple(outcomes) for place, outcomes in self._found.items()}
        return Rounds(tuple(self._back), inside)

    def _follow(self, start: _Path) -> None:
        waiting = [(self._head, start)]
        steps = 0
        while waiting:
            at, path = waiting.pop()
            for step in self._flow.transitions(at):
                if step.kind is TransitionKind.ERROR:
                    continue
                to = step.dst
                if step.kind is not TransitionKind.STEP or to is None:
                    raise _TooMuch
                if to.stack is None and to.location not in self._inside:
                    continue  # it leaves the loop
                steps += 1
                if steps > _MOST_STEPS:
                    raise _TooMuch
                after = path.copy(at)
                if not self._do(step, after):
                    continue
                self._note(step, to, after)
                if to is self._head:
                    self._back.append(self._outcome(after))
                    if len(self._back) > _MOST_PATHS:
                        raise _TooMuch
                elif to in after.seen:
                    raise _TooMuch  # a loop inside
                else:
                    waiting.append((to, after))

    # --- operations -------------------------------------------------------------------------------

    def _do(self, step: Transition, path: _Path) -> bool:
        """Whether the path goes on, and a call returns."""
        to, call = step.dst, step.edge.op
        if isinstance(call, Call) and to is not None and to.stack is not step.src.stack:
            state = self._required(call, to.location.function, path.state)
            if state is None:
                return False
            path.state = state
            self._narrow_inputs(path)
        for op in step.ops:
            match op:
                case Skip():
                    pass
                case Assume(cond):
                    state = self._bounds.assume(cond, path.state)
                    if state is None:
                        return False
                    path.state = state
                    self._narrow_inputs(path)
                case Assign(target, value):
                    self._assign(target, value, path)
                case Havoc(target, _, _):
                    var = self._written(target, path)
                    if var is not None and isinstance(var.type, FloatType):
                        path.forms[var] = self._input((-inf, inf), path)
                case _:
                    self._other(op, step.edge, path)
        return True

    def _other(self, op: Operation, edge: Edge, path: _Path) -> None:
        if op is not edge.op:
            raise _TooMuch
        for slot in self._slots.effects(edge).writes:
            if isinstance(slot, Var):
                self._forget(slot, path)

    def _assign(self, target: Lvalue, value: Expr, path: _Path) -> None:
        bounds = self._bounds.of(value, path.state)
        form = None
        if isinstance(value.type, IntType):
            form = self._counted(value, path)
        if isinstance(value.type, FloatType):
            form = Linearisation(
                lambda e: self._variable(e, path), lambda e: self._unknown(e, path), path.ranges
            ).of(value)
        var = self._written(target, path)
        if var is None or var.type is not value.type:
            return
        path.forms[var] = form
        if bounds is not None and isinstance(var.type, FloatType | IntType):
            path.state = path.state.updated(var, bounds)

    def _written(self, target: Lvalue, path: _Path) -> Var | None:
        """Forget what an assignment overwrites; the scalar variable that it is, if it is one."""
        for slot in self._slots.of_target(target):
            if isinstance(slot, Var):
                self._forget(slot, path)
        return self._bounds.scalar(target)

    def _forget(self, var: Var, path: _Path) -> None:
        path.state = path.state.forgetting(var)
        path.forms[var] = None

    # --- forms ------------------------------------------------------------------------------------

    def _variable(self, e: Expr, path: _Path) -> Linear | None:
        var = self._bounds.scalar(e)
        if var is not None and var.type is e.type:
            if var in path.forms:
                known = path.forms[var]
                if known is not None:
                    return known
            elif var in self._tracked:
                low, high = path.ranges[var]
                return Linear({}, Fraction(low)) if low == high else unit(var)
        return self._unknown(e, path)

    def _counted(self, e: Expr, path: _Path) -> Linear | None:
        """The form of a counter, or of one that is moved by a constant and does not wrap."""
        var = self._bounds.scalar(e)
        if var is not None and var.type is e.type:
            return path.forms.get(var, unit(var) if var in self._tracked else None)
        match e:
            case Binary(Op.ADD | Op.SUB as op, left, Const(value, _), IntType() as type_):
                exact = self._bounds.exact(e, path.state)
                known = self._counted(left, path)
                if known is not None and exact is not None and inside(exact, of_type(type_)):
                    moved = Fraction(value if op is Op.ADD else -value)
                    return Linear(known.coefficients, known.constant + moved, known.error)
        return None

    def _unknown(self, e: Expr, path: _Path) -> Linear | None:
        """An input as large as the interval of a term."""
        bounds = self._bounds.of(e, path.state)
        if bounds is None:
            return None
        found = float_bounds.number(bounds[0]), float_bounds.number(bounds[1])
        return self._input(found, path)

    def _input(self, bounds: Range, path: _Path) -> Linear:
        self._inputs += 1
        path.ranges[self._inputs] = bounds
        return unit(self._inputs)

    def _narrow_inputs(self, path: _Path) -> None:
        """What a condition leaves of a variable that is an input."""
        for var, form in path.forms.items():
            key = _input_of(form)
            known = None if key is None else path.state.get(var)
            if key is not None and known is not None:
                low, high = path.ranges[key]
                low = max(low, float_bounds.number(known[0]))
                high = min(high, float_bounds.number(known[1]))
                if low <= high:
                    path.ranges[key] = low, high

    # --- what is noted ----------------------------------------------------------------------------

    def _note(self, step: Transition, to: Configuration, path: _Path) -> None:
        if to.stack is None and to.location in self._single:
            for var in _assigned(step.ops, self._bounds):
                place = to.location, var
                self._found.setdefault(place, []).append(self._outcome(path, var))

    def _outcome(self, path: _Path, only: Var | None = None) -> Outcome:
        forms: dict[Var, Linear] = {}
        for var in self._tracked if only is None else (only,):
            form = path.forms.get(var, unit(var) if var in self._tracked else None)
            if form is not None and all(key in path.ranges for key in form.coefficients):
                forms[var] = form
        bounds: dict[Var, Range] = {}
        for var in self._tracked if only is None else (only,):
            known = path.state.get(var)
            if known is not None:
                bounds[var] = ends_of(var, known)
        return Outcome(forms, bounds, path.ranges)


def ends_of(var: Var, bounds: Interval | None) -> Range:
    """The numbers between which a variable lies."""
    if bounds is None:
        return -inf, inf
    if isinstance(var.type, FloatType):
        return float_bounds.number(bounds[0]), float_bounds.number(bounds[1])
    low, high = bounds
    return (float(low), float(high)) if max(-low, high) < MOST_COUNT else (-inf, inf)


def _assigned(ops: tuple[Operation, ...], bounds: Bounds) -> Iterator[Var]:
    for op in ops:
        if isinstance(op, Assign):
            var = bounds.scalar(op.target)
            if var is not None and isinstance(var.type, FloatType):
                yield var


def _input_of(form: Linear | None) -> int | None:
    """The input that a variable is, and nothing else."""
    if form is None or form.constant or form.error or len(form.coefficients) != 1:
        return None
    ((key, factor),) = form.coefficients.items()
    return key if isinstance(key, int) and factor == 1 else None
