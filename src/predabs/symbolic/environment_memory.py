"""Memory of the environment: what lies behind pointers from outside, as histories of writes.

Its initial content is one array of bytes over all addresses, any bytes, that is, inputs. A read
looks through the writes, the latest first: one at the same base and another constant offset
does not matter, one at another base does where the addresses are the same. It is a typed memory
[Bur72]: there is a history for each view, and a read of a scalar looks at that of its own view.

Soundness duty: a byte read is the byte last written there in the same view or by a block operation,
or the initial one. What is assumed in order to have few cases is in the answer: accesses of one
word at two bases are aligned (C leaves others undefined), and, if there are too many bases, that
each has a region of its own. That no byte is read in another view than it was written in is up to
whoever makes a run from a model (`typed_model`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ..analysis.memory.views import View
from ..records import dataclass, field, replace
from ..smt import bitvectors, build
from ..smt.term import TRUE, Term
from . import environment_history as histories
from .content import join
from .environment_addresses import EnvironmentAddresses, split
from .environment_history import History, Hit, Write, length_of, relevant
from .pointers import mentions_address

_MOST_BASES = 3  # at which writes may be the one that a read finds, before regions are told apart
_WIDEST = 8  # bytes of an access that may be aligned


@dataclass(frozen=True, slots=True)
class EnvironmentRead:
    """What a read finds, and what it assumes: `aligned` is undefined in C otherwise, `regions` is a
    choice among the runs. `initial` is what lay there in the beginning, if that may be found.

    Where the regions are not apart, `addresses` has what it finds if that is an address of the
    program, with the conditions; otherwise it finds anything else."""

    value: Term
    aligned: Term
    regions: Term
    initial: Term | None
    addresses: list[tuple[Term, Term]]


@dataclass(frozen=True, slots=True)
class EnvironmentMemory:
    """A state of the memory: all writes; those of the blocks alone; for each view, its own and the
    blocks'; and the bases that lie in regions of their own."""

    addresses: EnvironmentAddresses
    all: History | None = None
    blocks: History | None = None
    views: Mapping[View, History | None] = field(default_factory=dict)
    confined: frozenset[Term] = frozenset()

    def written(
        self, address: Term, size: int, value: Term, cond: Term, view: View | None = None
    ) -> EnvironmentMemory:
        """The memory after a write where `cond` holds; without a view, it is part of a block. A
        single byte as the value fills all of it."""
        base, offset = split(address)

        def after(history: History | None) -> Write:
            length = length_of(history) + 1
            return Write(history, length, base, offset, size, value, cond, view)

        every = after(self.all)
        if view is None:
            views = {key: after(history) for key, history in self.views.items()}
            return replace(self, all=every, blocks=after(self.blocks), views=views)
        return replace(self, all=every, views={**self.views, view: after(self._history(view))})

    def _history(self, view: View | None) -> History | None:
        return self.all if view is None else self.views.get(view, self.blocks)

    def read(
        self, address: Term, size: int, view: View | None = None, given: Term = TRUE
    ) -> tuple[EnvironmentRead, EnvironmentMemory]:
        """The bytes at an address, the first lowest, if they matter only where `given` holds; and
        the memory with what is assumed."""
        base, offset = split(address)
        writes, covered = self._relevant(base, offset, size, view, given)
        others = [write for write in writes if write.base is not base]
        memory, regions = self._told_apart(others, base, offset, size, view)
        addresses = []
        if regions is not TRUE:
            addresses = [
                (build.and_(write.cond, _at(write, base, offset, size)), write.value)
                for write in others
                if write.size == size and mentions_address(write.value)
            ]
        if memory is not self:
            writes, covered = memory._relevant(base, offset, size, view, given)
        initial = None if covered else self.addresses.initial(address, size)
        cut = [write for write in writes if not _in_words(write, base, offset, size, view)]
        words = [write for write in writes if write not in cut] if cut else writes
        aligned = build.and_(*(_aligned(write, base, size, view) for write in words))
        value = _found(words, base, offset, size, initial)
        if cut:  # some may have written a part of it
            parts = []
            for i in range(size):
                near, _ = memory._relevant(base, offset + i, 1, view, given)
                rest = None if initial is None else bitvectors.extract(initial, 8 * i + 7, 8 * i)
                parts.append(_found(near, base, offset + i, 1, rest))
            hit = build.or_(*(_meets(write, base, offset, size) for write in cut))
            value = build.ite(hit, join(parts), value)
        found = EnvironmentRead(value, aligned, regions, initial, addresses)
        plain = aligned is TRUE and regions is TRUE
        if not plain or view is None or len(writes) <= covered:
            return found, memory
        # as if it were written: so the next read there need not look through all these writes
        history = memory._history(view)
        length = length_of(history) + 1
        again = Write(history, length, base, offset, size, value, given, view)
        return found, replace(memory, views={**memory.views, view: again})

    def _told_apart(
        self, writes: list[Write], base: Term, offset: int, size: int, view: View | None
    ) -> tuple[EnvironmentMemory, Term]:
        """This memory; if writes at too many other bases may have been to this address, or some may
        have been to a part of it, one in which they lie in regions of their own, and the condition
        for that."""
        others = dict.fromkeys(write.base for write in writes)
        if len(others) <= _MOST_BASES and all(
            write.size == size and _in_words(write, base, offset, size, view) for write in writes
        ):
            return self, TRUE
        conditions = []
        confined = set(self.confined)
        for other in (base, *others):
            region = None if other in confined else self.addresses.in_region(other)
            if region is not None:
                confined.add(other)
                conditions.append(region)
        return replace(self, confined=frozenset(confined)), build.and_(*conditions)

    def _relevant(
        self, base: Term, offset: int, size: int, view: View | None, given: Term
    ) -> tuple[list[Write], bool]:
        """The writes that may have been to some of these bytes, the latest first, up to those that
        certainly were to all of them; and whether there are such."""
        return relevant(self._history(view), partial(self._hit, base, offset, size, given))

    def _hit(self, base: Term, offset: int, size: int, given: Term, write: Write) -> Hit:
        if write.base is base:
            if not _overlaps(write, offset, size):
                return Hit.NONE
            surely = write.cond is TRUE or write.cond is given
            return Hit.ALL if surely and _contains(write, offset, size) else Hit.SOME
        apart = (
            base in self.confined
            and write.base in self.confined
            and self.addresses.apart(base, offset, write.base, write.offset)
        )
        return Hit.NONE if apart else Hit.SOME


