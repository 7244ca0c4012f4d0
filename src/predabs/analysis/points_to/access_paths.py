"""Access paths: the variable or pointer that an lvalue starts from, and the offsets from there.

Soundness duty: the offsets cover every run of the concrete semantics. There, an index into an
array of known length is checked when the element is read or written, unless the array is the last
member of its record (it may be meant to be longer); and it is not checked when only the address is
computed. So an lvalue has two access paths: one for access, one for its address.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from ...errors import InternalError
from ...ir import arith
from ...ir.cfa import Program
from ...ir.def_use import op_reads
from ...ir.expr import (
    AddressOf,
    And,
    Binary,
    Bound,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Forall,
    FunctionAddress,
    Index,
    Initialised,
    Ite,
    Lvalue,
    NoLeak,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
    ValidAccess,
    ValidFree,
    Var,
)
from ...ir.intern import Term
from ...ir.ops import Operation
from ...ir.types import ArrayType, IntType, Member, PointerType, RecordType, Type, size_of
from ...ir.walk import children, fold
from ...records import dataclass
from .offsets import Extent, Offsets, at, shift, spread

_LARGEST_GRAIN = 1 << 16


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Displacement(Term):
    """What is added to an offset: a constant, then multiples of sizes (see `offsets.spread`)."""

    constant: int
    spreads: tuple[tuple[int, int | None], ...]

    def apply(self, offsets: Offsets) -> Offsets:
        if offsets.step == 0 and not self.spreads:
            return at(offsets.first + self.constant)  # as nearly always
        offsets = shift(offsets, self.constant)
        for size, count in self.spreads:
            offsets = spread(offsets, size, count)
        return offsets

    @property
    def start(self) -> Offsets:
        """The offsets it leads to from the start of an object."""
        return self.apply(at(0))


ANYWHERE = Displacement(0, ((1, None),))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class AccessPath(Term):
    """The bytes of an lvalue: `size` of them, displaced from its root. `bitfield` says that not
    all bits of them belong to it."""

    root: Var | Deref
    displacement: Displacement
    size: int
    bitfield: bool


class AccessPaths:
    """Finds the access paths of a program's lvalues."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._bits = program.data_model.pointer_bits
        self._members: dict[tuple[str, str], tuple[Member, bool]] = {
            (tag, member.name): (member, member is record.members[-1])
            for tag, record in program.records.items()
            for member in record.members
        }
        self._paths: dict[tuple[Lvalue, bool], AccessPath] = {}
        self._constants: dict[Expr, int | None] = {}
        self._reads: dict[Operation, tuple[Lvalue, ...]] = {}

    def member(self, record: Type, name: str) -> Member:
        return self._member(record, name)[0]

    def _member(self, record: Type, name: str) -> tuple[Member, bool]:
        if isinstance(record, RecordType) and (found := self._members.get((record.tag, name))):
            return found
        raise InternalError(f"the type {record} has no member {name}")

    def accessed(self, lvalue: Lvalue) -> AccessPath:
        """The access path of a read or write of the lvalue."""
        return self._find(lvalue, True)

    def addressed(self, lvalue: Lvalue) -> AccessPath:
        """The access path that the address of the lvalue leads to."""
        return self._find(lvalue, False)

    def read_by(self, op: Operation) -> tuple[Lvalue, ...]:
        """The lvalues that an operation reads (see `op_reads`): several analyses ask, also those of
        a part of the program, and find out once."""
        known = self._reads.get(op)
        if known is None:
            known = self._reads[op] = op_reads(op)
        return known

    def _find(self, lvalue: Lvalue, checked: bool) -> AccessPath:
        known = self._paths.get((lvalue, checked))
        if known is None:
            known = self._paths[lvalue, checked] = self._compute(lvalue, checked)
        return known

    def _compute(self, lvalue: Lvalue, checked: bool) -> AccessPath:
        add, size, bitfield = 0, size_of(lvalue.type), False
        spreads: list[tuple[int, int | None]] = []
        here: Expr = lvalue
        while True:
            match here:
                case Var() | Deref():
                    return AccessPath(here, Displacement(add, tuple(spreads)), size, bitfield)
                case Field(base, name, _):
                    member = self.member(base.type, name)
                    add += member.offset
                    if member.bitfield:
                        assert isinstance(member.type, IntType)
                        size, bitfield = (member.bit % 8 + member.type.bits + 7) // 8, True
                    here = base
                case Index(base, index, element):
                    value = self.constant(index)
                    if value is not None:
                        add += value * size_of(element)
                    else:
                        length = self._length(base) if checked else None
                        spreads.append((size_of(element), length))
                    here = base
                case _:
                    raise InternalError(f"a {type(here).__name__} stands where an lvalue must")

    def _length(self, array: Expr) -> int | None:
        """How far an index is checked to go."""
        assert isinstance(array.type, ArrayType)
        if array.type.length == 0:
            return None
        if isinstance(array, Field) and self._member(array.base.type, array.name)[1]:
            return None
        return array.type.length

    def step(self, pointer: PointerAdd) -> Displacement:
        """What a `PointerAdd` adds to the pointer's offset."""
        assert isinstance(pointer.pointer.type, PointerType)
        size = size_of(pointer.pointer.type.target)
        index = self.constant(pointer.index)
        if index is None:
            return Displacement(0, ((size, None),))
        return Displacement(self.signed(index * size), ())

    def signed(self, value: int) -> int:
        """A number modulo the address space, as a distance forwards or backwards."""
        return IntType(self._bits, True).wrap(value)

    # --- numbers that the program text determines ------------------------------------------------

    def constant(self, expr: Expr) -> int | None:
        """The value, if no variable decides it; offsetof in its old form too: `&((S *)0)->f`."""
        if isinstance(expr, Const):
            return expr.value
        if isinstance(expr, Var):
            return None
        stack: list[Expr] = [expr]
        while stack:
            term = stack[-1]
            if term in self._constants:
                stack.pop()
                continue
            parts = _parts(term)
            missing = [part for part in parts or () if part not in self._constants]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            values = [self._constants[part] for part in parts or ()]
            known = [value for value in values if value is not None]
            determined = parts is not None and len(known) == len(values)
            self._constants[term] = self._value(term, known) if determined else None
        return self._constants[expr]

    def _value(self, term: Expr, parts: list[int]) -> int | None:
        type_ = term.type
        match term:
            case Const(value, _):
                return value
            case AddressOf(target, PointerType() as pointer):
                path = self.addressed(target)
                if not isinstance(path.root, Deref) or path.displacement.spreads:
                    return None
                return pointer.wrap(parts[0] + path.displacement.constant)
            case PointerAdd(_, _, pointer):
                assert isinstance(pointer, PointerType)
                return pointer.wrap(parts[0] + parts[1] * size_of(pointer.target))
        if not isinstance(type_, IntType | PointerType):
            return None
        match term:
            case Cast():
                return type_.wrap(parts[0])
            case Unary(op, _, _):
                return type_.wrap(-parts[0] if op is UnaryOp.NEG else ~parts[0])
            case Binary(op, _, _, _):
                try:
                    return arith.binary(op, type_, parts[0], parts[1])
                except arith.DivisionByZero:
                    return None
        return None


