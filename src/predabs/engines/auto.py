"""The engine for daily use: a short look for shallow bugs, then a proof, then deep bugs.

A few concrete runs and a second of the bounded engine find most bugs, and prove programs whose
loops are short; a program that is too large for that is put off. Then the lazy engine looks for
predicates that prove the program, or for a path that refutes it. The two take turns, each going on
where it was; the lazy engine has most of the time, the last turn is the bounded engine's. One that
gives up leaves its time to the other. The slam engine stands in for the lazy one where functions
call themselves, and when it has given up; the numpred engine has a short turn of its own, and
stands in when both have given up. `statistics.tried` gets a line a turn.

Soundness duty: a verdict is one engine's own. A violation that does not replay is none: the search
goes on without the engine that came up with it.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

from ..errors import ResourceExhausted, UnsupportedFeature, too_deep
from ..evidence.replay import Refuted, replay
from ..ir.callgraph import recursive_functions
from ..ir.cfa import Program
from ..ir.expr import FunctionAddress
from ..ir.ops import Call
from ..options import Budget, Options, TimeOver
from ..statistics import EngineStatistics, Phase
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .bounded import BoundedSearch
from .pace import Machine

Engine: TypeAlias = Callable[
    [Program, Options, Budget, EngineStatistics, Callable[[str], None]], Verdict
]

_SHALLOW_SECONDS = 1.5
_LONG_SECONDS = 1000.0  # what shares are made of if there is no limit
_SHORT = 0.1  # of all time
_SAMPLES = 0.25  # of the first turn
# What follows: a share of the time that is left then, and who has it: an engine, the first of those
# who prove that has not given up, or (the rest of the time) whoever is left.
_PROVERS, _ANYONE = "provers", "anyone"
_TURNS = ((0.2, _PROVERS), (0.07, "bounded"), (0.2, "numpred"), (0.35, _PROVERS), (0.0, _ANYONE))


class _Prover:
    """An engine that goes on where it was; loaded when its turn has come, because solvers are
    large."""

    def __init__(self, module: str, search: str) -> None:
        self._module = module
        self._name = search
        self._search: Any = None

    def __call__(
        self,
        program: Program,
        options: Options,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> Verdict:
        if self._search is None:
            engine = import_module(f".{self._module}", __package__)
            self._search = getattr(engine, self._name)(program, options, statistics, progress)
        verdict: Verdict = self._search.run(budget)
        return verdict


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None] = lambda text: None,
    provers: Mapping[str, Engine] | None = None,
) -> Verdict:
    """Let the engines take turns until one has a verdict, or all have given up; `provers` take the
    place of those that look for proofs."""
    provers = _provers(program, options) if provers is None else provers
    return _Auto(program, options, budget, statistics, progress, provers).run()


def _provers(program: Program, options: Options) -> dict[str, Engine]:
    """Who looks for a proof, in this order, one when the other has given up. A recursion that goes
    through pointers is not seen here; the lazy engine will give up because of it."""
    known: dict[str, Engine] = {
        "lazy": _Prover("lazy", "LazySearch"),
        "slam": _Prover("slam", "SlamSearch"),
        "numpred": _Prover("numpred", "NumPredSearch"),
    }
    order = ("slam", "lazy") if _is_recursive(program) else ("lazy", "slam", "numpred")
    return {name: known[name] for name in order if name in options.provers}


def _is_recursive(program: Program) -> bool:
    graph = {
        function.name: [
            edge.op.callee.name
            for edge in function.edges
            if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress)
        ]
        for function in program.functions.values()
    }
    return bool(recursive_functions(graph))


class _Auto:
    """A check under way."""

    def __init__(
        self,
        program: Program,
        options: Options,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
        provers: Mapping[str, Engine],
    ) -> None:
        self._program = program
        self._options = options
        self._budget = budget
        self._statistics = statistics
        self._progress = progress
        self._provers = provers
        self._machine = Machine()
        self._short = min(_SHALLOW_SECONDS, _SHORT * self._left)
        self._bounded = BoundedSearch(program, statistics, progress, _SAMPLES * self._short)
        self._said: dict[str, str] = {}  # by engine: how its last turn ended
        # engines that have nothing more to say, or are not asked
        self._over: set[str] = {"numpred"} - provers.keys()
        self._doubtful: Unsafe | None = None  # a violation that did not replay

    def run(self) -> Verdict:
        return self._search() or self._given_up()

    def _search(self) -> Verdict | None:
        verdict = self._turn("bounded", "shallow bugs, short loops", self._begin, self._short)
        if verdict is not None:
            return verdict
        whole = self._left
        whoever = {_PROVERS: [*self._provers, "bounded"], _ANYONE: ["bounded", *self._provers]}
        for share, who in _TURNS:
            left = (name for name in whoever.get(who, [who]) if name not in self._over)
            for name in left:
                verdict = self._share(name, share * whole)
                if verdict is not None:
                    return verdict
                if name not in self._over:
                    break
        return None

    def _share(self, name: str, seconds: float) -> Verdict | None:
        """A turn of an engine; it has all the time if it is the last, or nobody takes turns with
        it: with the bounded engine those that prove, with these the bounded engine, and with lazy
        and slam numpred too."""
        others = set(self._provers) if name == "bounded" else {"bounded", "numpred"} - {name}
        time_left = None if seconds == 0 or others <= self._over else seconds
        if name == "bounded":
            return self._turn(name, "deep bugs, long loops", self._unroll, time_left)
        prove = partial(self._prove, self._provers[name])
        what = "predicates and numbers" if name == "numpred" else "predicates"
        return self._turn(name, f"{what} that prove it", prove, time_left)

    def _given_up(self) -> Verdict:
        if self._doubtful is not None:
            return self._doubtful  # of a slice, maybe: the whole program has the last word
        reasons = [f"{name}: {text}" for name, text in self._said.items()]
        if self._left <= 0:
            reasons.insert(0, "the time limit was reached")
        return Unknown("; ".join(reasons))

    # --- the engines ------------------------------------------------------------------------------

    def _begin(self, mine: Budget) -> Verdict:
        return self._unroll(mine, short=True)

    def _unroll(self, mine: Budget, short: bool = False) -> Verdict:
        try:
            return self._bounded.run(mine, short)
        except TimeOver:
            raise TimeOver(self._bounded.text) from None

    def _prove(self, prover: Engine, mine: Budget) -> Verdict:
        try:
            return prover(self._program, self._options, mine, self._statistics, self._progress)
        except TimeOver:
            found = self._statistics
            raise TimeOver(
                f"no proof yet with {found.predicates_total} predicates, "
                f"after {found.refinements} refinements"
            ) from None

    # --- turns ------------------------------------------------------------------------------------

    def _turn(
        self, name: str, aim: str, work: Callable[[Budget], Verdict], seconds: float | None
    ) -> Verdict | None:
        """Let an engine work for so many seconds, or all that are left: a verdict that stands."""
        if self._left <= 0:
            return None
        begun = time.monotonic()
        verdict: Verdict | None
        try:
            verdict = work(self._budget if seconds is None else Budget.of(seconds))
            if isinstance(verdict, Unsafe):
                verdict = self._replayed(verdict)
        except TimeOver as limit:
            verdict = None
            text = str(limit)
        except (UnsupportedFeature, ResourceExhausted) as problem:
            verdict = Unknown(str(problem))
        except RecursionError as problem:
            verdict = Unknown(str(too_deep(problem)))
        match verdict:
            case Safe():
                text = "proved"
            case Unsafe():
                text = verdict.text
            case Unknown(text):
                self._over.add(name)
        self._note(name, text, f" ({aim}), {time.monotonic() - begun:.1f} s")
        return None if isinstance(verdict, Unknown) else verdict

    def _note(self, name: str, text: str, more: str = "") -> None:
        self._said[name] = text
        self._statistics.tried.append(f"{name}{more}: {text}")

    def _replayed(self, bug: Unsafe) -> Verdict:
        """The bug, if its inputs lead to an error; if the time is over, others will find out."""
        with self._statistics.phase(Phase.REPLAY):
            answer = replay(self._program, bug.inputs, self._budget.deadline)
        if not isinstance(answer, Refuted) or self._left <= 0:
            return bug
        self._doubtful = self._doubtful or bug
        return Unknown(answer.about(bug.text))

    @property
    def _left(self) -> float:
        """Seconds to share out: of the budget, and of CPU time if that has a limit too (a turn is
        as long as it takes to work for its share)."""
        left = self._budget.left
        allowed, _ = resource.getrlimit(resource.RLIMIT_CPU)
        if allowed != resource.RLIM_INFINITY:
            cpu = (allowed - time.process_time()) * self._machine.slowdown
            left = cpu if left is None else min(left, cpu)
        return _LONG_SECONDS if left is None else left
