"""Which cells of memory are distinguished: those that errors are about, and those they come from.

The variables that lead to a read on which an error depends directly get ghosts: an index, or the
address of a node. The read's place, in terms of ghosts, is a cell. A write to a cell of what was
read elsewhere makes that a cell too, if its place is an expression over the same ghosts: `b[i] =
a[n - 1 - i]` leads from b[k] to a[n - 1 - k]. All fields of a node are cells, and all places that
are the same in the whole run.

No soundness duty but one: `Cells.once` has only edges that a run comes to at most once, and
`Cells.bounds` only what holds of a ghost at each of its bindings (and of some value, if there is
none).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import Const, Expr, Lvalue, Var
from ...ir.linear_forms import normal, solved
from ...ir.ops import Assign, Havoc
from ...ir.types import IntType, PointerType, is_scalar, size_of
from ...ir.walk import reads, substitute, variables
from ...records import replace
from ..facts import ProgramFacts
from ..points_to.objects import Object
from .cell_names import cell_name
from .distinguished import (
    Anchor,
    Binding,
    Cell,
    Cells,
    Node,
    Single,
    number_type,
    ranges_of,
    within,
)
from .error_conditions import ErrorCondition, error_conditions
from .ghost_bounds import GhostBounds
from .memory_accesses import MemoryAccesses, definitions, edges_of, memory_reads, memory_write
from .places import Place, core, unwidened, wide
from .reducers import summed_up

_MOST_CELLS = 14
_MOST_GHOSTS = 6
_MOST_SUMMED = 3
_FLAG = IntType(32, True)


class Chooser:
    """Chooses cells for one program."""

    def __init__(self, facts: ProgramFacts, accesses: MemoryAccesses) -> None:
        self._facts = facts
        self._accesses = accesses
        self.cells: dict[tuple[object, ...], Cell] = {}
        self.ghosts: dict[Expr, Var] = {}  # of variables of the program
        self.flags: dict[Var, Var] = {}
        self.constants: dict[Expr, Expr] = {}
        self._definitions = definitions(facts)
        self._bindings: dict[Edge, dict[Var, Binding]] = {}
        self._lengths: dict[tuple[Edge, Var], set[int]] = {}
        self._once: dict[Edge, dict[tuple[Var, Var], None]] = {}
        self._nodes: dict[Var, Node] = {}
        self._singles: dict[Object, Single] = {}
        self._shifted: set[Cell] = set()  # sources of other elements of their arrays
        self.conditions: list[ErrorCondition] = []
        self.has_summed = False

    def choose(self, *, summed: bool = False) -> Cells:
        """The cells; none if no error depends on memory. If asked for, also any element of what is
        `summed` up, not bound, as no last read of one decides about an error."""
        self.conditions = error_conditions(self._accesses)
        for condition in self.conditions:
            for edge, lvalue in condition.reads:
                self._distinguish(edge, lvalue)
        for edge, lvalue in list(summed_up(self._accesses))[:_MOST_SUMMED] if summed else ():
            self.has_summed = True
            self._distinguish(edge, lvalue, bind=False)
        if self.cells:
            self._add_fields()
            self._add_single_writes()
            self._add_sources()
            self._add_constant_places()
        return Cells(
            tuple(self.cells.values()),
            {edge: tuple(bindings.values()) for edge, bindings in self._bindings.items()},
            {edge: tuple(pairs) for edge, pairs in self._once.items()},
            tuple(dict.fromkeys(self.ghosts.values())),
            tuple(self.flags.values()),
            tuple(self._nodes.values()),
            tuple(self._singles.values()),
            tuple(GhostBounds(self._facts, self.ghosts, self._bindings, self._lengths).all()),
        )

    # --- ghosts -----------------------------------------------------------------------------------

    def _distinguish(self, edge: Edge, lvalue: Lvalue, *, bind: bool = True) -> None:
        """Make the place of a read a cell, and bind its ghosts there, unless told otherwise."""
        region, place = self._accesses.region(lvalue), self._accesses.place(lvalue)
        if region is None or place is None or self._accesses.unit(region) is None:
            return
        indices = [step.index for step in place.steps]
        if any(not isinstance(read, Var) for index in indices for read in self._memory(index)):
            return
        anchored = self._accesses.anchor(lvalue)
        if anchored is None:
            return
        strides = tuple(step.stride for step in place.steps)
        ranges = ranges_of(place, strides, tuple(indices), self._accesses.bits)
        if ranges is None:
            return
        bound: dict[Var, Var] = {}
        mapping: dict[Expr, Expr] = {}
        for var in dict.fromkeys(v for index in indices for v in variables(index)):
            if not is_scalar(var.type) or self._accesses.region(var) is not None:
                return
            mapping[var] = self._ghost_of(var, bound)
        if isinstance(anchored, Single):
            self._singles.setdefault(anchored.object, anchored)
            anchor: Anchor = anchored
        else:
            base = place.base
            if not isinstance(base, Var) or self._accesses.region(base) is not None:
                return
            address = self._ghost_of(base, bound, pointer=True)
            assert isinstance(address, Var)
            known = self._nodes.get(address)
            objects = anchored | (known.objects if known else frozenset())
            anchor = self._nodes[address] = Node(objects, address)
            for key, cell in list(self.cells.items()):  # the node has become more
                if isinstance(cell.anchor, Node) and cell.anchor.address is address:
                    self.cells[key] = replace(cell, anchor=anchor)
        if len(set(self.ghosts.values())) > _MOST_GHOSTS:
            return
        here = self._bindings.setdefault(edge, {}) if bind else {}
        for var, ghost in bound.items() if bind else ():
            self._lengths.setdefault((edge, ghost), set()).update(self._length(place, var, ranges))
            number = Var(var.name, number_type(var.type))
            sure = within(ranges)
            if ghost in here:
                sure = make.conj((here[ghost].sure, sure))
            here[ghost] = Binding(number, ghost, self.flags[ghost], sure)
        self._add(lvalue, anchor, place, mapping)

    def _ghost_of(self, var: Var, bound: dict[Var, Var], pointer: bool = False) -> Expr:
        """The ghost of a variable; or its value, if that is always the same constant."""
        defining = self._definitions.get(var, ())
        if not pointer and len(defining) == 1 and var not in self._entered():
            (edge,) = defining
            if isinstance(edge.op, Assign) and isinstance(edge.op.value, Const):
                self.constants[var] = edge.op.value
                return edge.op.value
            if self._accesses.once.location(edge.src) and isinstance(edge.op, Assign | Havoc):
                ghost = self._ghost(var, f"the {var.short}")
                self._once.setdefault(edge, {})[var, ghost] = None
                return ghost
        ghost = self._ghost(var)
        if ghost not in self.flags:
            self.flags[ghost] = Var(f"met {ghost.name}", _FLAG)
        bound[var] = ghost
        return ghost

    def _ghost(self, var: Var, name: str = "") -> Var:
        if var not in self.ghosts:
            is_node = isinstance(var.type, PointerType)
            kind = "any node" if is_node else "any k"
            known = [g for g in self.ghosts.values() if g.name.startswith(kind)]
            name = name or kind + (str(len(known) + 1) if known else "")
            self.ghosts[var] = Var(self._free(name), number_type(var.type))
        return self.ghosts[var]

    def _free(self, name: str) -> str:
        """A name that no ghost or cell has; no variable has one with a blank or a bracket."""
        taken = {cell.var.name for cell in self.cells.values()}
        taken.update(ghost.name for ghost in self.ghosts.values())
        while name in taken:
            name += "'"
        return name

    def _entered(self) -> set[Var]:
        """Variables that have a value without any assignment."""
        found = {g.var for g in self._facts.program.globals}
        for function in self._facts.program.functions.values():
            found.update(function.params)
        return found

    def _length(self, place: Place, var: Var, ranges: list[tuple[Expr, int]]) -> Iterator[int]:
        """How many values an index has that is a variable itself, if the access is sure and does
        not fault: those of its range, or those inside of an array with a name."""
        for index, length in ranges:
            if core(index) is var and index is wide(var):
                yield length
        if place.direct and place.is_variable and len(place.steps) == 1:
            (step,) = place.steps
            whole = size_of(place.base.type)
            if step.index is wide(var) and 0 <= place.offset < step.stride:
                yield whole // step.stride

    # --- cells ------------------------------------------------------------------------------------

    def _add(
        self, lvalue: Lvalue, anchor: Anchor, place: Place, mapping: Mapping[Expr, Expr]
    ) -> Cell | None:
        """The cell of a place, with ghosts for variables."""
        region = self._accesses.region(lvalue)
        unit = None if region is None else self._accesses.unit(region)
        if region is None or unit is None or not is_scalar(unit):
            return None
        index = tuple(_in_ghosts(step.index, mapping) for step in place.steps)
        strides = tuple(step.stride for step in place.steps)
        if len(set(strides)) != len(strides):
            return None
        key = (region, anchor.address, index, strides, place.offset)
        if key not in self.cells:
            if len(self.cells) >= _MOST_CELLS:
                return None
            var = Var(self._free(cell_name(lvalue, index, place, anchor)), unit)
            self.cells[key] = Cell(var, region, anchor, index, strides, place.offset)
        return self.cells[key]

    def _add_fields(self) -> None:
        """All that is accessed by pointers to the first byte of a distinguished node."""
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            for lvalue in (*memory_reads(self._accesses, edge), *((target,) if target else ())):
                place, objects = self._accesses.place(lvalue), self._accesses.objects(lvalue)
                if place is None or place.is_variable or place.steps:
                    continue
                for node in list(self._nodes.values()):
                    starts = self._accesses.starts(place.base)
                    if starts is not None and not objects.isdisjoint(node.objects):
                        self._add(lvalue, node, place, {})

    def _add_single_writes(self) -> None:
        """Elements of distinguished arrays that are written outside of loops, `a[pos] = 1`."""
        regions = {cell.region for cell in self.cells.values()}
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            place = None if target is None else self._accesses.place(target)
            if target is None or place is None or self._accesses.region(target) not in regions:
                continue
            anchor = self._accesses.anchor(target)
            indices = dict.fromkeys(v for step in place.steps for v in variables(step.index))
            single = [v for v in indices if isinstance(v, Var) and self._is_given_once(v)]
            known = isinstance(anchor, Single) and 0 < len(single) == len(indices)
            if known and isinstance(anchor, Single) and self._accesses.once.location(edge.src):
                self._singles.setdefault(anchor.object, anchor)
                mapping: dict[Expr, Expr] = {var: self._ghost_of(var, {}) for var in single}
                self._add(target, anchor, place, mapping)

    def _is_given_once(self, var: Var) -> bool:
        """Does one edge alone give the variable a value, at most once?"""
        defining = self._definitions.get(var, ())
        return (
            len(defining) == 1
            and var not in self._entered()
            and self._accesses.region(var) is None
            and isinstance(defining[0].op, Assign | Havoc)
            and self._accesses.once.location(defining[0].src)
        )

    def _add_sources(self) -> None:
        """The cells from which values come to cells."""
        for _ in range(3):
            before = len(self.cells)
            for edge in edges_of(self._facts.program):
                target = memory_write(self._accesses, edge)
                if target is None or not isinstance(edge.op, Assign):
                    continue
                for cell in list(self.cells.values()):
                    mapping = self.solution(target, cell)
                    for lvalue in self._memory(edge.op.value) if mapping is not None else ():
                        shifted = self._is_shifted(target, lvalue)
                        if mapping is None or (shifted and cell in self._shifted):
                            continue  # a[k + 1] of a[k], but not all those behind it
                        known = len(self.cells)
                        source = self.mapped(lvalue, mapping, extend=True)
                        if shifted and source is not None and len(self.cells) > known:
                            self._shifted.add(source)
            if len(self.cells) == before:
                break

    def _is_shifted(self, target: Lvalue, source: Lvalue) -> bool:
        """Is an element moved inside of its array?"""
        one, other = (self._accesses.region(lvalue) for lvalue in (target, source))
        return one is other and self._accesses.anchor(target) == self._accesses.anchor(source)

    def _add_constant_places(self) -> None:
        """Places that are the same in the whole run: variables whose address is taken, and members
        of objects of which there is one."""
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            for lvalue in (*memory_reads(self._accesses, edge), *((target,) if target else ())):
                place = self._accesses.place(lvalue)
                if place is None or place.steps:
                    continue
                anchor = self._accesses.anchor(lvalue)
                if isinstance(anchor, Single):
                    base = place.base
                    if not place.is_variable and self._accesses.starts(base) is None:
                        continue
                    self._singles.setdefault(anchor.object, anchor)
                    self._add(lvalue, anchor, place, {})

    def _memory(self, value: Expr) -> list[Lvalue]:
        return [lvalue for lvalue in reads(value) if self._accesses.region(lvalue) is not None]

    # --- what is known where a cell is accessed ---------------------------------------------------

    def solution(self, lvalue: Lvalue, cell: Cell) -> dict[Expr, Expr] | None:
        """Values of variables with which an access is to a cell: a mapping from variables to
        expressions over ghosts; None if none is seen."""
        place = self._accesses.place(lvalue)
        if place is None or self._accesses.region(lvalue) is not cell.region:
            return None
        if self._accesses.objects(lvalue).isdisjoint(cell.objects):
            return None
        mapping: dict[Expr, Expr] = {**self.constants}
        mapping.update({v: g for v, g in self.ghosts.items() if g not in self.flags})
        named = isinstance(place.base, Var) and not place.is_variable
        if isinstance(cell.anchor, Node) and named:
            mapping[place.base] = cell.anchor.address
        if place.offset != cell.offset or len(place.steps) != len(cell.index):
            return mapping if not place.steps and not cell.index else None
        for step, index in zip(place.steps, cell.index, strict=True):
            given, wanted = core(step.index), core(index)
            if wanted.type is not given.type:
                given, wanted = step.index, index
            unknown = [v for v in variables(given) if v not in mapping]
            if not unknown:
                continue
            if len(unknown) > 1:
                return None
            found = solved(_ghostly(given, mapping), unknown[0], wanted)
            if found is None:
                return None
            mapping[unknown[0]] = found
        return mapping

    def is_flag(self, name: str) -> bool:
        """Does the program only ever assign constants to the variable?"""
        return any(
            var.name == name
            and all(isinstance(e.op, Assign) and isinstance(e.op.value, Const) for e in edges)
            for var, edges in self._definitions.items()
        )

    def copied(self, var: Var) -> Expr | None:
        """What a temporary of the front end holds, as an expression of the program."""
        if not var.short.startswith("tmp."):
            return None
        for known, edges in self._definitions.items():
            if known.name == var.name and len(edges) == 1:
                op = edges[0].op
                return op.value if isinstance(op, Assign) and not self._memory(op.value) else None
        return None

    def mapped(
        self, lvalue: Lvalue, mapping: Mapping[Expr, Expr], extend: bool = False
    ) -> Cell | None:
        """The cell that an access is to, under these values of variables; it becomes one if that
        is asked for and possible."""
        place, region = self._accesses.place(lvalue), self._accesses.region(lvalue)
        anchored = self._accesses.anchor(lvalue)
        if place is None or region is None or anchored is None:
            return None
        if isinstance(anchored, Single):
            anchor: Anchor = anchored
        else:
            address = mapping.get(place.base)
            if not isinstance(address, Var) or address not in self._nodes:
                return None
            anchor = self._nodes[address]
        known = {v for step in place.steps for v in variables(step.index)}
        if not known <= set(mapping):
            return None
        index = tuple(_in_ghosts(step.index, mapping) for step in place.steps)
        strides = tuple(step.stride for step in place.steps)
        found = self.cells.get((region, anchor.address, index, strides, place.offset))
        if found is None and extend:
            if isinstance(anchor, Single):
                self._singles.setdefault(anchor.object, anchor)
            found = self._add(lvalue, anchor, place, mapping)
        return found


def _ghostly(e: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    used: dict[Expr, Expr] = {
        v: mapping[v] for v in variables(e) if v in mapping and mapping[v].type is v.type
    }
    return substitute(e, used)


def _in_ghosts(index: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """An index over ghosts, equal ones as the same expression."""
    return wide(normal(unwidened(_ghostly(index, mapping))))
