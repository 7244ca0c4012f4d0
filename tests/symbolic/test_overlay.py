"""Objects that are written in bulk: each byte read is the one last written there."""

from __future__ import annotations

from random import Random

import pytest

from predabs.concrete.memory import ObjectKind
from predabs.ir.cfa import ExternPointers
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.term import BOOL, TRUE, BitVecSort, Symbol, Term
from predabs.symbolic.content import Initial
from predabs.symbolic.memory import AccessTarget, AddressSpace, SymbolicMemory, merge
from predabs.symbolic.overlay import Elements

BITS = 64
LENGTH = 1200  # more than what is told apart cell by cell
SIZES = (1, 2, 4, 8)


class Twins:
    """A symbolic memory with one object, and its bytes under a model that grows with it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values: dict[Symbol, int] = {}
        space = AddressSpace(BITS, ExternPointers.NULL)
        self.made = space.allocate("array", LENGTH, ObjectKind.HEAP)
        self.memory = SymbolicMemory(space)
        self.memory.add(self.made, Initial(None, BITS))
        self.bytes = bytearray(LENGTH)

    def symbol(self, value: int, width: int = BITS) -> Symbol:
        found = Symbol(f"x{len(self.values)}", BitVecSort(width))
        self.values[found] = value % (1 << width)
        return found

    def offset(self, value: int, size: int) -> Term:
        """The offset as a constant, or as a multiple that is not known, or just not known."""
        kind = self.random.randrange(4)
        if kind == 0:
            return bitvectors.bits(value, BITS)
        if kind == 1 or value % size:
            return self.symbol(value)
        if kind == 2:
            return bitvectors.mul(self.symbol(value // size), bitvectors.bits(size, BITS))
        scale, more = size * self.random.choice((1, 2, 3)), self.random.randrange(-9, 9)
        index = bitvectors.sign_extend(self.symbol((value - more) // scale, 32), BITS - 32)
        product = bitvectors.mul(index, bitvectors.bits(scale, BITS))
        return bitvectors.add(product, bitvectors.bits(more + (value - more) % scale, BITS))

    def target(self, value: int, size: int) -> AccessTarget:
        return AccessTarget(TRUE, self.made, self.offset(value, size))

    def place(self, size: int) -> int:
        at = self.random.randrange(40) * size
        return at + (self.random.random() < 0.2)

    def write(self) -> None:
        size = self.random.choice(SIZES)
        at, value = self.place(size), self.random.getrandbits(8 * size)
        self.memory.store(self.target(at, size), size, self.symbol(value, 8 * size), TRUE)
        self.bytes[at : at + size] = value.to_bytes(size, "little")

    def fill(self) -> None:
        size = self.random.choice(SIZES)
        stride = size * self.random.choice((1, 1, 2, 3))
        start, count = self.place(size), self.random.randrange(30)
        factor, number = self.random.randrange(1 << 8), Symbol("number", BitVecSort(BITS))
        product = bitvectors.mul(number, bitvectors.bits(factor, BITS))
        value = bitvectors.extract(bitvectors.add(product, self.symbol(7)), 8 * size - 1, 0)
        many = bitvectors.bits(count, BITS) if self.random.random() < 0.5 else self.symbol(count)
        there = self.offset(start, size)
        self.memory.fill(self.made, Elements(there, many, size, stride, value, number))
        for i in range(count):
            at = start + i * stride
            whole = (i * factor + 7) % (1 << 8 * size)
            self.bytes[at : at + size] = whole.to_bytes(size, "little")

    def branch(self) -> None:
        """Go two ways that meet again."""
        before, content = self.memory.fork(), bytes(self.bytes)
        self.act(2)
        if self.random.random() < 0.5:
            then, self.memory = self.memory, before
            cond, taken, self.bytes = False, then, bytearray(content)
            self.act(1)
            other = self.memory
        else:
            cond, taken, other = True, self.memory, before
        chosen = Symbol(f"c{len(self.values)}", BOOL)
        self.values[chosen] = cond
        self.memory = merge(chosen, taken, other)

    def act(self, most: int) -> None:
        for _ in range(self.random.randint(1, most)):
            self.random.choice((self.write, self.write, self.fill))()

    def compare(self) -> None:
        evaluator = TermEvaluator(self.values)
        for _ in range(12):
            size = self.random.choice(SIZES)
            at = self.place(size)
            target = self.target(at, size)
            found = TermEvaluator(self.values).value(self.memory.load(target, size))
            assert found == int.from_bytes(self.bytes[at : at + size], "little"), (at, size)
        whole = [self.memory.load(self.target(at, 1), 1) for at in range(0, 160, 3)]
        assert [evaluator.value(term) for term in whole] == list(self.bytes[0:160:3])


@pytest.mark.parametrize("seed", range(20))
def test_what_is_read_is_what_was_last_written(seed: int) -> None:
    twins = Twins(Random(seed))
    twins.fill()
    for _ in range(4):
        twins.random.choice((twins.branch, lambda: twins.act(3)))()
        twins.compare()


def test_a_range_that_is_read_where_it_is_known_is_a_constant() -> None:
    twins = Twins(Random(1))
    number = Symbol("number", BitVecSort(BITS))
    four = Elements(
        bitvectors.bits(0, BITS),
        bitvectors.bits(100, BITS),
        4,
        4,
        bitvectors.extract(number, 31, 0),
        number,
    )
    twins.memory.fill(twins.made, four)
    at = AccessTarget(TRUE, twins.made, bitvectors.bits(200, BITS))
    assert twins.memory.load(at, 4) is bitvectors.bits(50, 32)
    behind = AccessTarget(TRUE, twins.made, bitvectors.bits(400, BITS))
    assert twins.memory.load(behind, 4) is bitvectors.bits(0, 32)
    assert build.eq(twins.memory.load(at, 2), bitvectors.bits(50, 16)) is TRUE
