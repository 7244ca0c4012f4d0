"""The kinduction engine [BDW15]: k-induction over blocks, with invariants that grow.

For each exit to an error, the last k blocks before it are unrolled backwards from it
(`encode/backward_unrolling`). If neither a run of fewer blocks nor any sequence of k blocks, from
whatever state, leads to it, no run does; else k grows. Facts that other engines have proved, and
the numeric relations of octagons, exclude states in which no run is.

Soundness duty: `Safe` only if each exit to an error or to a limit is excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import monotonic

from ...encode.block_graph import block_graph, root_block
from ...encode.block_sequences import block_sequence
from ...encode.blocks import Blocks, Exit
from ...encode.encoding import BitVectorEncoding, Encoding
from ...encode.environment import Formulas
from ...encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ...errors import ResourceExhausted, UnsupportedFeature
from ...evidence.certificate import QUICK_SOLVERS, Effort
from ...evidence.houdini import inductive_part
from ...evidence.recording import RecordTexts
from ...ir import make
from ...ir.configuration import TransitionKind
from ...ir.expr import TRUE
from ...ir.path import Path
from ...numpred.relations import relations_of
from ...obstacles import ObstacleKind, at_edge
from ...options import Budget, Numbers
from ...proof_record import RefinementRound
from ...smt.branch_and_prune import BranchAndPrune
from ...smt.evaluate import TermEvaluator
from ...smt.solver import Sat, Solver
from ...smt.solvers import create
from ...statistics import Phase
from ...verdict import Invariant, Method, Proof, Safe, Unknown, Unsafe, Verdict
from ..cegar import ErrorPath, PathCheck
from ..cut_points import cut_points
from ..engine import Clock, EngineTask
from ..proved_facts import RELATIONS, invariants_of
from .cut_point_facts import CutPointFacts
from .float_candidates import FLOAT_BOUNDS, float_candidates
from .induction import Excluded, FirstBlocks, Induction, Open

_SECONDS = 20.0  # of one solver call
_NUMERIC: Numbers = "octagon"
_RELATION_SHARE, _RELATION_SECONDS = 0.3, 5.0  # of the time that is left, and at most
_GUESS_SHARE, _GUESS_SECONDS = 0.3, 20.0
_GUESS_CALL = 0.12  # of these seconds, for one solver call
_MOST_TOLD = 20  # of the errors that a round of a report names
_FEW_OPEN = 3  # of the errors that are told if there is no proof
_ALONE = 1  # up to this k, before numeric relations are computed


class KInductionEngine:
    """Begins with integers, and again with bit-vectors where these are not exact. When time is
    over, all is kept."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._clock = Clock()
        self._encoding: Encoding = IntegerEncoding()
        self._search: _Search | None = None

    @property
    def so_far(self) -> str:
        return f"no proof yet with k = {self._search.depth if self._search is not None else 0}"

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        self._clock.budget = budget
        with self._task.statistics.phase(Phase.INDUCTION):
            while True:
                try:
                    if self._search is None:
                        self._search = _Search(self._task, self._clock, self._encoding)
                    return self._search.run()
                except NeedsBitVectors:
                    self._encoding, self._search = BitVectorEncoding(), None


