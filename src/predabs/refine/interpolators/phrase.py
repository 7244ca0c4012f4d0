"""Terms as expressions of the program: predicates from interpolants and cores.

The symbols of the storage at the start of a block become variables, elements of memory regions
become lvalues, and the rest is done by `to_expr`. Soundness duty: the expression,
encoded at the start of a block, is equivalent to the term; else `UnsupportedFeature` is raised.
"""

from __future__ import annotations

from ...analysis.memory.partition import lvalue_of
from ...analysis.memory.regions import NOTHING, InRegion, RegionId
from ...encode.decode.floating_point import NumberOf
from ...encode.decode.terms import to_expr
from ...encode.encoding import value_range
from ...encode.environment import Environment, Formulas
from ...encode.integer_encoding import NeedsBitVectors
from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import Const, Deref, Expr, Lvalue, Var
from ...ir.ieee754 import format_of
from ...ir.types import DOUBLE, FLOAT, FloatType, IntType, PointerType, Type, size_of
from ...records import dataclass, field
from ...smt.linear_terms import summands, unwrapped
from ...smt.term import (
    FP_FROM_INTEGER,
    FP_OPS,
    INT,
    App,
    BitVecSort,
    Op,
    Symbol,
    Term,
    Value,
    postorder,
)
from .address_lvalues import Lvalues
from .alias_cases import atomic, told_apart

_START = Environment("")
_FLOATS = {size_of(type_): type_ for type_ in (FLOAT, DOUBLE)}


def atoms(term: Term) -> list[Term]:
    """The conditions that a condition is made of by connectives alone, each once, in order; a case
    distinction between numbers stays in its atom, but for one that tells apart which write a read
    of memory sees.

    >>> from ...smt import build
    >>> from ...smt.term import BOOL
    >>> x, p = build.symbol("x", INT), build.symbol("p", BOOL)
    >>> small = build.lt(x, build.integer(3))
    >>> [str(atom) for atom in atoms(build.or_(build.and_(p, small), build.not_(p)))]
    ['p', '(< x 3)']
    """
    return atomic(told_apart(term))


def phrase(formulas: Formulas, term: Term) -> Expr:
    """A condition over the storage at the start of a block, as an expression of the program."""
    return _Phrase(formulas).condition(told_apart(term))


@dataclass(slots=True)
class _Phrase:
    formulas: Formulas
    names: dict[Term, Expr] = field(default_factory=dict)
    numbers: dict[NumberOf, Expr] = field(default_factory=dict)
    lvalues: Lvalues = field(init=False)
    as_numbers: set[Term] = field(default_factory=set)  # what floating point uses
    otherwise: set[Term] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.lvalues = Lvalues(self.formulas, self._value)

    def condition(self, root: Term) -> Expr:
        self.as_numbers, self.otherwise = _uses(root)
        for part in postorder([root]):
            match part:
                case Symbol():
                    self._symbol(part)
                case App(Op.SELECT | Op.CONCAT, _, _, _):
                    self._memory(part)
                case _:
                    pass
        return self._value(root)

    def _value(self, term: Term) -> Expr:
        return to_expr(term, self.names, self.lvalues, self.numbers)

    # --- variables --------------------------------------------------------------------------------

    def _symbol(self, symbol: Symbol) -> None:
        tag, key = self.formulas.origins.get(symbol, ("?", None))
        if tag == _START.tag and isinstance(key, Var):
            own = key in self.formulas.names.made
            self.names[symbol] = key if own else lvalue_of(self.formulas.partition, key)

    # --- memory -----------------------------------------------------------------------------------

    def _memory(self, term: App) -> None:
        """Name the term, if it is the value of an lvalue in memory."""
        bytes_ = _bytes(term)
        if bytes_ is None:
            return
        map_ = self._map(bytes_.array)
        if map_ is None:
            return
        unit = self.formulas.partition.region(map_).unit
        if unit is not None and bytes_.count > 1:
            return
        if unit is None and term in self.as_numbers and bytes_.count in _FLOATS:
            number = _FLOATS[bytes_.count]
            lvalue = self._lvalue(map_, bytes_.address, number)
            if lvalue is not None:
                self.numbers[NumberOf(term, format_of(number))] = lvalue
            if term not in self.otherwise:
                return
        type_ = unit if unit is not None else IntType(8 * bytes_.count, False)
        lvalue = self._lvalue(map_, bytes_.address, type_)
        if lvalue is not None:
            self.names[term] = make.cast(lvalue, type_)

    def _map(self, array: Term) -> RegionId | None:
        tag, key = self.formulas.origins.get(array, ("?", None))
        return key if tag == _START.tag and isinstance(key, RegionId) else None

    def _lvalue(self, map_: RegionId, address: Term, type_: Type) -> Lvalue | None:
        """An lvalue at the address that belongs to this memory region."""
        for lvalue in self.lvalues.at(address, size_of(type_)):
            if _like(lvalue.type, type_) and self._is_right(lvalue, map_, address):
                return lvalue
        try:
            start = self._value(address)
        except UnsupportedFeature:
            return None
        bits = self.formulas.pointer.bits
        low, high = value_range(start.type)
        if isinstance(start, Const):
            low = high = start.value
        if address.sort is INT and not (low >= 0 and high < 1 << bits):
            return None  # the number might be no address
        lvalue = Deref(make.cast(start, PointerType(type_, bits)), type_)
        if not self._is_right(lvalue, map_, address):
            if not self._is_nowhere(lvalue):
                return None
            self.formulas.adopt(lvalue, InRegion(map_))
        return lvalue

    def _is_nowhere(self, lvalue: Lvalue) -> bool:
        """Is it an lvalue that nothing in the program, and no other formula, means?"""
        try:
            return self.formulas.storage(lvalue) == InRegion(NOTHING)
        except UnsupportedFeature:
            return True

    def _is_right(self, lvalue: Lvalue, map_: RegionId, address: Term) -> bool:
        formulas = self.formulas
        try:
            if formulas.storage(lvalue) != InRegion(map_):
                return False
            encoder = formulas.encoder(_START)
            encoder.locate(lvalue)
            return self._same(encoder.accessed(lvalue).term, address)
        except (UnsupportedFeature, NeedsBitVectors):
            return False

    def _same(self, one: Term, two: Term) -> bool:
        """Are two addresses surely the same?"""
        if one is two:
            return True
        if one.sort is not INT:
            return summands(one) == summands(two)
        bits = self.formulas.pointer.bits
        if not all(_is_address(term, bits) for term in (one, two)):
            return False
        return summands(one, bits) == summands(two, bits)


