"""Facts that engines have proved about all runs of a program, for each other.

A fact is an invariant: an expression, with the configuration where it holds. Engines that work on
the same program (object for object, or its copy in another process) share one list, to which each
adds what it has proved.

Soundness duty: an engine offers only what holds in all runs, or would hold up to the first
transition of kind LIMIT that a run takes; so whoever uses facts must show that no run takes one.

>>> facts = ProvedFacts()
>>> facts.offer("octagon", ())
>>> facts.has("octagon"), facts.all()
(True, ())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..ir.configuration import Configuration
from ..options import Numbers
from ..records import dataclass, field
from ..verdict import Invariant

if TYPE_CHECKING:  # a process that only supervises encodes nothing
    from ..encode.location_facts import NumericRelations

RELATIONS: tuple[Numbers, ...] = ("octagon", "polyhedra")  # topics: numeric relations


@dataclass(frozen=True, slots=True)
class Offer:
    """Facts of one kind: `topic` says where they come from, so that nobody computes them again."""

    topic: str
    facts: tuple[Invariant, ...]


def _nothing() -> Iterable[Offer]:
    """No other engine has offered anything."""
    return ()


@dataclass(slots=True)
class ProvedFacts:
    """The facts that are known to one engine, or to several in one process. `send` tells engines
    elsewhere, if there are any, `receive` gives what they have sent since it was called last."""

    send: Callable[[Offer], None] | None = None
    receive: Callable[[], Iterable[Offer]] = _nothing
    _topics: set[str] = field(default_factory=set)
    _known: dict[Invariant, None] = field(default_factory=dict)

    @property
    def is_heard(self) -> bool:
        """Is there another engine? Facts that take time to write down need not be offered else."""
        return self.send is not None

    def offer(self, topic: str, facts: Iterable[Invariant]) -> None:
        """Add what was proved, and tell others what is new."""
        self._take(self.receive())
        new = tuple(fact for fact in dict.fromkeys(facts) if fact not in self._known)
        if new or topic not in self._topics:
            self._take([Offer(topic, new)])
            if self.send is not None:
                self.send(Offer(topic, new))

    def has(self, topic: str) -> bool:
        """Have facts of this kind been offered?"""
        self._take(self.receive())
        return topic in self._topics

    def all(self) -> tuple[Invariant, ...]:
        """All facts so far; once there, a fact stays."""
        self._take(self.receive())
        return tuple(self._known)

    def _take(self, offers: Iterable[Offer]) -> None:
        for offer in offers:
            self._topics.add(offer.topic)
            self._known.update(dict.fromkeys(offer.facts))


def invariants_of(
    relations: NumericRelations, configurations: Iterable[Configuration]
) -> tuple[Invariant, ...]:
    """Numeric relations at some configurations."""
    return tuple(
        Invariant(configuration.location, configuration.calls, relation.expr)
        for configuration in configurations
        for relation in relations.get(configuration, ())
    )
