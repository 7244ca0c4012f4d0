"""Terms over symbols: the values of variables where they are no constants [BL16].

A symbol stands for any number of its type: an input, or what a variable held that nobody followed.
Conditions are brought into a form in which those that say the same are mostly the same term.

Soundness duty: each function gives a term with the same value for all values of the symbols.

>>> from ...ir.types import INT
>>> s, one = symbol(0, INT), make.const(1, INT)
>>> more = make.binary(Op.ADD, s, one)
>>> tidied(make.equal(make.binary(Op.SUB, more, one), s)) is TRUE
True
>>> tidied(make.equal(more, make.const(5, INT))) is make.equal(s, make.const(4, INT))
True
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import make
from ...ir.expr import FALSE, TRUE, And, Binary, Cast, Const, Expr, Not, Op, Or, Unary, UnaryOp, Var
from ...ir.linear_forms import equation, normal, solved
from ...ir.types import BOOL, IntType, Type
from ...ir.walk import fold, rebuild, rename, substitute, subterms
from .small_sets import SmallSets

_MOST_TERMS = 24  # of a value; one with more is forgotten


def symbol(number: int, type_: Type) -> Var:
    """A symbol that is made on the way."""
    return Var(f"%{number}", type_)


def symbol_of(place: int, type_: Type, more: int = 0) -> Var:
    """A symbol of a state in canonical form: of the value at a place of its frame."""
    return Var(f"#{place}.{more}" if more else f"#{place}", type_)


def is_canonical(var: Var) -> bool:
    return var.name.startswith("#")


class Symbols:
    """Which symbols terms have; each term is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Expr, tuple[Var, ...]] = {}
        self.sets = SmallSets(self)
        self._renamed: dict[Expr, Expr] = {}
        self._named: dict[tuple[Expr | None, ...], Expr | None] = {}

    def __call__(self, e: Expr) -> tuple[Var, ...]:
        """Its symbols, in a fixed order."""
        known = self._known.get(e)
        if known is None:
            found = tuple(term for term in subterms(e) if isinstance(term, Var))
            known = self._known[e] = found
        return known

    def renamed(self, e: Expr) -> Expr:
        """The term of a canonical form with names for its symbols that are none of that form."""
        known = self._renamed.get(e)
        if known is None:
            names = {one: Var(f"${one.name}", one.type) for one in self(e)}
            known = self._renamed[e] = rename(e, names)
        return known

    def named(self, e: Expr, names: Mapping[Expr, Expr]) -> Expr | None:
        """The term with these for its symbols, if it is over canonical symbols then."""
        key = (e, *(names.get(one) for one in self(e)))
        if key not in self._named:
            term = replaced(e, names)
            self._named[key] = term if all(map(is_canonical, self(term))) else None
        return self._named[key]


def is_large(e: Expr) -> bool:
    """Is a term too large to be kept?"""
    return sum(1 for _ in subterms(e)) > _MOST_TERMS


