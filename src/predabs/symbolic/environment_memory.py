"""Memory of the environment: what lies behind pointers from outside, as a history of writes.

Its initial content is one array of bytes over all addresses, any bytes, that is, inputs. A read
looks through the writes, the latest first: one at the same base and another constant offset
does not matter, one at another base does where the addresses are the same.

Soundness duty: a byte read is the byte last written there, or the initial one. What is assumed in
order to have few cases is in the answer: accesses of one word at two bases are aligned (C leaves
others undefined), and, if there are too many bases, that each has a region of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..ir.address_space import FIRST_FUNCTION, NULL_PAGE, environment_ranges
from ..smt import bitvectors, build
from ..smt.term import TRUE, App, ArraySort, BitVecSort, Op, Symbol, Term, Value
from .content import join
from .pointers import mentions_address

_MOST_BASES = 3  # at which writes may be the one that a read finds, before regions are told apart
_WIDEST = 8  # bytes of an access that may be aligned


class EnvironmentAddresses:
    """The addresses of an exploration that come from outside, and where they may lie."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._low, self._high = environment_ranges(bits)
        sort = ArraySort(BitVecSort(bits), BitVecSort(8))
        self._initial = Symbol("environment[]", sort)
        self.contents: set[Term] = set()  # pieces of memory as it was in the beginning
        self._pointers: set[Term] = set()
        self._leaves: dict[Term, Term] = {}  # of addresses without their constant
        self._regions: dict[Term, int] = {}
        self._region = 1 << 24 if bits > 32 else 1 << 16

    def _number(self, value: int) -> Value:
        return bitvectors.bits(value, self.bits)

    # --- pointers ---------------------------------------------------------------------------------

    def is_pointer(self, term: Term) -> bool:
        """Is it an input of pointer type?"""
        return term in self._pointers

    def is_input(self, leaf: Term) -> bool:
        """Is it an input as it was taken? Then it is no address of an object, or a run with it is
        not followed."""
        return isinstance(leaf, Symbol | Value) or leaf in self.contents

    def in_program(self, pointer: Term) -> Term:
        """The condition that it is an address where functions and objects of the program lie."""
        size = self._high[0] - FIRST_FUNCTION
        start = self._number(FIRST_FUNCTION)
        return bitvectors.ult(bitvectors.sub(pointer, start), self._number(size))

    def take(self, pointer: Term) -> Term:
        """The term is a pointer from outside; what is assumed about it."""
        self._pointers.add(pointer)
        return build.not_(self.in_program(pointer))

    def is_address(self, address: int) -> bool:
        """Does memory of the environment lie there, wherever the address comes from?"""
        return self._high[0] <= address <= self._high[1]

    def may_lie_at(self, address: int) -> bool:
        return self.is_address(address) or self._low[0] <= address <= self._low[1]

    def accessible(self, leaf: Term, offset: Term, size: int) -> Term:
        """The condition that `size` bytes at an offset from a leaf are memory of the environment.

        The leaf and the bytes lie in the same range, so that a field of a null pointer is none; in
        the low one only if the leaf is an input.
        """
        address = bitvectors.add(leaf, offset)
        self._leaves[split(address)[0]] = leaf
        more = max(size, 1) - 1
        ranges = (self._high, self._low) if self.is_input(leaf) else (self._high,)
        if isinstance(offset, Value) and offset.value + more <= self._low[1] - self._low[0]:
            more += offset.value
            return build.or_(*(self._between(leaf, low, high - more) for low, high in ranges))
        page = bitvectors.add(address, self._number(NULL_PAGE))
        return build.or_(
            *(
                build.and_(
                    self._between(leaf, low, high),
                    self._between(address, low, high - more),
                    # as the interpreter has it
                    bitvectors.ule(leaf, page) if high == self._low[1] else TRUE,
                )
                for low, high in ranges
            )
        )

    def elsewhere(self, leaf: Term) -> Term:
        """The condition that a number that is no input is an address, but not one as above: that
        of an object, or a low one, which is mostly the offset of a field from null."""
        return build.or_(self.in_program(leaf), self._between(leaf, *self._low))

    def _between(self, term: Term, low: int, high: int) -> Term:
        return build.and_(
            bitvectors.ule(self._number(low), term), bitvectors.ule(term, self._number(high))
        )

    # --- bytes ------------------------------------------------------------------------------------

    def initial(self, address: Term, size: int) -> Term:
        """What lies there in the beginning."""
        parts = [
            build.select(self._initial, bitvectors.add(address, self._number(i)))
            for i in range(size)
        ]
        whole = join(parts)
        self.contents.add(whole)
        return whole

    def in_region(self, base: Term) -> Term | None:
        """The condition that a base lies well inside the region of its leaf, if there can be an
        access through the leaf; None if there are no regions left."""
        leaf = self._leaves.get(base, base)
        number = self._regions.setdefault(leaf, len(self._regions))
        margin = self._region // 4
        start = self._high[0] + number * self._region
        if isinstance(leaf, Value) or start + self._region > self._high[1]:
            return None
        return build.or_(
            self._between(base, start + margin, start + self._region - margin),
            build.not_(build.or_(*(self._between(leaf, *r) for r in (self._high, self._low)))),
        )

    def apart(self, base: Term, offset: int, other: Term, other_offset: int) -> bool:
        """Of bases in their regions: can accesses at these offsets not meet?"""
        near = self._region // 4 - _WIDEST
        return (
            abs(offset) < near
            and abs(other_offset) < near
            and self._leaves.get(base, base) is not self._leaves.get(other, other)
        )