Parts: TypeAlias = tuple[Expr, ...]


def _parts(term: Expr) -> Parts | None:
    """The terms that decide the value, or None if more than numbers do."""
    match term:
        case Const():
            return ()
        case AddressOf(target, _):
            while isinstance(target, Field | Index):
                target = target.base
            return (target.pointer,) if isinstance(target, Deref) else None
        case Cast() | Unary() | Binary() | PointerAdd():
            return children(term)
        case Var() | FloatConst() | FunctionAddress() | Deref() | Field() | Index() | Ite():
            return None
        case PointerDiff() | ObjectSize() | Not() | And() | Or():
            return None
        case ValidAccess() | ValidFree() | Initialised() | NoLeak() | Bound() | Forall():
            return None
    assert_never(term)


# --- sizes of block operations ------------------------------------------------------------------


def extent_of(size: Expr, access_paths: AccessPaths) -> Extent:
    """The number of bytes that a size stands for, or what it is certainly a multiple of."""
    known = access_paths.constant(size)
    return Extent(None, grain(size)) if known is None else Extent(known, 1)


def grain(size: Expr) -> int:
    """A power of two that divides the value, whatever the variables are.

    Arithmetic wraps around at powers of two, so other factors need not be kept.

    >>> from ...ir import make
    >>> from ...ir.expr import Var
    >>> from ...ir.types import UINT
    >>> n = Var("n", UINT)
    >>> grain(make.binary(Op.MUL, n, make.const(12, UINT)))
    4
    """
    return fold(size, _grain)


def _grain(term: Expr, parts: tuple[int, ...]) -> int:
    match term:
        case Const(value, _):
            return min(value & -value, _LARGEST_GRAIN) or _LARGEST_GRAIN
        case Cast(arg, IntType()) if isinstance(arg.type, IntType | PointerType):
            return parts[0]
        case Unary(UnaryOp.NEG, _, _):
            return parts[0]
        case Ite():
            return min(parts[1], parts[2])
        case Binary(Op.MUL, _, _, IntType()):
            return min(parts[0] * parts[1], _LARGEST_GRAIN)
        case Binary(Op.ADD | Op.SUB | Op.OR | Op.XOR, _, _, IntType()):
            return min(parts)
        case Binary(Op.AND, _, _, IntType()):
            return max(parts)
        case Binary(Op.SHL, _, Const(value, _), IntType(bits, _)):
            return min(parts[0] << (value % bits), _LARGEST_GRAIN)
    return 1
