"""A slow interpreter that holds what the analyses say against what a run does.

Each access is looked up among the answers of the points-to analysis. Beside the real bytes, the
machine keeps a second state in the form that the partition prescribes (plain variables and maps of
cells) and changes it only the way the partition tells; every value that is read must be the same in
both. A run that goes wrong just ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

from predabs.analysis.memory.partition import BlockPiece, Partition, Scalar, Storage
from predabs.analysis.points_to.objects import UNKNOWN, Allocated, Object, Target
from predabs.analysis.points_to.offsets import Offsets
from predabs.concrete.codec import codec
from predabs.ir import arith
from predabs.ir.cfa import Edge, Function, Program
from predabs.ir.expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    FunctionAddress,
    Index,
    Ite,
    Lvalue,
    Not,
    ObjectSize,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
    Var,
)
from predabs.ir.ops import (
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
    Print,
    Return,
    Skip,
    Source,
)
from predabs.ir.types import (
    BOOL,
    ArrayType,
    FloatType,
    IntType,
    Member,
    PointerType,
    RecordType,
    Type,
    size_of,
)

# a record on its way in the second state: its leaves, or its pieces; None: any bytes
Saved: TypeAlias = list[Any] | tuple[bytes, ...] | None


class End(Exception):
    """The run ends here: an error, a halt, a fault, or something this machine does not do."""


class Memory:
    """Objects at addresses that grow; nothing is ever forgotten."""

    def __init__(self) -> None:
        self.next = 0x100000
        self.objects: list[tuple[int, bytearray, Object, bool]] = []
        self.by_page: dict[int, list[int]] = {}

    def make(self, object_: Object, data: bytes) -> int:
        base = self.next
        self.next += (len(data) + 95) // 32 * 32
        for page in range(base >> 12, (self.next >> 12) + 1):
            self.by_page.setdefault(page, []).append(len(self.objects))
        self.objects.append((base, bytearray(data), object_, True))
        return base

    def end(self, base: int) -> None:
        number = self.number(base, 0)
        start, data, object_, _ = self.objects[number]
        self.objects[number] = (start, data, object_, False)

    def number(self, address: int, size: int) -> int:
        for number in self.by_page.get(address >> 12, ()):
            base, data, _, alive = self.objects[number]
            if alive and base <= address and address + size <= base + len(data):
                return number
        raise End("no object is there")

    def find(self, address: int, size: int) -> tuple[int, bytearray, Object]:
        base, data, object_, _ = self.objects[self.number(address, size)]
        return address - base, data, object_


class Frame:
    """The addresses of a function's variables, and a number of its own."""

    def __init__(self, function: Function | None, number: int) -> None:
        self.function = function
        self.number = number
        self.bases: dict[str, int] = {}
        self.objects: list[int] = []


class Inputs:
    """Random inputs; now and then an address."""

    def __init__(self, seed: int, addresses: float = 0.7) -> None:
        self.random = Random(seed)
        self.addresses = addresses

    def number(self, edge: Edge | None, type_: IntType | PointerType, known: list[int]) -> int:
        random = self.random
        if known and random.random() < self.addresses:
            return random.choice(known) + random.choice([0, 0, 0, 4, random.randrange(64)])
        if isinstance(type_, PointerType):
            return 0
        return random.choice([0, 1, 2, 3, -1, random.getrandbits(64)])

    def raw(self, edge: Edge | None, size: int) -> bytes:
        return self.random.randbytes(size) if self.random.random() < 0.5 else bytes(size)


