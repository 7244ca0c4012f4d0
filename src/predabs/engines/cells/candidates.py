"""Candidates for invariants about distinguished cells: clauses of positions and values.

Invariants of loops over arrays and lists have the form 'not reached yet, or what is wanted holds':
`i <= k || a[k] == 42`. What may be wanted comes from the conditions of errors and of branches, from
what is written to cells, and from weakest preconditions of these writes; positions compare indices
with ghosts, and pointers with the addresses of nodes.

No soundness duty: candidates may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...analysis.cells.choice import Chooser
from ...analysis.cells.distinguished import Cell, Cells, Node, number_type
from ...analysis.cells.linear import equation, normal
from ...analysis.cells.memory_accesses import (
    MemoryAccesses,
    edges_of,
    memory_reads,
    memory_write,
)
from ...analysis.cells.places import WIDE, wide
from ...analysis.facts import ProgramFacts
from ...analysis.memory.partition import Scalar
from ...ir import make
from ...ir.expr import (
    FALSE,
    TRUE,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Index,
    Ite,
    Lvalue,
    Not,
    Op,
    Or,
    Unary,
    Var,
)
from ...ir.ops import Assign, Assume
from ...ir.types import IntType, PointerType, is_scalar
from ...ir.walk import children, fold, reads, rebuild, substitute, subterms, variables

_MOST_VALUES = 40
_ROUNDS = 3
_MOST_ORDERED = 6  # variables
_FLAG = IntType(32, True)


class Candidates:
    """The parts of clauses: `values` and `positions`, conditions of the scalar program."""

    def __init__(
        self, facts: ProgramFacts, accesses: MemoryAccesses, chooser: Chooser, cells: Cells
    ) -> None:
        self._facts = facts
        self._accesses = accesses
        self._chooser = chooser
        self._cells = cells
        self.values: dict[Expr, None] = {}
        self.positions: dict[Expr, None] = {}
        self.alone: dict[Expr, None] = {}  # what may hold without any position
        self._equal: dict[tuple[Expr, Expr], None] = {}  # indices that are told apart
        self._find_values()
        self._find_positions()

    # --- values -----------------------------------------------------------------------------------

    def _find_values(self) -> None:
        ghosts: dict[Expr, Expr] = {**self._chooser.constants, **self._chooser.ghosts}
        for condition in self._chooser.conditions:
            parts = [self._said(part, ghosts) for part in condition.parts]
            known = [part for part in parts if part is not None]
            about = [part for part in known if self._has_cell(part)]
            if not about:
                continue
            self._value(make.disj(map(make.negate, about)))
            if len(known) <= 5 and any(not _is_bound(part) for part in known if part not in about):
                self._value(make.disj(map(make.negate, known)))
            for part in about:
                for atom in _atoms(part):
                    self._value(make.negate(atom) if part is atom or len(about) > 1 else atom)
                    if part is not atom:
                        self._value(make.negate(atom))
        wanted = list(self.values)
        writes = list(self._writes())
        for cell, value in writes:
            if isinstance(cell.var.type, IntType):
                self._value(_balanced(make.equal(cell.var, value)))
        self._find_conditions(writes)
        for _ in range(_ROUNDS):
            new = []
            for value in wanted:
                for cell, written in writes:
                    if cell.var in variables(value):
                        before = _balanced(substitute(value, {cell.var: written}))
                        if before not in self.values and self._value(before):
                            new.append(before)
            wanted = new
        for edge in edges_of(self._facts.program):
            if isinstance(edge.op, Assume):
                self._branch(edge.op.cond)
                for atom in _atoms(edge.op.cond):
                    said = self._said(atom, {})
                    if said is not None:
                        self.alone[said] = self.alone[make.negate(said)] = None
        self._align()
        for var, ghost in self._chooser.ghosts.items():
            if ghost not in self._chooser.flags and isinstance(var, Var):
                self.alone[make.equal(Var(var.name, ghost.type), ghost)] = None

    def _find_conditions(self, writes: list[tuple[Cell, Expr]]) -> None:
        """What conditions say of a variable that is written to a cell, said of the cell."""
        tested: dict[Var, dict[Expr, None]] = {}
        for edge in edges_of(self._facts.program):
            for atom in _atoms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                said = self._said(atom, {})
                if said is not None:
                    for var in variables(said):
                        tested.setdefault(var, {})[said] = None
        for cell, value in writes:
            if isinstance(value, Var) and value.type is cell.var.type:
                for said in tested.get(value, ()):
                    atom = substitute(said, {value: cell.var})
                    self._value(atom)
                    self._value(make.negate(atom))

    def _value(self, value: Expr) -> bool:
        if value in (TRUE, FALSE) or len(self.values) >= _MOST_VALUES:
            return False
        self.values[value] = None
        return True

    def _has_cell(self, e: Expr) -> bool:
        cells = {cell.var for cell in self._cells.cells}
        return any(var in cells for var in variables(e))

    def _writes(self) -> Iterator[tuple[Cell, Expr]]:
        """What is written to cells, in terms of cells and ghosts."""
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            if target is None or not isinstance(edge.op, Assign):
                continue
            for cell in self._cells.cells:
                mapping = self._chooser.solution(target, cell)
                if mapping is not None:
                    value = self._said(edge.op.value, mapping)
                    if value is not None and value is not cell.var:
                        yield cell, make.cast(value, cell.var.type)

    def _branch(self, cond: Expr) -> None:
        """What a condition says about cells."""
        for lvalue in reads(cond):
            if self._accesses.region(lvalue) is None:
                continue
            for cell in self._cells.cells:
                mapping = self._chooser.solution(lvalue, cell)
                said = None if mapping is None else self._said(cond, mapping)
                if said is not None:
                    for atom in _atoms(said):
                        if self._has_cell(atom):
                            self._value(atom)
                            self._value(make.negate(atom))

    def _align(self) -> None:
        """Where a[j] = b[i], and the cells are a[k] and b[6 * k + 1]: i == 6 * j + 1."""
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            if target is None or not isinstance(edge.op, Assign):
                continue
            for cell in self._cells.cells:
                mapping = self._chooser.solution(target, cell)
                back = _inverse(mapping or {})
                for lvalue in reads(edge.op.value) if back else ():
                    place, region = self._accesses.place(lvalue), self._accesses.region(lvalue)
                    for other in self._cells.cells if place is not None else ():
                        if other.region is region and len(other.index) == 1 == len(place.steps):
                            index = self._said(place.steps[0].index, {})
                            if index is not None and set(variables(other.index[0])) <= set(back):
                                self.alone[make.equal(index, substitute(other.index[0], back))] = (
                                    None
                                )

    # --- positions --------------------------------------------------------------------------------

    def _find_positions(self) -> None:
        found = self.positions
        places: dict[tuple[Expr, ...], tuple[int, ...]] = {}
        leading: set[Expr] = set()
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            for lvalue in (*memory_reads(self._accesses, edge), *((target,) if target else ())):
                place = self._accesses.place(lvalue)
                said = [self._index(step.index) for step in place.steps] if place else []
                known = [index for index in said if index is not None]
                leading.update(var for index in known for var in variables(index))
                if place is not None and lvalue is target and len(known) == len(said) > 0:
                    places[tuple(known)] = tuple(step.stride for step in place.steps)
        self._order(leading)
        limits = self._limits(leading)
        for cell in self._cells.cells:
            for place_, strides in places.items():
                if strides == cell.strides:
                    self._compare(place_, cell.index)
                    self._limit(place_, cell.index, limits)
            for index in cell.index:
                if not self._is_positive(index):
                    found[make.less(index, make.const(0, WIDE))] = None
        for node in self._cells.nodes:
            self._node_positions(node)
        for constant in (TRUE, FALSE):
            found.pop(constant, None)

    def _order(self, leading: set[Expr]) -> None:
        """Indices are positive, and some are always behind others."""
        numbers = sorted((v for v in leading if isinstance(v, Var)), key=lambda v: v.name)
        for var in numbers[:_MOST_ORDERED]:
            if isinstance(var.type, IntType) and var.type.signed:
                self.alone[make.less_equal(make.const(0, var.type), var)] = None
            for other in numbers[:_MOST_ORDERED]:
                if other is not var and other.type is var.type:
                    self.alone[make.less_equal(var, other)] = None

    def _index(self, index: Expr) -> Expr | None:
        """An index in terms of the variables that its temporaries were copied from."""
        said = self._said(index, {})
        for _ in range(3):
            if said is None:
                return None
            copies = {}
            for var in variables(said):
                value = self._chooser.copied(var)
                known = None if value is None else self._said(value, {})
                if known is not None and known.type is var.type:
                    copies[var] = known
            if not copies:
                break
            said = substitute(said, copies)
        return None if said is None else wide(normal(_unwidened(said)))

    def _limits(self, leading: set[Expr]) -> list[tuple[Expr, Expr]]:
        """Variables of indices, and what they are compared with."""
        found: dict[tuple[Expr, Expr], None] = {}
        for edge in edges_of(self._facts.program):
            for atom in _atoms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                bound = self._said(atom, {})
                if isinstance(bound, Binary) and isinstance(bound.left.type, IntType):
                    for one, other in ((bound.left, bound.right), (bound.right, bound.left)):
                        if not leading.intersection(variables(other)):
                            for var in leading.intersection(variables(one)):
                                kept = self._equal if bound.op is Op.EQ else found
                                kept[var, other] = None
        return list(found)

    def _limit(
        self,
        place: tuple[Expr, ...],
        index: tuple[Expr, ...],
        limits: list[tuple[Expr, Expr]],
    ) -> None:
        """A cell lies behind where a loop ends, in one of its rows or in an inner one."""
        rows: list[list[Expr]] = []
        for one, other in zip(place, index, strict=True):
            mine = [limit for var, limit in limits if var in variables(one)]
            if len(place) == 1:
                mine = [limit for _, limit in limits]
            behind = [make.less_equal(wide(limit), other) for limit in mine]
            rows.append(list(dict.fromkeys(part for part in behind if part is not FALSE)))
            for var, limit in self._equal:
                if var in variables(one):
                    self.positions[make.equal(wide(limit), other)] = None
        for parts in rows:
            for part in parts:
                self.positions[part] = None
        for number in range(len(rows) - 1):
            inner = [part for parts in rows[number:] for part in parts]
            self.positions[make.disj(inner)] = None

    def _is_positive(self, index: Expr) -> bool:
        """Is it a ghost that is known to be no less than 0?"""
        core = _unwidened(index)
        return any(
            bound is make.less_equal(make.const(0, core.type), core)
            for bound in self._cells.bounds
            if isinstance(core.type, IntType)
        )

    def _compare(self, place: tuple[Expr, ...], index: tuple[Expr, ...]) -> None:
        """Positions of an access before or behind a cell, in the order of rows."""
        found = self.positions
        for one, other in zip(place, index, strict=True):
            found[make.less_equal(one, other)] = None
            found[make.less(other, one)] = None
            found[make.less(one, other)] = None
            found[make.less_equal(other, one)] = None
        for number in range(2, len(place) + 1):
            pairs = list(zip(place, index, strict=True))[:number]
            rows = [make.less(one, other) for one, other in pairs[:-1]]
            found[make.disj((*rows, make.less_equal(*pairs[-1])))] = None

    def _node_positions(self, node: Node) -> None:
        found = self.positions
        program = self._facts.program
        address = node.address
        names = [g.var for g in program.globals]
        for function in program.functions.values():
            names += [*function.params, *function.locals]
        for var in names:
            if isinstance(var.type, PointerType) and self._accesses.region(var) is None:
                targets = self._accesses.points_to.targets(var)
                if any(target.object in node.objects for target in targets):
                    found[make.not_equal(Var(var.name, address.type), address)] = None
        for cell in self._cells.cells:
            if cell.var.type is address.type and cell.anchor.address is not address:
                found[make.not_equal(cell.var, address)] = None
        live = Var(f"live {address.name}", _FLAG)
        found[make.equal(live, make.const(0, _FLAG))] = None
        self.values[make.equal(live, make.const(1, _FLAG))] = None

    def flags(self, names: Iterable[Var]) -> None:
        """Flags of the scalar program that say whether an address was stored."""
        for var in names:
            if var.name.startswith("stored "):
                self.positions[make.equal(var, make.const(0, _FLAG))] = None

    # --- terms of the program in terms of cells ---------------------------------------------------

    def _said(self, e: Expr, mapping: Mapping[Expr, Expr]) -> Expr | None:
        """An expression of the program over cells and ghosts; None if it speaks of other memory."""
        values: dict[Expr, Expr] = {}
        todo = [e]
        while todo:
            term = todo[-1]
            parts = () if isinstance(term, Lvalue) or term in mapping else children(term)
            missing = [part for part in parts if part not in values]
            if missing:
                todo += missing
                continue
            todo.pop()
            found = self._step(term, values, mapping)
            if found is None:
                return None
            values[term] = found
        return values[e]

    def _step(
        self, term: Expr, values: Mapping[Expr, Expr], mapping: Mapping[Expr, Expr]
    ) -> Expr | None:
        if term in mapping:
            return mapping[term]
        match term:
            case Var() | Deref() | Field() | Index():
                return self._lvalue(term, mapping)
            case Const(value, PointerType(_, bits)):
                return make.const(value, IntType(bits, False))
            case Const() | FloatConst():
                return term
            case Unary(op, arg, _):
                return make.unary(op, values[arg])
            case Binary(op, left, right, _):
                made = make.compare if op.is_comparison else make.binary
                return made(op, values[left], values[right])
            case Cast(arg, type_):
                return make.cast(values[arg], number_type(type_))
            case Ite(cond, then, other, _):
                return make.ite(values[cond], values[then], values[other])
            case Not(arg):
                return make.negate(values[arg])
            case And(args):
                return make.conj(values[arg] for arg in args)
            case Or(args):
                return make.disj(values[arg] for arg in args)
        return None

    def _lvalue(self, lvalue: Lvalue, mapping: Mapping[Expr, Expr]) -> Expr | None:
        if not is_scalar(lvalue.type):
            return None
        type_ = number_type(lvalue.type)
        if self._accesses.region(lvalue) is None:
            storage = self._accesses.partition.storage(lvalue)
            assert isinstance(storage, Scalar)
            return make.cast(Var(storage.var.name, number_type(storage.var.type)), type_)
        cell = self._chooser.mapped(lvalue, mapping)
        return None if cell is None else make.cast(cell.var, type_)


def _inverse(mapping: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Ghosts by the variables that have their values."""
    return {
        value: Var(var.name, value.type)
        for var, value in mapping.items()
        if isinstance(value, Var) and isinstance(var, Var) and var.type is value.type
    }


def _is_bound(cond: Expr) -> bool:
    """Is it an inequality?"""
    core = cond.arg if isinstance(cond, Not) else cond
    return isinstance(core, Binary) and core.op is not Op.EQ


def _balanced(cond: Expr) -> Expr:
    """The condition with what both sides of an equation have in common taken away."""

    def step(term: Expr, parts: tuple[Expr, ...]) -> Expr:
        match term:
            case Binary(Op.EQ, left, _, _) if isinstance(left.type, IntType):
                return equation(parts[0], parts[1])
        return rebuild(term, parts)

    return fold(cond, step)


def _unwidened(index: Expr) -> Expr:
    return index.arg if isinstance(index, Cast) else index


def _atoms(cond: Expr) -> list[Expr]:
    """The comparisons in a condition."""
    return [term for term in subterms(cond) if isinstance(term, Binary) and term.op.is_comparison]
