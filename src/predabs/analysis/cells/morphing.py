"""Cell morphing [MG16]: a program with memory becomes one with scalars alone.

Of memory, only the distinguished cells are kept, each in a variable. A write `a[i] = v` becomes
`a_k = (i == k ? v : a_k)`, a read gives `i == k ? a_k : anything`. Pointers are numbers. Objects
that a ghost address may name have a flag that says whether they live, and each region of pointers
one that says whether the address was ever stored there: what was not stored is not read.

Ghosts are constants of a run that may be anything. A read on which an error depends *binds* ghosts:
a flag remembers whether the index (or the address) was that of the ghost when it was bound last,
and an error counts only if the flags of all ghosts are set [FQ02].

Soundness duty: if a run of the program reaches an error, then a run of the result does. For each
choice of ghosts the result has a run that does the same with all variables: cells hold what memory
holds there, and whatever a read misses may have the value that it has. Let each ghost be the value
to which it was bound last before the error (any value if it was never bound): then all flags are
set at the error. The converse does not hold, so a violation of the result means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Edge, ExternPointers, Function, Global, Location, Program
from ...ir.expr import (
    FALSE,
    TRUE,
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
    ValidAccess,
    ValidFree,
    Var,
)
from ...ir.ops import (
    Alloc,
    AllocKind,
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
    Source,
)
from ...ir.types import (
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    Type,
    VoidType,
    is_scalar,
    size_of,
)
from ...ir.walk import evaluated, reads_of
from ...records import replace
from ..effects import Slot
from ..facts import ProgramFacts
from ..memory.partition import InRegion, RegionId, Scalar
from ..points_to.objects import Allocated
from .available import AvailableReads
from .distinguished import Cell, Cells, Hit, Node, number_type
from .memory_accesses import MemoryAccesses

_FLAG = IntType(32, True)
_ONE, _ZERO = make.const(1, _FLAG), make.const(0, _FLAG)
_MOST_INITIAL = 64  # assignments of an initialiser that are followed


def morphed(facts: ProgramFacts, accesses: MemoryAccesses, cells: Cells) -> Program:
    """The scalar program of the cells."""
    return _Morphing(facts, accesses, cells).program()


class _Morphing:
    def __init__(self, facts: ProgramFacts, accesses: MemoryAccesses, cells: Cells) -> None:
        self._facts = facts
        self._accesses = accesses
        self._cells = cells
        self._program = facts.program
        self._partition = facts.partition
        self._number = accesses.number
        self._made: dict[Var, None] = {}  # variables beside those of the program
        self._addresses: dict[Var, None] = {}
        self._temporaries: dict[tuple[str, Lvalue], Var] = {}
        self._apart = facts.program.extern_pointers is not ExternPointers.ANY
        self._stored: dict[tuple[RegionId, Var], Var] = {}
        for node in cells.nodes:
            for number, region in enumerate(self._pointer_regions(), 1):
                flag = Var(f"stored {node.address.name} #{number}", _FLAG)
                self._stored[region, node.address] = flag
        self._function = ""
        self._edges: list[Edge] = []
        self._next = 0
        self._known: frozenset[Lvalue] = frozenset()

    def _pointer_regions(self) -> list[RegionId]:
        """The regions that hold nothing but pointers."""
        return [r.id for r in self._partition.regions if isinstance(r.unit, PointerType)]

    def _live(self, node: Node) -> Var:
        return Var(f"live {node.address.name}", _FLAG)

    # --- the program ------------------------------------------------------------------------------

    def program(self) -> Program:
        functions = {name: self._morph(f) for name, f in self._program.functions.items()}
        entry = functions[self._program.entry]
        functions[entry.name] = self._with_prelude(entry)
        declared = {g.var.name: g for g in self._program.globals if is_scalar(g.var.type)}
        globals_: list[Global] = []
        coord = entry.coord
        names = set(functions)
        for known in declared.values():
            var = Var(known.var.name, number_type(known.var.type))
            globals_.append(Global(var, (), known.external, known.coord))
        for made in (*self._made, *self._addresses, *self._ghost_variables()):
            if made.function not in names and made.name not in declared:
                declared[made.name] = Global(made, (), False, coord)
                globals_.append(declared[made.name])
        for name, function in functions.items():
            here = {v.name for v in (*function.params, *function.locals)}
            more = [v for v in self._made if v.function == name and v.name not in here]
            functions[name] = replace(function, locals=(*function.locals, *dict.fromkeys(more)))
        return replace(self._program, functions=functions, globals=tuple(globals_), records={})

    def _ghost_variables(self) -> Iterator[Var]:
        cells = self._cells
        yield from cells.ghosts
        yield from cells.flags
        for cell in cells.cells:
            yield cell.var
            yield cell.anchor.address
        for node in cells.nodes:
            yield self._live(node)
        yield from self._stored.values()

    def _with_prelude(self, function: Function) -> Function:
        """Ghosts are anything; memory and globals hold what they begin with."""
        self._function, self._edges = function.name, []
        self._next = 1 + max(location.index for location in function.locations)
        self._known = frozenset()
        first = self._fresh()
        here = first
        cells = self._cells
        for var in (*cells.ghosts, *self._addresses, *(c.var for c in cells.cells)):
            here = self._to(here, Havoc(var, Source.UNKNOWN, var.name), function)
        for address in dict.fromkeys((*self._addresses, *(node.address for node in cells.nodes))):
            here = self._to(here, Assume(make.not_equal(address, self._address(0))), function)
        for bound in cells.bounds:
            here = self._to(here, Assume(bound), function)
        for flag in cells.flags:
            here = self._to(here, Assign(flag, _ONE), function)
        if not self._apart:
            for flag in self._stored.values():
                here = self._to(here, Assign(flag, _ONE), function)
        for known in self._program.globals:
            here = self._initial(here, known, function)
        self._edges.append(Edge(here, Skip(), function.entry, function.coord))
        return replace(function, entry=first, edges=(*self._edges, *function.edges))

    def _initial(self, here: Location, known: Global, function: Function) -> Location:
        """What a global holds in the beginning."""
        object_ = self._facts.points_to.variable(known.var)
        mine = [cell for cell in self._cells.cells if object_ in cell.objects]
        if known.external:
            return here
        for cell in mine:
            here = self._to(here, Assign(cell.var, _zero(cell.var.type)), function)
        for number, assign in enumerate(known.init):
            start = len(self._edges)
            if number >= _MOST_INITIAL and self._accesses.region(assign.target) is not None:
                for cell in mine:
                    here = self._to(here, Havoc(cell.var, Source.UNKNOWN, cell.var.name), function)
                continue
            end = self._fresh()
            self._operation(Edge(here, assign, end, known.coord))
            assert len(self._edges) > start
            here = end
        return here

    def _morph(self, function: Function) -> Function:
        for var in function.params:
            if not is_scalar(var.type):
                raise UnsupportedFeature(f"{function.coord}: a parameter is a record")
        self._function, self._edges = function.name, []
        self._next = 1 + max(location.index for location in function.locations)
        available = AvailableReads(self._facts, self._accesses, function)
        for edge in function.edges:
            self._known = available.at[edge.src]
            self._operation(edge)
        params = tuple(Var(v.name, number_type(v.type)) for v in function.params)
        locals_ = tuple(
            Var(v.name, number_type(v.type)) for v in function.locals if is_scalar(v.type)
        )
        type_ = FunctionType(
            number_type(function.type.result),
            tuple(map(number_type, function.type.params)),
            function.type.variadic,
        )
        for var in function.params:  # a parameter in memory is written by the call
            if self._accesses.region(var) is not None:
                raise UnsupportedFeature(f"{function.coord}: the address of a parameter is taken")
        return replace(
            function,
            type=type_,
            params=params,
            locals=locals_,
            edges=tuple(self._edges),
            blocks={},
        )

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function, self._next - 1)

    def _to(self, here: Location, op: Operation, function: Function) -> Location:
        there = self._fresh()
        self._edges.append(Edge(here, op, there, function.coord))
        return there

    def _variable(self, var: Var) -> Var:
        self._made.setdefault(var)
        return var

    # --- operations -------------------------------------------------------------------------------

    def _operation(self, edge: Edge) -> None:
        """The edges that do what an edge does."""
        _Steps(self, edge).run()

    def temporary(self, lvalue: Lvalue) -> Var:
        """The variable that holds what was read from, or written to, a place in memory."""
        key = (self._function, lvalue)
        if key not in self._temporaries:
            name = f"{self._function}::read {len(self._temporaries)}"
            self._temporaries[key] = self._variable(Var(name, number_type(lvalue.type)))
        return self._temporaries[key]

    def anything(self, type_: Type) -> Var:
        """A variable of a function for any value."""
        name = f"{self._function}::any {len(self._made)}"
        return self._variable(Var(name, type_))

    def address(self, name: Var) -> Var:
        self._addresses.setdefault(name)
        return name

    def _address(self, value: int) -> Const:
        return make.const(value, self._number)


def _zero(type_: Type) -> Expr:
    if isinstance(type_, FloatType):
        return make.float_const(0.0, type_)
    assert isinstance(type_, IntType)
    return make.const(0, type_)


class _Steps:
    """One operation of the program as a chain of operations on scalars."""

    def __init__(self, whole: _Morphing, edge: Edge) -> None:
        self._whole = whole
        self._edge = edge
        self._accesses = whole._accesses
        self._ops: list[Operation] = []
        self._values: dict[Expr, Expr] = {}

    def run(self) -> None:
        self._do(self._edge.op)
        edge, whole = self._edge, self._whole
        for var, ghost in whole._cells.once.get(edge, ()):
            self._ops.append(Assume(make.equal(self._scalar(var), ghost)))
        ops = self._ops or [Skip()]
        here = edge.src
        for number, op in enumerate(ops, 1):
            there = edge.dst if number == len(ops) else whole._fresh()
            whole._edges.append(replace(edge, src=here, op=op, dst=there))
            here = there

    def _do(self, op: Operation) -> None:
        ops = self._ops
        match op:
            case Skip():
                pass
            case Assign(target, value) if is_scalar(target.type):
                new = self.value(value)
                self._bind()
                self._write(target, new)
            case Havoc(target, source, name) if is_scalar(target.type):
                self._havoc(target, source, name)
            case Assume(cond, promised):
                new = self.value(cond)
                self._bind()
                ops.append(Assume(new, promised))
            case Call():
                self._call(op)
            case Return(value):
                if value is not None and not is_scalar(value.type):
                    raise UnsupportedFeature(f"{self._edge.coord}: a record is returned")
                ops.append(Return(None if value is None else self.value(value)))
            case Alloc():
                self._alloc(op)
            case Free(pointer):
                self._free(pointer)
            case Error():
                flags = self._whole._cells.flags
                ops.append(Assume(make.conj(make.equal(flag, _ONE) for flag in flags)))
                ops.append(op)
            case Halt(text):
                ops.append(Halt(text, None))
            case Print(target):
                if target is not None:
                    self._havoc(target, Source.UNKNOWN, "printed")
            case Assign() | Havoc() | Fill() | Copy():
                self._forget()
            case _:
                assert_never(op)

    def _bind(self) -> None:
        """Remember whether ghosts are what they are bound to."""
        for binding in self._whole._cells.bindings.get(self._edge, ()):
            met = make.equal(binding.value, binding.ghost)
            if binding.sure is not TRUE:
                met = make.disj((make.negate(self.value(binding.sure)), met))
            self._ops.append(Assign(binding.flag, make.cast(met, _FLAG)))

    # --- values -----------------------------------------------------------------------------------

    def value(self, e: Expr) -> Expr:
        """The value of an expression; what it reads from memory is read before."""
        for term in evaluated(e):
            if term not in self._values:
                self._values[term] = self._step(term)
        return self._values[e]

    def _step(self, term: Expr) -> Expr:
        values = self._values
        match term:
            case Var() | Deref() | Field() | Index():
                return self._read(term)
            case Const(value, PointerType()):
                return self._whole._address(value)
            case Const() | FloatConst():
                return term
            case FunctionAddress(name, _):
                return self._whole.address(Var(f"&{name}()", self._accesses.number))
            case Unary(op, arg, _):
                return make.unary(op, values[arg])
            case Binary(op, left, right, _) if op.is_comparison:
                return make.compare(op, values[left], values[right])
            case Binary(op, left, right, _):
                return make.binary(op, values[left], values[right])
            case Cast(arg, type_):
                return make.cast(values[arg], number_type(type_))
            case PointerAdd(pointer, index, PointerType(target, _)):
                return self._sum(values[pointer], values[index], size_of(target))
            case PointerDiff(left, right, type_):
                assert isinstance(left.type, PointerType)
                size = make.const(max(1, size_of(left.type.target)), type_)
                difference = make.binary(Op.SUB, values[left], values[right])
                return make.binary(Op.DIV, make.cast(difference, type_), size)
            case AddressOf(target, _):
                return self._address_of(target)
            case ObjectSize(_, type_):
                return self._anything(type_)
            case ValidAccess() | ValidFree() | Initialised() | NoLeak():
                return make.not_equal(self._anything(_FLAG), _ZERO)
            case Ite(cond, then, other, _):
                return make.ite(values[cond], values[then], values[other])
            case Not(arg):
                return make.negate(values[arg])
            case And(args):
                return make.conj(values[arg] for arg in args)
            case Or(args):
                return make.disj(values[arg] for arg in args)
        assert_never(term)

    def _sum(self, pointer: Expr, index: Expr, size: int) -> Expr:
        number = self._accesses.number
        scaled = make.binary(Op.MUL, make.cast(index, number), make.const(size, number))
        return make.binary(Op.ADD, pointer, scaled)

    def _address_of(self, target: Lvalue) -> Expr:
        place = self._accesses.place(target)
        if place is None:
            return self._anything(self._accesses.number)
        if place.is_variable:
            self._whole.address(self._accesses.address_variable(place.base))
        return self._accesses.address(place, self._operand)

    def _operand(self, e: Expr) -> Expr:
        """The value of an operand of a place, which may be a part of a term that was not met."""
        return self.value(e)

    def _anything(self, type_: Type) -> Var:
        var = self._whole.anything(type_)
        self._ops.append(Havoc(var, Source.UNKNOWN, var.short))
        return var

    def _scalar(self, lvalue: Lvalue) -> Var:
        storage = self._whole._partition.storage(lvalue)
        assert isinstance(storage, Scalar)
        return self._whole._variable(Var(storage.var.name, number_type(storage.var.type)))

    def _read(self, lvalue: Lvalue) -> Expr:
        if not is_scalar(lvalue.type):
            raise UnsupportedFeature(f"{self._edge.coord}: a record is read as a whole")
        region = self._accesses.region(lvalue)
        type_ = number_type(lvalue.type)
        if region is None:
            var = self._scalar(lvalue)
            return make.cast(var, type_)
        temporary = self._whole.temporary(lvalue)
        if lvalue in self._whole._known:
            return temporary
        self._not_null(lvalue)
        self._ops.append(Havoc(temporary, Source.UNKNOWN, temporary.short))
        found: Expr = temporary
        for cell, hit in self._hits(lvalue, region):
            content = make.cast(cell.var, type_)
            found = make.ite(make.conj((hit.sure, hit.cond)), content, found)
        if found is not temporary:
            self._ops.append(Assign(temporary, found))
        self._said(lvalue, region, temporary)
        return temporary

    def _hits(self, lvalue: Lvalue, region: RegionId) -> list[tuple[Cell, Hit]]:
        """The cells that an access may be to."""
        found = []
        for cell in self._whole._cells.cells:
            if cell.region is region:
                hit = self._accesses.hit(lvalue, cell, self._operand)
                if hit.cond is not FALSE or hit.sure is not TRUE:
                    self._note_addresses(lvalue, cell)
                    found.append((cell, hit))
        return found

    def _note_addresses(self, lvalue: Lvalue, cell: Cell) -> None:
        for object_ in (cell.anchor,) if not isinstance(cell.anchor, Node) else ():
            if not isinstance(object_.object, Allocated):
                self._whole.address(object_.address)
        place = self._accesses.place(lvalue)
        if place is not None and place.is_variable:
            self._whole.address(self._accesses.address_variable(place.base))

    def _not_null(self, lvalue: Lvalue) -> None:
        """An access that does not fault is not at the null pointer, nor out of its array."""
        place = self._accesses.place(lvalue)
        if place is None or place.is_variable:
            return
        if not place.steps and self._accesses.starts(place.base) is not None:
            base = self._operand(place.base)
            self._ops.append(Assume(make.not_equal(base, self._whole._address(0))))

    def _said(self, lvalue: Lvalue, region: RegionId, temporary: Var) -> None:
        """A ghost address is read only where it was stored."""
        if not isinstance(lvalue.type, PointerType):
            return
        for node in self._whole._cells.nodes:
            flag = self._whole._stored.get((region, node.address))
            if flag is not None:
                other = make.not_equal(temporary, node.address)
                self._ops.append(Assume(make.disj((other, make.equal(flag, _ONE)))))

    # --- writes -----------------------------------------------------------------------------------

    def _write(self, target: Lvalue, value: Expr) -> None:
        region = self._accesses.region(target)
        if region is None:
            var = self._scalar(target)
            self._ops.append(Assign(var, make.cast(value, var.type)))
            return
        temporary = self._whole.temporary(target)
        self._place(target)
        self._not_null(target)
        self._ops.append(Assign(temporary, make.cast(value, temporary.type)))
        self._through(target, region, temporary)

    def _place(self, target: Lvalue) -> None:
        """Evaluate what leads to a place, before anything is written."""
        place = self._accesses.place(target)
        for part in () if place is None else (place.base, *(s.index for s in place.steps)):
            if place is not None and not (place.is_variable and part is place.base):
                self._operand(part)

    def _through(self, target: Lvalue, region: RegionId, temporary: Var) -> None:
        """Write what a temporary holds to the cells that it is written to."""
        for cell, hit in self._hits(target, region):
            content = make.cast(temporary, cell.var.type)
            new = make.ite(hit.cond, content, cell.var)
            if hit.sure is not TRUE:
                new = make.ite(hit.sure, new, self._anything(cell.var.type))
            self._ops.append(Assign(cell.var, new))
        for (stored, address), flag in self._whole._stored.items():
            if stored is region:
                same = make.equal(make.cast(temporary, address.type), address)
                self._ops.append(Assign(flag, make.ite(same, _ONE, flag)))

    def _havoc(self, target: Lvalue, source: Source, name: str) -> None:
        region = self._accesses.region(target)
        type_ = number_type(target.type)
        if region is None:
            var = self._scalar(target)
            self._ops.append(Havoc(var, source, name))
            self._outside(target, var)
            return
        temporary = self._whole.temporary(target)
        self._place(target)
        self._not_null(target)
        assert temporary.type is type_
        self._ops.append(Havoc(temporary, source, name))
        self._outside(target, temporary)
        self._through(target, region, temporary)

    def _outside(self, target: Lvalue, var: Var) -> None:
        """A pointer from outside is not that of an object of the program."""
        if isinstance(target.type, PointerType) and self._whole._apart:
            for node in self._whole._cells.nodes:
                self._ops.append(Assume(make.not_equal(var, node.address)))

    def _forget(self) -> None:
        """All that the operation writes may hold anything."""
        self._forget_slots(self._whole._facts.modref.effects(self._edge).writes)

    def _forget_slots(self, slots: Iterable[Slot]) -> None:
        for slot in sorted(slots, key=str):
            if isinstance(slot, Var):
                storage = Var(slot.name, number_type(slot.type))
                self._ops.append(Havoc(self._whole._variable(storage), Source.UNKNOWN, slot.short))
                continue
            for cell in self._whole._cells.cells:
                if cell.region is slot:
                    self._ops.append(Havoc(cell.var, Source.UNKNOWN, cell.var.name))
            for (stored, _), flag in self._whole._stored.items():
                if stored is slot:
                    self._ops.append(Assign(flag, _ONE))

    # --- calls and objects ------------------------------------------------------------------------

    def _call(self, op: Call) -> None:
        if not isinstance(op.callee, FunctionAddress):
            raise UnsupportedFeature(f"{self._edge.coord}: a function is called by a pointer")
        if any(not is_scalar(arg.type) for arg in op.args):
            raise UnsupportedFeature(f"{self._edge.coord}: an argument is a record")
        program = self._whole._program
        args = tuple(self.value(arg) for arg in op.args)
        self._bind()
        target = op.target
        if target is None:
            self._ops.append(Call(None, op.callee, args))
            return
        if not is_scalar(target.type):
            raise UnsupportedFeature(f"{self._edge.coord}: a record is returned")
        region = self._accesses.region(target)
        if region is None:
            self._ops.append(Call(self._scalar(target), op.callee, args))
            return
        temporary = self._whole.temporary(target)
        self._ops.append(Call(temporary, op.callee, args))
        effects = self._whole._facts.modref
        moves = effects.slots.of_address(target)
        if op.callee.name not in program.functions or moves.isdisjoint(
            effects.writes(op.callee.name)
        ):
            self._values.clear()
            self._place(target)
            self._through(target, region, temporary)
        else:
            self._forget_slots(effects.slots.of_target(target))

    def _alloc(self, op: Alloc) -> None:
        """A fresh object: if it is a distinguished one, its cells hold anything or zero."""
        whole = self._whole
        self.value(op.size)
        fresh = self._anything(self._accesses.number)
        self._ops.append(Assume(make.not_equal(fresh, whole._address(0))))
        mine = Allocated(self._edge)
        for node in whole._cells.nodes:
            same = make.equal(fresh, node.address)
            if mine not in node.objects:
                continue
            live = whole._live(node)
            if op.kind is AllocKind.HEAP:
                self._ops.append(Assume(make.disj((make.negate(same), make.equal(live, _ZERO)))))
                self._ops.append(Assign(live, make.ite(same, _ONE, live)))
        for cell in whole._cells.cells:
            if mine not in cell.objects:
                continue
            begin = _zero(cell.var.type) if op.zeroed else self._anything(cell.var.type)
            if isinstance(cell.anchor, Node):
                same = make.equal(fresh, cell.anchor.address)
                self._ops.append(Assign(cell.var, make.ite(same, begin, cell.var)))
            else:
                self._ops.append(Assign(cell.anchor.address, fresh))
                self._ops.append(Assign(cell.var, begin))
        self._write(op.target, fresh)

    def _free(self, pointer: Expr) -> None:
        value = self.value(pointer)
        for node in self._whole._cells.nodes:
            live = self._whole._live(node)
            same = make.equal(value, node.address)
            self._ops.append(Assign(live, make.ite(same, _ZERO, live)))


__all__ = ["Callable", "InRegion", "VoidType", "morphed", "reads_of"]