class Machine:
    """One run of a program."""

    def __init__(self, program: Program, partition: Partition, inputs: Inputs) -> None:
        self.program = program
        self.partition = partition
        self.points_to = partition.points_to
        self.inputs = inputs
        self.edge: Edge | None = None
        self.error: Edge | None = None
        self.memory = Memory()
        self.plain: dict[tuple[int, Var], Any] = {}
        self.maps: dict[tuple[int, int], bytes] = {}
        self.frames = 0
        self.accesses = 0
        self.statics = Frame(None, 0)
        self.frame = self.statics
        names = dict.fromkeys((*program.functions, *program.externals))
        self.codes = {name: 0x1000 + 16 * n for n, name in enumerate(names)}
        for item in program.globals:
            object_ = self.points_to.variable(item.var)
            size = self.points_to.size(object_) or size_of(item.var.type)
            data = self.inputs.raw(None, size) if item.external else bytes(size)
            self.statics.bases[item.var.name] = self.make(object_, data, item.var)
        for item in program.globals:
            if item.external and is_scalar(item.var.type):
                self.havoc(item.var, Source.EXTERN)
        for item in program.globals:
            for assign in item.init:
                self.assign(assign.target, assign.value)

    # --- objects ----------------------------------------------------------------------------------

    def make(self, object_: Object, data: bytes, var: Var | None) -> int:
        """A new object; the second state gets what the partition says it consists of."""
        base = self.memory.make(object_, data)
        for cell in self.partition.cells(object_):
            for offset in within(cell.offsets, cell.size, len(data)):
                raw = data[offset : offset + cell.size]
                self.shadow_write(cell.storage, base + offset, raw, cell.size)
        if var is not None:
            self.shadow_members(var, data)
        return base

    def shadow_members(self, var: Var, data: bytes) -> None:
        """Plain members, bit-fields too."""
        for leaf in self.partition.leaves(var) or () if is_record(var.type) else (var,):
            if is_scalar(leaf.type):
                storage = self.partition.storage(leaf)
                if isinstance(storage, Scalar):
                    offset, bits = self.static_offset(leaf)
                    self.plain[self.key(storage.var)] = decode(data, offset, leaf.type, bits)

    def static_offset(self, leaf: Expr) -> tuple[int, tuple[int, int] | None]:
        offset, bits = 0, None
        while isinstance(leaf, Field):
            member = self.member(leaf)
            if member.bitfield:
                bits = (member.bit % 8, leaf.type.bits)
            offset += member.offset
            leaf = leaf.base
        return offset, bits

    def member(self, e: Field) -> Member:
        assert isinstance(e.base.type, RecordType)
        return self.program.records[e.base.type.tag].member(e.name)

    def key(self, var: Var) -> tuple[int, Var]:
        return (self.frame.number if var.function else 0), var

    # --- the second state -------------------------------------------------------------------------

    def shadow_write(self, storage: Storage, address: int, raw: bytes, size: int) -> None:
        if isinstance(storage, Scalar):
            self.plain[self.key(storage.var)] = decode(raw, 0, storage.var.type, None)
            return
        number = storage.region.number
        if self.partition.region(storage.region).unit is None:
            for n in range(size):
                self.maps[number, address + n] = raw[n : n + 1]
        else:
            self.maps[number, address] = raw

    def shadow_read(self, storage: Storage, address: int, size: int) -> bytes:
        if isinstance(storage, Scalar):
            return encode(self.plain[self.key(storage.var)], storage.var.type)
        number = storage.region.number
        if self.partition.region(storage.region).unit is None:
            return b"".join(self.maps[number, address + n] for n in range(size))
        found = self.maps[number, address]
        assert len(found) == size, "a cell has another size"
        return found

    def shadow_pieces(
        self, pieces: tuple[BlockPiece, ...], target: int, source: int | None, size: int
    ) -> None:
        """A block operation as the partition cuts it; a fill takes what is there already."""
        moved = []
        for piece in pieces:
            for offset in within(piece.offsets, piece.size, size):
                if source is None or piece.source is None:
                    start, data, _ = self.memory.find(target + offset, piece.size)
                    raw = bytes(data[start : start + piece.size])
                else:
                    raw = self.shadow_read(piece.source, source + offset, piece.size)
                moved.append((piece.target, target + offset, raw, piece.size))
        for storage, address, raw, length in moved:
            self.shadow_write(storage, address, raw, length)

    # --- places -----------------------------------------------------------------------------------

    def address(self, e: Expr, *, checked: bool) -> tuple[int, tuple[int, int] | None]:
        match e:
            case Var():
                frame = self.frame if e.function else self.statics
                return frame.bases[e.name], None
            case Deref(pointer, _):
                return self.value(pointer), None
            case Field(base, _, _):
                member = self.member(e)
                start, _ = self.address(base, checked=checked)
                bits = (member.bit % 8, e.type.bits) if member.bitfield else None
                return start + member.offset, bits
            case Index(base, index, element):
                start, _ = self.address(base, checked=checked)
                position = self.value(index)
                if checked and not self.free(base):
                    assert isinstance(base.type, ArrayType)
                    if not 0 <= position < base.type.length:
                        raise End("out of bounds")
                return start + position * size_of(element), None
        raise AssertionError(e)

    def free(self, array: Expr) -> bool:
        """Is an index into the array not checked?"""
        assert isinstance(array.type, ArrayType)
        if isinstance(array, Field):
            assert isinstance(array.base.type, RecordType)
            record = self.program.records[array.base.type.tag]
            return array.type.length == 0 or record.members[-1].name == array.name
        return array.type.length == 0

    def touch(self, lvalue: Lvalue) -> tuple[int, bytearray, int, tuple[int, int] | None]:
        """Find the bytes of an lvalue, and hold them against the points-to analysis."""
        address, bits = self.address(lvalue, checked=True)
        size = self.points_to.access_paths.accessed(lvalue).size
        offset, data, object_ = self.memory.find(address, size)
        targets = self.points_to.reached(lvalue)
        assert any(self.covers(t, object_, offset) for t in targets), (lvalue, object_, offset)
        self.accesses += 1
        return offset, data, address, bits

    def covers(self, target: Target, object_: Object, offset: int) -> bool:
        if target.object == UNKNOWN:
            return self.points_to.escaped(object_)
        return target.object == object_ and contains(target.offsets, offset)

    def read(self, lvalue: Lvalue) -> Any:
        offset, data, address, bits = self.touch(lvalue)
        if not is_scalar(lvalue.type):
            return bytes(data[offset : offset + size_of(lvalue.type)])
        value = decode(data, offset, lvalue.type, bits)
        storage = self.partition.storage(lvalue)
        if isinstance(storage, Scalar):
            assert self.plain[self.key(storage.var)] == value, lvalue
        else:
            size = self.points_to.access_paths.accessed(lvalue).size
            raw = self.shadow_read(storage, address, size)
            assert raw == bytes(data[offset : offset + size]), (lvalue, raw)
        return value

    def write(self, lvalue: Lvalue, value: Any) -> None:
        """Write a scalar."""
        offset, data, address, bits = self.touch(lvalue)
        size = self.points_to.access_paths.accessed(lvalue).size
        if bits is None:
            data[offset : offset + size] = encode(value, lvalue.type)
        else:
            first, width = bits
            mask = ((1 << width) - 1) << first
            whole = int.from_bytes(data[offset : offset + size], "little")
            whole = whole & ~mask | (value << first) & mask
            data[offset : offset + size] = whole.to_bytes(size, "little")
        storage = self.partition.storage(lvalue)
        if isinstance(storage, Scalar):
            self.plain[self.key(storage.var)] = value
        else:
            assert storage.region.number, "a place that is used is said to be nowhere"
            self.shadow_write(storage, address, bytes(data[offset : offset + size]), size)

    def write_block(self, target: Lvalue, raw: bytes, source: Lvalue | None) -> None:
        """Write a record (from `source`, evaluated in the same frame) or any bytes."""
        self.finish_block(target, raw, source, self.saved_record(target, source))

    def saved_record(self, target: Lvalue, source: Lvalue | None) -> Saved:
        """What the second state has in the source, before anything is written."""
        if source is None:
            return None
        ours, theirs = self.partition.leaves(target), self.partition.leaves(source)
        if ours is not None and theirs is not None:
            return [self.shadow_value(leaf) for leaf in theirs]
        address = self.address(source, checked=True)[0]
        found = []
        for piece in self.partition.record_pieces(target, source):
            assert piece.source is not None
            for offset in within(piece.offsets, piece.size, size_of(source.type)):
                found.append(self.shadow_read(piece.source, address + offset, piece.size))
        return tuple(found)

    def shadow_value(self, leaf: Lvalue) -> Any:
        storage = self.partition.storage(leaf)
        if isinstance(storage, Scalar):
            return self.plain[self.key(storage.var)]
        address, bits = self.address(leaf, checked=True)
        size = self.points_to.access_paths.accessed(leaf).size
        raw = self.shadow_read(storage, address, size) if storage.region.number else bytes(size)
        return decode(raw, 0, leaf.type, bits)

    def finish_block(self, target: Lvalue, raw: bytes, source: Lvalue | None, saved: Saved) -> None:
        offset, data, address, _ = self.touch(target)
        size = size_of(target.type)
        data[offset : offset + size] = raw
        leaves = self.partition.leaves(target)
        if isinstance(saved, list) or (saved is None and leaves is not None):
            for number, leaf in enumerate(leaves or ()):
                start, bits = self.address(leaf, checked=True)
                here, _, _ = self.memory.find(start, 0)
                value = decode(data, here, leaf.type, bits) if saved is None else saved[number]
                self.shadow_leaf(leaf, self.partition.storage(leaf), start, value, bits)
            return
        pieces = iter(saved or ())
        for piece in self.partition.record_pieces(target, source):
            for at in within(piece.offsets, piece.size, size):
                part = raw[at : at + piece.size] if saved is None else next(pieces)
                self.shadow_write(piece.target, address + at, part, piece.size)

    def shadow_leaf(
        self, leaf: Lvalue, storage: Storage, address: int, value: Any, bits: tuple[int, int] | None
    ) -> None:
        if isinstance(storage, Scalar):
            self.plain[self.key(storage.var)] = value
        elif storage.region.number:
            size = self.points_to.access_paths.accessed(leaf).size
            if bits is None:
                self.shadow_write(storage, address, encode(value, leaf.type), size)
                return
            first, width = bits
            mask = ((1 << width) - 1) << first
            whole = int.from_bytes(self.shadow_read(storage, address, size), "little")
            whole = whole & ~mask | (value << first) & mask
            self.shadow_write(storage, address, whole.to_bytes(size, "little"), size)

    # --- values -----------------------------------------------------------------------------------

    def value(self, e: Expr) -> Any:
        match e:
            case Const(value, _):
                return value
            case FloatConst(text, _):
                return float.fromhex(text)
            case FunctionAddress(name, _):
                return self.codes[name]
            case Var() | Deref() | Field() | Index():
                return self.read(e)
            case AddressOf(target, type_):
                return type_.wrap(self.address(target, checked=False)[0])
            case Unary(op, arg, type_):
                value = self.value(arg)
                if isinstance(type_, FloatType):
                    return -value
                assert isinstance(type_, IntType)
                return type_.wrap(-value if op is UnaryOp.NEG else ~value)
            case Binary(op, left, right, _):
                return self.binary(e, self.value(left), self.value(right))
            case Cast(arg, type_):
                return self.cast(self.value(arg), arg.type, type_)
            case PointerAdd(pointer, index, type_):
                assert isinstance(pointer.type, PointerType)
                step = size_of(pointer.type.target)
                return type_.wrap(self.value(pointer) + self.value(index) * step)
            case PointerDiff(left, right, type_):
                assert isinstance(left.type, PointerType)
                apart = self.value(left) - self.value(right)
                return type_.wrap(arith.divide(apart, size_of(left.type.target) or 1))
            case ObjectSize(pointer, _):
                return len(self.memory.find(self.value(pointer), 0)[1])
            case Ite(cond, then, other, _):
                values = self.value(then), self.value(other)
                return values[0] if self.value(cond) else values[1]
            case Not(arg):
                return int(not self.value(arg))
            case And(args):
                return int(all(self.value(arg) for arg in args))
            case Or(args):
                return int(any(self.value(arg) for arg in args))
        raise AssertionError(e)

    def binary(self, e: Binary, left: Any, right: Any) -> Any:
        type_ = e.left.type
        if isinstance(type_, FloatType):
            if e.op.is_comparison:
                return int(arith.compare(e.op, left, right))
            raise End("floating-point arithmetic")
        if e.op.is_comparison:
            return int(arith.compare(e.op, left, right))
        assert isinstance(type_, IntType | PointerType)
        try:
            return arith.binary(e.op, type_, left, right)
        except arith.DivisionByZero:
            raise End("division by zero") from None

    def cast(self, value: Any, source: Type, target: Type) -> Any:
        if isinstance(target, IntType | PointerType):
            if isinstance(source, FloatType):
                raise End("a floating-point conversion")
            return target.wrap(value)
        if target is BOOL:
            return value
        raise End("a floating-point conversion")

    def input(self, type_: Type, source: Source) -> Any:
        """Any value; it may be an address that the program has taken."""
        if isinstance(type_, FloatType):
            return 0.0
        assert isinstance(type_, IntType | PointerType)
        known = []
        if source is not Source.UNINITIALIZED:
            known = [
                base
                for base, _, object_, alive in self.memory.objects
                if alive and self.points_to.escaped(object_)
            ]
        return type_.wrap(self.inputs.number(self.edge, type_, known))

    # --- runs -------------------------------------------------------------------------------------

    def run(self, most: int) -> int:
        """Take at most so many steps; gives how many accesses were checked."""
        entry = self.program.functions[self.program.entry]
        args = [self.input(p.type, Source.PARAMETER) for p in entry.params]
        steps = 0
        try:
            calls: list[tuple[Frame, Edge]] = []
            self.enter(entry)
            for param, arg in zip(entry.params, args, strict=True):
                self.write(param, arg)
            here = entry.entry
            while steps < most:
                steps += 1
                assert self.frame.function is not None
                edges = self.frame.function.outgoing[here]
                edge = self.edge = self.choose(edges)
                match edge.op:
                    case Call() as call:
                        callee = self.callee(edge, call)
                        if callee is None:
                            if call.target is not None:
                                self.havoc(call.target, Source.EXTERN)
                            here = edge.dst
                            continue
                        self.call(callee, call, calls, edge)
                        here = callee.entry
                    case Return(value):
                        if not calls:
                            return self.accesses
                        here = self.leave(value, calls)
                    case _:
                        self.step(edge)
                        here = edge.dst
        except End:
            pass
        except ArithmeticError:
            pass
        return self.accesses

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        for edge in edges:
            if not isinstance(edge.op, Assume) or self.value(edge.op.cond):
                return edge
        raise End("an assumption fails")

    def enter(self, function: Function) -> None:
        self.frames += 1
        self.frame = Frame(function, self.frames)
        for var in (*function.params, *function.locals):
            object_ = self.points_to.variable(var)
            base = self.make(object_, bytes(size_of(var.type)), var)
            self.frame.bases[var.name] = base
            self.frame.objects.append(base)

    def callee(self, edge: Edge, call: Call) -> Function | None:
        address = self.value(call.callee)
        names = [name for name, code in self.codes.items() if code == address]
        if not names:
            raise End("no function is there")
        assert names[0] in self.points_to.call_targets(edge), (edge.coord, names[0])
        return self.program.functions.get(names[0])

    def call(
        self, callee: Function, call: Call, calls: list[tuple[Frame, Edge]], edge: Edge
    ) -> None:
        caller = self.frame
        args: list[tuple[Any, Saved]] = []
        for param, arg in zip(callee.params, call.args, strict=False):
            if is_scalar(param.type) and is_scalar(arg.type):
                args.append((self.cast_argument(self.value(arg), arg.type, param.type), None))
            elif param.type is arg.type:
                args.append((self.value(arg), self.saved_record(param, arg)))
            else:
                raise End("an argument does not fit")
        if call.target is not None:
            self.address(call.target, checked=True)
        self.enter(callee)
        for param, arg_expr, (value, saved) in zip(callee.params, call.args, args, strict=False):
            if is_scalar(param.type):
                self.write(param, value)
            else:
                self.finish_block(param, value, arg_expr, saved)
        calls.append((caller, edge))

    def cast_argument(self, value: Any, source: Type, target: Type) -> Any:
        return value if source is target else self.cast(value, source, target)

    def leave(self, value: Expr | None, calls: list[tuple[Frame, Edge]]) -> Any:
        caller, edge = calls.pop()
        assert isinstance(edge.op, Call)
        target = edge.op.target
        result = None if value is None else self.value(value)
        saved: Saved = None
        if target is not None and value is not None and not is_scalar(value.type):
            if value.type is not target.type:
                raise End("a result does not fit")
            saved = self.saved_record(target, value)
        for base in self.frame.objects:
            self.memory.end(base)
        self.frame = caller
        if target is not None:
            if value is None:
                self.havoc(target, Source.UNINITIALIZED)
            elif is_scalar(target.type) and is_scalar(value.type):
                self.write(target, self.cast_argument(result, value.type, target.type))
            elif target.type is value.type:
                self.finish_block(target, result, value, saved)
            else:
                raise End("a result does not fit")
        return edge.dst

    def havoc(self, target: Lvalue, source: Source) -> None:
        if is_scalar(target.type):
            self.write(target, self.input(target.type, source))
        else:
            size = size_of(target.type)
            data = bytes(size)
            if source is Source.UNINITIALIZED:
                data = self.inputs.raw(self.edge, size)
            self.write_block(target, data, None)

    def assign(self, target: Lvalue, value: Expr) -> None:
        if is_scalar(target.type):
            self.write(target, self.value(value))
        else:
            assert isinstance(value, Var | Deref | Field | Index)
            self.write_block(target, self.value(value), value)

    def step(self, edge: Edge) -> None:
        op = edge.op
        match op:
            case Skip() | Assume():
                pass
            case Assign(target, value):
                self.assign(target, value)
            case Havoc(target, source, _):
                self.havoc(target, source)
            case Alloc(target, size, _, zeroed):
                count = self.value(size)
                if count > 1 << 16:
                    raise End("too large")
                data = bytes(count) if zeroed else self.inputs.raw(edge, count)
                self.write(target, self.make(Allocated(edge), data, None))
            case Free(pointer):
                address = self.value(pointer)
                if address:
                    offset, _, object_ = self.memory.find(address, 0)
                    if offset or not isinstance(object_, Allocated):
                        raise End("not on the heap")
                    self.memory.end(address)
            case Fill(pointer, byte, size):
                address, count = self.value(pointer), self.value(size)
                if count:
                    offset, data, object_ = self.memory.find(address, count)
                    self.check_block(pointer, object_, offset)
                    data[offset : offset + count] = bytes((self.value(byte) & 255,)) * count
                    self.shadow_pieces(self.partition.pieces(op), address, None, count)
            case Copy(pointer, source_pointer, size):
                address, origin = self.value(pointer), self.value(source_pointer)
                count = self.value(size)
                if count:
                    offset, data, object_ = self.memory.find(address, count)
                    start, other, from_ = self.memory.find(origin, count)
                    self.check_block(pointer, object_, offset)
                    self.check_block(source_pointer, from_, start)
                    raw = bytes(other[start : start + count])
                    self.shadow_pieces(self.partition.pieces(op), address, origin, count)
                    data[offset : offset + count] = raw
            case Print(target, _, args):
                for arg in args:
                    self.value(arg)
                if target is not None:
                    self.write(target, 1)
            case Error():
                self.error = edge
                raise End("an error")
            case Halt():
                raise End("the end")
            case _:
                raise AssertionError(op)

    def check_block(self, pointer: Expr, object_: Object, offset: int) -> None:
        targets = self.points_to.targets(pointer)
        assert any(self.covers(t, object_, offset) for t in targets), (pointer, object_, offset)


