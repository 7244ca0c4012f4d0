"""Instructions of x86 in inline assembly, in AT&T syntax, as operations on the operands.

Kernel code has atomic updates, bit operations, per-CPU variables and device ports as assembly.
There is one processor, so `lock` says nothing, and a per-CPU variable (`%gs:x`) is the variable
itself. What a device port gives, or a function that is called and has no body, is an input.

Soundness duty: operations only if every instruction is known, writes outputs alone, and reads
nothing that was not set; then they do to the operands what the instructions do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ...ir import make
from ...ir.expr import Const, Deref, Expr, Lvalue, Op, UnaryOp, Var
from ...ir.ops import Assign, Havoc, Operation, Source
from ...ir.types import IntType, PointerType, Type, size_of
from ...records import dataclass, field

# the places of `lock` prefixes, listed in a section of their own
_LOCK_LIST = re.compile(r"\.(?:push)?section \.smp_locks\b.*?\.(?:popsection|previous)\b", re.S)
_LABEL = re.compile(r"^\d+:\s*")
_OPERAND = re.compile(r"(?P<segment>%%gs:)?%[bwkqPc]?(?:(?P<number>\d)|\[(?P<name>\w+)\])")
_IMMEDIATE = re.compile(r"\$(-?(?:0x[0-9a-f]+|\d+))", re.IGNORECASE)
_SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
_NOTHING = frozenset(
    ["lock", "rep", "nop", "pause", "mfence", "lfence", "sfence", "cli", "sti", "cld"]
)
_ARITHMETIC = {"add": Op.ADD, "sub": Op.SUB, "and": Op.AND, "or": Op.OR, "xor": Op.XOR}
_BITS = {"bt": None, "bts": Op.OR, "btr": Op.AND, "btc": Op.XOR}
_OTHERS = frozenset(
    ["in", "out", "inc", "dec", "not", "mov", "xchg", "xadd", "cmpxchg", "sbb", "cmp"]
)
_FLAGS = {"e": "zero", "z": "zero", "c": "carry", "b": "carry", "s": "sign"}


@dataclass(frozen=True, slots=True)
class AsmOperand:
    """An operand: its name and constraint, its value (not of an output that is only written), and
    the lvalue of an output or of something in memory. The value of what is in memory is the lvalue
    itself, unless that is volatile."""

    name: str
    constraint: str
    type: Type
    value: Expr | None
    lvalue: Lvalue | None
    is_output: bool

    @property
    def in_memory(self) -> bool:
        return self.constraint.strip("=+&") == "m" and self.lvalue is not None


class _NotPlain(Exception):
    """Something is not known."""


@dataclass(frozen=True, slots=True)
class _Place:
    """An operand of an instruction: one of the statement, in a segment maybe, or a constant."""

    number: int | None
    segment: bool
    type: IntType | PointerType
    constant: int = 0

    @property
    def size(self) -> int:
        return size_of(self.type)

    @property
    def unsigned(self) -> IntType:
        return IntType(8 * self.size, False)

    @property
    def exact(self) -> IntType:
        """Numbers in which sums do not overflow."""
        if isinstance(self.type, PointerType):
            return self.unsigned
        return IntType(16 * self.size + 2, True)


def _scalar(type_: Type) -> IntType | PointerType:
    if not isinstance(type_, IntType | PointerType):
        raise _NotPlain
    return type_


def operations(
    text: str,
    operands: Sequence[AsmOperand],
    temporary: Callable[[Type], Var],
    is_defined: Callable[[str], bool],
) -> list[Operation] | None:
    """What the instructions do to their operands; None if that is not known."""
    try:
        machine = _Machine(operands, temporary, is_defined)
        for name, arguments in _instructions(text):
            machine.execute(name, arguments)
        return machine.finish()
    except _NotPlain:
        return None


def _instructions(text: str) -> Iterator[tuple[str, list[str]]]:
    if "{" in text:
        raise _NotPlain
    for line in re.split(r"[;\n]", _LOCK_LIST.sub("", text)):
        code = _LABEL.sub("", line.strip())
        if code and code not in _NOTHING:
            name, *rest = code.split(None, 1)
            yield name, [part.strip() for part in rest[0].split(",")] if rest else []


@dataclass(slots=True)
class _Machine:
    """The state of the registers and flags, and the operations so far."""

    operands: Sequence[AsmOperand]
    temporary: Callable[[Type], Var]
    is_defined: Callable[[str], bool]
    _done: list[Operation] = field(default_factory=list)
    _registers: dict[int, Expr] = field(default_factory=dict)
    _flags: dict[str, Expr] = field(default_factory=dict)
    _written: set[int] = field(default_factory=set)  # of the operands in memory

    def __post_init__(self) -> None:
        for number, operand in enumerate(self.operands):
            _scalar(operand.type)
            if operand.lvalue is not None and operand.lvalue.type is not operand.type:
                raise _NotPlain  # a bit-field
            if size_of(operand.type) not in _SIZES.values():
                raise _NotPlain
            if operand.value is None or operand.in_memory:
                continue
            self._registers[number] = self._kept(operand.value)
            if operand.constraint.isdigit() and int(operand.constraint) < number:
                same = int(operand.constraint)
                if size_of(self.operands[same].type) == size_of(operand.type):
                    self._registers[same] = self._registers[number]

    def finish(self) -> list[Operation]:
        for number, operand in enumerate(self.operands):
            if operand.is_output and not operand.in_memory:
                if number not in self._registers or operand.lvalue is None:
                    raise _NotPlain
                value = make.cast(self._registers[number], operand.lvalue.type)
                self._done.append(Assign(operand.lvalue, value))
            elif operand.is_output and operand.value is None and number not in self._written:
                raise _NotPlain
        return self._done

    # --- instructions -----------------------------------------------------------------------------

    def execute(self, name: str, arguments: Sequence[str]) -> None:
        places = [self._place(argument) for argument in arguments] if name != "call" else []
        if name == "call" and len(arguments) == 1:
            self._call(arguments[0])
            return
        if name.startswith("set") and len(places) == 1:
            self._set(name[3:], places[0])
            return
        size: int | None = None
        if not self._is_known(name):
            name, size = name[:-1], _SIZES.get(name[-1:])
            if size is None or not self._is_known(name):
                raise _NotPlain
        match name, places:
            case "out", [_, _]:
                pass
            case "in", [_, place]:
                self._write(place, self._input(place.type, name), size)
            case "inc" | "dec", [place]:
                step = make.const(1, place.exact)
                carry = self._flags.get("carry")
                self._combine(Op.ADD if name == "inc" else Op.SUB, place, step, size)
                self._flags.pop("carry")
                if carry is not None:
                    self._flags["carry"] = carry
            case "not", [place]:
                number = make.cast(self._read(place, size), place.unsigned)
                self._write(place, make.unary(UnaryOp.INVERT, number), size)
            case "mov", [source, place]:
                self._write(place, self._read(source, size or place.size), size)
            case "xchg", [source, place]:
                old, new = self._read(place, size), self._read(source, size or place.size)
                self._write(place, new, size)
                self._write(source, old, size)
            case "xadd", [source, place]:
                old, more = self._read(place, size), self._read(source, size or place.size)
                self._combine(Op.ADD, place, make.cast(more, place.exact), size)
                self._write(source, old, size)
            case "cmpxchg", [source, place]:
                self._compare_and_exchange(source, place, size)
            case "sbb", [source, place]:
                value: Expr = make.const(0, place.exact)
                if source != place:  # of equal places, nobody has to know what they hold
                    value = make.cast(self._read(source, size or place.size), place.exact)
                borrow = make.cast(self._flag("carry"), place.exact)
                if source == place:
                    self._write(place, make.binary(Op.SUB, value, borrow), size)
                else:
                    self._combine(Op.SUB, place, make.binary(Op.ADD, value, borrow), size)
                self._flags = {}
            case "cmp", [source, place]:
                value = make.cast(self._read(source, size or place.size), place.unsigned)
                left = make.cast(self._read(place, size), place.unsigned)
                self._flags = {"carry": make.less(left, value), "zero": make.equal(left, value)}
            case _, [source, place] if name in _ARITHMETIC:
                value = self._read(source, size or place.size)
                self._combine(_ARITHMETIC[name], place, make.cast(value, place.exact), size)
            case _, [source, place] if name in _BITS:
                self._bit(_BITS[name], source, place, size)
            case _:
                raise _NotPlain

    def _is_known(self, name: str) -> bool:
        return name in _OTHERS or name in _ARITHMETIC or name in _BITS

    def _combine(self, op: Op, place: _Place, right: Expr, size: int | None) -> None:
        """Change a place, and set the flags. In numbers wide enough: it is no overflow in C."""
        exact, unsigned = place.exact, place.unsigned
        before = self._read(place, size)
        result = make.binary(op, make.cast(before, exact), right)
        after = self._write(place, result, size)
        left, more = make.cast(before, unsigned), make.cast(right, unsigned)
        carry: Expr = make.truth(False)
        if op is Op.ADD:
            carry = make.less(make.cast(after, unsigned), more)
        elif op is Op.SUB:
            carry = make.less(left, more)
        zero = make.equal(make.cast(after, unsigned), make.const(0, unsigned))
        signed = IntType(unsigned.bits, True)
        sign = make.less(make.cast(after, signed), make.const(0, signed))
        self._flags = {"carry": carry, "zero": zero, "sign": sign}

    def _compare_and_exchange(self, source: _Place, place: _Place, size: int | None) -> None:
        """The accumulator is the output of the constraint `a`."""
        numbers = [n for n, one in enumerate(self.operands) if one.constraint == "=a"]
        if len(numbers) != 1:
            raise _NotPlain
        accumulator = _Place(numbers[0], False, _scalar(self.operands[numbers[0]].type))
        old, wanted = self._read(place, size), self._read(accumulator, size or place.size)
        new = self._read(source, size or place.size)
        unsigned = place.unsigned
        same = make.equal(make.cast(old, unsigned), make.cast(wanted, unsigned))
        new = make.ite(same, make.cast(new, unsigned), make.cast(old, unsigned))
        self._write(place, new, size)
        self._write(accumulator, old, size)
        self._flags = {"zero": make.as_condition(self._kept(make.cast(same, unsigned)))}

    def _bit(self, op: Op | None, source: _Place, place: _Place, size: int | None) -> None:
        """Test one bit, and change it; of a place in memory the bits go on behind it."""
        bits = 8 * place.size
        index = self._read(source, None)
        unsigned = place.unsigned
        lvalue = self._lvalue(place)
        inside = isinstance(index, Const) and 0 <= index.value < bits
        if lvalue is not None and not inside:
            if not isinstance(lvalue, Deref) or not isinstance(index.type, IntType):
                raise _NotPlain
            shift = make.const(bits.bit_length() - 1, index.type)
            word = make.binary(Op.SHR, index, shift)
            lvalue = make.deref(self._kept(make.pointer_add(lvalue.pointer, word)))
        amount = make.binary(Op.AND, make.cast(index, unsigned), make.const(bits - 1, unsigned))
        mask = make.binary(Op.SHL, make.const(1, unsigned), amount)
        value = self._read(place, size)  # of a volatile one, anything
        if lvalue is not None and lvalue is not self._lvalue(place):
            operand = self.operands[place.number or 0]
            value = self._kept(lvalue) if operand.value is operand.lvalue else value
        value = make.cast(value, place.unsigned)
        bit = make.binary(Op.AND, value, mask)
        self._flags = {"carry": make.negate(make.equal(bit, make.const(0, unsigned)))}
        if op is not None:
            other = make.unary(UnaryOp.INVERT, mask) if op is Op.AND else mask
            changed = make.binary(op, value, other)
            if lvalue is None or lvalue is self._lvalue(place):
                self._write(place, changed, size)
            elif place.number is None or not self.operands[place.number].is_output:
                raise _NotPlain
            else:
                self._written.add(place.number)
                self._done.append(Assign(lvalue, make.cast(changed, lvalue.type)))

    def _set(self, condition: str, place: _Place) -> None:
        negative = condition.startswith("n")
        flag = self._flag(_FLAGS.get(condition.removeprefix("n"), ""))
        self._write(place, make.cast(make.negate(flag) if negative else flag, place.type), 1)

    def _call(self, name: str) -> None:
        """All outputs are what a function without a body gives."""
        if not re.match(r"[A-Za-z_]", name) or self.is_defined(name):
            raise _NotPlain
        for number, operand in enumerate(self.operands):
            if operand.is_output:
                place = _Place(number, False, _scalar(operand.type))
                self._write(place, self._input(operand.type, name), None)

    # --- operands ---------------------------------------------------------------------------------

    def _place(self, text: str) -> _Place:
        number = _IMMEDIATE.fullmatch(text)
        if number is not None:
            return _Place(None, False, IntType(64, True), int(number[1], 0))
        match = _OPERAND.fullmatch(text)
        if match is None:
            raise _NotPlain
        names = [operand.name for operand in self.operands]
        if match["name"] and match["name"] not in names:
            raise _NotPlain
        place = names.index(match["name"]) if match["name"] else int(match["number"])
        if place >= len(names):
            raise _NotPlain
        type_ = self.operands[place].type
        segment = match["segment"] is not None
        if segment and self.operands[place].constraint == "p" and isinstance(type_, PointerType):
            type_ = type_.target  # the address of what is there
        elif segment and not self.operands[place].in_memory:
            raise _NotPlain
        return _Place(place, segment, _scalar(type_))

    def _lvalue(self, place: _Place) -> Lvalue | None:
        """Where a place lies, if it is in memory."""
        if place.number is None:
            return None
        operand = self.operands[place.number]
        if operand.in_memory:
            return operand.lvalue
        return make.deref(self._registers[place.number]) if place.segment else None

    def _read(self, place: _Place, size: int | None) -> Expr:
        """The value as it is now."""
        if place.number is None:
            return make.const(place.constant, place.type)
        if size is not None and size != place.size:
            raise _NotPlain
        operand = self.operands[place.number]
        if operand.in_memory:
            changes = operand.value is not operand.lvalue and place.number in self._written
            if operand.value is None or changes:
                raise _NotPlain
            return self._kept(operand.value)
        if place.segment:
            return self._kept(make.deref(self._registers[place.number]))
        if place.number not in self._registers:
            raise _NotPlain
        return self._registers[place.number]

    def _write(self, place: _Place, value: Expr, size: int | None) -> Expr:
        """Put a value there; as it is there then."""
        if place.number is None or not self.operands[place.number].is_output:
            raise _NotPlain
        if size is not None and size != place.size:
            raise _NotPlain
        lvalue, after = self._lvalue(place), self._kept(make.cast(value, place.type))
        if lvalue is None:
            self._registers[place.number] = after
        else:
            self._written.add(place.number)
            self._done.append(Assign(lvalue, make.cast(after, lvalue.type)))
        return after

    def _kept(self, value: Expr) -> Expr:
        if isinstance(value, Const):
            return value
        kept = self.temporary(value.type)
        self._done.append(Assign(kept, value))
        return kept

    def _input(self, type_: Type, name: str) -> Expr:
        given = self.temporary(type_)
        self._done.append(Havoc(given, Source.LIBRARY, name))
        return given

    def _flag(self, name: str) -> Expr:
        if name not in self._flags:
            raise _NotPlain
        return self._flags[name]
