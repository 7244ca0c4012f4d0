"""Where an operation goes wrong: the condition of each fault, and its name for a person.

Soundness duty: each condition is exact (it holds in a state if and only if the fault happens there)
and can itself be evaluated wherever no fault listed before it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ..ir import make
from ..ir.cfa import Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import (
    AddressOf,
    Binary,
    Cast,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Op,
    PointerAdd,
    Unary,
    UnaryOp,
)
from ..ir.ops import Call, Copy, Fill, Operation
from ..ir.show import show_expr
from ..ir.types import ArrayType, IntType, PointerType, RecordType
from ..ir.walk import children

_SHOWN = 60  # characters of an expression in a message


@dataclass(frozen=True, slots=True)
class Fault:
    """Something goes wrong in the states where `cond` holds."""

    cond: Expr
    text: str


def faults(program: Program, op: Operation, checks: frozenset[str]) -> Iterator[Fault]:
    """What can go wrong in an operation, inner terms first, of the kinds in `checks`."""
    for term, accessed in occurrences(op):
        for check, finder in _FINDERS.items():
            if check in checks and (fault := finder(program, term, accessed)) is not None:
                yield fault
    if "null" in checks:
        yield from _null_arguments(op)


# --- arithmetic -----------------------------------------------------------------------------------


def _div_by_zero(program: Program, term: Expr, accessed: bool) -> Fault | None:
    """An integer division or remainder by zero (floating point has a value for it)."""
    match term:
        case Binary(Op.DIV | Op.REM, _, right, IntType() as type_):
            zero = make.equal(right, make.const(0, type_))
            return Fault(zero, f"division by zero in {_shown(term)}")
    return None


def _signed_overflow(program: Program, term: Expr, accessed: bool) -> Fault | None:
    """A signed result that its type cannot hold; operations on constants alone were folded."""
    type_ = term.type
    if isinstance(type_, IntType) and type_.signed and 32 <= type_.bits <= 128:
        cond = _overflows(term, type_)
        if cond is not None:
            return Fault(cond, f"signed overflow in {_shown(term)}")
    return None


def _overflows(term: Expr, type_: IntType) -> Expr | None:
    low = make.const(type_.low, type_)
    match term:
        case Unary(UnaryOp.NEG, arg, _):
            return make.equal(arg, low)
        case Binary(Op.ADD | Op.SUB as op, left, right, _):
            return _outside(type_, type_.bits + 1, op, left, right)
        case Binary(Op.MUL as op, left, right, _):
            return _outside(type_, 2 * type_.bits, op, left, right)
        case Binary(Op.DIV | Op.REM, left, right, _):
            return make.conj((make.equal(left, low), make.equal(right, make.const(-1, type_))))
        case Binary(Op.SHL as op, left, amount, _):
            amount_type = amount.type
            assert isinstance(amount_type, IntType)
            too_far = [make.less(amount, make.const(0, amount_type))] if amount_type.signed else []
            if type_.bits <= amount_type.high:
                too_far.append(make.less_equal(make.const(type_.bits, amount_type), amount))
            # a type in which no shift by less than the width can overflow
            exact = make.binary(op, make.cast(left, IntType(2 * type_.bits, True)), amount)
            return make.disj((*too_far, _beyond(exact, type_)))
    return None


def _outside(type_: IntType, bits: int, op: Op, left: Expr, right: Expr) -> Expr:
    """`left op right`, computed with so many bits that it is exact, is no value of the type."""
    wide = IntType(bits, True)
    return _beyond(make.binary(op, make.cast(left, wide), make.cast(right, wide)), type_)


def _beyond(exact: Expr, type_: IntType) -> Expr:
    wide = exact.type
    assert isinstance(wide, IntType)
    return make.disj(
        (
            make.less(exact, make.const(type_.low, wide)),
            make.less(make.const(type_.high, wide), exact),
        )
    )


# --- memory ---------------------------------------------------------------------------------------


def _null(program: Program, term: Expr, accessed: bool) -> Fault | None:
    """An access through a null pointer."""
    if isinstance(term, Deref) and accessed:
        return Fault(_is_null(term.pointer), f"null pointer {_shown(term.pointer)} dereferenced")
    return None


def _null_arguments(op: Operation) -> Iterator[Fault]:
    """A null function pointer that is called, or a null pointer to bytes that are used."""
    match op:
        case Call(_, callee, _) if not isinstance(callee, FunctionAddress):
            yield Fault(_is_null(callee), f"null function pointer {_shown(callee)} called")
        case Fill(pointer, _, size):
            yield _null_block(pointer, size)
        case Copy(pointer, source, size):
            yield _null_block(pointer, size)
            yield _null_block(source, size)


def _is_null(pointer: Expr) -> Expr:
    """`p[1]` goes wrong where p is null, whatever the sum is."""
    found: list[Expr] = []
    while isinstance(pointer.type, PointerType):
        found.append(make.equal(pointer, make.const(0, pointer.type)))
        match pointer:
            case PointerAdd(base, _, _) | Cast(base, _):
                pointer = base
            case _:
                break
    return make.disj(found)


def _null_block(pointer: Expr, size: Expr) -> Fault:
    cond = make.conj((make.as_condition(size), _is_null(pointer)))
    return Fault(cond, f"null pointer {_shown(pointer)} given to a memory function")


def _bounds(program: Program, term: Expr, accessed: bool) -> Fault | None:
    """An element outside an array whose length is known; of an address, one beyond is allowed.

    An array of at most one element at the end of a struct may stand for a longer one.
    """
    if not isinstance(term, Index) or _open_ended(program, term.base):
        return None
    array, type_ = term.base.type, term.index.type
    assert isinstance(array, ArrayType) and isinstance(type_, IntType)
    bad = [make.less(term.index, make.const(0, type_))] if type_.signed else []
    last = array.length - 1 if accessed else array.length
    if last < type_.high:
        bad.append(make.less(make.const(last, type_), term.index))
    text = f"index {_shown(term.index)} out of the bounds of {_shown(term.base)}[{array.length}]"
    return Fault(make.disj(bad), text)


def _open_ended(program: Program, array: Expr) -> bool:
    assert isinstance(array.type, ArrayType)
    if array.type.length > 1 or not isinstance(array, Field):
        return array.type.length == 0
    owner = array.base.type
    assert isinstance(owner, RecordType)
    return program.records[owner.tag].members[-1].name == array.name


_FINDERS: Mapping[str, Callable[[Program, Expr, bool], Fault | None]] = {
    "null": _null,
    "bounds": _bounds,
    "div-by-zero": _div_by_zero,
    "signed-overflow": _signed_overflow,
}


# --- terms ----------------------------------------------------------------------------------------


def occurrences(op: Operation) -> list[tuple[Expr, bool]]:
    """The subterms that an operation evaluates, inner ones first, and whether each is accessed.

    An lvalue whose address alone is computed (`&p->next`) is not accessed, but what its address
    depends on is.
    """
    roots = [(value, True) for value in op_values(op)]
    target = op_target(op)
    if target is not None:
        roots.append((target, True))
    found: dict[tuple[Expr, bool], None] = {}
    entered: set[tuple[Expr, bool]] = set()
    stack = roots[::-1]
    while stack:
        item = stack[-1]
        if item in entered:
            stack.pop()
            found.setdefault(item)
        else:
            entered.add(item)
            stack.extend(part for part in reversed(_parts(*item)) if part not in entered)
    return list(found)


def _parts(term: Expr, accessed: bool) -> list[tuple[Expr, bool]]:
    match term:
        case AddressOf(target, _):
            return [(target, False)]
        case Field(base, _, _):
            return [(base, accessed)]
        case Index(base, position, _):
            return [(base, accessed), (position, True)]
        case Deref(pointer, _):
            return [(pointer, True)]
    return [(child, True) for child in children(term)]


def _shown(term: Expr) -> str:
    text = show_expr(term)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
