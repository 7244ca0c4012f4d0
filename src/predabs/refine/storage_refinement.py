"""Which storage must be tracked to exclude a path of a localized program?

The path is executed with all storage, but a read of something that is not tracked yields its value
only under an assumption, one for each scalar variable or memory region; else it yields anything. A
core of these assumptions is what to track. It is looked for in the path's slice first, so that it
has to do with why the error is reached.

Soundness duty: none for a proof: localized programs have more runs, whatever is tracked. A path
counts as feasible only if no call on it was passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..analysis.effects import Slot
from ..analysis.localization import Localization, PassedOver
from ..analysis.memory.partition import RegionId
from ..encode.encoding import BitVectorEncoding, BoundedTerm, Encoding
from ..encode.environment import Environment, Formulas, Key
from ..encode.initial_states import initial_environment
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..encode.steps import EdgeStep
from ..errors import UnsupportedFeature
from ..ir.configuration import Transition
from ..ir.expr import Var
from ..ir.ops import Call
from ..ir.types import Type
from ..records import dataclass, field
from ..smt import build
from ..smt.cores import minimise
from ..smt.solver import Answer, Sat, Solver, Statistics, Unsat
from ..smt.solvers import create
from ..smt.term import BOOL, TRUE, Symbol, Term
from .path_slice import PathSlicer

_CHECKS = 60  # to make one core smaller


class _Guarded(Formulas):
    """Formulas in which storage that is not tracked is read under assumptions: `literals`."""

    def __init__(self, whole: Formulas, encoding: Encoding, tracked: frozenset[Slot]) -> None:
        super().__init__(whole.partition, encoding, whole.interval_facts)
        self._tracked = tracked
        self.literals: dict[Slot, Symbol] = {}
        self.definitions: list[Term] = []

    def get(self, environment: Environment, key: Key) -> BoundedTerm:
        value = super().get(environment, key)
        if not isinstance(key, Var) or key in self._tracked:
            return value
        return self._guarded(key, value, key.type)

    def cell(
        self, environment: Environment, region: RegionId, unit: Type, address: BoundedTerm
    ) -> BoundedTerm:
        value = super().cell(environment, region, unit, address)
        return value if region in self._tracked else self._guarded(region, value, unit)

    def bytes_at(
        self, environment: Environment, region: RegionId, address: BoundedTerm, size: int
    ) -> Term:
        value = super().bytes_at(environment, region, address, size)
        if region in self._tracked:
            return value
        read = self.fresh_like(str(region), value.sort)
        self._define(region, read, value)
        return read

    def _guarded(self, slot: Slot, value: BoundedTerm, type_: Type) -> BoundedTerm:
        read = self.fresh(str(slot), type_)
        self._define(slot, read.term, value.term)
        return read

    def _define(self, slot: Slot, read: Term, value: Term) -> None:
        self.definitions.append(build.implies(self.literal(slot), build.eq(read, value)))

    def literal(self, slot: Slot) -> Term:
        """The assumption that something is tracked."""
        if slot in self._tracked:
            return TRUE
        known = self.literals.get(slot)
        if known is None:
            known = self.literals[slot] = self.fresh_like(f"tracked {slot}", BOOL)
        return known


class CannotLocalize(Exception):
    """Nothing was found that could be tracked to exclude a path."""


@dataclass(slots=True)
class StorageRefiner:
    """Finds what to track; `seconds` says how long one question may take."""

    whole: Formulas
    localization: Localization
    statistics: Statistics
    seconds: Callable[[], float]
    _slicer: PathSlicer = field(init=False)

    def __post_init__(self) -> None:
        self._slicer = PathSlicer(self.whole.partition.program, self.localization.effects)

    def refine(self, path: Sequence[Transition]) -> Localization | None:
        """The localization that excludes the path, or sees more of it; None if it is feasible, and
        nothing in it was passed over."""
        here = self.localization
        for whole in (False, True):
            part = self._slicer.slice(path, whole)
            core = self._core([path[number] for number in part.kept])
            if core is not None:
                if core <= here.tracked:
                    raise CannotLocalize
                return here.more(core, ())
            unseen = part.unseen - here.tracked
            if unseen:
                variables = [slot for slot in unseen if not _is_memory(slot)]
                return here.more(variables or unseen, ())
        passed = [step for step in path if isinstance(step, PassedOver)]
        if not passed:
            return None
        called = self._with_callees(passed)
        if called <= here.entered:
            raise CannotLocalize
        return here.more((), called)

    def _with_callees(self, passed: Sequence[PassedOver]) -> set[str]:
        """The functions of loops, and those that were called, with all that they call."""
        effects = self.localization.effects
        edges = [edge for step in passed for edge in step.inside or (step.edge,)]
        calls = [edge for edge in edges if isinstance(edge.op, Call)]
        todo = [name for edge in calls for name in effects.callees(edge)]
        found: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += effects.calls[name]
        return found | {step.src.location.function for step in passed if step.inside}

    def _core(self, path: Sequence[Transition]) -> frozenset[Slot] | None:
        """Storage that is enough to contradict the transitions; None if they do not, and all that
        they read if nobody can tell."""
        try:
            return self._solved(path, IntegerEncoding(), "z3")
        except NeedsBitVectors:
            return self._solved(path, BitVectorEncoding(), "bitwuzla")

    def _solved(
        self, path: Sequence[Transition], encoding: Encoding, name: str
    ) -> frozenset[Slot] | None:
        formulas = _Guarded(self.whole, encoding, self.localization.tracked)
        environment, _ = initial_environment(formulas)
        guards: list[Term] = []
        for transition in path:
            for edge in transition.steps:
                step = EdgeStep(formulas, edge, environment)
                try:
                    step.run()
                except UnsupportedFeature:
                    return frozenset(formulas.literals)
                environment = step.environment
                awake = map(formulas.literal, self.localization.needed_for(edge))
                guards.append(build.implies(build.or_(*awake), build.and_(*step.guard)))
            if isinstance(transition, PassedOver):
                environment = self._after(formulas, transition.writes, environment)
        solver = create(name, self.statistics)
        for term in dict.fromkeys((*guards, *formulas.definitions)):
            if term is not TRUE:
                solver.add(term)
        for fact in formulas.facts([*guards, *formulas.definitions]):
            solver.add(fact)
        # a core of variables is better than one with memory; then what is read last comes first
        near = reversed(formulas.literals)
        slots = {formulas.literals[slot]: slot for slot in sorted(near, key=_is_memory)}
        match self._nearest(solver, list(slots)):
            case Unsat(core):
                return frozenset(slots[term] for term in core if isinstance(term, Symbol))
            case Sat():
                return None
        return frozenset(formulas.literals)

    def _nearest(self, solver: Solver, literals: Sequence[Term]) -> Answer:
        """A core from the front of the literals: twice as many of them are tried each time."""
        number = 1
        while number < len(literals):
            answer = minimise(solver, literals[:number], _CHECKS, self.seconds())
            if isinstance(answer, Unsat):
                return answer
            number *= 2
        return minimise(solver, literals, _CHECKS, self.seconds())

    def _after(
        self, formulas: Formulas, writes: frozenset[Slot], environment: Environment
    ) -> Environment:
        """What may have been written by what was passed over holds anything."""
        for slot in sorted(writes, key=str):
            if isinstance(slot, Var):
                value = formulas.fresh(slot.name, slot.type)
            else:
                sort = formulas.region_sort(slot)
                value = BoundedTerm(formulas.fresh_like(str(slot), sort), 0, 0)
            environment = environment.put(slot, value)
        return environment


def _is_memory(slot: Slot) -> bool:
    return not isinstance(slot, Var)