def contains(offsets: Offsets, offset: int) -> bool:
    if offsets.step == 0:
        return offset == offsets.first
    inside = offsets.count is None or offsets.first <= offset <= (offsets.last or 0)
    return inside and (offset - offsets.first) % offsets.step == 0


def within(offsets: Offsets, size: int, total: int) -> Iterator[int]:
    """The offsets at which a piece lies as a whole in a block."""
    offset, number = offsets.first, 0
    while offset + size <= total and (offsets.count is None or number < offsets.count):
        if offset >= 0:
            yield offset
        if offsets.step == 0:
            return
        offset += offsets.step
        number += 1


def decode(data: Any, offset: int, type_: Type, bits: tuple[int, int] | None) -> Any:
    if bits is not None:
        first, width = bits
        assert isinstance(type_, IntType)
        size = (first + width + 7) // 8
        whole = int.from_bytes(data[offset : offset + size], "little")
        return type_.wrap(whole >> first)
    assert isinstance(type_, IntType | PointerType | FloatType)
    return codec(type_).read(data, offset)[0]


def encode(value: Any, type_: Type) -> bytes:
    assert isinstance(type_, IntType | PointerType | FloatType)
    data = bytearray(size_of(type_))
    codec(type_).write(data, 0, value)
    return bytes(data)


def is_scalar(type_: Type) -> bool:
    return isinstance(type_, IntType | PointerType | FloatType)


def is_record(type_: Type) -> bool:
    return isinstance(type_, RecordType)
