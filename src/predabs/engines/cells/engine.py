"""The cells engine: proofs about arrays and heaps with distinguished cells [MG16].

The program becomes one with scalars (`analysis/cells/morphing`), in which ghosts stand for any
index and any node. Clauses about cells that are inductive together [FL01] are facts about it, and
may exclude all errors; else k-induction and the lazy engine go on with them.

Soundness duty: `Safe` only if the scalar program has no error, for all values of the ghosts. It
never reports a violation: the scalar program has more runs than the program.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.cells.choice import Chooser
from ...analysis.cells.memory_accesses import MemoryAccesses
from ...analysis.cells.morphing import morphed
from ...analysis.facts import ProgramFacts
from ...analysis.slice import slice_program
from ...encode.block_graph import block_graph, root_block
from ...encode.blocks import Blocks
from ...encode.encoding import BitVectorEncoding, Encoding
from ...encode.environment import Formulas
from ...encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ...ir import make
from ...ir.configuration import Configuration
from ...ir.expr import TRUE, Binary, Expr, Op
from ...ir.walk import variables
from ...options import Budget
from ...records import replace
from ...smt.solvers import create
from ...statistics import Phase
from ...verdict import Invariant, Safe, Unknown, Verdict
from ..cut_points import cut_points
from ..engine import Clock, Engine, EngineTask
from ..proved_facts import ProvedFacts
from .candidates import Candidates
from .houdini import Houdini

_SECONDS = 5.0  # of one solver call


class CellsEngine:
    """Finds cells and facts about them first; then other engines have the time that is left."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._clock = Clock()
        self._proof: _Proof | None = None

    @property
    def so_far(self) -> str:
        return "no proof yet" if self._proof is None else self._proof.so_far

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        self._clock.budget = budget
        with self._task.statistics.phase(Phase.INDUCTION):
            if self._proof is None:
                facts = self._task.facts
                accesses = MemoryAccesses(facts)
                chooser = Chooser(facts, accesses)
                cells = chooser.choose()
                if cells is None:
                    return Unknown("no error depends directly on an array or on the heap")
                scalar = ProgramFacts(morphed(facts, accesses, cells))
                smaller = slice_program(scalar.program, scalar.partition, scalar.modref)
                candidates = Candidates(facts, chooser, cells)
                self._proof = _Proof(
                    replace(self._task, facts=ProgramFacts(smaller.program), shared=ProvedFacts()),
                    self._clock,
                    candidates,
                )
            return self._proof.run()


class _Proof:
    """A proof about the scalar program."""

    def __init__(self, task: EngineTask, clock: Clock, candidates: Candidates) -> None:
        self._task = task
        self._clock = clock
        self._candidates = candidates
        candidates.flags(g.var for g in task.program.globals)
        self._encoding: Encoding = IntegerEncoding()
        self._engines: list[Engine] | None = None
        self.so_far = "no proof yet"

    def run(self) -> Verdict:
        while True:
            try:
                return self._induct()
            except NeedsBitVectors:
                self._encoding = BitVectorEncoding()

    def _induct(self) -> Verdict:
        task, encoding = self._task, self._encoding
        facts = task.facts
        formulas = Formulas(facts.partition, encoding, facts.interval)
        is_cut_point = cut_points(facts.flow, "loop")
        blocks = Blocks(formulas, facts.flow, facts.liveness, is_cut_point, self._tick)
        graph = block_graph(blocks, root_block(blocks), self._tick)
        name = "z3" if encoding.name == "int" else "bitwuzla"
        solver = create(name, task.statistics.solver)
        houdini = Houdini(formulas, graph, blocks.location_facts, solver, self._seconds)
        for stage in (1, 2):
            houdini.add({c: list(self._clauses(blocks, c, stage)) for c in graph.blocks})
            houdini.run()
            used: dict[Configuration, dict[Expr, None]] = {}
            bad = graph.bad()
            left = []
            for exit_ in bad:
                found = houdini.excludes(exit_)
                if found is None:
                    left.append(exit_)
                else:
                    used.setdefault(exit_.block.start, {}).update(dict.fromkeys(found))
            if not left:
                task.statistics.tried.append(
                    f"cells: proved with {sum(map(len, houdini.at.values()))} facts"
                )
                return Safe(tuple(self._invariants(houdini, used)))
        return Unknown("the facts about cells that were found do not exclude all errors")

    def _clauses(self, blocks: Blocks, here: Configuration, stage: int) -> Iterator[Expr]:
        values = [v for v in self._candidates.values if self._is_known(blocks, here, v)]
        positions = [p for p in self._candidates.positions if self._is_known(blocks, here, p)]
        if stage == 1:
            yield from (a for a in self._candidates.alone if self._is_known(blocks, here, a))
            yield from values
            yield from positions
            for value in values:
                for position in positions:
                    yield make.disj((value, position))
            return
        for value in values:
            for number, one in enumerate(positions):
                for other in positions[number + 1 :]:
                    if not _is_idle(one, other):
                        yield make.disj((value, one, other))

    def _is_known(self, blocks: Blocks, here: Configuration, e: Expr) -> bool:
        """Are there such variables at a configuration?"""
        return not any(blocks.is_dead(here, var) for var in variables(e))

    def _invariants(
        self, houdini: Houdini, used: dict[Configuration, dict[Expr, None]]
    ) -> Iterator[Invariant]:
        for configuration, exprs in used.items():
            if configuration in houdini.at and exprs:
                yield Invariant(configuration.location, configuration.calls, make.conj(exprs))

    def _seconds(self) -> float:
        return self._clock.at_most(_SECONDS)

    def _tick(self) -> None:
        self._clock.budget.check()
        self._task.progress("cells")


def _is_idle(one: Expr, other: Expr) -> bool:
    """Is one of two positions implied by the other, or one of them always true?"""
    match make.negate(one), other:
        case Binary(Op.LT | Op.LE, left, right, _), Binary(Op.LT | Op.LE, low, high, _):
            return (left is low and right is high) or (left is high and right is low)
    match one, other:
        case Binary(Op.LT | Op.LE, left, right, _), Binary(Op.LT | Op.LE, low, high, _):
            return left is low and right is high
    return False
