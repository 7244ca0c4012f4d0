"""Path slicing [JM05]: the transitions of a path that have a say in whether its end is reached.

Backwards from the end, with the storage that is live and the location that must be reached (the
step location): an assignment is kept if it may write something live; a branch if the step location
can be bypassed from there, or if something live may be written in between; a call that has returned
is left out as a whole if it writes nothing live.

Soundness duty: none for a verdict. If the kept transitions contradict each other, so do all.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.effects import Slot
from ..analysis.localization import PassedOver, lasting_writes
from ..analysis.modref import ModRef
from ..ir.cfa import Location, Program
from ..ir.configuration import Transition
from ..ir.ops import Assume, Call, Return
from ..records import dataclass, field


@dataclass(frozen=True, slots=True)
class PathSlice:
    """The numbers of the transitions that are kept, and what calls and loops that were passed over
    may have written of what the others read."""

    kept: tuple[int, ...]
    unseen: frozenset[Slot]


@dataclass(slots=True)
class PathSlicer:
    """Slices paths of one program."""

    program: Program
    effects: ModRef
    _between: dict[tuple[Location, Location], tuple[bool, frozenset[Slot]]] = field(
        default_factory=dict
    )

    def slice(self, path: Sequence[Transition], whole: bool = False) -> PathSlice:
        """The slice of a path; if it is to be `whole`, only what is never read is left out."""
        kept: list[int] = []
        live: set[Slot] = set()
        unseen: set[Slot] = set()
        step = path[-1].src.location
        number = len(path) - 1
        while number >= 0:
            transition = path[number]
            here = transition.src.location
            reads, writes, kills = self._effects(transition)
            if isinstance(transition, PassedOver):
                written = transition.writes & live
                unseen |= written
                keep = bool(written)
            elif isinstance(transition.edge.op, Return) and not whole:
                keep = True
                stack = transition.src.stack
                assert stack is not None
                if live.isdisjoint(lasting_writes(self.effects, stack.call)):
                    while path[number].dst is None or path[number].src.stack is not stack.below:
                        number -= 1
                    number -= 1
                    continue
            elif isinstance(transition.edge.op, Assume):
                keep = whole or self._matters(here, step, live)
            elif isinstance(transition.edge.op, Call | Return) or number == len(path) - 1:
                keep = True
            else:
                keep = not live.isdisjoint(writes)
            if keep:
                kept.append(number)
                live -= kills
                live |= reads
                step = here
            number -= 1
        return PathSlice(tuple(reversed(kept)), frozenset(unseen))

    def _effects(self, transition: Transition) -> tuple[set[Slot], set[Slot], set[Slot]]:
        """What the operations of a transition read from before it, write, and write for sure."""
        reads: set[Slot] = set()
        writes: set[Slot] = set()
        kills: set[Slot] = set()
        for edge in transition.steps:
            own = self.effects.slots.effects(edge)
            reads |= own.reads - kills
            writes |= own.writes
            kills |= own.kills
        return reads, writes, kills

    def _matters(self, source: Location, step: Location, live: set[Slot]) -> bool:
        """Does a branch decide whether the step location is reached, or what is live there?"""
        known = self._between.get((source, step))
        if known is None:
            known = self._between[source, step] = self._search(source, step)
        bypassed, writes = known
        return bypassed or not live.isdisjoint(writes)

    def _search(self, source: Location, step: Location) -> tuple[bool, frozenset[Slot]]:
        """Can a run come from the source to the end of the function, or to its own end, and not to
        the step location, and what may be written between the two?"""
        outgoing = self.program.functions[source.function].outgoing
        writes: set[Slot] = set()
        bypassed = False
        seen, todo = {source}, [source]
        while todo:
            for edge in outgoing[todo.pop()]:
                if isinstance(edge.op, Return) or not self.effects.may_return(edge):
                    bypassed = True
                    continue
                writes |= self.effects.effects(edge).writes
                if edge.dst not in seen and edge.dst != step:
                    seen.add(edge.dst)
                    todo.append(edge.dst)
        return bypassed, frozenset(writes)
