"""Cells of small arrays as variables that can be followed: `flag[1]`, `thread[0].state`.

A cell is a number in an array that is a variable, at a constant offset. Where an index is no
constant, a transition has a case for each value of the index; which of them a run takes, its value
in a state tells.

Soundness duty: two cells are different bytes, and a write that is to no known cell loses all cells
of its memory region. The cases of a transition have all of its runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...analysis.effects import Slot
from ...analysis.facts import ProgramFacts
from ...analysis.memory.partition import NOTHING, InRegion
from ...errors import InternalError
from ...ir import make
from ...ir.cfa import Global, Program
from ...ir.def_use import op_reads, op_target
from ...ir.expr import AddressOf, And, Const, Expr, Field, Index, Ite, Lvalue, Or, Var
from ...ir.ops import Assign, Assume, Havoc, Operation
from ...ir.types import ArrayType, IntType, PointerType, RecordType, Type, is_scalar
from ...ir.walk import as_lvalue, children, root_of, substitute
from ...records import replace
from .function_codes import FunctionCodes, is_function_pointer

_MOST_CELLS = 64  # of a variable
_LONGEST = 16  # elements of an array
_MOST_VARIABLES = 100  # that have cells


class ArrayCells:
    """The cells of the arrays that a program indexes."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._facts = facts
        self._program = facts.program
        self._at: dict[tuple[Var, int], Var] = {}
        self._known: dict[Lvalue, Var | None] = {}
        self.codes = FunctionCodes()
        self._initial: dict[Var, Expr] | None = None
        self.lvalues: dict[Var, Lvalue] = {}
        """The cells, with their lvalues."""
        self.regions: dict[Slot, tuple[Var, ...]] = {}
        self._of_root: dict[Var, tuple[Var, ...]] = {}
        self._shapes: dict[Var, str] = {}
        for root in _indexed(self._program):
            if len(self._of_root) < _MOST_VARIABLES:
                self._expand(root)

    def _expand(self, root: Var) -> None:
        """Find the cells of a variable; none if they are many."""
        found: list[tuple[Lvalue, str, str, InRegion]] = []
        todo: list[tuple[Lvalue, str, str]] = [(root, root.name, root.name)]
        while todo:
            lvalue, name, shape = todo.pop()
            match lvalue.type:
                case ArrayType(element, length):
                    if length > _LONGEST or len(found) + len(todo) + length > _MOST_CELLS:
                        return
                    for number in range(length):
                        at = Index(lvalue, make.const(number, IntType(64, True)), element)
                        todo.append((at, f"{name}[{number}]", f"{shape}[]"))
                case RecordType(tag):
                    for member in self._program.records[tag].members:
                        if not member.bitfield:
                            at_member = Field(lvalue, member.name, member.type)
                            more = f".{member.name}"
                            todo.append((at_member, name + more, shape + more))
                case IntType() | PointerType() as type_ if _has_cells(type_):
                    storage = self._storage(lvalue)
                    if storage is not None:
                        found.append((lvalue, name, shape, storage))
        cells: dict[Var, None] = {}
        for lvalue, name, shape, storage in reversed(found):
            key = root, self._offset(lvalue)
            cell = self._at.get(key)
            if cell is None:  # members of a union are the same cell
                cell = self._at[key] = self.codes.of(Var(name, lvalue.type))
                self.lvalues[cell] = lvalue
                self._shapes[cell] = shape
                self.regions[storage.region] = (*self.regions.get(storage.region, ()), cell)
            cells[cell] = None
        self._of_root[root] = tuple(cells)

    def _storage(self, lvalue: Lvalue) -> InRegion | None:
        """Where a number is kept, if all that may touch it are accesses to whole cells like it."""
        partition = self._facts.partition
        try:
            storage = partition.storage(lvalue)
        except InternalError:  # it is not accessed, and lies across what is
            return None
        if not isinstance(storage, InRegion) or storage.region is NOTHING:
            return None
        region = partition.region(storage.region)
        unit = region.unit
        pointers = isinstance(unit, PointerType) and isinstance(lvalue.type, PointerType)
        whole = unit is lvalue.type or pointers
        return storage if whole and not region.unknown else None

    def _offset(self, lvalue: Lvalue) -> int:
        return self._facts.points_to.access_paths.accessed(lvalue).displacement.constant

    def cell(self, lvalue: Lvalue) -> Var | None:
        """The cell that an lvalue is, if it is one."""
        if lvalue not in self._known:
            self._known[lvalue] = self._find(lvalue)
        return self._known[lvalue]

    def _find(self, lvalue: Lvalue) -> Var | None:
        root = root_of(lvalue)
        if not isinstance(root, Var) or root not in self._of_root or not is_scalar(lvalue.type):
            return None
        if not all(_is_inside(part) for part in _parts(lvalue)):
            return None
        path = self._facts.points_to.access_paths.accessed(lvalue)
        cell = self._at.get((root, path.displacement.constant))
        if path.bitfield or path.displacement.spreads or cell is None:
            return None
        return cell if self.lvalues[cell].type is lvalue.type else None

    def affected(self, slots: Iterable[Slot], target: Lvalue | None) -> Iterator[Var]:
        """The cells that a write of these slots may change, to an lvalue if there is one: what is
        part of a variable stays in it."""
        root = None if target is None else root_of(target)
        for slot in slots:
            for cell in self.regions.get(slot, ()):
                if not isinstance(root, Var) or self._root(cell) is root:
                    yield cell

    def alike(self, cells: Iterable[Var]) -> Iterator[Var]:
        """The cells at the same places of the elements of the same arrays."""
        shapes = {self._shapes[cell] for cell in cells if cell in self._shapes}
        for root in {self._root(cell) for cell in cells if cell in self._shapes}:
            yield from (one for one in self._of_root[root] if self._shapes[one] in shapes)

    def _root(self, cell: Var) -> Var:
        root = root_of(self.lvalues[cell])
        assert isinstance(root, Var)
        return root

    def initial(self) -> Mapping[Var, Expr]:
        """What cells, and pointers to functions, hold where runs begin."""
        if self._initial is None:
            self._initial = {}
            for item in self._program.globals:
                if not item.external:
                    self._initial.update(self._of_global(item))
        return self._initial

    def _of_global(self, item: Global) -> dict[Var, Expr]:
        slots = self._facts.modref.slots
        own = self._of_root.get(item.var, ())
        pointers = {
            slot: self.codes.of(slot)
            for slot in slots.of_target(item.var)
            if isinstance(slot, Var) and is_function_pointer(slot.type)
        }
        values: dict[Var, Expr] = {
            var: make.const(0, _int_type(var)) for var in (*own, *pointers.values())
        }
        for assign in item.init if values else ():
            target = assign.target
            cell = self.cell(target) if is_scalar(target.type) else None
            written = [pointers[slot] for slot in slots.of_target(target) if slot in pointers]
            if cell is not None:
                written.append(cell)
            elif not is_scalar(target.type) or self._is_in_region(target, own):
                written += own
            for var in written:
                values.pop(var, None)
            value = self._value(assign.value)
            if len(written) == 1 and value is not None and value.type is written[0].type:
                values[written[0]] = value
        return values

    def _value(self, e: Expr) -> Expr | None:
        """The number that a constant is for a variable that is followed."""
        if is_function_pointer(e.type):
            return self.codes.number(e)
        return e if isinstance(e, Const) else None

    def _is_in_region(self, lvalue: Lvalue, cells: Iterable[Var]) -> bool:
        slots = self._facts.modref.slots.of_target(lvalue)
        return any(cell in self.regions.get(slot, ()) for slot in slots for cell in cells)

    def copied(self, op: Operation) -> tuple[Operation, ...]:
        """A copy of a record as copies of its numbers and pointers, where both are places that are
        known; else the operation itself."""
        if not (isinstance(op, Assign) and isinstance(op.target.type, RecordType)):
            return (op,)
        source = op.value
        if not (isinstance(source, Lvalue) and _is_known(op.target) and _is_known(source)):
            return (op,)
        leaves, values = (self._facts.partition.leaves(one) for one in (op.target, source))
        if leaves is None or values is None:
            return (op,)
        return tuple(Assign(at, value) for at, value in zip(leaves, values, strict=True))

    # --- indices that are no constants ------------------------------------------------------------

    def open_index(self, op: Operation, followed: Callable[[Var], bool]) -> Index | None:
        """An index of an operation that is no constant, in an array of which cells are followed."""
        for term in _accessed(op):
            if isinstance(term, Index) and not isinstance(term.index, Const):
                root = root_of(term)
                if isinstance(root, Var) and any(map(followed, self._of_root.get(root, ()))):
                    return term
        return None

    def all_of(self, op: Operation) -> tuple[Var, ...]:
        """All cells of an array that the operation indexes with what is no constant."""
        index = self.open_index(op, lambda cell: True)
        root = root_of(index) if index is not None else None
        return self._of_root[root] if isinstance(root, Var) else ()


