"""The corpus: for each feature of the coverage, the shortest run that has it.

Which run is changed next? One for a feature that few runs have and that was seldom chosen: the
others were tried enough (as the power schedules of AFLFast [BPR16]).

Soundness duty: none.
"""

from __future__ import annotations

import random

from ...records import dataclass
from .coverage import Covered, Feature
from .tape import Tape

_DRAWN = 3  # features, of which the rarest is chosen
_HITS = 0.05  # what a run with the feature counts, where being chosen counts 1
_STEPS = 0.02  # what a step costs, where an input costs 1


@dataclass(slots=True)
class _Seed:
    tape: Tape
    cost: float
    steps: int
    used: float = 0.0


class Corpus:
    """The runs that are worth being changed."""

    def __init__(self, choose: random.Random) -> None:
        self._choose = choose
        self._seeds: dict[Feature, _Seed] = {}
        self._features: list[Feature] = []

    def __len__(self) -> int:
        return len(self._features)

    def add(self, tape: Tape, run: Covered) -> bool:
        """Keep the run for what it is the first or the shortest for; has it anything new?"""
        cost = len(tape) + _STEPS * run.steps
        new: list[Feature] = []
        for feature in run.features:
            seed = self._seeds.get(feature)
            if seed is None:
                new.append(feature)
                continue
            seed.used += _HITS
            if cost < seed.cost:
                seed.tape, seed.cost, seed.steps = tape, cost, run.steps
        for feature in sorted(new, key=repr):  # so that each check does the same
            self._seeds[feature] = _Seed(tape, cost, run.steps)
            self._features.append(feature)
        return bool(new)

    def chosen(self) -> tuple[Tape, int]:
        """A run to change, and its steps; nothing yet if there is none."""
        if not self._features:
            return (), 0
        drawn = [self._seeds[self._choose.choice(self._features)] for _ in range(_DRAWN)]
        best = min(drawn, key=lambda seed: seed.used)
        best.used += 1
        return best.tape, best.steps
