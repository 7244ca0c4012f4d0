"""Is an exit to an error excluded, by the last k blocks before it? One unrolling and its solver.

Soundness duty: `Excluded` only if the solver has refuted the unrolling together with facts that
hold in all runs; a solver's 'unknown' is `Open`, like a state from which the error can be reached.
"""

from __future__ import annotations

from typing import TypeAlias

from ...encode.backward_unrolling import BackwardUnrolling
from ...encode.block_graph import BlockGraph
from ...encode.blocks import Exit
from ...encode.environment import Formulas
from ...records import dataclass
from ...smt.evaluate import TermEvaluator
from ...smt.solver import Sat, Solver, Unsat
from ...verdict import Invariant
from .cut_point_facts import CutPointFacts


@dataclass(frozen=True, slots=True)
class Excluded:
    """No run takes the exit: proved with this k and these facts."""

    depth: int
    facts: tuple[Invariant, ...]


@dataclass(frozen=True, slots=True)
class FirstBlocks:
    """In the formulas, a run takes the exit after these: the base case does not hold."""

    exits: tuple[Exit, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """It takes more blocks, or more facts."""


Answer: TypeAlias = Excluded | FirstBlocks | Open


class Induction:
    """k-induction for one exit, with k growing from 0 on."""

    def __init__(
        self,
        formulas: Formulas,
        graph: BlockGraph,
        bad: Exit,
        facts: CutPointFacts,
        solver: Solver,
    ) -> None:
        self._facts = facts
        self._unrolling = BackwardUnrolling(formulas, graph, bad, facts.at)
        self._solver = solver
        self._told = 0

    @property
    def depth(self) -> int:
        return self._unrolling.depth

    def deepen(self) -> None:
        """Take one more block."""
        self._unrolling.deepen()

    def ask(self, seconds: float) -> Answer:
        """Is the exit excluded with the present k?"""
        told = self._unrolling.told
        for term in told[self._told :]:
            self._solver.add(term)
        self._told = len(told)
        meanings = self._facts.meanings
        match self._solver.check(list(meanings), seconds):
            case Unsat(core):
                used = dict.fromkeys(meanings[part] for part in meanings if part in core)
                return Excluded(self.depth, tuple(used))
            case Sat(model):
                exits = self._unrolling.first_exits(TermEvaluator(model).holds)
                return Open() if exits is None else FirstBlocks(tuple(exits))
        return Open()
