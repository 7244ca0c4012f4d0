"""Addresses from outside: where memory of the environment lies, and which pointers lead there.

Soundness duty: where `accessible` holds, no object of the program lies, and the address is neither
null, nor near a null pointer, nor an error number.
"""

from __future__ import annotations

from ..ir.address_space import FIRST_FUNCTION, NULL_PAGE, environment_ranges
from ..smt import bitvectors, build
from ..smt.term import TRUE, App, ArraySort, BitVecSort, Op, Symbol, Term, Value
from .content import join

_WIDEST = 8  # bytes of an access


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

    def is_high(self, address: Term) -> Term:
        """The condition for that."""
        return self._between(address, *self._high)

    def is_taken(self, address: Term) -> bool:
        """Does the address begin with a scalar input? Of others the interpreter does not know that
        they are pointers, if they are low."""
        base = split(address)[0]
        leaf = self._leaves.get(base, base)
        return isinstance(leaf, Symbol) and leaf not in self.contents

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
