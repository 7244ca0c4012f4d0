"""The engine for daily use: the other engines in time slices, each continuing where it was.

First a short slice for shallow bugs: a few concrete runs and a second of the bounded engine find
most of them, and prove programs whose loops are short; the bounded engine stops early if a program
is too large for that. Then the lazy engine looks for a proof or a feasible path. The two alternate;
the lazy engine has most of the time, the last slice is the bounded engine's. An engine that gives
up leaves its time to the others. The slam engine takes the place of the lazy one where functions
are recursive, unless the program is vast, and when it has given up; the smg engine looks at the
shapes of lists first, if the program allocates memory; the numpred engine has a short slice of its
own, and takes over when both have given up. A vast program has no slices of these two.
`statistics.tried` gets a line for each time slice.

Soundness duty: a verdict is one engine's own. A violation that does not replay is none: the search
continues without the engine that reported it.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from ..errors import ResourceExhausted, UnsupportedFeature, too_deep
from ..evidence.replay import refuted
from ..ir.call_graph import call_graph, direct_targets, recursive_functions
from ..ir.cfa import Program
from ..ir.ops import Alloc, AllocKind
from ..options import Budget, TimeOver
from ..statistics import Phase
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .bounded.engine import BoundedEngine
from .bounded.pace import MachineLoad
from .engine import Engine, EngineTask, create
from .lazy.engine import is_vast

_SHALLOW_SECONDS = 1.5
_UNLIMITED_SECONDS = 1000.0  # the time that is shared if there is no limit
_SHALLOW_SHARE = 0.1  # of all time
# What follows: a share of the time that is left then, and who has it: an engine, the first of the
# provers that has not given up, or (the rest of the time) any engine that has not.
_PROVERS, _ANYONE = "provers", "anyone"
_SLICES = (
    (0.1, "smg"),
    (0.2, _PROVERS),
    (0.07, "bounded"),
    (0.2, "numpred"),
    (0.35, _PROVERS),
    (0.0, _ANYONE),
)
# in a vast program there are too many numbers and shapes to begin with
_VAST_SLICES = ((0.25, _PROVERS), (0.07, "bounded"), (0.45, _PROVERS), (0.0, _ANYONE))


_MEANS = {"numpred": "predicates and numbers", "smg": "shapes of lists"}


class _DeferredEngine:
    """An engine that is made in its first time slice: that takes time, and solvers are large. It
    has counters of its own."""

    def __init__(self, name: str, task: EngineTask) -> None:
        self.name = name
        self._task = task
        self._engine: Engine | None = None

    def run(self, budget: Budget) -> Verdict:
        if self._engine is None:
            self._engine = create(self.name, _own(self._task, self.name))
        return self._engine.run(budget)

    @property
    def so_far(self) -> str:
        return "it has not begun" if self._engine is None else self._engine.so_far


def _provers(task: EngineTask) -> dict[str, Engine]:
    """The engines that look for proofs, each used when those before it have given up. Recursion
    through function pointers is not seen here; the lazy engine may give up because of it."""
    recursive = recursive_functions(call_graph(task.program, direct_targets))
    order = ["lazy", "slam"] if not recursive or is_vast(task.program) else ["slam", "lazy"]
    if not recursive:
        order.append("numpred")
    if _allocates(task.program) and not is_vast(task.program):
        order.append("smg")
    return {name: _DeferredEngine(name, task) for name in order if name in task.options.provers}


def _allocates(program: Program) -> bool:
    """Does the program make objects on the heap, which may be lists?"""
    return any(
        isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.HEAP
        for function in program.functions.values()
        for edge in function.edges
    )


def _own(task: EngineTask, name: str) -> EngineTask:
    """The same task, with an engine's own counters."""
    return replace(task, statistics=task.statistics.of(name))


