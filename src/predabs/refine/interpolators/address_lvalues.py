"""Addresses as lvalues of C: `p->f`, `a[i]`, `s.g`, where the types of the program allow it.

No soundness duty: the caller checks whether an lvalue has the address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...encode.encoding import BoundedTerm
from ...encode.environment import Formulas
from ...encode.integer_encoding import wrap
from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import Cast, Const, Deref, Expr, Field, FunctionAddress, Index, Lvalue
from ...ir.types import (
    INT,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    VoidType,
    size_of,
)
from ...records import dataclass, replace
from ...smt import bitvectors, build
from ...smt.linear_terms import Combination, summands
from ...smt.term import INT as NUMBERS
from ...smt.term import BitVecSort, Term

_MOST = 12  # lvalues that are proposed for one address


@dataclass(frozen=True, slots=True)
class Lvalues:
    """Proposes lvalues; `value` gives the expression of a number or address."""

    formulas: Formulas
    value: Callable[[Term], Expr]

    def pointer_to(self, address: int, type_: PointerType) -> Expr | None:
        """A pointer to the function or object at an address, if there is one."""
        if address < self.formulas.addresses.globals[0]:
            program = self.formulas.partition.program
            for name in (*program.functions, *program.externals):
                if self.formulas.function(name).low == address:
                    return FunctionAddress(name, type_)
            return None
        for var, start in self.formulas.addresses.variables_near(address):
            todo: list[tuple[Lvalue, int]] = [(var, address - start)]
            while todo:
                lvalue, offset = todo.pop()
                if not offset and (
                    lvalue.type is type_.target or isinstance(type_.target, VoidType)
                ):
                    return make.address_of(lvalue, type_)
                if 0 <= offset < size_of(lvalue.type):
                    inside = self._inside(lvalue, Combination({}, offset))
                    todo += [(part, rest.constant) for part, rest in inside]
        return None

    def element(self, distance: Combination, bits: int) -> Expr | None:
        """A pointer to the element of a variable that lies at a distance from address 0."""
        if bits != self.formulas.pointer.bits or not distance.factors:
            return None
        for var, start in self.formulas.addresses.variables_near(distance.constant):
            base: Lvalue = var
            todo = [(base, replace(distance, constant=distance.constant - start))]
            while todo:
                lvalue, rest = todo.pop()
                if not rest.factors and not rest.constant:
                    return make.address_of(lvalue, PointerType(lvalue.type, bits))
                todo += self._inside(lvalue, rest)
        return None

    def at(self, address: Term, size: int) -> Iterator[Lvalue]:
        """Places with so many bytes at this address, the likeliest first."""
        bits = self.formulas.pointer.bits
        distance = summands(address, bits)
        count = 0
        for base, rest in self._bases(distance):
            for lvalue in self._parts(base, rest, size):
                yield lvalue
                count += 1
                if count == _MOST:
                    return

    def _bases(self, distance: Combination) -> Iterator[tuple[Lvalue, Combination]]:
        """Objects in which the address may lie, and how far behind their start."""
        bits = self.formulas.pointer.bits
        pointers: list[tuple[Term, Expr]] = []
        for term, factor in distance.factors.items():
            if factor == 1:
                expr = self._expr(term)
                if expr is not None and isinstance(expr.type, PointerType):
                    pointers.append((term, expr))
        if len(pointers) == 1:
            ((term, expr),) = pointers
            others = {t: f for t, f in distance.factors.items() if t is not term}
            constant = distance.constant
            if constant >= 1 << (bits - 1):
                constant -= 1 << bits
            yield from self._behind(expr, Combination(others, constant))
            return
        for var, start in self.formulas.addresses.variables_near(distance.constant):
            yield var, Combination(distance.factors, distance.constant - start)

    def _behind(self, pointer: Expr, rest: Combination) -> Iterator[tuple[Lvalue, Combination]]:
        """What a pointer points to, or something in a row with it."""
        type_ = pointer.type
        assert isinstance(type_, PointerType)
        target = type_.target
        size = size_of(target)
        if isinstance(target, VoidType) or not size:
            return
        if not rest.factors and 0 <= rest.constant < size:
            yield Deref(pointer, target), rest
            return
        split = self._split(rest, size)
        if split is not None:
            index, inside = split
            yield Deref(make.pointer_add(pointer, index), target), inside

    def _parts(self, base: Lvalue, rest: Combination, size: int) -> Iterator[Lvalue]:
        """The scalars of an object at a distance from its start."""
        todo = [(base, rest)]
        while todo:
            lvalue, inside = todo.pop()
            if isinstance(lvalue.type, IntType | PointerType | FloatType):
                if not inside.factors and not inside.constant and size_of(lvalue.type) == size:
                    yield lvalue
            else:
                todo += self._inside(lvalue, inside)

    def _inside(self, lvalue: Lvalue, rest: Combination) -> list[tuple[Lvalue, Combination]]:
        """The members or the element at a distance from the start, the last one first."""
        found: list[tuple[Lvalue, Combination]] = []
        match lvalue.type:
            case RecordType(tag, _):
                for member in self.formulas.partition.program.records[tag].members:
                    start = rest.constant - member.offset
                    if not member.bitfield and 0 <= start < size_of(member.type):
                        part = Field(lvalue, member.name, member.type)
                        found.append((part, replace(rest, constant=start)))
            case ArrayType(element, _):
                split = self._split(rest, size_of(element))
                if split is not None:
                    found.append((Index(lvalue, split[0], element), split[1]))
            case _:
                pass
        return found[::-1]

    def _split(self, distance: Combination, size: int) -> tuple[Expr, Combination] | None:
        """The distance as a number of elements and what remains, less than one element."""
        if not size:
            return None
        whole = {term: f // size for term, f in distance.factors.items() if f % size == 0}
        rest = {term: f for term, f in distance.factors.items() if f % size}
        index = self._index(Combination(whole, distance.constant // size))
        if index is None:
            return None
        return index, Combination(rest, distance.constant % size)

    def _index(self, number: Combination) -> Expr | None:
        word = self.formulas.partition.program.data_model.diff_type
        if not number.factors:
            type_ = INT if INT.low <= number.constant <= INT.high else word
            return Const(number.constant, type_)
        term: Term
        if next(iter(number.factors)).sort is NUMBERS:
            parts = [build.mul(build.integer(f), t) for t, f in number.factors.items()]
            term = build.add(*parts, build.integer(number.constant))
        else:
            sort = next(iter(number.factors)).sort
            assert isinstance(sort, BitVecSort)
            term = bitvectors.bits(number.constant, sort.width)
            for part, factor in number.factors.items():
                scaled = bitvectors.mul(part, bitvectors.bits(factor, sort.width))
                term = bitvectors.add(scaled, term)
        expr = self._expr(term)
        if expr is None or (isinstance(expr.type, IntType) and expr.type.bits > word.bits):
            # the sum need not fit: a distance counts modulo the addresses
            endless = BoundedTerm(term, 2 * -(1 << word.bits), 2 * (1 << word.bits))
            expr = self._expr(wrap(endless, word).term) if term.sort is NUMBERS else None
        if expr is None:
            return None
        if isinstance(expr, Cast) and isinstance(expr.arg.type, IntType):
            wide, narrow = expr.type, expr.arg.type
            if isinstance(wide, IntType) and narrow.bits < wide.bits <= word.bits:
                return expr.arg if narrow.signed <= wide.signed else expr
        if isinstance(expr.type, IntType) and expr.type.bits <= word.bits:
            return expr
        return make.cast(expr, word)

    def _expr(self, term: Term) -> Expr | None:
        try:
            return self.value(term)
        except UnsupportedFeature:
            return None
