"""Execute operations of the IR in symbolic states.

One `SymbolicMachine` serves a whole exploration: it owns the address space, makes up the inputs and
notes where and under which condition each was taken, so that a model of the solver can be turned
back into the inputs of a run. Calls and returns (`frames`) are split in two halves, because between
them the explorer has work to do; blocks of memory are written by `memory_blocks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..analysis.memory.views import View
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
    Sweep,
)
from ..ir.types import (
    UCHAR,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    Type,
    VoidType,
    size_of,
)
from ..records import dataclass, field, replace
from ..smt import bitvectors, build
from ..smt.term import TRUE, Sort, Symbol, Term, Value
from .content import Initial
from .environment_addresses import EnvironmentAddresses
from .memory import AccessTarget, AddressSpace, SymbolicMemory, SymbolicObject
from .memory_blocks import MemoryBlocks
from .names import Names
from .state import ALWAYS, Guard, SymbolicState
from .sweeps import sweep
from .symbolic_input import EnvironmentAccess, EnvironmentContent, SymbolicInput
from .validity import accesses_are_checked, valid_free
from .values import SymbolicLimit, SymbolicValues

_LARGEST_ALLOC = 1 << 24


@dataclass(frozen=True, slots=True)
class SymbolicFrame:
    """A running call: its function and the objects of its variables that have memory."""

    function: Function
    objects: dict[Var, SymbolicObject]


@dataclass(slots=True)
class SymbolicMachine:
    """Symbolic execution of one program. `cut` is called where it does not go on; `coord` is where
    it is, which the explorer sets. If it is `complete` it goes on rather with a number that can be
    anything, and has a doubt."""

    program: Program
    layout: VariableLayout
    cut: Callable[[Guard, Term, str, Coord], None]
    complete: bool = False
    doubts: list[tuple[Guard, Term]] = field(default_factory=list)
    coord: Coord = field(init=False)
    taken: list[SymbolicInput] = field(default_factory=list)
    outer_locals: Callable[[], Iterable[Mapping[Var, Term]]] = tuple
    _space: AddressSpace = field(init=False)
    accesses: list[EnvironmentAccess] = field(default_factory=list)
    _globals: dict[Var, SymbolicObject] = field(default_factory=dict)
    _names: Names = field(init=False)
    _checked: bool = field(init=False)

    def __post_init__(self) -> None:
        self._checked = accesses_are_checked(self.program)
        self._space = AddressSpace(self.layout.bits, self.program.extern_pointers)
        self._names = Names(self._space)
        self.coord = self.program.functions[self.program.entry].coord

    @property
    def environment(self) -> EnvironmentAddresses:
        """Where memory of the environment lies."""
        return self._space.environment

    # --- names ------------------------------------------------------------------------------------

    def fresh(self, name: str, sort: Sort) -> Symbol:
        return self._names.fresh(name, sort)

    def doubt(self, guard: Guard, cond: Term) -> None:
        self.doubts.append((guard, cond))

    def leave_out(self, guard: Guard, cond: Term, reason: str) -> None:
        self.cut(guard, cond, reason, self.coord)

    def view(self, lvalue: Lvalue) -> View:
        return self.layout.view(lvalue)

    def note_access(
        self, guard: Guard, address: Term, size: int, view: View | None, writes: bool
    ) -> None:
        self.accesses.append(EnvironmentAccess(guard, address, size, view, writes))

    def note_content(self, guard: Guard, address: Term, size: int, content: Term) -> None:
        value = EnvironmentContent(self._space.environment, address, content)
        type_ = ArrayType(UCHAR, size)
        first = ()  # wherever it is read: it was there before
        self.taken.append(
            SymbolicInput(first, guard, Source.ENVIRONMENT, "", type_, self.coord, value, size)
        )

    def values(self, state: SymbolicState, frame: SymbolicFrame | None) -> SymbolicValues:
        """The evaluator of a state."""

        def objects(var: Var) -> SymbolicObject:
            if frame is not None and var in frame.objects:
                return frame.objects[var]
            return self._globals[var]

        return SymbolicValues(self.layout, state, objects, self)

    # --- initial states ---------------------------------------------------------------------------

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
                    self.values(state, None).assume_outside(value, var.type)
                state.globals[var] = value
                continue
            made = self._space.allocate_at(var.name, int(home.address), home.size, home.kind)
            self._globals[var] = made
            initial = Initial(None, self.layout.bits)
            if item.external:
                if home.size == 0:
                    reason = f"{var.name} is declared without its size"
                    self.cut(ALWAYS, TRUE, reason, item.coord)
                initial = self._names.content(var.name)
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
            there, value = AccessTarget(TRUE, owner, offset), values.value(assign.value)
            state.memory.store(there, size_of(assign.target.type), value, TRUE)
        else:
            self.assign(values, values, assign.target, assign.value)

    def enter(
        self, state: SymbolicState, function: Function, order: tuple[int, ...]
    ) -> SymbolicFrame:
        """A new frame: the objects of the function's variables come to life."""
        objects = {}
        for var in (*function.params, *function.locals):
            if not isinstance(self.layout.home(var), Register):
                made = self._names.object_at(
                    order, var, var.name, size_of(var.type), ObjectKind.STACK
                )
                state.memory.add(made, self._names.content_at(order, var, var.name))
                objects[var] = made
        return SymbolicFrame(function, objects)

    def leave(self, state: SymbolicState, frame: SymbolicFrame) -> None:
        """The objects of a frame end."""
        for made in (*frame.objects.values(), *state.stack):
            state.memory.end(made)
        state.stack = ()

    def parameter(self, state: SymbolicState, frame: SymbolicFrame, var: Var, number: int) -> None:
        """A parameter of the entry function is an input."""
        coord = frame.function.coord
        self.havoc(state, frame, var, Source.PARAMETER, var.short, coord, (1, number))

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
        """Execute an operation that stays in its function; changes the state."""
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
            case Fill() | Copy():
                MemoryBlocks(self.layout.bits, values).write(op)
            case Sweep():
                sweep(self, values, op)
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
                self.copy_block(there.state, there.whole(target), source, size)
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
            symbol = self._names.input_at(order, target, name, encode.sort(target.type))
            self._take(state, order, source, name, target.type, coord, symbol)
            if source is Source.UNINITIALIZED:
                self._space.unwritten.add(symbol)
            if not self._is_garbage(source):
                values.assume_outside(symbol, target.type)
            values.store(target, symbol)
            return
        if not size:
            return
        targets = values.whole(target)
        made, offset = targets[0].object, targets[0].offset
        if len(targets) != 1 or not (isinstance(offset, Value) or made is self._space.outside):
            raise SymbolicLimit("an aggregate at an unknown address takes any value")
        outside, unwritten = not self._is_garbage(source), source is Source.UNINITIALIZED
        initial = self._names.content_at(order, target, name, outside, unwritten)
        self._take(state, order, source, name, target.type, coord, initial, size)
        if isinstance(offset, Value) and offset.value == 0 and made.size == size:
            state.memory.reset(made, initial)
            return
        for at in range(0, size, 8):
            part = min(8, size - at)
            there = bitvectors.add(offset, bitvectors.bits(at, self.layout.bits))
            target_part = AccessTarget(TRUE, made, there)
            state.memory.store(target_part, part, initial.read(at, part), TRUE)

    def _is_garbage(self, source: Source) -> bool:
        """Are pointers of this source any numbers, and not from outside? If no access is checked,
        what was never written may come from there: models of an environment pass it on."""
        return source is Source.UNINITIALIZED and self._checked

    def result_from_outside(
        self,
        state: SymbolicState,
        frame: SymbolicFrame,
        target: Lvalue,
        functions: Sequence[tuple[Term, str]],
        coord: Coord,
        order: tuple[int, ...],
    ) -> None:
        """The target takes the result of one of some functions without a body, each under its
        condition."""
        before = len(self.taken)
        self.havoc(state, frame, target, Source.EXTERN, functions[0][1], coord, order)
        inputs = self.taken[before:]
        del self.taken[before:]
        for item in inputs:
            if item.source is not Source.EXTERN:
                self.taken.append(item)
                continue
            for cond, name in functions:
                self.taken.append(replace(item, guard=item.guard.also(cond), name=name))

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
            self.cut(state.guard, build.not_(fits), "a very large allocation", coord)
            values.require(fits)
            if state.dead:
                return
        kind = ObjectKind.HEAP if op.kind is AllocKind.HEAP else ObjectKind.STACK
        what = "malloc" if op.kind is AllocKind.HEAP else "alloca"  # as the interpreter asks
        made = self._names.object_at(order, op, "allocated", size, kind)
        initial = Initial(None, self.layout.bits)
        if not op.zeroed:
            outside = not self._is_garbage(Source.UNINITIALIZED)
            initial = self._names.content_at(order, op, what, outside, unwritten=True)
            self._take(state, order, Source.UNINITIALIZED, what, VoidType(), coord, initial, size)
        state.memory.add(made, initial)
        if op.kind is AllocKind.STACK:
            state.stack = (*state.stack, made)
        values.store(op.target, bitvectors.bits(made.base, self.layout.bits))

    def _free(self, state: SymbolicState, values: SymbolicValues, pointer: Expr) -> None:
        term = values.value(pointer)
        found = values.freed(term)
        values.require(valid_free(state.memory, found, term))
        for target in found.targets:
            made = target.object
            if made.kind is ObjectKind.HEAP and state.memory.live(made) is not None:
                start = build.eq(target.offset, bitvectors.bits(0, self.layout.bits))
                state.memory.free(made, build.and_(target.cond, start))

    def copy_block(
        self,
        state: SymbolicState,
        targets: Sequence[AccessTarget],
        sources: Sequence[AccessTarget],
        size: int,
    ) -> None:
        """Copy bytes; all are read before the first is written."""
        MemoryBlocks(self.layout.bits, self.values(state, None)).copy(targets, sources, size)
