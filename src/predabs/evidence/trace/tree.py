"""The steps of a run as a tree: what happens in a call lies inside the call, rounds in their loop.

Rounds of a loop that take the same edges, one after the other, are kept as the first, the last and
a count. So even a long run needs little room; where that is not enough, the insides of calls that
have returned are dropped, and the middle of a long sequence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeAlias

from ...ir.cfa import Edge, Function, Location
from ...ir.order import WeakOrder, location_graph, weak_order
from ...records import dataclass, field, replace
from .steps import StepKind, TraceStep

KEPT = 10_000  # steps in the tree; beyond that, calls that have returned lose their insides
_MOST_STEPS = 20 * KEPT
_LONG, _KEPT_ITEMS = 4_000, 1_000  # items of one sequence: how many there may be, and stay
_GROUPS = 2  # of rounds that go the same way: at the beginning of a loop, and at its end


@dataclass(slots=True)
class Block:
    """Steps in sequence; `size` of them with all that lies inside and was dropped, and a number
    that tells sequences of different edges apart."""

    items: list[Item] = field(default_factory=list)
    size: int = 0
    shape: int = 0


@dataclass(slots=True)
class Entry:
    """A step; `numbers` are those of the executed steps that it stands for."""

    step: TraceStep
    numbers: tuple[int, ...]
    edge: Edge
    inside: Block | None = None


@dataclass(slots=True)
class _Rounds:
    """Consecutive rounds of a loop that go the same way."""

    first: Block
    last: Block | None = None
    between: int = 0
    steps: int = 0  # of those between

    @property
    def count(self) -> int:
        return 1 + self.between + (self.last is not None)


@dataclass(slots=True)
class _Loop:
    """The rounds of a loop; some groups of them may be missing in the middle."""

    groups: list[_Rounds] = field(default_factory=list)
    missing: int = 0  # rounds
    steps: int = 0  # of those


@dataclass(slots=True)
class _Gap:
    """Steps that were dropped."""

    steps: int


Item: TypeAlias = "Entry | _Loop | _Gap"


@dataclass(slots=True)
class _Open:
    """A loop that the run is in: its head, and the round at hand."""

    head: Location
    loop: _Loop
    round: Block


@dataclass(slots=True)
class _Frame:
    """A call that is open: the entry that it lies inside of, and the loops it is in."""

    entry: Entry | None
    block: Block
    loops: list[_Open] = field(default_factory=list)

    @property
    def here(self) -> Block:
        return self.loops[-1].round if self.loops else self.block


class RunTree:
    """The tree while it grows."""

    def __init__(self) -> None:
        self._root = Block()
        self._frames = [_Frame(None, self._root)]
        self._orders: dict[str, tuple[WeakOrder[Location], dict[Location, int]]] = {}
        self._stored = 0

    @property
    def full(self) -> bool:
        """Whether nothing more should be added."""
        return self._stored > _MOST_STEPS

    # --- growing ----------------------------------------------------------------------------------

    def at(self, location: Location, function: Function) -> None:
        """The run is at a location of the innermost call: does a round begin or a loop end?"""
        order, position = self._order(function)
        loops = self._frames[-1].loops
        here = position.get(location, -1)
        while loops and not position[loops[-1].head] <= here < order.ends[loops[-1].head]:
            self._end_loop()
        if location in order.ends:
            if loops and loops[-1].head is location:
                self._end_round(loops[-1])
                loops[-1].round = Block()
            else:
                loop = _Loop()
                self._frames[-1].here.items.append(loop)
                loops.append(_Open(location, loop, Block()))

    def add(self, entry: Entry) -> None:
        """The next step."""
        block = self._frames[-1].here
        block.items.append(entry)
        block.size += 1
        block.shape = hash((block.shape, id(entry.edge)))
        self._stored += 1
        if len(block.items) > _LONG:
            dropped = block.items[_KEPT_ITEMS:-_KEPT_ITEMS]
            steps = sum(_size(item) for item in dropped)
            block.items[_KEPT_ITEMS:-_KEPT_ITEMS] = [_Gap(steps)]
            self._stored -= steps

    def last(self) -> Entry | None:
        """The step before, if nothing else has happened since."""
        items = self._frames[-1].here.items
        return items[-1] if items and isinstance(items[-1], Entry) else None

    def enter(self) -> Entry | None:
        """What follows happens inside the last step, which is a call."""
        entry = self.last()
        block = Block()
        if entry is not None:
            entry.inside = block
        self._frames.append(_Frame(entry, block))
        return entry

    def leave(self, *, drop: bool = False) -> None:
        """The innermost call is over; `drop` what has happened inside."""
        while self._frames[-1].loops:
            self._end_loop()
        frame = self._frames.pop()
        parent = self._frames[-1].here
        if frame.entry is not None and (drop or self._stored > KEPT):
            self._stored -= frame.block.size
            frame.entry.inside = None
            kept = 0 if drop else frame.block.size
            frame.entry.step = replace(frame.entry.step, omitted=kept)
            frame.block.shape = 0
        parent.size += frame.block.size
        parent.shape = hash((parent.shape, frame.block.shape))

    def _order(self, function: Function) -> tuple[WeakOrder[Location], dict[Location, int]]:
        found = self._orders.get(function.name)
        if found is None:
            order = weak_order(location_graph(function), function.entry)
            found = order, {location: number for number, location in enumerate(order.order)}
            self._orders[function.name] = found
        return found

    def _end_loop(self) -> None:
        frame = self._frames[-1]
        ended = frame.loops.pop()
        self._end_round(ended)
        groups = ended.loop.groups
        parent = frame.here
        parent.size += sum(_rounds_size(group) for group in groups) + ended.loop.steps
        ways = tuple(dict.fromkeys(group.first.shape for group in groups))
        parent.shape = hash((parent.shape, ways))
        if not groups:
            parent.items.remove(ended.loop)

    def _end_round(self, open_: _Open) -> None:
        done, loop = open_.round, open_.loop
        if not done.items:
            return
        groups = loop.groups
        if groups and groups[-1].first.shape == done.shape:
            group = groups[-1]
            if group.last is not None:
                group.between += 1
                group.steps += group.last.size
                self._stored -= group.last.size
            group.last = done
            return
        groups.append(_Rounds(done))
        if len(groups) > 2 * _GROUPS + 1:  # the last may be only the end of the loop
            gone = groups.pop(_GROUPS)
            loop.missing += gone.count
            loop.steps += _rounds_size(gone)
            self._stored -= _rounds_size(gone) - gone.steps

    # --- what has grown ---------------------------------------------------------------------------

    def steps(self, marks: Collection[int]) -> Iterator[TraceStep]:
        """All steps in sequence, where those with these numbers are marked."""
        for frame in self._frames:  # loops that the run is still in
            for open_ in frame.loops:
                self._end_round(open_)
                open_.round = Block()
        stack: list[tuple[Item | Block | TraceStep, int]] = [(self._root, 0)]
        place = TraceStep("", 0, 0, "", "", ())
        while stack:
            item, depth = stack.pop()
            match item:
                case Entry(step, numbers, _, inside):
                    marked = any(number in marks for number in numbers)
                    place = replace(step, depth=depth, marked=marked)
                    yield place
                    if inside is not None:
                        stack.append((inside, depth + 1))
                case Block(items):
                    stack.extend((inner, depth) for inner in reversed(items))
                case _Loop():
                    stack.extend((part, depth) for part in reversed(_parts(item)))
                case _Gap(steps):
                    yield _omitted(f"{steps} more steps", steps, place, depth)
                case TraceStep():
                    yield _omitted(item.statement, item.omitted, place, depth)


def _parts(loop: _Loop) -> list[Block | TraceStep]:
    found: list[Block | TraceStep] = []
    for number, group in enumerate(loop.groups):
        if loop.missing and number == _GROUPS:
            found.append(_note(loop.missing, loop.steps, "in other ways"))
        found.append(group.first)
        if group.between:
            found.append(_note(group.between, group.steps, ""))
        if group.last is not None:
            found.append(group.last)
    return found


def _note(rounds: int, steps: int, how: str) -> TraceStep:
    text = f"{rounds} more round{'s' * (rounds > 1)}{' ' if how else ''}{how}"
    return TraceStep("", 0, 0, "", text, (), StepKind.OMITTED, omitted=steps)


def _omitted(text: str, steps: int, place: TraceStep, depth: int) -> TraceStep:
    """A line for steps that are not listed, after the step `place`."""
    return replace(
        place,
        statement=f"... {text} ...",
        values=(),
        kind=StepKind.OMITTED,
        depth=depth,
        marked=False,
        omitted=steps,
    )


def _rounds_size(group: _Rounds) -> int:
    return group.first.size + group.steps + (group.last.size if group.last else 0)


def _size(item: Item) -> int:
    match item:
        case Entry(_, _, _, inside):
            return 1 + (inside.size if inside else 0)
        case _Loop(groups, _, steps):
            return steps + sum(_rounds_size(group) for group in groups)
        case _Gap(steps):
            return steps
