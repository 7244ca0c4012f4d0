"""The interpolation problem of a spurious path, and the interface of interpolation strategies.

The path leads from the pivot ([HJMS02, section 4.2]: the last node whose region excludes it) to an
error, through cut points. It is given twice: as exits of blocks, each of which stands for many
paths, and as one sequence of transitions through them that the present abstraction allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from ...encode.block_sequences import BlockSequence, block_sequence
from ...encode.blocks import Blocks, Exit, execute
from ...encode.environment import Environment, Formulas, Key
from ...ir.configuration import Configuration, Transition
from ...ir.expr import Expr
from ...records import dataclass
from ...smt.solver import Statistics
from ...smt.term import TRUE, Term


@dataclass(frozen=True, eq=False)
class InterpolationProblem:
    """`exits[i]` leads from cut point i to cut point i + 1, the last one to the error; `region` is
    that of cut point 0, over the symbols at the start of a block. `transitions[i]` are those of the
    one path between the two cut points. `core` are the transitions (cut point, index) whose
    conditions, with the region, contradict each other already; it may also have facts of
    `facts_at`. `observed` is the storage that the region speaks of."""

    blocks: Blocks
    exits: tuple[Exit, ...]
    region: Term
    transitions: tuple[tuple[Transition, ...], ...]
    core: frozenset[tuple[int, int]]
    observed: frozenset[Key]
    statistics: Statistics

    @cached_property
    def chain(self) -> BlockSequence:
        """The formula of all blocks in sequence; few interpolators need it."""
        return block_sequence(self.formulas, self.exits, self.observed)

    @property
    def formulas(self) -> Formulas:
        return self.blocks.formulas

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """The cut points where predicates are wanted: 1 and on."""
        return tuple(exit_.target for exit_ in self.exits[:-1] if exit_.target is not None)

    def conditions(self, cut: int) -> list[Term]:
        """The conditions of the core from a cut point on, over the symbols at the start of a block
        (`Environment("")`) and fresh ones for inputs: the bad region of [HJMS02, section 2.2], as
        a conjunction, the paths to the error that the core admits."""
        environment = Environment("") if cut else self.exits[0].block.before
        found: list[Term] = []
        last = max(self.core, default=(-1, -1))
        known = {block for block, number in self.core if number < 0}
        for block in range(cut, last[0] + 1):
            if block > cut and block in known:
                facts = facts_at(self.blocks, self.exits, block, environment, self.observed)
                found += [f for n, f in enumerate(facts) if (block, fact_index(n)) in self.core]
            for number, transition in enumerate(self.transitions[block]):
                if (block, number) > last:
                    break  # nothing of the core follows
                guard, environment, _ = execute(self.formulas, transition, environment)
                if (block, number) in self.core:
                    found.append(guard)
        return [term for term in found if term is not TRUE]


def facts_at(
    blocks: Blocks,
    exits: Sequence[Exit],
    block: int,
    environment: Environment,
    observed: frozenset[Key],
) -> list[Term]:
    """The facts that the blocks rely on about the storage at the start of one of them, at the end
    of the one before it, and about what the region at cut point 0 speaks of."""
    keys: list[Key | None] = list(exits[block].entry.values())
    if block:
        keys += exits[block - 1].environment.changed
    else:
        keys += sorted(observed, key=str)
    return blocks.location_facts.facts(exits[block].block.start, dict.fromkeys(keys), environment)


def fact_index(number: int) -> int:
    """The index in a core of a fact at the start of a block: transitions have those from 0 on."""
    return -1 - number


@dataclass(frozen=True, slots=True)
class FoundPredicates:
    """Predicates by cut point, over the program's variables."""

    predicates: Sequence[tuple[Configuration, Expr]]


class Interpolator(Protocol):
    """An interpolation strategy: one way to find predicates that exclude a spurious path.

    No soundness duty: a predicate may be useless, never wrong. The refiner tests whether the path
    is excluded.
    """

    @property
    def name(self) -> str: ...

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        """Predicates, or None if it finds none in the time given."""
