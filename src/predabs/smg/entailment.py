"""Entailment between symbolic memory graphs: does one stand for all memories of another?

The objects of the weaker graph are found in the stronger one, from the variables on along pointers:
an object is an object, a segment is a chain of objects and segments that are alike, maybe none. No
abstraction, join or canonical form is used: those are what a check by entailment is a check of.

Soundness duty: `entails` only if every memory of the stronger graph is one of the weaker. Where
several chains fit, each is tried; where too many do, the answer is no.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..concrete.memory import ObjectKind
from ..records import dataclass, field
from .graph import (
    NULL,
    Address,
    FunctionName,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Segment,
    Value,
    is_nonzero,
)
from .segments import exists_once

_MOST_STEPS = 20_000


def entails(strong: MemoryGraph, weak: MemoryGraph, keep_lost: bool) -> bool:
    """Is every memory of the one graph one of the other? With `keep_lost`, what no variable leads
    to counts: whether something is lost is asked later."""
    if strong.variables.keys() != weak.variables.keys():
        return False
    search = _Search(strong.copy(), weak, keep_lost)
    todo = [
        _Same(Address(weak.variables[var], 0), Address(number, 0))
        for var, number in strong.variables.items()
    ]
    return search.solved(todo, _Match())


@dataclass(frozen=True, slots=True)
class _Same:
    """What is to be shown: the value of the weaker graph is that of the stronger."""

    weak: Value
    strong: Value


@dataclass(frozen=True, slots=True)
class _Match:
    """What was found: for each object of the weaker graph its chain, and for each opaque value what
    it is."""

    chains: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    used: frozenset[int] = frozenset()
    values: Mapping[int, Value] = field(default_factory=dict)

    def found(self, number: int, chain: tuple[int, ...], *more: int) -> _Match | None:
        """With the chain of an object; None if something is in it that is elsewhere already."""
        taken = (*chain, *more)
        if len(set(taken)) < len(taken) or not self.used.isdisjoint(taken):
            return None
        return _Match({**self.chains, number: chain}, self.used.union(taken), self.values)


@dataclass(slots=True)
class _Search:
    strong: MemoryGraph
    weak: MemoryGraph
    keep_lost: bool
    steps: int = 0

    def solved(self, todo: list[_Same], match: _Match) -> bool:
        """Can all that is to be shown be shown?"""
        todo = list(todo)
        while todo:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                return False
            ways = list(self._ways(todo.pop(), match))
            if len(ways) != 1:
                return any(self.solved(todo + more, after) for more, after in ways)
            more, match = ways[0]
            todo += more
        return self._rest_fits(match)

    def _ways(self, wanted: _Same, match: _Match) -> Iterator[tuple[list[_Same], _Match]]:
        """The ways to show it: what is to be shown then, and what is found."""
        weak, strong = wanted.weak, wanted.strong
        match weak:
            case Opaque(number):
                if number in match.values:
                    if match.values[number] == strong:
                        yield [], match
                elif self._is_hidden(number, strong):
                    values = {**match.values, number: strong}
                    yield [], _Match(match.chains, match.used, values)
            case Number() | FunctionName():
                if weak == strong:
                    yield [], match
            case Address():
                if weak.object in match.chains:
                    chain = match.chains[weak.object]
                    more = self._points_there(weak, strong, chain)
                    if more is not None:
                        yield more, match
                else:
                    yield from self._found(weak, strong, match)

    def _is_hidden(self, number: int, strong: Value) -> bool:
        """May an opaque value be this one? Addresses are kept as they are, unless they dangle."""
        if isinstance(strong, Address) and not self.strong.objects[strong.object].live:
            return number not in self.weak.nonzero or strong.offset == 0
        if not isinstance(strong, Number | Opaque):
            return False
        return number not in self.weak.nonzero or is_nonzero(self.strong, strong)

    # --- objects ----------------------------------------------------------------------------------

    def _found(
        self, weak: Address, strong: Value, match: _Match
    ) -> Iterator[tuple[list[_Same], _Match]]:
        """An object that is pointed to for the first time."""
        number, made = weak.object, self.weak.objects[weak.object]
        if made.nested:
            return  # it belongs to a node, and is looked for there
        for chain in self._chains(made, weak.last, strong):
            after = match.found(number, chain)
            if after is None:
                continue
            here = self._points_there(weak, strong, chain)
            inside = self._contents(number, made, chain, after)
            if here is not None and inside is not None:
                more, after = inside
                yield here + more, after

    def _chains(
        self, made: MemoryObject, backwards: bool, strong: Value, nested: bool = False
    ) -> Iterator[tuple[int, ...]]:
        """What the object may be, from its first node or from its last: the longest chains
        first."""
        chain: list[int] = []
        here: Value = strong
        while isinstance(here, Address) and here.object not in chain:
            there = self.strong.objects[here.object]
            is_end = backwards and there.segment is not None
            if not _are_alike(there, made) or there.nested is not nested or here.last is not is_end:
                break
            chain.append(here.object)
            if made.segment is None:
                break
            link = made.segment.prev if backwards else made.segment.next
            if link is None:
                break
            here = self._read(here.object, link)
        for length in range(len(chain), 0, -1):
            part = chain[:length]
            yield tuple(reversed(part)) if backwards else tuple(part)
        if made.may_be_missing:
            yield ()

    def _points_there(
        self, weak: Address, strong: Value, chain: tuple[int, ...]
    ) -> list[_Same] | None:
        """Does the value point into the chain as that of the weaker graph does? What is to be shown
        for that; None if it does not."""
        made = self.weak.objects[weak.object]
        if weak.last and (made.segment is None or made.segment.prev is None):
            return None  # nothing says which node that is
        if not chain:
            return self._of_nothing(weak, strong, made)
        if not isinstance(strong, Address):
            return None
        if weak.offset is not None and weak.offset != strong.offset:
            return None
        if not self._is_null_if_missing(weak, chain):
            return None
        there = chain[-1] if weak.last else chain[0]
        is_segment = self.strong.objects[there].segment is not None
        same = strong.object == there and strong.last is (weak.last and is_segment)
        return [] if same else None

    def _is_null_if_missing(self, weak: Address, chain: tuple[int, ...]) -> bool:
        """Is a pointer to a list of one node that may be missing what it is to no node?"""
        shape = self.weak.objects[weak.object].segment
        optional = self.strong.objects[chain[0]].optional
        return shape is None or not optional or weak.offset == shape.head

    def _of_nothing(self, weak: Address, strong: Value, made: MemoryObject) -> list[_Same] | None:
        """A pointer into what is missing: null, or what the segment leads to."""
        if made.segment is None:
            return [] if strong == NULL else None
        if weak.offset != made.segment.head:
            return None
        link = made.segment.prev if weak.last else made.segment.next
        assert link is not None
        return [_Same(self.weak.cells[weak.object][link][1], strong)]

    def _contents(
        self, number: int, made: MemoryObject, chain: tuple[int, ...], match: _Match
    ) -> tuple[list[_Same], _Match] | None:
        """What is to be shown about the cells of a chain; None if they do not fit."""
        if not chain:
            return [], match
        if made.segment is None:
            [there] = chain
            other = self.strong.objects[there]
            if other.segment is not None or (other.optional and not made.optional):
                return None
            if not self._uncovered_fits(number, there):
                return None
            return self._cells(number, there, match)
        return self._segment(number, made.segment, chain, match)

    def _cells(self, number: int, there: int, match: _Match) -> tuple[list[_Same], _Match] | None:
        """What is to be shown about an object that exists once, if it does."""
        todo: list[_Same] = []
        for at, (size, value) in self.weak.cells[number].items():
            held = self._read(there, at, size)
            if isinstance(value, Address) and self.weak.objects[value.object].nested:
                fits = self._own_object(value, held, there, match)
                if fits is None:
                    return None
                more, match = fits
                todo += more
            else:
                todo.append(_Same(value, held))
        return todo, match

    def _segment(
        self, number: int, segment: Segment, chain: tuple[int, ...], match: _Match
    ) -> tuple[list[_Same], _Match] | None:
        objects = [self.strong.objects[there] for there in chain]
        if any(made.optional for made in objects[:-1]):
            return None
        if objects[-1].optional and not self._may_end_before(segment, chain[-1]):
            return None
        if sum(_least(made) for made in objects) < segment.least:
            return None
        if not self._is_linked(segment, chain):
            return None
        cells = self.weak.cells[number]
        todo = [_Same(cells[segment.next][1], self._read(chain[-1], segment.next))]
        if segment.prev is not None:
            todo.append(_Same(cells[segment.prev][1], self._read(chain[0], segment.prev)))
        for there in chain:
            if not self._uncovered_fits(number, there):
                return None
            for at, (size, value) in cells.items():
                if at not in (segment.next, segment.prev):
                    held = self._read(there, at, size)
                    fits = self._in_node(value, held, there, match)
                    if fits is None:
                        return None
                    more, match = fits
                    todo += more
        return todo, match

    def _may_end_before(self, segment: Segment, last: int) -> bool:
        """Is the list what it is, but for its length, if its last node is missing?"""
        is_node = self.strong.objects[last].segment is None and segment.prev is None
        return is_node and self._read(last, segment.next) == NULL

    def _is_linked(self, segment: Segment, chain: tuple[int, ...]) -> bool:
        """Are the parts of a chain nodes, or segments of such nodes, that follow each other?"""
        for number, there in enumerate(chain):
            own = self.strong.objects[there].segment
            if own is not None and not own.is_linked_as(segment):
                return False
            if number:
                before = chain[number - 1]
                last = self.strong.objects[before].segment is not None
                if self._read(before, segment.next) != Address(there, segment.head):
                    return False
                back = Address(before, segment.head, last)
                if segment.prev is not None and self._read(there, segment.prev) != back:
                    return False
        return True

    def _in_node(
        self, weak: Value, strong: Value, node: int, match: _Match
    ) -> tuple[list[_Same], _Match] | None:
        """What a node of a segment holds: data and objects of its own, or what all nodes hold."""
        match weak:
            case Opaque(number):
                return ([], match) if self._is_hidden(number, strong) else None
            case Address(to, _, _) if self.weak.objects[to].nested:
                return self._own_object(weak, strong, node, match)
        return [_Same(weak, strong)], match

    def _own_object(
        self, weak: Address, strong: Value, node: int, match: _Match
    ) -> tuple[list[_Same], _Match] | None:
        made = self.weak.objects[weak.object]
        if made.segment is not None and not made.optional:
            return self._own_list(weak, made.segment, strong, node, match)
        if strong == NULL:
            return ([], match) if made.optional else None
        if not isinstance(strong, Address) or strong.offset != weak.offset or weak.last:
            return None
        if strong.last or strong.object in match.used:
            return None
        other = self.strong.objects[strong.object]
        # what does not exist once has objects of its own there too
        if other.nested is exists_once(self.strong.objects[node]):
            return None
        if not _are_alike(other, made) or (other.optional and not made.optional):
            return None
        if made.segment is None or other.segment is None:
            if made.segment is not other.segment:
                return None
        elif (
            not other.segment.is_linked_as(made.segment) or other.segment.least < made.segment.least
        ):
            return None
        if not self._uncovered_fits(weak.object, strong.object):
            return None
        match = _Match(match.chains, match.used | {strong.object}, match.values)
        todo: list[_Same] = []
        for at, (size, value) in self.weak.cells[weak.object].items():
            fits = self._in_node(value, self._read(strong.object, at, size), strong.object, match)
            if fits is None:
                return None
            more, match = fits
            todo += more
        return todo, match

    def _own_list(
        self, weak: Address, shape: Segment, strong: Value, node: int, match: _Match
    ) -> tuple[list[_Same], _Match] | None:
        """A list that hangs in a node: it may be a chain, or nothing."""
        made = self.weak.objects[weak.object]
        nested = not exists_once(self.strong.objects[node])
        chain = next(self._chains(made, False, strong, nested), ())
        if weak.last:
            return None
        if not chain:
            if shape.least or weak.offset != shape.head:
                return None
            return [_Same(self.weak.cells[weak.object][shape.next][1], strong)], match
        assert isinstance(strong, Address)
        if strong.offset != weak.offset or not match.used.isdisjoint(chain):
            return None
        if not self._is_null_if_missing(weak, chain):
            return None
        match = _Match(match.chains, match.used.union(chain), match.values)
        return self._segment(weak.object, shape, chain, match)

    # --- bytes ------------------------------------------------------------------------------------

    def _read(self, number: int, offset: int, size: int | None = None) -> Value:
        return self.strong.read(number, offset, size or self.strong.pointer_bytes)

    def _uncovered_fits(self, weak: int, strong: int) -> bool:
        """Is zero what the weaker graph says is zero without having a cell for it?"""
        if not self.weak.objects[weak].zeroed:
            return True
        if not self.strong.objects[strong].zeroed:
            return False
        covered = {at + n for at, (size, _) in self.weak.cells[weak].items() for n in range(size)}
        return all(
            value == Number(0) or covered.issuperset(range(at, at + size))
            for at, (size, value) in self.strong.cells[strong].items()
        )

    def _rest_fits(self, match: _Match) -> bool:
        """Nothing of the weaker graph is missing in the stronger, and nothing that counts is left
        out."""
        if not self.keep_lost:
            return True
        for number, made in self.strong.objects.items():
            if made.live and made.kind is ObjectKind.HEAP and number not in match.used:
                return False
        return True


def _are_alike(strong: MemoryObject, weak: MemoryObject) -> bool:
    """The same kind of object, alive or not, that ends at the same time."""
    one = strong.kind, strong.size, strong.live, strong.owner
    return one == (weak.kind, weak.size, weak.live, weak.owner)


def _least(made: MemoryObject) -> int:
    """How many nodes there are at least."""
    if made.optional:
        return 0
    return 1 if made.segment is None else made.segment.least
