"""Who has the next time slice, and how long? The plan of `auto`, which knows of no processes.

First a short look for shallow bugs: a few concrete runs and a second of the bounded engine find
most of them, and prove programs whose loops are short; the bounded engine stops early if a program
is too large for that. Then the lazy engine looks for a proof or a feasible path. The two alternate;
the lazy engine has most of the time, the last slice is the bounded engine's. An engine that gives
up leaves its time to the others. The slam engine takes the place of the lazy one where functions
are recursive, unless the program is vast, and when it has given up; the smg engine looks at the
shapes of lists first, if the program allocates memory; the numpred engine has a short slice of its
own, and takes over when both have given up. The kinduction engine looks at a program first, for a
moment, and once more when the others have proved facts. A vast program has no slices of these
three.

With several lanes, so many engines run at the same time. A lane that is free takes the next slot of
the same plan that an engine is free for, and slots are longer by the number of lanes.

>>> schedule = Schedule(("lazy", "slam"), vast=False, lanes=2)
>>> first, second = schedule.next(100.0, set()), schedule.next(100.0, {"bounded"})
>>> (first.name, first.look, first.seconds), (second.name, second.seconds)
(('bounded', True, 1.5), ('lazy', 40.0))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...ir.call_graph import call_graph, direct_targets, recursive_functions
from ...ir.cfa import Program
from ...ir.ops import Alloc, AllocKind
from ...records import dataclass
from ..lazy.program_size import is_vast

_SHALLOW_SECONDS = 1.5
_SHALLOW_SHARE = 0.1  # of all time
# What follows: a share of the time that is left then, and who has it: an engine, the first of the
# provers that has not given up, or (the rest of the time) any engine that has not.
_PROVERS, _ANYONE = "provers", "anyone"
_SLICES = (
    (0.04, "kinduction"),
    (0.1, "smg"),
    (0.2, _PROVERS),
    (0.07, "bounded"),
    (0.2, "numpred"),
    (0.03, "kinduction"),
    (0.35, _PROVERS),
)
# in a vast program there are too many numbers and shapes to begin with
_VAST_SLICES = ((0.25, _PROVERS), (0.07, "bounded"), (0.45, _PROVERS))
_REST = 0.0  # the share that stands for the rest of the time

_AIMS = {
    "bounded": "deep bugs, long loops",
    "numpred": "predicates and numbers that prove it",
    "kinduction": "induction over loop rounds",
    "smg": "shapes of lists that prove it",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A time slice of an engine: so many seconds, or (None) all that are left. A `look` of the
    bounded engine is short, and may be shorter."""

    name: str
    aim: str
    seconds: float | None
    look: bool = False


@dataclass(frozen=True, slots=True)
class _Slice:
    """A share of the time for the first of these that is free and has not given up."""

    share: float
    names: tuple[str, ...]


class Schedule:
    """The slots that are still to come."""

    def __init__(self, provers: Sequence[str], vast: bool, lanes: int) -> None:
        self._provers = tuple(provers)
        self._lanes = lanes
        self._over: set[str] = set()  # those that have given up
        self._whole: float | None = None  # the seconds that are shared out
        self._begun = False
        groups = {_PROVERS: (*provers, "bounded"), _ANYONE: ("bounded", *provers)}
        rest = ((_REST, _ANYONE),) * lanes
        self._slices = [
            _Slice(share, groups.get(who, (who,)))
            for share, who in (*(_VAST_SLICES if vast else _SLICES), *rest)
            if who in groups or who in groups[_ANYONE]
        ]
        self._given: dict[str, _Slice] = {}  # by engine: the slice that it has

    def next(self, left: float, running: Collection[str]) -> Slot | None:
        """The next slot, with so many seconds left, of an engine that is not running; None if
        there is none now."""
        if not self._begun:
            self._begun = True
            seconds = min(_SHALLOW_SECONDS, _SHALLOW_SHARE * left)
            return Slot("bounded", "shallow bugs, short loops", seconds, look=True)
        if self._whole is None or (self._lanes > 1 and left > self._whole):
            self._whole = left  # the first estimate, of a machine that is busy, may be too low
        for number, piece in enumerate(self._slices):
            for name in piece.names:
                if name not in self._over and name not in running:
                    del self._slices[number]
                    self._given[name] = piece
                    return Slot(name, self._aim(name), self._seconds(name, piece.share, left))
        return None

    def _aim(self, name: str) -> str:
        return _AIMS.get(name, "predicates that prove it")

    def _seconds(self, name: str, share: float, left: float) -> float | None:
        """All the time that is left if the slice is the last, or if no engine has to wait."""
        if share == _REST or self._is_alone(name):
            return None
        assert self._whole is not None
        return min(share * self._whole * self._lanes, left)

    def _is_alone(self, name: str) -> bool:
        """Does no engine wait for this one? With one lane, provers alternate with the bounded
        engine, and lazy and slam with numpred too."""
        engines = {"bounded", *self._provers}
        if self._lanes > 1:
            return len(engines - self._over) <= self._lanes
        others = engines - {name} if name == "bounded" else engines & {"bounded", "numpred"}
        return others - {name} <= self._over

    def give_up(self, name: str) -> None:
        """The engine has given up. If it has a slice, the next of those that it is for takes it."""
        self._over.add(name)
        piece = self._given.pop(name, None)
        if piece is not None:
            behind = piece.names[piece.names.index(name) + 1 :]
            self._slices.insert(0, _Slice(piece.share, behind))

    def end(self, name: str) -> None:
        """The engine's slice is over, and it may have another one."""
        self._given.pop(name, None)


def provers_of(program: Program, wanted: Collection[str]) -> list[str]:
    """The engines that look for proofs, each used when those before it have given up. Recursion
    through function pointers is not seen here; the lazy engine may give up because of it."""
    recursive = recursive_functions(call_graph(program, direct_targets))
    vast = is_vast(program)
    order = ["lazy", "slam"] if not recursive or vast else ["slam", "lazy"]
    if not recursive:
        order.append("numpred")
    if _allocates(program) and not vast:
        order.append("smg")
    if not recursive and not vast:
        order.append("kinduction")
    return [name for name in order if name in wanted]


def _allocates(program: Program) -> bool:
    """Does the program make objects on the heap, which may be lists?"""
    return any(
        isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.HEAP
        for function in program.functions.values()
        for edge in function.edges
    )