def split(address: Term) -> tuple[Term, int]:
    """An address as a base and a constant, which may be negative."""
    match address:
        case App(Op.BV_ADD, (base, Value(value, _)), _, _):
            width = bitvectors.width_of(base)
            return base, value - (1 << width) if value >> (width - 1) else value
    return address, 0


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """The last write of a history: where `cond` holds, at `base` plus `offset`."""

    before: Write | None
    length: int
    base: Term
    offset: int
    size: int
    value: Term
    cond: Term

    def distance(self, base: Term, offset: int) -> Term:
        """How far an address lies behind the beginning of what was written."""
        width = bitvectors.width_of(base)
        here = bitvectors.add(self.base, bitvectors.bits(self.offset, width))
        return bitvectors.sub(bitvectors.add(base, bitvectors.bits(offset, width)), here)


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
    """A state of the memory: the writes, and the bases that lie in regions of their own."""

    addresses: EnvironmentAddresses
    last: Write | None = None
    confined: frozenset[Term] = frozenset()

    def written(self, address: Term, size: int, value: Term, cond: Term) -> EnvironmentMemory:
        """The memory after a write where `cond` holds."""
        length = 1 if self.last is None else self.last.length + 1
        base, offset = split(address)
        write = Write(self.last, length, base, offset, size, value, cond)
        return replace(self, last=write)

    def read(self, address: Term, size: int) -> tuple[EnvironmentRead, EnvironmentMemory]:
        """The bytes at an address, the first lowest; and the memory with what is assumed."""
        base, offset = split(address)
        memory, regions, others = self._told_apart(base, offset, size)
        addresses = [
            (build.and_(write.cond, _at(write, base, offset, size)), write.value)
            for write in others
            if write.size == size and mentions_address(write.value)
        ]
        relevant = list(memory._relevant(base, offset, size))
        initial = None
        if not relevant or not _covers(relevant[-1], base, offset, size):
            initial = self.addresses.initial(address, size)
        words = [write for write in relevant if _in_words(write, base, offset, size)]
        aligned = build.and_(*(_aligned(write, base, offset, size) for write in words))
        value = _found(words, base, offset, size, initial)
        if len(words) < len(relevant):  # some may have written a part of it
            parts = []
            for i in range(size):
                near = list(memory._relevant(base, offset + i, 1))
                rest = None if initial is None else bitvectors.extract(initial, 8 * i + 7, 8 * i)
                parts.append(_found(near, base, offset + i, 1, rest))
            cutting = [write for write in relevant if not _in_words(write, base, offset, size)]
            hit = build.or_(*(_meets(write, base, offset, size) for write in cutting))
            value = build.ite(hit, join(parts), value)
        return EnvironmentRead(value, aligned, regions, initial, addresses), memory

    def _told_apart(
        self, base: Term, offset: int, size: int
    ) -> tuple[EnvironmentMemory, Term, list[Write]]:
        """This memory; if writes at too many other bases may have been to this address, or some may
        have been to a part of it, one in which they lie in regions of their own, the condition for
        that, and these writes."""
        writes = [write for write in self._relevant(base, offset, size) if write.base is not base]
        others = dict.fromkeys(write.base for write in writes)
        if len(others) <= _MOST_BASES and all(
            write.size == size and _in_words(write, base, offset, size) for write in writes
        ):
            return self, TRUE, []
        conditions = []
        confined = set(self.confined)
        for other in (base, *others):
            region = None if other in confined else self.addresses.in_region(other)
            if region is not None:
                confined.add(other)
                conditions.append(region)
        return replace(self, confined=frozenset(confined)), build.and_(*conditions), writes

    def _relevant(self, base: Term, offset: int, size: int) -> Iterator[Write]:
        """The writes that may have been to some of these bytes, the latest first, up to one that
        certainly was to all of them."""
        write = self.last
        confined = self.confined if base in self.confined else frozenset()
        while write is not None:
            if write.base is base:
                apart = not _overlaps(write, offset, size)
            else:
                apart = write.base in confined and self.addresses.apart(
                    base, offset, write.base, write.offset
                )
            if not apart:
                yield write
                if _covers(write, base, offset, size):
                    return
            write = write.before