def replaced(e: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """The term with terms in place of symbols."""
    return tidied(substitute(e, mapping))


def tidied(e: Expr) -> Expr:
    """An equal term: sums in one form, and conditions decided as far as that is easy."""
    if isinstance(e, Const | Var):
        return e
    if isinstance(e, Binary) and _is_sum(e.type):
        return normal(e)
    return fold(e, _step)


def _step(term: Expr, parts: tuple[Expr, ...]) -> Expr:
    match term:
        case Binary(op, _, _, _) if op.is_comparison:
            left, right = parts
            return _equal(left, right) if op is Op.EQ else _ordered(op, left, right)
        case Cast(_, IntType() as type_) if isinstance(parts[0], Binary | Unary):
            return _cut(parts[0], type_)
    new = rebuild(term, parts)
    return normal(new) if isinstance(new, Binary) and _is_sum(new.type) else new


def _cut(e: Expr, type_: IntType) -> Expr:
    """A conversion. One that cuts bits off a sum is a sum of what is cut."""
    narrow = isinstance(e.type, IntType) and 1 < type_.bits <= e.type.bits
    match e:
        case Binary(Op.ADD | Op.SUB | Op.MUL as op, left, right, _) if narrow:
            return normal(make.binary(op, _cut(left, type_), _cut(right, type_)))
        case Unary(UnaryOp.NEG, arg, _) if narrow:
            return normal(make.unary(UnaryOp.NEG, _cut(arg, type_)))
    return make.cast(e, type_)


def _is_sum(type_: Type) -> bool:
    """Are there sums of this type that have a form?"""
    return isinstance(type_, IntType) and type_.bits > 1


def _equal(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const):
        left, right = right, left
    if isinstance(right, Const) and isinstance(right.type, IntType):
        low, high = bounds(left)
        if not low <= right.value <= high:
            return FALSE
        while (inner := _kept(left)) is not None and isinstance(inner.type, IntType):
            left, right = inner, make.const(right.value, inner.type)
    if not _is_sum(left.type) or (isinstance(left, Var) and isinstance(right, Const)):
        return make.equal(left, right)
    one, other = _kept(left), _kept(right)
    if one is not None and other is not None and one.type is other.type:
        return _equal(one, other)
    return equation(left, right)


def _ordered(op: Op, left: Expr, right: Expr) -> Expr:
    if isinstance(left.type, IntType):
        low, high = bounds(left)
        least, most = bounds(right)
        if high < least or (op is Op.LE and high == least):
            return TRUE
        if low > most or (op is Op.LT and low == most):
            return FALSE
        one, other = _kept(left), _kept(right)
        if one is not None and other is not None and one.type is other.type is not BOOL:
            return _ordered(op, one, other)
        if isinstance(right, Const) and one is not None and isinstance(one.type, IntType):
            return _ordered(op, one, make.const(right.value, one.type))  # it is one of its values
        if isinstance(left, Const) and other is not None and isinstance(other.type, IntType):
            return _ordered(op, make.const(left.value, other.type), other)
    return make.compare(op, left, right)


def bounds(e: Expr) -> tuple[int, int]:
    """Between which numbers an integer term lies: by its type, and conversions that keep values."""
    while (inner := _kept(e)) is not None:
        e = inner
    if isinstance(e, Const):
        return e.value, e.value
    if isinstance(e.type, IntType):
        return e.type.low, e.type.high
    return 0, 1


def _kept(e: Expr) -> Expr | None:
    """What is converted to a type that has all of its values."""
    if isinstance(e, Cast) and isinstance(e.type, IntType):
        inner = e.arg
        if isinstance(inner.type, IntType):
            wide = e.type.low <= inner.type.low and inner.type.high <= e.type.high
            return inner if wide else None
        if inner.type is BOOL and e.type.high >= 1:
            return inner
    return None


def parts_of(cond: Expr) -> tuple[Expr, ...]:
    """The conjuncts of a condition; those of `!(a || b)` are `!a` and `!b`."""
    found: list[Expr] = []
    todo = [cond]
    while todo:
        match todo.pop():
            case And(args):
                todo += reversed(args)
            case Not(Or(args)):
                todo += map(make.negate, reversed(args))
            case part:
                found.append(part)
    return tuple(found)


def binding(cond: Expr) -> tuple[Var, Expr] | None:
    """The symbol of which a condition says the value, and that value, if it says no more."""
    match cond:
        case Var():
            return cond, TRUE
        case Not(Var() as found):
            return found, FALSE
        case Not(Binary(Op.EQ, Var() as found, Const(number, IntType(1, False) as type_), _)):
            return found, make.const(1 - number, type_)
        case Binary(Op.EQ, left, right, _) if isinstance(left.type, IntType):
            for one, other in ((left, right), (right, left)):
                for unknown in (term for term in subterms(one) if isinstance(term, Var)):
                    value = other if one is unknown else solved_for(one, unknown, other)
                    if value is not None and unknown not in subterms(value):
                        return unknown, value
    return None


def solved_for(e: Expr, unknown: Var, value: Expr) -> Expr | None:
    """What a symbol is if the term has that value; None if the term does not say that exactly."""
    type_ = unknown.type
    if not isinstance(type_, IntType) or type_.bits == 1 or e.type is not type_:
        return None
    return solved(e, unknown, value)


def decided(cond: Expr, known: Mapping[Expr, object]) -> tuple[bool, Expr] | None:
    """Is a condition true or false by one of those that are known, and by which?"""
    if cond in known:
        return True, cond
    contrary = make.negate(cond)
    if contrary in known:
        return False, contrary
    match cond:
        case Binary(Op.LE, left, right, _):
            for said in (make.less(left, right), make.equal(left, right)):
                if said in known:
                    return True, said
        case Binary(Op.LT, left, right, _):
            for said in (make.equal(left, right), make.equal(right, left)):
                if said in known:
                    return False, said
        case Binary(Op.EQ, left, right, _):
            for said in (make.less(left, right), make.less(right, left)):
                if said in known:
                    return False, said
        case Not(Binary(Op.EQ, left, right, _)):
            for said in (make.less(left, right), make.less(right, left)):
                if said in known:
                    return True, said
        case Or(args):
            for arg in args:
                if arg in known:
                    return True, arg
    return None