def merge(cond: Term, then: EnvironmentMemory, other: EnvironmentMemory) -> EnvironmentMemory:
    """The memory that is `then` where `cond` holds, else `other`."""
    if then is other:
        return then
    return EnvironmentMemory(
        then.addresses,
        histories.merge(cond, then.all, other.all),
        histories.merge(cond, then.blocks, other.blocks),
        {
            view: histories.merge(cond, then._history(view), other._history(view))
            for view in {**then.views, **other.views}
        },
        then.confined & other.confined,
    )


def _contains(write: Write, offset: int, size: int) -> bool:
    """Of accesses at one base."""
    return _gap(write, offset) + size <= write.size


def _overlaps(write: Write, offset: int, size: int) -> bool:
    gap = _gap(write, offset)
    return gap < write.size or (1 << bitvectors.width_of(write.base)) - gap < size


def _gap(write: Write, offset: int) -> int:
    """How many bytes an access begins behind the beginning of a write, modulo 2^width."""
    return (offset - write.offset) % (1 << bitvectors.width_of(write.base))


def _in_words(write: Write, base: Term, offset: int, size: int, view: View | None) -> bool:
    """Can the write only have written all of these bytes or none, if both are aligned?"""
    if write.base is base:
        return _contains(write, offset, size)
    if _same_cells(write, view):
        return True
    if write.fills:  # of whole words?
        return size == 1 or (_is_word(offset, size) and not (write.offset | write.size) % size)
    return size == 1 or (
        size <= write.size and _is_word(offset, size) and _is_word(write.offset, write.size)
    )


def _is_word(offset: int, size: int) -> bool:
    return size <= _WIDEST and size & (size - 1) == 0 and offset % size == 0


def _same_cells(write: Write, view: View | None) -> bool:
    """Are both accesses to whole cells of one view, so that they meet in all bytes or none?"""
    return view is not None and not view.bytewise and write.view is not None


def _aligned(write: Write, base: Term, size: int, view: View | None) -> Term:
    """The condition that both accesses are aligned, if that matters."""
    if write.base is base or size == 1 or _same_cells(write, view):
        return TRUE
    return build.and_(
        _multiple(base, size), _multiple(write.base, size if write.fills else write.size)
    )


def _multiple(base: Term, size: int) -> Term:
    low = size.bit_length() - 1
    if not low:
        return TRUE
    return build.eq(bitvectors.extract(base, low - 1, 0), bitvectors.bits(0, low))


def _found(writes: list[Write], base: Term, offset: int, size: int, rest: Term | None) -> Term:
    """What a read of bytes finds that each write has written all of or none."""
    value = rest
    here: Term
    for write in reversed(writes):
        if write.base is base:
            here, part = TRUE, _piece(write, _gap(write, offset), size)
        else:
            here = _at(write, base, offset, size)
            part = _piece(write, 0, size)
            if size != write.size and not write.fills:
                part = _part(write.value, write.distance(base, offset), size)
        here = build.and_(write.cond, here)
        value = part if value is None else build.ite(here, part, value)
    assert value is not None
    return value


def _at(write: Write, base: Term, offset: int, size: int) -> Term:
    """The condition that an aligned read at another base is of what was written."""
    width = bitvectors.width_of(base)
    if size == write.size:
        here = bitvectors.add(write.base, bitvectors.bits(write.offset, width))
        return build.eq(bitvectors.add(base, bitvectors.bits(offset, width)), here)
    return bitvectors.ult(write.distance(base, offset), bitvectors.bits(write.size, width))


def _meets(write: Write, base: Term, offset: int, size: int) -> Term:
    """The condition that a read is of some of the bytes that were written."""
    if write.base is base:
        return write.cond
    distance = write.distance(base, offset)
    width = bitvectors.width_of(base)
    return build.and_(
        write.cond,
        build.or_(
            bitvectors.ult(distance, bitvectors.bits(write.size, width)),
            bitvectors.ult(bitvectors.neg(distance), bitvectors.bits(size, width)),
        ),
    )


def _piece(write: Write, start: int, size: int) -> Term:
    """Some bytes of what was written, from the number `start` on."""
    if write.fills:
        return join([write.value] * size)
    return bitvectors.extract(write.value, 8 * (start + size) - 1, 8 * start)


def _part(value: Term, distance: Term, size: int) -> Term:
    """Some bytes of a vector, from a distance on that is not constant."""
    part = bitvectors.extract(value, 8 * size - 1, 0)
    for start in range(1, bitvectors.width_of(value) // 8 - size + 1):
        here = build.eq(distance, bitvectors.bits(start, bitvectors.width_of(distance)))
        part = build.ite(here, bitvectors.extract(value, 8 * (start + size) - 1, 8 * start), part)
    return part