def cases_of_index(op: Operation, index: Index) -> list[tuple[Operation, ...]]:
    """The operation for each number that an index may be; an access beyond the end of a variable
    has no successor state."""
    array = index.base.type
    assert isinstance(array, ArrayType)
    type_ = index.index.type
    found: list[tuple[Operation, ...]] = []
    beyond: list[Expr] = []
    for number in range(array.length):
        if not isinstance(type_, IntType) or not type_.low <= number <= type_.high:
            continue
        here = make.equal(index.index, make.const(number, type_))
        at = Index(index.base, make.const(number, type_), index.type)
        found.append((Assume(here), _with(op, index, at)))
        beyond.append(make.negate(here))
    if not (isinstance(index.base, Var) and _is_evaluated(op, index)):
        found.append((*map(Assume, beyond), op))
    return found


def with_index(op: Operation, index: Index, value: Expr) -> Operation:
    """The operation with a constant for an index; the same one if the array is shorter."""
    array = index.base.type
    assert isinstance(value, Const) and isinstance(array, ArrayType)
    if not 0 <= value.value < array.length:
        return op
    return _with(op, index, Index(index.base, value, index.type))


def _with(op: Operation, index: Index, at: Index) -> Operation:
    match op:
        case Assign(target, value):
            new: dict[Expr, Expr] = {index: at}
            return Assign(as_lvalue(substitute(target, new)), substitute(value, new))
        case Havoc(target):
            return replace(op, target=as_lvalue(substitute(target, {index: at})))
        case Assume(cond, promised):
            return Assume(substitute(cond, {index: at}), promised)
    raise InternalError(f"a {type(op).__name__} has no cases")


