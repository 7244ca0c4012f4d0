"""What an operation writes, as simultaneous updates of scalar lvalues.

A record is its scalars, memset and memcpy of a whole known object too; an unknown value is a fresh
variable. Soundness duty: the updates are all that changes, exactly, or it is an
`UnsupportedFeature`.
"""

from __future__ import annotations

from typing import assert_never

from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Program
from ..ir.expr import AddressOf, Cast, Const, Expr, Field, Index, Lvalue, Op, Var
from ..ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Sweep,
)
from ..ir.show import show_expr
from ..ir.types import UCHAR, FloatType, IntType, PointerType, RecordType, Type, is_scalar, size_of
from ..ir.walk import fold, rebuild, substitute
from ..records import dataclass, field
from .memory.record_scalars import RecordScalars

_MOST_LEAVES = 64


@dataclass(frozen=True, slots=True)
class Update:
    """The scalar lvalue `target` gets `value`, both seen in the state before."""

    target: Lvalue
    value: Expr


@dataclass(slots=True)
class FreshNames:
    """Makes up variables that occur nowhere else, if all share one `FreshNames`.

    Each stands for what some lvalue of the program holds at some time, so it points where that may.
    """

    made: dict[Var, Lvalue] = field(default_factory=dict)
    _in_program: dict[Lvalue, Lvalue] = field(default_factory=dict)

    def fresh(self, hint: str, lvalue: Lvalue) -> Var:
        var = Var(f"{hint}!{len(self.made) + 1}", lvalue.type)
        self.made[var] = self.in_program(lvalue)
        return var

    def in_program(self, lvalue: Lvalue) -> Lvalue:
        """The lvalue with lvalues of the program in place of the variables made here."""
        if not self.made:
            return lvalue
        known = self._in_program.get(
            lvalue
        )  # it stays so: a variable is in no lvalue before it is made
        if known is None:
            mapping: dict[Expr, Expr] = dict(self.made.items())
            found = substitute(lvalue, mapping)
            assert isinstance(found, Lvalue)
            known = self._in_program[lvalue] = found
        return known


def updates_of(op: Operation, program: Program, names: FreshNames) -> tuple[Update, ...]:
    """What the operation changes where it does not end the run."""
    leaves = RecordScalars(program.records, program.data_model)
    match op:
        case Skip() | Assume() | Return() | Free() | Error() | Halt() | Print(None, _, _):
            return ()
        case Assign(target, value):
            if is_scalar(target.type):
                return (Update(target, value),)
            assert isinstance(value, Lvalue)
            return _copied(target, value, leaves)
        case Havoc(target, _, name):
            return tuple(Update(leaf, names.fresh(name, leaf)) for leaf in _leaves(target, leaves))
        case Print(result, function, _):
            assert result is not None
            return (Update(result, names.fresh(function, result)),)
        case Fill(pointer, byte, size):
            target = _whole(pointer, size)
            found = _leaves(target, leaves)
            if any(_askew(leaf, program) for leaf in found):
                raise UnsupportedFeature("a bit-field that begins inside a byte is filled")
            return tuple(Update(leaf, _repeated(byte, leaf.type)) for leaf in found)
        case Copy(pointer, source, size):
            target, origin = _whole(pointer, size), _whole(source, size)
            if target.type is not origin.type:
                raise UnsupportedFeature("memory is copied between objects of different types")
            return _copied(target, origin, leaves)
        case Sweep():
            raise UnsupportedFeature("many elements are written at once")
        case Alloc():
            raise UnsupportedFeature("an allocation has no exact formula")
        case Call():
            raise UnsupportedFeature("a call has no formula of its own")
    assert_never(op)


def _leaves(lvalue: Lvalue, leaves: RecordScalars) -> tuple[Lvalue, ...]:
    found = (lvalue,) if is_scalar(lvalue.type) else leaves.all(lvalue, _MOST_LEAVES)
    if found is None:
        raise UnsupportedFeature(f"{show_expr(lvalue)} is a union, or has too many parts")
    return found


def _copied(target: Lvalue, source: Lvalue, leaves: RecordScalars) -> tuple[Update, ...]:
    return tuple(Update(leaf, _based(leaf, target, source)) for leaf in _leaves(target, leaves))


def _based(leaf: Lvalue, target: Lvalue, source: Lvalue) -> Expr:
    """The same part of the other record."""

    def step(term: Expr, new: tuple[Expr, ...]) -> Expr:
        return source if term is target else rebuild(term, new)

    return fold(leaf, step)


def _whole(pointer: Expr, size: Expr) -> Lvalue:
    """The object that a block operation covers, if its address and size say which."""
    while isinstance(pointer, Cast) and isinstance(pointer.type, PointerType):
        pointer = pointer.arg
    if isinstance(pointer, AddressOf) and isinstance(size, Const):
        lvalue = pointer.target
        while isinstance(lvalue, Lvalue):
            if size_of(lvalue.type) == size.value:
                return lvalue
            match lvalue:
                case Index(base, Const(0, _), _):
                    lvalue = base
                case _:
                    break
    raise UnsupportedFeature("a block of memory is written that is no object known by name")


def _askew(lvalue: Lvalue, program: Program) -> bool:
    """Is it a bit-field that does not begin with a byte?"""
    if not isinstance(lvalue, Field) or not isinstance(lvalue.base.type, RecordType):
        return False
    return program.records[lvalue.base.type.tag].member(lvalue.name).bit % 8 != 0


def _repeated(byte: Expr, type_: Type) -> Expr:
    """The scalar whose bytes are all the same."""
    if isinstance(byte, Const) and byte.value & 0xFF == 0 and isinstance(type_, FloatType):
        return make.float_const(0.0, type_)
    if not isinstance(type_, IntType | PointerType) or type_.bits % 8:
        raise UnsupportedFeature(f"a {type_} is filled with bytes")
    wide = IntType(type_.bits, False)
    ones = make.const(int.from_bytes(b"\x01" * (type_.bits // 8), "little"), wide)
    return make.cast(make.binary(Op.MUL, make.cast(make.cast(byte, UCHAR), wide), ones), type_)
