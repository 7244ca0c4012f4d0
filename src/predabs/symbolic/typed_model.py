"""Models that are runs: in memory of the environment, no byte is read as something else than it was
written as, and the interpreter finds memory wherever the model has it.

The symbolic memory has a history for each view, and leaves it open whether accesses of two views
meet: most never do, and conditions that say so would be as many as the pairs of accesses. So a
model is looked at, and asked for again with conditions for what went wrong in it. Before that, one
is asked for that has all pointers in regions of their own: then nothing can meet, and the run gets
through operations that a slice has left out, too.

Soundness duty: a model that is returned has none of these faults. That there is none is no proof:
conditions may be stronger than need be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Answer, Reason, Sat, Unknown, Unsat
from ..smt.term import TRUE, Term
from .environment_addresses import EnvironmentAddresses, split
from .guard_values import GuardEvaluator
from .symbolic_input import EnvironmentAccess

_MOST_ROUNDS = 8
_MOST_CLASHES = 128  # that are excluded at once

Ask: TypeAlias = Callable[[Sequence[Term]], Answer]
"""Asks whether a condition can hold together with some more."""


@dataclass(frozen=True, slots=True)
class _Place:
    """An access of the run that a model describes."""

    start: int
    access: EnvironmentAccess

    @property
    def end(self) -> int:
        return self.start + self.access.size


def typed_model(
    ask: Ask, accesses: Iterable[EnvironmentAccess], addresses: EnvironmentAddresses
) -> Answer:
    """The answer, with a model that is a run; `Unknown` if there seems to be none."""
    answer = ask(())
    excluded: list[Term] = []
    for number in range(_MOST_ROUNDS):
        if isinstance(answer, Unknown) or (isinstance(answer, Unsat) and not excluded):
            return answer
        if isinstance(answer, Unsat):
            break
        places = _places(answer, accesses, addresses)
        clashes = _clashes(places, addresses)
        if number == 0 and places:
            bases = dict.fromkeys(split(place.access.address)[0] for place in places)
            regions = [addresses.in_region(base) or TRUE for base in bases]
            nicer = ask([*regions, *clashes])
            if isinstance(nicer, Sat):
                again = _clashes(_places(nicer, accesses, addresses), addresses)
                if not again:
                    return nicer
                clashes += again if clashes else ()
        if not clashes:
            return answer
        excluded += clashes
        answer = ask(excluded)
    return Unknown(Reason.INCOMPLETE, "only where bytes are read as something else than written")


def _places(
    answer: Sat, accesses: Iterable[EnvironmentAccess], addresses: EnvironmentAddresses
) -> list[_Place]:
    """The accesses of the run, by address."""
    evaluator = TermEvaluator(answer.model)
    guards = GuardEvaluator(evaluator)
    found: dict[tuple[int, Term, object, bool], _Place] = {}
    for access in accesses:
        if guards.holds(access.guard):
            start = evaluator.value(access.address)
            assert isinstance(start, int)
            if addresses.may_lie_at(start):
                key = (start, access.address, access.view, access.writes)
                found.setdefault(key, _Place(start, access))
    return sorted(found.values(), key=lambda place: place.start)


def _clashes(places: Sequence[_Place], addresses: EnvironmentAddresses) -> list[Term]:
    """Conditions that exclude what is wrong with a run."""
    found: dict[Term, None] = {}
    viewed = [place for place in places if place.access.view is not None]  # blocks may meet any
    widest = max((place.access.size for place in viewed), default=0)
    for place in places:
        if len(found) > _MOST_CLASHES:
            break
        address = place.access.address
        if not addresses.is_address(place.start) and not addresses.is_taken(address):
            found[addresses.is_high(address)] = None
    for number, place in enumerate(viewed):
        if len(found) > _MOST_CLASHES:
            break
        for other in viewed[number + 1 :]:
            if other.start >= place.start + widest:
                break
            if other.start < place.end and _met(place, other):
                found[_apart(place.access, other.access)] = None
    return list(found)


def _met(one: _Place, two: _Place) -> bool:
    """Of accesses that touch a common byte: is one of them a write that the other must not see?"""
    first, second = one.access, two.access
    if first.view is None or second.view is None or not (first.writes or second.writes):
        return False
    if first.view == second.view:
        return not first.view.bytewise and one.start != two.start
    return True


def _apart(one: EnvironmentAccess, two: EnvironmentAccess) -> Term:
    """The condition that the accesses touch no common byte (or are to the same cell)."""
    width = bitvectors.width_of(one.address)
    distance = bitvectors.sub(one.address, two.address)
    back = bitvectors.sub(two.address, one.address)
    apart = build.and_(
        bitvectors.ule(bitvectors.bits(two.size, width), distance),
        bitvectors.ule(bitvectors.bits(one.size, width), back),
    )
    same = one.view == two.view
    return build.or_(apart, build.eq(one.address, two.address)) if same else apart