def _covers(write: Write, base: Term, offset: int, size: int) -> bool:
    """Did the write surely write all these bytes?"""
    return write.cond is TRUE and write.base is base and _contains(write, offset, size)


def _contains(write: Write, offset: int, size: int) -> bool:
    """Of accesses at one base."""
    return _gap(write, offset) + size <= write.size


def _overlaps(write: Write, offset: int, size: int) -> bool:
    gap = _gap(write, offset)
    return gap < write.size or (1 << bitvectors.width_of(write.base)) - gap < size


def _gap(write: Write, offset: int) -> int:
    """How many bytes an access begins behind the beginning of a write, modulo 2^width."""
    return (offset - write.offset) % (1 << bitvectors.width_of(write.base))


def _in_words(write: Write, base: Term, offset: int, size: int) -> bool:
    """Can the write only have written all of these bytes or none, if both are aligned?"""
    if write.base is base:
        return _contains(write, offset, size)
    return size == 1 or (
        size <= write.size and _is_word(offset, size) and _is_word(write.offset, write.size)
    )


def _is_word(offset: int, size: int) -> bool:
    return size <= _WIDEST and size & (size - 1) == 0 and offset % size == 0


def _aligned(write: Write, base: Term, offset: int, size: int) -> Term:
    """The condition that both accesses are aligned, if that matters."""
    if write.base is base or size == 1:
        return TRUE
    return build.and_(_multiple(base, size), _multiple(write.base, write.size))


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
            low = 8 * _gap(write, offset)
            here, part = TRUE, bitvectors.extract(write.value, low + 8 * size - 1, low)
        else:
            here = _at(write, base, offset, size)
            part = write.value
            if size != write.size:
                part = _part(part, write.distance(base, offset), size)
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


def _part(value: Term, distance: Term, size: int) -> Term:
    """Some bytes of a vector, from a distance on that is not constant."""
    part = bitvectors.extract(value, 8 * size - 1, 0)
    for start in range(1, bitvectors.width_of(value) // 8 - size + 1):
        here = build.eq(distance, bitvectors.bits(start, bitvectors.width_of(distance)))
        part = build.ite(here, bitvectors.extract(value, 8 * (start + size) - 1, 8 * start), part)
    return part


def merge(cond: Term, then: EnvironmentMemory, other: EnvironmentMemory) -> EnvironmentMemory:
    """The memory that is `then` where `cond` holds, else `other`."""
    if then is other:
        return then
    mine, others = _since_common(then.last, other.last)
    common = mine[0].before if mine else then.last
    merged = EnvironmentMemory(then.addresses, common, then.confined & other.confined)
    for test, writes in ((build.not_(cond), others), (cond, mine)):
        for write in writes:
            length = 1 if merged.last is None else merged.last.length + 1
            last = replace(
                write, before=merged.last, length=length, cond=build.and_(test, write.cond)
            )
            merged = replace(merged, last=last)
    return merged


def _since_common(then: Write | None, other: Write | None) -> tuple[list[Write], list[Write]]:
    """What two histories have after their common beginning, the earliest first."""
    mine: list[Write] = []
    others: list[Write] = []
    while then is not other:
        if other is None or (then is not None and then.length >= other.length):
            assert then is not None
            mine.append(then)
            then = then.before
        else:
            others.append(other)
            other = other.before
    return mine[::-1], others[::-1]
