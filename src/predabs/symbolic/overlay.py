"""Memory that was written in bulk: what a read finds there follows from where it reads.

After a loop that fills an array, an object holds what it held before, but for a range of elements
that are given as a function of their number. A read chooses between the two, as one of an array to
which one element was stored does, with a whole range in place of an index [AGS13]. Where two such
states meet, a read chooses between what it finds in each.

Soundness duty: a byte read is the byte last written there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import ResourceExhausted
from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.substitution import substitute
from ..smt.term import App, Op, Symbol, Term, Value
from . import content as contents
from .content import Content, Overlay, byte_of, join
from .pointers import stride

_DEEPEST = 150  # that lie upon each other: a read recurses


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """So many elements from an offset on, each of `size` bytes, and `stride` bytes from one to the
    next. They lie inside the object, and do not overlap. `value` is what the element has whose
    number is `number`; starts, counts and numbers have the width of addresses."""

    start: Term
    count: Term
    size: int
    stride: int
    value: Term
    number: Symbol

    def at(self, number: Term) -> Term:
        return substitute([self.value], {self.number: number})[0]


class _Below:
    """A content that is not changed any more."""

    def __init__(self, content: Content) -> None:
        self.content = content.copy(self)
        self._array: Content | None = None

    @property
    def depth(self) -> int:
        initial = self.content.initial
        depth = initial.depth + 1 if isinstance(initial, Overlay) else 1
        if depth > _DEEPEST:
            raise ResourceExhausted("an array is written in too many ways")
        return depth

    def read(self, offset: Term, size: int) -> Term:
        if isinstance(offset, Value):
            return self.content.read(offset.value, size)
        if self._array is None:
            self._array = self.content.copy(self)
            self._array.to_array()
        return self._array.read_at(offset, size)


class Filled(Overlay):
    """What was there before, with elements upon it."""

    def __init__(self, below: Content, elements: Elements) -> None:
        self.address_bits = below.initial.address_bits
        self._below = _Below(below)
        self.depth = self._below.depth
        self._elements = elements
        self._known: dict[tuple[Term, int], Term] = {}

    def below(self) -> Iterator[Content]:
        yield self._below.content

    def written(self) -> Iterator[Term]:
        yield self._elements.value

    def read_at(self, offset: Term, size: int) -> Term:
        found = self._known.get((offset, size))
        if found is None:
            found = self._known[offset, size] = self._read(offset, size)
        return found

    def _read(self, offset: Term, size: int) -> Term:
        elements, bits = self._elements, self.address_bits
        past = bitvectors.sub(offset, elements.start)
        aligned = stride(past) % size == 0 == elements.stride % size
        whole = size == elements.size and aligned
        if size > 1 and not whole:
            more = (bitvectors.add(offset, bitvectors.bits(i, bits)) for i in range(size))
            return join([self.read_at(at, 1) for at in more])
        # an offset before the start wraps around, and lies behind all that the object has room for
        number, part = _divided(past, elements.stride)
        inside = bitvectors.ult(number, elements.count)
        value = elements.at(number)
        if not whole:
            inside = build.and_(inside, bitvectors.ult(part, bitvectors.bits(elements.size, bits)))
            value = byte_of(value, part)
        else:
            inside = build.and_(inside, build.eq(part, bitvectors.bits(0, bits)))
        return build.ite(inside, value, self._below.read(offset, size))


def _divided(past: Term, by: int) -> tuple[Term, Term]:
    """The number of the element that begins at an offset or before it, and how far before. What
    lies before the start has a number that is too large."""
    bits = bitvectors.width_of(past)
    rest, more = _constant_part(past)
    match rest:
        case App(Op.BV_MUL, (App(Op.SIGN_EXTEND | Op.ZERO_EXTEND, (index,)) as wide, Value(scale))):
            # no product of a narrow number wraps around, and neither does the sum
            widths = bitvectors.width_of(index), scale.bit_length(), more.bit_length()
            if sum(widths) + 2 < bits and scale % by == 0:
                times = bitvectors.mul(wide, bitvectors.bits(scale // by, bits))
                number = bitvectors.add(times, bitvectors.bits(more // by, bits))
                return number, bitvectors.bits(more % by, bits)
    step = bitvectors.bits(by, bits)
    number = past if by == 1 else bitvectors.udiv(past, step)
    if stride(past) % by == 0:
        return number, bitvectors.bits(0, bits)
    return number, bitvectors.sub(past, bitvectors.mul(number, step))


def _constant_part(term: Term) -> tuple[Term, int]:
    """A sum as what is not constant and what is, as a signed number."""
    match term:
        case App(Op.BV_ADD, (left, Value(value))):
            half = 1 << (bitvectors.width_of(term) - 1)
            return left, value - 2 * half if value >= half else value
    return term, 0


class Either(Overlay):
    """What is there where `cond` holds, and where it does not."""

    def __init__(self, cond: Term, then: Content, other: Content) -> None:
        self.address_bits = then.initial.address_bits
        self._cond = cond
        self._then = _Below(then)
        self._other = _Below(other)
        self.depth = max(self._then.depth, self._other.depth)
        self._known: dict[tuple[Term, int], Term] = {}

    def below(self) -> Iterator[Content]:
        yield self._then.content
        yield self._other.content

    def written(self) -> Iterator[Term]:
        yield from ()

    def read_at(self, offset: Term, size: int) -> Term:
        found = self._known.get((offset, size))
        if found is None:
            then, other = self._then.read(offset, size), self._other.read(offset, size)
            found = self._known[offset, size] = build.ite(self._cond, then, other)
        return found


def filled(content: Content, elements: Elements) -> Content:
    """The content with elements upon it."""
    made = Content(Filled(content, elements), content.owner, content.freed)
    made.absent = content.absent
    return made


def written_at(content: Content, offset: Term, size: int, value: Term) -> Content:
    """The content with bytes at an offset that is not constant, after `to_array`."""
    if content.array is not None:
        content.write_at(offset, size, value)
        return content
    one = bitvectors.bits(1, content.initial.address_bits)
    return filled(content, Elements(offset, one, size, size, value, Symbol("element", one.sort)))


def merge(cond: Term, then: Content, other: Content, owner: object) -> Content:
    """The content that is `then` where `cond` holds, else `other`."""
    bulk = isinstance(then.initial, Overlay) or isinstance(other.initial, Overlay)
    if not bulk or then.initial.same(other.initial):
        return contents.merge(cond, then, other, owner)
    made = Content(Either(cond, then, other), owner, build.ite(cond, then.freed, other.freed))
    made.absent = build.ite(cond, then.absent, other.absent)
    return made