def _like(one: Type, two: Type) -> bool:
    """May a place of one type be named for a value of the other?"""
    return one is two or not (isinstance(one, FloatType) or isinstance(two, FloatType))


def _uses(root: Term) -> tuple[set[Term], set[Term]]:
    """The terms of which operators of floating point use the number, and those used otherwise."""
    numbers: set[Term] = set()
    others = {root}
    for term in reversed(list(postorder([root]))):
        if not isinstance(term, App):
            continue
        if term.op in FP_OPS and term.op not in FP_FROM_INTEGER:
            numbers.update(term.args)
            continue
        args = term.args
        if term.op is Op.ITE:
            others.add(args[0])
            args = args[1:]
        passed_on = term.op in (Op.ITE, Op.BV_XOR, Op.BV_AND, Op.BV_OR)
        if passed_on and term in numbers:
            numbers.update(args)
        if not passed_on or term in others:
            others.update(args)
    return numbers, others


def _is_address(term: Term, bits: int) -> bool:
    """Is the integer surely none but an address?"""
    if isinstance(term, Value):
        return 0 <= term.value < 1 << bits
    wrapped = unwrapped(term)
    return wrapped is not None and wrapped.type == IntType(bits, False)


@dataclass(frozen=True, slots=True)
class _Bytes:
    """What an array holds at an address and the next ones."""

    array: Term
    address: Term
    count: int


def _bytes(term: App) -> _Bytes | None:
    """One cell, or single bytes in a row, the first lowest."""
    parts: list[Term] = []
    stack: list[Term] = [term]
    while stack:
        part = stack.pop()
        match part:
            case App(Op.CONCAT, (high, low), _, _):
                stack += [high, low]
            case App(Op.SELECT, _, _, _):
                parts.append(part)
            case _:
                return None
    first = parts[0]
    assert isinstance(first, App)
    array, address = first.args
    if len(parts) > 1:
        if not isinstance(address.sort, BitVecSort):
            return None
        base = summands(address)
        for number, part in enumerate(parts):
            assert isinstance(part, App)
            here = summands(part.args[1])
            distance = (here.constant - base.constant) % (1 << address.sort.width)
            if part.args[0] is not array or here.factors != base.factors or distance != number:
                return None
    return _Bytes(array, address, len(parts))
