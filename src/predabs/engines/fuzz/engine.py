"""The fuzz engine: coverage-guided greybox fuzzing on the automata.

Each run is a run of the interpreter on the whole program, with inputs made from those of an earlier
run that came somewhere new (`tape`, `corpus`). What counts as new is directed by the slice: only
what errors depend on (`coverage`). A driver's bug is a sequence of events, each of them easy to get
right once the one before it was: what one formula for all paths together makes hard.

Soundness duty: `Unsafe` only for a run that reached an error of the whole program, and does so
again in a replay; nothing is ever `Safe`.
"""

from __future__ import annotations

import random

from ...concrete.compared_constants import ComparedConstants
from ...concrete.inputs import RandomInputs, RecordingInputs, as_input
from ...concrete.outcome import ErrorReached, Exhausted, StepLimit
from ...concrete.text_inputs import TextInputs, reads_text, words_of
from ...errors import ResourceExhausted, UnsupportedFeature
from ...evidence.replay import refuted
from ...ir.cfa import ExternPointers
from ...ir.ops import Assume, ErrorKind
from ...options import Budget
from ...statistics import Phase
from ...verdict import Unknown, Unsafe, Verdict
from ..engine import EngineTask
from .corpus import Corpus
from .coverage import Coverage
from .endings import CarefulInputs, Endings
from .tape import TapeInputs, mutated

_SEED = 1
_STEPS, _MORE_STEPS = 1_000, 20_000  # of a run, after what it repeats
_MORE_SHARE = 0.02  # of runs that are long
_NEW_SHARE = 0.02  # of runs that repeat nothing
_TEXT_SHARE = 0.7  # of runs, if a program reads text
_MOST_REFUTED = 16  # violations that do not replay
_ENOUGH, _IN_VAIN = 100_000, 5  # runs, in all, and for those up to the last that was new
_TOLD = 1_000  # runs


class FuzzEngine:
    """Runs the program again and again; what was learned is kept for the next time slice."""

    def __init__(self, task: EngineTask) -> None:
        self._progress = task.progress
        self._statistics = task.statistics
        self._program = task.whole or task.program
        counted = {
            edge.src
            for function in task.program.functions.values()
            for edge in function.edges
            if isinstance(edge.op, Assume)
        }
        self._coverage = Coverage(self._program, counted)
        self._compared = ComparedConstants(self._program)
        self._words = words_of(self._program) if reads_text(self._program) else ()
        self._choose = random.Random(_SEED)
        self._corpus = Corpus(self._choose)
        self._endings = Endings()
        self._runs = 0
        self._newest = 0  # the last run that came to something new
        self._refuted = ""

    @property
    def so_far(self) -> str:
        return f"{self._runs} runs came to {len(self._corpus)} branches and states"

    def run(self, budget: Budget) -> Verdict:
        """Run the program until an error is reached."""
        refutations = 0
        with self._statistics.phase(Phase.SEARCH):
            while refutations < _MOST_REFUTED:
                budget.check()
                if self._runs > max(_ENOUGH, _IN_VAIN * self._newest):
                    return Unknown(f"{self.so_far}, the last new one in run {self._newest}")
                found = self._one_run(budget)
                if found is None:
                    continue
                reason = refuted(self._program, found.inputs, budget.deadline)
                if reason is None:
                    return found
                budget.check()
                self._refuted = reason.about(found.text)
                refutations += 1
        return Unknown(self._refuted)

    def _one_run(self, budget: Budget) -> Unsafe | None:
        """One more run; the error, if it ends there."""
        choose = self._choose
        tape, steps = ((), 0) if choose.random() < _NEW_SHARE else self._corpus.chosen()
        mutation = mutated(tape, choose)
        bits = self._program.data_model.pointer_bits
        careful = CarefulInputs(self._drawn(mutation.pointers), self._endings, choose, bits)
        inputs = RecordingInputs(TapeInputs(mutation, careful))
        share = (len(mutation.first) + len(mutation.later)) / max(1, len(tape))
        repeated = int(steps * min(1.0, share))
        more = _MORE_STEPS if choose.random() < _MORE_SHARE else _STEPS
        self._runs += 1
        if self._runs % _TOLD == 0:
            self._progress(f"fuzz: {self.so_far}")
        try:
            run = self._coverage.run(inputs, repeated + more, budget.deadline)
        except (ResourceExhausted, UnsupportedFeature):
            return None  # it came to something that is not modelled
        outcome = run.outcome
        if isinstance(outcome, ErrorReached) and outcome.kind is not ErrorKind.UNSUPPORTED:
            start = self._program.functions[self._program.entry].coord
            return Unsafe(tuple(as_input(item, start) for item in inputs.taken), outcome.text)
        self._endings.note(inputs.taken, not isinstance(outcome, StepLimit | Exhausted))
        if self._corpus.add(tuple(inputs.taken), run):
            self._newest = self._runs
        return None

    def _drawn(self, pointers: int) -> RandomInputs:
        """New inputs; of a program that reads text, the characters are mostly one."""
        choose, compared = self._choose, self._compared
        fresh = self._program.extern_pointers is ExternPointers.FRESH
        seed = choose.getrandbits(32)
        if self._words and choose.random() < _TEXT_SHARE:
            return TextInputs(seed, fresh, compared, self._words, pointers)
        return RandomInputs(seed, fresh, compared, pointers)