class AutoEngine:
    """Runs the engines in time slices until one has a verdict, or all have given up; `provers`
    replace those that look for proofs."""

    def __init__(self, task: EngineTask, provers: Mapping[str, Engine] | None = None) -> None:
        self._program = task.program
        self._statistics = task.statistics
        self._bounded = BoundedEngine(_own(task, "bounded"))
        self._provers = _provers(task) if provers is None else provers
        self._budget = Budget()
        self._machine = MachineLoad()
        self._said: dict[str, str] = {}  # by engine: how its last time slice ended
        # engines that have given up, or are not used
        self._over: set[str] = {"numpred", "smg"} - self._provers.keys()
        self._doubtful: Unsafe | None = None  # a violation that did not replay

    @property
    def so_far(self) -> str:
        return "; ".join(f"{name}: {text}" for name, text in self._said.items())

    def run(self, budget: Budget) -> Verdict:
        """A verdict that stands, or why there is none; that of time is among the reasons."""
        self._budget = budget
        return self._search() or self._given_up()

    def _search(self) -> Verdict | None:
        seconds = min(_SHALLOW_SECONDS, _SHALLOW_SHARE * self._left)
        look = self._bounded.look
        verdict = self._time_slice("bounded", "shallow bugs, short loops", seconds, look)
        if verdict is not None:
            return verdict
        whole = self._left
        groups = {_PROVERS: [*self._provers, "bounded"], _ANYONE: ["bounded", *self._provers]}
        for share, who in _VAST_SLICES if is_vast(self._program) else _SLICES:
            left = (name for name in groups.get(who, [who]) if name not in self._over)
            for name in left:
                verdict = self._share(name, share * whole)
                if verdict is not None:
                    return verdict
                if name not in self._over:
                    break
        return None

    def _share(self, name: str, seconds: float) -> Verdict | None:
        """A time slice of an engine, or all the time that is left if the slice is the last, or if
        no engine alternates with it: with the bounded engine the provers do, with these the bounded
        engine, and with lazy and slam numpred too."""
        others = set(self._provers) if name == "bounded" else {"bounded", "numpred"} - {name}
        time_left = None if seconds == 0 or others <= self._over else seconds
        if name == "bounded":
            return self._time_slice(name, "deep bugs, long loops", time_left)
        what = _MEANS.get(name, "predicates")
        return self._time_slice(name, f"{what} that prove it", time_left)

    def _given_up(self) -> Verdict:
        if self._doubtful is not None:
            return self._doubtful  # of a slice, maybe: the whole program has the last word
        late = "the time limit was reached" if self._left <= 0 else ""
        return Unknown("; ".join(filter(None, (late, self.so_far))))

    # --- time slices ------------------------------------------------------------------------------

    def _time_slice(
        self,
        name: str,
        aim: str,
        seconds: float | None,
        work: Callable[[Budget], Verdict] | None = None,
    ) -> Verdict | None:
        """Run an engine (or `work` of it) for so many seconds, or all that are left: its verdict,
        unless that is UNKNOWN."""
        if self._left <= 0:
            return None
        begun = time.monotonic()
        engine: Engine = self._bounded if name == "bounded" else self._provers[name]
        verdict: Verdict | None
        try:
            verdict = (work or engine.run)(self._budget if seconds is None else Budget.of(seconds))
            if isinstance(verdict, Unsafe):
                verdict = self._replayed(verdict)
        except TimeOver:
            verdict = None
            text = engine.so_far
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
        """The bug, if its inputs lead to an error, or if the time for finding that out is over."""
        with self._statistics.phase(Phase.REPLAY):
            reason = refuted(self._program, bug.inputs, self._budget.deadline)
        if reason is None or self._left <= 0:
            return bug
        self._doubtful = self._doubtful or bug
        return Unknown(reason.about(bug.text))

    @property
    def _left(self) -> float:
        """Seconds to share out: of the budget, and of CPU time if that has a limit too (a time
        slice is as long as it takes to work for its share)."""
        left = self._budget.left
        allowed, _ = resource.getrlimit(resource.RLIMIT_CPU)
        if allowed != resource.RLIM_INFINITY:
            cpu = (allowed - time.process_time()) * self._machine.slowdown
            left = cpu if left is None else min(left, cpu)
        return _UNLIMITED_SECONDS if left is None else left
