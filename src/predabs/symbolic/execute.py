"""Carry out operations of the IR in symbolic states.

One `SymbolicMachine` serves a whole exploration: it owns the address space, makes up the inputs and
notes where and under which condition each was taken, so that a model of the solver can be turned
back into the inputs of a run. Calls and returns are split in two halves, because between them the
explorer has work to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..concrete.memory import ObjectKind
from ..concrete.storage_layout import Register, VariableLayout
from ..encode import bitvector_encoding as encode
from ..ir.cfa import Coord, Function, Program
from ..ir.expr import Expr, Lvalue, Var
from ..ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Copy,
    Fill,
    Free,
    Havoc,
    Operation,
    Print,
    Skip,
    Source,
)
from ..ir.types import FloatType, IntType, PointerType, RecordType, Type, VoidType, size_of
from ..smt import bitvectors, build
from ..smt.term import FALSE, TRUE, Sort, Symbol, Term, Value
from .content import Initial
from .memory import AccessTarget, AddressSpace, SymbolicMemory, SymbolicObject
from .state import ALWAYS, Guard, SymbolicState
from .values import SymbolicValues, ValueCut

_WIDEST_COPY = 64
_LONGEST_FILL = 1 << 16
_LARGEST_ALLOC = 1 << 24


@dataclass(frozen=True, slots=True)
class SymbolicInput:
    """An input that is taken where `guard` holds; `order` sorts the inputs of one run."""

    order: tuple[int, ...]
    guard: Guard
    source: Source
    name: str
    type: Type
    coord: Coord
    value: Term | Initial
    size: int | Term  # of the bytes, if the value is an Initial


@dataclass(frozen=True, slots=True)
class SymbolicFrame:
    """A running call: its function and the objects of its variables that have memory."""

    function: Function
    objects: dict[Var, SymbolicObject]


@dataclass(slots=True)
class SymbolicMachine:
    """Symbolic execution of one program."""

    program: Program
    layout: VariableLayout
    cut: Callable[[Term, str, Coord], None]
    taken: list[SymbolicInput] = field(default_factory=list)
    _space: AddressSpace = field(init=False)
    _globals: dict[Var, SymbolicObject] = field(default_factory=dict)
    _count: int = 0

    def __post_init__(self) -> None:
        self._space = AddressSpace(self.layout.bits)

    # --- names ------------------------------------------------------------------------------------

    def fresh(self, name: str, sort: Sort) -> Symbol:
        self._count += 1
        return Symbol(f"{name}!{self._count}", sort)

    def _initial(self, name: str) -> Initial:
        self._count += 1
        return Initial(f"{name}!{self._count}", self.layout.bits)

    def values(self, state: SymbolicState, frame: SymbolicFrame | None) -> SymbolicValues:
        """The evaluator of a state."""

        def objects(var: Var) -> SymbolicObject:
            if frame is not None and var in frame.objects:
                return frame.objects[var]
            return self._globals[var]

        return SymbolicValues(self.layout, state, objects, self.fresh)

    # --- the beginning ----------------------------------------------------------------------------

    def start(self) -> SymbolicState:
        """The state before the first step: globals have their initial values."""
        state = SymbolicState(ALWAYS, {}, {}, SymbolicMemory(self._space), ())
        for number, (item, home) in enumerate(self.layout.globals):
            var = item.var
            if isinstance(home, Register):
                value: Term = encode.constant(0, var.type)
                if item.external:
                    value = self.fresh(var.name, encode.sort(var.type))
                    self._take(
                        state, (0, number), Source.EXTERN, var.name, var.type, item.coord, value
                    )
                state.globals[var] = value
                continue
            writable = home.kind is not ObjectKind.LITERAL
            made = self._space.place(var.name, int(home.address), home.size, writable)
            self._globals[var] = made
            initial = Initial(None, self.layout.bits)
            if item.external:
                if home.size == 0:
                    self.cut(TRUE, f"{var.name} is declared without its size", item.coord)
                initial = self._initial(var.name)
                self._take(
                    state,
                    (0, number),
                    Source.EXTERN,
                    var.name,
                    var.type,
                    item.coord,
                    initial,
                    home.size,
                )
            state.memory.add(made, initial)
        for item in self.program.globals:
            literal = self._globals.get(item.var)
            for assign in item.init:
                self._initialise(state, assign, literal)
        return state

    def _initialise(
        self, state: SymbolicState, assign: Assign, owner: SymbolicObject | None
    ) -> None:
        values = self.values(state, None)
        if owner is not None and not owner.writable:
            address = values.address(assign.target)
            assert isinstance(address, Value)
            offset = bitvectors.bits(address.value - owner.base, self.layout.bits)
            value = values.value(assign.value)
            state.memory.store(
                AccessTarget(TRUE, owner, offset), size_of(assign.target.type), value, TRUE
            )
        else:
            self.assign(values, values, assign.target, assign.value)

    def enter(self, state: SymbolicState, function: Function) -> SymbolicFrame:
        """A new frame: the objects of the function's variables come to life."""
        objects = {}
        for var in (*function.params, *function.locals):
            if not isinstance(self.layout.home(var), Register):
                made = self._space.allocate(var.name, size_of(var.type))
                state.memory.add(made, self._initial(var.name))
                objects[var] = made
        return SymbolicFrame(function, objects)

    def leave(self, state: SymbolicState, frame: SymbolicFrame) -> None:
        """The objects of a frame end."""
        for made in (*frame.objects.values(), *state.stack):
            state.memory.end(made)
        state.stack = ()

    def parameter(self, state: SymbolicState, frame: SymbolicFrame, var: Var, number: int) -> None:
        """A parameter of the entry function is an input."""
        self.havoc(
            state, frame, var, Source.PARAMETER, var.short, frame.function.coord, (1, number)
        )

    def _take(
        self,
        state: SymbolicState,
        order: tuple[int, ...],
        source: Source,
        name: str,
        type_: Type,
        coord: Coord,
        value: Term | Initial,
        size: int | Term = 0,
    ) -> None:
        self.taken.append(
            SymbolicInput(order, state.guard, source, name, type_, coord, value, size)
        )

    # --- steps ------------------------------------------------------------------------------------

    def step(
        self,
        state: SymbolicState,
        frame: SymbolicFrame,
        op: Operation,
        coord: Coord,
        order: tuple[int, ...],
    ) -> None:
        """Carry out an operation that stays in its function; changes the state."""
        values = self.values(state, frame)
        match op:
            case Skip():
                pass
            case Assign(target, value):
                self.assign(values, values, target, value)
            case Assume(cond):
                values.require(values.value(cond))
            case Havoc(target, source, name):
                self.havoc(state, frame, target, source, name, coord, order)
            case Alloc():
                self._alloc(state, values, op, coord, order)
            case Free(pointer):
                self._free(state, values, pointer)
            case Fill(pointer, byte, size):
                self._fill(state, values, pointer, byte, size)
            case Copy(pointer, source_pointer, size):
                self._copy(state, values, pointer, source_pointer, size)
            case Print(target, _, args):
                for arg in args:
                    if not isinstance(arg.type, RecordType):
                        values.value(arg)
                if target is not None:
                    values.store(target, self.fresh("printed", encode.sort(target.type)))
            case _:
                raise AssertionError(f"{type(op).__name__} is not a step")

    def assign(
        self, there: SymbolicValues, here: SymbolicValues, target: Lvalue, value: Expr
    ) -> None:
        """`target` (evaluated by `there`) gets `value` (evaluated by `here`)."""
        if isinstance(target.type, RecordType):
            size = size_of(target.type)
            if size:
                assert isinstance(value, Lvalue)
                source = here.whole(value)
                self.move(there.state, there.whole(target), source, size)
        else:
            there.store(target, here.value(value))

    def havoc(
        self,
        state: SymbolicState,
        frame: SymbolicFrame | None,
        target: Lvalue,
        source: Source,
        name: str,
        coord: Coord,
        order: tuple[int, ...],
    ) -> None:
        """The target takes an input."""
        values = self.values(state, frame)
        size = size_of(target.type)
        if isinstance(target.type, IntType | FloatType | PointerType):
            symbol = self.fresh(name, encode.sort(target.type))
            self._take(state, order, source, name, target.type, coord, symbol)
            values.store(target, symbol)
            return
        if not size:
            return
        targets = values.whole(target)
        if len(targets) != 1 or not isinstance(targets[0].offset, Value):
            raise ValueCut("an aggregate of unknown place takes any value")
        initial = self._initial(name)
        self._take(state, order, source, name, target.type, coord, initial, size)
        made, offset = targets[0].object, targets[0].offset.value
        if offset == 0 and made.size == size:
            state.memory.reset(made, initial)
            return
        for at in range(0, size, 8):
            part = min(8, size - at)
            place = AccessTarget(TRUE, made, bitvectors.bits(offset + at, self.layout.bits))
            state.memory.store(place, part, initial.read(at, part), TRUE)

    # --- memory -----------------------------------------------------------------------------------

    def _alloc(
        self,
        state: SymbolicState,
        values: SymbolicValues,
        op: Alloc,
        coord: Coord,
        order: tuple[int, ...],
    ) -> None:
        term = values.value(op.size)
        size: int | Term = term.value if isinstance(term, Value) else term
        if not isinstance(size, int) or size > _LARGEST_ALLOC:
            fits = bitvectors.ule(term, bitvectors.bits(_LARGEST_ALLOC, self.layout.bits))
            self.cut(
                build.and_(state.guard.term, build.not_(fits)), "a very large allocation", coord
            )
            values.require(fits)
            if state.dead:
                return
        made = self._space.allocate("allocated", size)
        initial = Initial(None, self.layout.bits)
        if not op.zeroed:
            what = "malloc" if op.kind is AllocKind.HEAP else "alloca"  # as the interpreter asks
            initial = self._initial(what)
            self._take(state, order, Source.UNINITIALIZED, what, VoidType(), coord, initial, size)
        state.memory.add(made, initial)
        if op.kind is AllocKind.STACK:
            state.stack = (*state.stack, made)
        values.store(op.target, bitvectors.bits(made.base, self.layout.bits))

    def _free(self, state: SymbolicState, values: SymbolicValues, pointer: Expr) -> None:
        term = values.value(pointer)
        zero = bitvectors.bits(0, self.layout.bits)
        found = state.memory.targets(term, 0)
        if found is None:
            raise ValueCut("a pointer that may point anywhere is freed")
        allowed = [build.eq(term, zero), found.outside]
        for target in found.targets:
            start = build.eq(target.offset, zero)
            content = state.memory.alive(target.object)
            if content is not None:
                allowed.append(build.and_(target.cond, start, build.not_(content.freed)))
                state.memory.free(target.object, build.and_(target.cond, start))
        values.require(build.or_(*allowed))

    def _length(self, values: SymbolicValues, size: Expr, most: int) -> int:
        term = values.value(size)
        if not isinstance(term, Value) or term.value > most:
            raise ValueCut("a block of memory of unknown or very large size is written")
        return term.value

    def _fill(
        self, state: SymbolicState, values: SymbolicValues, pointer: Expr, byte: Expr, size: Expr
    ) -> None:
        length = self._length(values, size, 1 << 30)
        targets = self._block(state, values, pointer, length)
        if not length:
            return
        low = bitvectors.extract(values.value(byte), 7, 0)
        for target in targets:
            made = target.object
            whole = isinstance(target.offset, Value) and target.offset.value == 0
            zero = isinstance(low, Value) and low.value == 0
            if whole and zero and made.size == length and len(targets) == 1:
                state.memory.reset(made, Initial(None, self.layout.bits))
                continue
            if length > _LONGEST_FILL:
                raise ValueCut("a very large block of memory is filled")
            for at in range(0, length, 8):
                part = min(8, length - at)
                word = low
                for _ in range(part - 1):
                    word = bitvectors.concat(low, word)
                self._put(state, target, at, part, word, len(targets) == 1)

    def _put(
        self,
        state: SymbolicState,
        target: AccessTarget,
        at: int,
        size: int,
        value: Term,
        only: bool,
    ) -> None:
        offset = bitvectors.add(target.offset, bitvectors.bits(at, self.layout.bits))
        place = AccessTarget(target.cond, target.object, offset)
        state.memory.store(place, size, value, TRUE if only else target.cond)

    def _block(
        self, state: SymbolicState, values: SymbolicValues, pointer: Expr, length: int
    ) -> list[AccessTarget]:
        term = values.value(pointer)
        if not length:
            return []
        found = state.memory.targets(term, length)
        if found is None:
            raise ValueCut("a block of memory behind a pointer that may point anywhere")
        if found.outside is not FALSE:
            raise ValueCut("a block of memory behind a pointer that comes from outside")
        values.require(found.inside)
        return found.targets

    def _copy(
        self, state: SymbolicState, values: SymbolicValues, pointer: Expr, source: Expr, size: Expr
    ) -> None:
        length = self._length(values, size, 1 << 24)
        if length:
            sources = self._block(state, values, source, length)
            self.move(state, self._block(state, values, pointer, length), sources, length)

    def move(
        self,
        state: SymbolicState,
        targets: Sequence[AccessTarget],
        sources: Sequence[AccessTarget],
        size: int,
    ) -> None:
        """Copy bytes; all are read before the first is written."""
        if not targets or not sources:
            return  # no run comes here
        for target in targets:
            if not target.object.writable:
                raise ValueCut("a string literal is overwritten")
        chunks = self._chunks(state, sources[0], size) if len(sources) == 1 else None
        if chunks is None:
            if size > _WIDEST_COPY:
                raise ValueCut("a large block of memory is copied from an unknown place")
            chunks = [(0, size)]
        pieces = []
        for at, part in chunks:
            value: Term | None = None
            for source in reversed(sources):
                offset = bitvectors.add(source.offset, bitvectors.bits(at, self.layout.bits))
                read = state.memory.load(AccessTarget(source.cond, source.object, offset), part)
                value = read if value is None else build.ite(source.cond, read, value)
            assert value is not None
            pieces.append((at, part, value))
        for at, part, value in pieces:
            for target in targets:
                self._put(state, target, at, part, value, len(targets) == 1)

    def _chunks(
        self, state: SymbolicState, source: AccessTarget, size: int
    ) -> list[tuple[int, int]] | None:
        """How to cut a range so that the cells of the source stay whole."""
        if not isinstance(source.offset, Value):
            return None
        content = state.memory.alive(source.object)
        if content is None or content.array is not None:
            return [(at, min(8, size - at)) for at in range(0, size, 8)]
        start = source.offset.value
        chunks = []
        at = 0
        for offset, width in state.memory.cells(source.object):
            if offset + width <= start or offset >= start + size:
                continue
            begin, end = max(offset - start, 0), min(offset + width - start, size)
            chunks += _gap(at, begin, start)
            chunks.append((begin, end - begin))
            at = end
        return chunks + _gap(at, size, start)


def _gap(begin: int, end: int, start: int) -> list[tuple[int, int]]:
    """Pieces of a range that nothing was written to, at natural alignment."""
    pieces = []
    while begin < end:
        part = 8
        while part > 1 and ((start + begin) % part or begin + part > end):
            part //= 2
        pieces.append((begin, part))
        begin += part
    return pieces
