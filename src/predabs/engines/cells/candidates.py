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
from ...analysis.cells.linear import normal
from ...analysis.cells.memory_accesses import MemoryAccesses, edges_of, memory_write
from ...analysis.cells.places import wide
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
    Or,
    Unary,
    Var,
)
from ...ir.ops import Assign, Assume
from ...ir.sums import folded
from ...ir.types import IntType, PointerType, is_scalar
from ...ir.walk import evaluated, reads, substitute, subterms, variables

_MOST_VALUES = 40
_ROUNDS = 3
_FLAG = IntType(32, True)


class Candidates:
    """The parts of clauses: `values` and `positions`, conditions of the scalar program."""

    def __init__(self, facts: ProgramFacts, chooser: Chooser, cells: Cells) -> None:
        self._facts = facts
        self._accesses: MemoryAccesses = MemoryAccesses(facts)
        self._chooser = chooser
        self._cells = cells
        self.values: dict[Expr, None] = {}
        self.positions: dict[Expr, None] = {}
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
            if len(known) <= 5:
                self._value(make.disj(map(make.negate, known)))
            for part in about:
                for atom in _atoms(part):
                    self._value(atom)
                    self._value(make.negate(atom))
        wanted = list(self.values)
        writes = list(self._writes())
        for cell, value in writes:
            if isinstance(cell.var.type, IntType):
                self._value(make.equal(cell.var, value))
        for _ in range(_ROUNDS):
            new = []
            for value in wanted:
                for cell, written in writes:
                    if cell.var in variables(value):
                        before = folded(substitute(value, {cell.var: written}))
                        if before not in self.values and self._value(before):
                            new.append(before)
            wanted = new
        for edge in edges_of(self._facts.program):
            if isinstance(edge.op, Assume):
                self._branch(edge.op.cond)
        self._align()
        for var, ghost in self._chooser.ghosts.items():
            if ghost not in self._chooser.flags and isinstance(var, Var):
                self._value(make.equal(Var(var.name, ghost.type), ghost))

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
                                self._value(make.equal(index, substitute(other.index[0], back)))

    # --- positions --------------------------------------------------------------------------------

    def _find_positions(self) -> None:
        found = self.positions
        indices = list(dict.fromkeys(i for cell in self._cells.cells for i in cell.index))
        indices = [index for index in indices if not isinstance(index, Const)]
        places: dict[Expr, None] = {}
        leading: set[Expr] = set()
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            place = None if target is None else self._accesses.place(target)
            for step in place.steps if place is not None else ():
                said = self._said(step.index, {})
                if said is not None:
                    places[wide(normal(_unwidened(said)))] = None
                    leading.update(variables(said))
        for edge in edges_of(self._facts.program):
            if not isinstance(edge.op, Assume):
                continue
            for atom in _atoms(edge.op.cond):
                bound = self._said(atom, {})
                if isinstance(bound, Binary) and isinstance(bound.left.type, IntType):
                    for one, other in ((bound.left, bound.right), (bound.right, bound.left)):
                        if leading.intersection(variables(one)):
                            if not leading.intersection(variables(other)):
                                for index in indices:
                                    found[make.less_equal(wide(other), index)] = None
        for place_ in places:
            for index in indices:
                found[make.less_equal(place_, index)] = None
                found[make.less(index, place_)] = None
                found[make.less(place_, index)] = None
                found[make.less_equal(index, place_)] = None
        for index in indices:
            found[make.less(index, make.const(0, IntType(64, True)))] = None
        for node in self._cells.nodes:
            self._node_positions(node)
        for constant in (TRUE, FALSE):
            found.pop(constant, None)

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
        found[make.equal(Var(f"live {address.name}", _FLAG), make.const(0, _FLAG))] = None

    def flags(self, names: Iterable[Var]) -> None:
        """Flags of the scalar program that say whether an address was stored."""
        for var in names:
            if var.name.startswith("stored "):
                self.positions[make.equal(var, make.const(0, _FLAG))] = None

    # --- terms of the program in terms of cells ---------------------------------------------------

    def _said(self, e: Expr, mapping: Mapping[Expr, Expr]) -> Expr | None:
        """An expression of the program over cells and ghosts; None if it speaks of other memory."""
        values: dict[Expr, Expr] = {}
        for term in evaluated(e):
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


def _unwidened(index: Expr) -> Expr:
    return index.arg if isinstance(index, Cast) else index


def _atoms(cond: Expr) -> list[Expr]:
    """The comparisons in a condition."""
    return [
        term for term in subterms(cond) if isinstance(term, Binary) and term.op.is_comparison
    ]