class _Search:
    """k-induction in one encoding, for all exits to errors and limits together."""

    def __init__(self, task: EngineTask, clock: Clock, encoding: Encoding) -> None:
        self._task = task
        self._clock = clock
        facts = task.facts
        self._formulas = Formulas(facts.partition, encoding, facts.interval)
        if task.options.float_intervals:
            self._formulas.float_facts = facts.float_interval
        is_cut_point = cut_points(facts.flow, "loop")
        blocks = Blocks(self._formulas, facts.flow, facts.liveness, is_cut_point, self._tick)
        self._location_facts = blocks.location_facts
        self._graph = block_graph(blocks, root_block(blocks), self._tick)
        name = "z3" if encoding.name == "int" else "bitwuzla"
        self._solver: Solver = create(name, task.statistics.solver)
        if task.options.float_intervals:
            self._solver = BranchAndPrune(self._solver)
        self._facts = CutPointFacts(self._formulas, self._graph.blocks, ())
        self._known: tuple[Invariant, ...] = ()
        self._related = self._guessed = False
        self.depth = 0
        self._open = self._graph.bad()
        self._inductions: dict[Exit, Induction] = {}
        self._excluded: list[Excluded] = []

    def run(self) -> Verdict:
        """Continue until all exits are excluded, or one is reached in the base case."""
        while True:
            self._strengthen()
            for bad in tuple(self._open):
                self._tick()
                answer = self._induction(bad).ask(self._clock.at_most(_SECONDS))
                match answer:
                    case Excluded():
                        self._note(bad, answer)
                        self._excluded.append(answer)
                        self._open.remove(bad)
                        self._inductions.pop(bad)
                    case FirstBlocks(exits):
                        return self._reached(exits)
                    case Open():
                        pass
            self._note_round()
            self._task.statistics.obstacles = [
                at_edge(ObstacleKind.INDUCTION, edge, self.depth)
                for bad in tuple(self._open)[:_FEW_OPEN]
                if (edge := bad.last_edge) is not None
            ]
            if not self._open:
                return self._safe()
            self.depth += 1
            self._task.statistics.refinements = self.depth

    def _note(self, bad: Exit, answer: Excluded) -> None:
        """Tell for a report why an exit is not taken."""
        record = self._task.statistics.record
        if record is None:
            return
        texts = RecordTexts(self._task.program)
        place = texts.place(bad.block.start)
        used = "; ".join(
            f"{texts.condition(fact.location.function, fact.expr)} at {texts.coord(fact.location)}"
            for fact in answer.facts
        )
        reason = f" with the facts {used}" if used else ""
        record.facts.append(
            f"no run goes from {place.coord} ({place.function}) to {bad.kind.value}:"
            f" excluded by the last {_blocks(answer.depth)} before it{reason}"
        )

    def _note_round(self) -> None:
        record = self._task.statistics.record
        if record is not None:
            left, done = len(self._open), len(self._excluded)
            title = f"k = {self.depth}: {done} of {done + left} errors and limits are excluded"
            notes = [f"facts in use: {len(self._known)}"]
            texts = RecordTexts(self._task.program)
            for bad in tuple(self._open)[:_MOST_TOLD]:
                place, edge = texts.place(bad.block.start), bad.last_edge
                at = "" if edge is None else f" at {edge.coord}"
                notes.append(f"not excluded: {bad.kind.value}{at}, from {place.coord}")
            record.add(RefinementRound(title, notes=tuple(notes)))
            self._note_reached()

    def _note_proof(self, depth: int, used: int) -> None:
        """Tell for a report what the two cases are."""
        record = self._task.statistics.record
        if record is None:
            return
        blocks = _blocks(depth)
        with_facts = f", and the {used} facts below hold at its places" if used else ""
        if depth:
            cases = [
                f"base case: no run of at most {blocks} comes to an error",
                f"step case (k = {depth}): from whatever state, no error follows {blocks} that have"
                f" none{with_facts}",
            ]
        else:
            cases = [
                "k = 0: no block comes to an error, from whatever state that interval facts"
                f" allow{with_facts}; there is no base case to look at"
            ]
        record.facts[:0] = cases

    def _note_reached(self) -> None:
        """Tell for a report which lines the blocks are made of."""
        record = self._task.statistics.record
        if record is None or record.reached:
            return
        for block in (self._graph.root, *self._graph.blocks.values()):
            for arrivals in block.arrivals.values():
                for arrival in arrivals:
                    if arrival.transition is not None:
                        record.reach(arrival.transition.edge.coord)

    def _induction(self, bad: Exit) -> Induction:
        """The induction for an exit, with the present k and all facts."""
        found = self._inductions.get(bad)
        if found is None:
            found = self._inductions[bad] = Induction(
                self._formulas, self._graph, bad, self._facts, self._solver.fresh()
            )
        while found.depth < self.depth:
            self._tick()
            found.deepen()
        return found

    def _safe(self) -> Safe:
        depth = max((one.depth for one in self._excluded), default=0)
        used = dict.fromkeys(fact for one in self._excluded for fact in one.facts)
        facts = f"{len(used)} fact{'s' * (len(used) != 1)}"
        self._task.statistics.tried.append(f"kinduction: proved with k = {depth} and {facts}")
        self._note_proof(depth, len(used))
        method = Method.INDUCTION if depth else Method.INVARIANTS
        proof = Proof("kinduction", method, self._solver.name, depth, whole=False)
        found = tuple(used) if depth else tuple(self._invariants(used))
        return Safe(found, proof, self._known if used else ())

    def _invariants(self, used: Iterable[Invariant]) -> Iterator[Invariant]:
        """With k = 0, interval facts and the facts used are invariants that prove the program."""
        for configuration, block in self._graph.blocks.items():
            keys = [key for exit_ in block.exits for key in exit_.entry.values()]
            known = self._location_facts.bounds(configuration, keys)
            here = (configuration.location, configuration.calls)
            whole = make.conj(
                (*known, *(fact.expr for fact in used if (fact.location, fact.stack) == here))
            )
            if whole is not TRUE:
                yield Invariant(*here, whole)

    # --- facts ------------------------------------------------------------------------------------

    def _strengthen(self) -> None:
        """Take all facts that there are by now; unrollings begin again with them."""
        shared = self._task.shared
        if self.depth > _ALONE and not self._related:
            self._related = True
            if not any(map(shared.has, RELATIONS)):
                self._relate()
        if self.depth > 0 and not self._guessed and self._formulas.encoding.name == "bv":
            self._guessed = True
            if self._task.options.float_candidates:
                self._guess()
        known = shared.all()
        if len(known) > len(self._known):
            self._known = known
            self._facts = CutPointFacts(self._formulas, self._graph.blocks, known)
            self._inductions.clear()

    def _relate(self) -> None:
        """Add the numeric relations at the cut points, if they are computed soon."""
        left = self._clock.budget.left
        seconds = _RELATION_SECONDS if left is None else _RELATION_SHARE * left
        mine = Budget.of(min(seconds, _RELATION_SECONDS))
        facts, used = self._task.facts, self._task.statistics.solver
        try:
            found = relations_of(facts, _NUMERIC, used, mine.check)
        except (ResourceExhausted, UnsupportedFeature):
            self._clock.budget.check()
        else:
            self._task.shared.offer(_NUMERIC, invariants_of(found, self._graph.blocks))

    def _guess(self) -> None:
        """Add the guesses of bounds of floating-point variables that are inductive."""
        facts, shared = self._task.facts, self._task.shared
        guesses = float_candidates(facts, (at.location for at in self._graph.blocks))
        if guesses and not shared.has(FLOAT_BOUNDS):
            left = self._clock.budget.left
            seconds = _GUESS_SECONDS if left is None else min(_GUESS_SECONDS, _GUESS_SHARE * left)
            effort = Effort(monotonic() + seconds, _GUESS_CALL * seconds, solvers=QUICK_SOLVERS)
            found = inductive_part(facts, self._formulas.encoding, guesses, effort, drops_open=True)
            self._clock.budget.check()
            shared.offer(FLOAT_BOUNDS, found)

    # --- the base case ----------------------------------------------------------------------------

    def _reached(self, exits: tuple[Exit, ...]) -> Verdict:
        """What it means that the formulas have a run to an error: the exact semantics decides."""
        chain = block_sequence(self._formulas, exits, ())
        solver = self._solver.fresh()
        for part in chain.parts:
            solver.add(part)
        answer = solver.check((), self._clock.at_most(_SECONDS))
        if not isinstance(answer, Sat):
            self._tick()
            return Unknown("the solver could not repeat a run to an error")
        path = chain.transitions(exits, TermEvaluator(answer.model))
        last = path[-1]
        error = ErrorPath(
            Path(tuple(transition.edge for transition in path)),
            last.text,
            last.kind is TransitionKind.LIMIT,
        )
        if error.is_limit:
            return error.unknown
        check = PathCheck(self._task.program, self._task.statistics, self._clock)
        found = check(error)
        if isinstance(found, Unsafe | Unknown):
            return found
        return Unknown(f"a path to '{error.text}' is feasible only in the formulas")

    def _tick(self) -> None:
        self._clock.budget.check()
        self._task.progress("kinduction")


def _blocks(count: int) -> str:
    return f"{count} block{'s' * (count != 1)}"
