"""Where a pointer term may point: its addresses, distinguished by conditions.

Every object has a constant address, so most pointers are constants, choices between constants, or
such plus an offset. `cases` takes them apart; what a pointer is otherwise chosen from, an input
mostly, is a *leaf*. Soundness duty: the conditions exclude each other, and one of them holds in
each state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from weakref import WeakKeyDictionary

from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.term import TRUE, App, Op, Term, Value, apply

_MOST_CASES = 256
_MOST_WAYS = 4096  # that lead to the cases

Home: TypeAlias = Callable[[int], tuple[int, int] | None]
IsPointer: TypeAlias = Callable[[Term], bool]


@dataclass(frozen=True, slots=True)
class PointerCase:
    """Under `cond` the pointer is the constant `base` plus `offset` (a vector of its width)."""

    cond: Term
    base: int
    offset: Term


@dataclass(frozen=True, slots=True)
class LeafCase:
    """Under `cond` the pointer is `leaf`, which is not built from constant addresses as others are,
    plus `offset`."""

    cond: Term
    leaf: Term
    offset: Term


@dataclass(frozen=True, slots=True)
class PointerCases:
    """All that a pointer may be."""

    known: list[PointerCase]
    leaves: list[LeafCase]


def no_pointer(term: Term) -> bool:
    """Nothing is known about terms that are not addresses."""
    return False


def cases(pointer: Term, is_pointer: IsPointer = no_pointer) -> PointerCases | None:
    """All that the pointer may be, or None if that is too much. `is_pointer` says which terms are
    pointers, so that the rest of a sum is an offset.

    A term is looked at once, with all paths from the pointer to it put together: there may be 2^k
    paths through k choices.
    """
    zero = bitvectors.bits(0, bitvectors.width_of(pointer))
    guards: dict[Term, dict[Term, Term]] = {pointer: {zero: TRUE}}  # by offset: the condition
    done: dict[tuple[int, Term], Term] = {}
    leaves: dict[tuple[Term, Term], Term] = {}
    count = 0
    for term in _towards_addresses(pointer, is_pointer):
        here = guards.pop(term)
        count += len(here)
        if count > _MOST_WAYS or len(done) + len(leaves) > _MOST_CASES:
            return None
        match term:
            case Value(value, _):
                done.update({(value, offset): cond for offset, cond in here.items()})
                continue
            case App(Op.ITE, (test, then, other), _, _):
                for offset, cond in here.items():
                    _join(guards, then, offset, build.and_(cond, test))
                    _join(guards, other, offset, build.and_(cond, build.not_(test)))
                continue
            case App(Op.BV_ADD, (left, right), _, _):
                split = _split(left, right, is_pointer)
                if split is not None:
                    for offset, cond in here.items():
                        _join(guards, split[0], bitvectors.add(offset, split[1]), cond)
                    continue
        leaves.update({(term, offset): cond for offset, cond in here.items()})
    if len(done) + len(leaves) > _MOST_CASES:
        return None
    return PointerCases(
        [PointerCase(cond, base, offset) for (base, offset), cond in done.items()],
        [LeafCase(cond, leaf, offset) for (leaf, offset), cond in leaves.items()],
    )


def _join(guards: dict[Term, dict[Term, Term]], term: Term, offset: Term, cond: Term) -> None:
    here = guards.setdefault(term, {})
    here[offset] = build.or_(here[offset], cond) if offset in here else cond


def _towards_addresses(pointer: Term, is_pointer: IsPointer) -> list[Term]:
    """The terms that a pointer is chosen from and begins with, each before what it is made of."""
    found: list[Term] = []
    expanded: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(pointer, False)]
    while stack:
        term, closed = stack.pop()
        if closed:
            found.append(term)
            continue
        if term in expanded:
            continue
        expanded.add(term)
        stack.append((term, True))
        match term:
            case App(Op.ITE, (_, then, other), _, _):
                stack += [(then, False), (other, False)]
            case App(Op.BV_ADD, (left, right), _, _):
                split = _split(left, right, is_pointer)
                if split is not None:
                    stack.append((split[0], False))
    return found[::-1]


def _split(left: Term, right: Term, is_pointer: IsPointer) -> tuple[Term, Term] | None:
    """Which summand is the address, and which the offset: addresses are large constants, or terms
    that are known to be pointers. A small constant is an offset.

    A difference of addresses is no offset: added to one of them it leads into the other's object.
    """
    for address, more in ((left, right), (right, left)):
        if _leads_to(address, _is_address_value):
            return None if mentions_address(more) else (address, more)
    if isinstance(right, Value):
        return left, right
    for address, more in ((left, right), (right, left)):
        if _leads_to(address, is_pointer):
            return None if _leads_to(more, is_pointer) else (address, more)
    return None


# objects lie above this number, and offsets inside objects are hardly ever larger
LOWEST = 1 << 20


def _leads_to(term: Term, is_pointer: IsPointer) -> bool:
    """Is a pointer among what a sum is made of, and a choice is made from?"""
    todo = [term]
    seen = 0
    while todo:
        seen += 1
        if seen > _MOST_CASES:
            return False
        at = todo.pop()
        if is_pointer(at):
            return True
        match at:
            case App(Op.ITE, (_, then, other), _, _):
                todo += (other, then)
            case App(Op.BV_ADD, (left, right), _, _):
                todo += (right, left)
    return False


def _is_address_value(term: Term) -> bool:
    return isinstance(term, Value) and _is_address(term.value, bitvectors.width_of(term))


_KNOWN: WeakKeyDictionary[Term, bool] = WeakKeyDictionary()


def mentions_address(term: Term) -> bool:
    """May the value be made from an address, by pointer arithmetic?"""
    todo = [term]
    while todo:
        at = todo[-1]
        if at in _KNOWN:
            todo.pop()
            continue
        parts = _summands(at)
        missing = [part for part in parts if part not in _KNOWN]
        if missing:
            todo += missing
            continue
        match at:
            case Value(value, sort):
                _KNOWN[at] = _is_address(value, bitvectors.width_of(Value(value, sort)))
            case _:
                _KNOWN[at] = any(_KNOWN[part] for part in parts)
    return _KNOWN[term]


def _summands(term: Term) -> tuple[Term, ...]:
    """The parts of a term that an address may hide in."""
    match term:
        case App(Op.ITE, (_, then, other), _, _):
            return then, other
        case App(Op.BV_AND, parts, _, _) if any(_is_small(part) for part in parts):
            return ()
        case App(Op.BV_MUL, (left, right), _, _):
            return tuple(part for part in (left, right) if not isinstance(part, Value))
        case App(Op.BV_SDIV | Op.BV_UDIV, (left, _), _, _):
            return (left,)
        case App(
            Op.BV_ADD
            | Op.BV_SUB
            | Op.BV_NEG
            | Op.BV_NOT
            | Op.BV_AND
            | Op.BV_OR
            | Op.BV_XOR
            | Op.CONCAT
            | Op.EXTRACT,
            parts,
            _,
            _,
        ):
            return parts
    return ()


def _is_small(term: Term) -> bool:
    return isinstance(term, Value) and term.value < LOWEST


def _is_address(value: int, width: int) -> bool:
    return LOWEST <= value < 1 << (width - 1)


def advanced(pointer: Term, more: Term, home: Home) -> Term:
    """`pointer + more`, where the constant part goes on telling which object that leads into.

    `home` is where the object begins and ends that an address lies in. Sums of constants are one
    constant, so `&a[n - 1000]` would become n plus an address before the array, maybe in another
    object. Where the constant would leave its home, it stays, and the rest is part of the offset,
    as a difference that nobody puts together again. Likewise, a large number that is added to an
    unknown pointer must not pass for an address.
    """
    total = bitvectors.add(pointer, more)
    width = bitvectors.width_of(pointer)
    _, base = _parts(pointer)
    rest, new = _parts(total)
    extent = home(base)
    if extent is None:
        if rest is None or _leads_to(pointer, _is_address_value) or not _is_address(new, width):
            return total
        return apply(Op.BV_SUB, (rest, bitvectors.bits(-new, width)))
    less = base - new
    match rest:
        case App(Op.BV_SUB, (inner, Value(before, _)), _, _):
            rest, less = inner, less + before
            if isinstance(inner, Value):  # a constant that had left its home
                new = inner.value + base - less
                if extent[0] <= new <= extent[1]:
                    return bitvectors.bits(new, width)
        case None:
            rest = bitvectors.bits(0, width)
    if extent[0] <= new <= extent[1]:
        return total
    offset = apply(Op.BV_SUB, (rest, bitvectors.bits(less, width)))
    return apply(Op.BV_ADD, (offset, bitvectors.bits(base, width)))


def anchored(term: Term, home: Home) -> bool:
    """Whether the constant part of a sum is an address in an object."""
    return not isinstance(term, Value) and home(_parts(term)[1]) is not None


def _parts(term: Term) -> tuple[Term | None, int]:
    """A sum without its constant (None if it is nothing else), and the constant."""
    match term:
        case Value(value, _):
            return None, value
        case App(Op.BV_ADD, (rest, Value(value, _)), _, _):
            return rest, value
    return term, 0


_STRIDES: WeakKeyDictionary[Term, int] = WeakKeyDictionary()


def stride(term: Term) -> int:
    """A number that divides the term's value, as large as its shape shows (0 divides by all).

    Multiples are taken modulo 2^width, so only powers of two are found. Shared parts are looked at
    once: an index that depends on k branches has 2^k paths from its top to its leaves.
    """
    todo = [term]
    while todo:
        at = todo[-1]
        missing = [part for part in _measured(at) if part not in _STRIDES]
        if missing:
            todo += missing
        else:
            todo.pop()
            _STRIDES[at] = _stride(at)
    return _STRIDES[term]


def _measured(term: Term) -> tuple[Term, ...]:
    """The parts whose strides decide that of the term."""
    match term:
        case App(Op.BV_MUL | Op.BV_ADD | Op.BV_SUB | Op.BV_NEG, parts, _, _):
            return parts
        case App(Op.ITE, (_, then, other), _, _):
            return then, other
        case App(Op.BV_SHL, (left, Value()), _, _):
            return (left,)
        case App(Op.ZERO_EXTEND | Op.SIGN_EXTEND, parts, _, _):
            return parts
    return ()


def _stride(term: Term) -> int:
    """The stride of a term from its parts' strides."""
    match term:
        case Value(value, _):
            return value & -value if value else 0
        case App(Op.BV_MUL, (left, right), _, _):
            return _power(_STRIDES[left]) * _power(_STRIDES[right])
        case App(Op.BV_ADD | Op.BV_SUB, (left, right), _, _):
            return _smaller(_STRIDES[left], _STRIDES[right])
        case App(Op.BV_NEG | Op.ZERO_EXTEND | Op.SIGN_EXTEND, (arg,), _, _):
            return _STRIDES[arg]
        case App(Op.ITE, (_, then, other), _, _):
            return _smaller(_STRIDES[then], _STRIDES[other])
        case App(Op.BV_SHL, (left, Value(amount, _)), _, _):
            return _power(_STRIDES[left]) << amount
        case App(Op.CONCAT, (_, low), _, _) if isinstance(low, Value) and low.value == 0:
            return 1 << bitvectors.width_of(low)
    return 1


def _power(number: int) -> int:
    return number or 1


def _smaller(left: int, right: int) -> int:
    if left == 0 or right == 0:
        return left or right
    return min(left, right)