def _accessed(op: Operation) -> Iterator[Expr]:
    """The subterms of an operation of a kind that can have cases."""
    match op:
        case Assign(target, value):
            yield from _below((target, value))
        case Havoc(target) if is_scalar(target.type):
            yield from _below((target,))
        case Assume(cond):
            yield from _below((cond,))


def _below(roots: Iterable[Expr]) -> Iterator[Expr]:
    seen: dict[Expr, None] = dict.fromkeys(roots)
    todo = list(seen)
    while todo:
        term = todo.pop()
        yield term
        for child in children(term) if not isinstance(term, AddressOf) else ():
            if child not in seen:
                seen[child] = None
                todo.append(child)


def _is_evaluated(op: Operation, index: Index) -> bool:
    """Is the access certainly made: is it not part of what a condition guards, and not only named
    for its address?"""
    seen: set[Expr] = set()
    todo: list[Expr] = []
    match op:
        case Assign(target, value):
            todo = [target, value]
        case Havoc(target):
            todo = [target]
        case Assume(cond):
            todo = [cond]
    while todo:
        term = todo.pop()
        if term is index:
            return True
        if term in seen or isinstance(term, And | Or | Ite | AddressOf):
            continue
        seen.add(term)
        todo += children(term)
    return False


def _indexed(program: Program) -> Iterator[Var]:
    """The variables whose elements the program names."""
    seen: set[Expr] = set()
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            for lvalue in (*op_reads(edge.op), *(() if target is None else (target,))):
                root = root_of(lvalue)
                if lvalue in seen or root in seen:
                    continue
                seen.add(lvalue)
                if isinstance(root, Var) and any(isinstance(p, Index) for p in _parts(lvalue)):
                    seen.add(root)
                    yield root


def _parts(lvalue: Lvalue) -> Iterator[Lvalue]:
    while isinstance(lvalue, Field | Index):
        yield lvalue
        lvalue = lvalue.base


def _is_known(lvalue: Lvalue) -> bool:
    """Is it a variable or a part of one, whatever the state is?"""
    return isinstance(root_of(lvalue), Var) and all(map(_is_inside, _parts(lvalue)))


def _is_inside(part: Lvalue) -> bool:
    """Is it no element, or one that the array has?"""
    if not isinstance(part, Index):
        return True
    array, index = part.base.type, part.index
    if not isinstance(array, ArrayType) or not isinstance(index, Const):
        return False
    return 0 <= index.value < array.length


def _has_cells(type_: Type) -> bool:
    return isinstance(type_, IntType) or is_function_pointer(type_)


def _int_type(var: Var) -> IntType:
    assert isinstance(var.type, IntType)
    return var.type
