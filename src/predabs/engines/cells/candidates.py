"""Candidates for invariants about distinguished cells: clauses of positions and values.

Invariants of loops over arrays and lists have the form 'not reached yet, or what is wanted holds':
`i <= k || a[k] == 42`. What may be wanted comes from the conditions of errors and of branches, from
what is written to cells, and from weakest preconditions of these writes; positions compare indices
with ghosts, and pointers with the addresses of nodes.

No soundness duty: candidates may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...analysis.cells.bags import Bags
from ...analysis.cells.choice import Chooser
from ...analysis.cells.cursors import Cursors
from ...analysis.cells.distinguished import Cell, Cells
from ...analysis.cells.memory_accesses import (
    MemoryAccesses,
    edges_of,
    memory_write,
)
from ...analysis.cells.prefix_sums import PrefixSums
from ...analysis.facts import ProgramFacts
from ...ir import make
from ...ir.expr import (
    FALSE,
    TRUE,
    Binary,
    Expr,
    FunctionAddress,
    Lvalue,
    Not,
    Op,
    Var,
)
from ...ir.linear_forms import equation
from ...ir.ops import Assign, Assume, Call
from ...ir.types import IntType
from ...ir.walk import fold, reads, rebuild, substitute, variables
from .cell_terms import CellTerms, atoms
from .instances import Instances
from .moving_candidates import MovingCandidates
from .positions import Positions
from .recurrences import closed_forms
from .relaxation import relaxed

_MOST_VALUES = 40
_ROUNDS = 3
_MOST_TIMES = 5  # that an array is added up
_MOST_FLAGS = 3  # of one error


class Candidates:
    """The parts of clauses: `values` and `positions`, conditions of the scalar program, in which
    `flags` are variables."""

    def __init__(
        self,
        facts: ProgramFacts,
        accesses: MemoryAccesses,
        chooser: Chooser,
        cells: Cells,
        sums: PrefixSums,
        flags: Iterable[Var],
        cursors: Cursors,
        bags: Bags,
    ) -> None:
        self._facts = facts
        self._accesses = accesses
        self._chooser = chooser
        self._cells = cells
        self.values: dict[Expr, None] = {}
        self._terms = CellTerms(accesses, chooser)
        self._defining: dict[Expr, None] = {}  # of ghosts
        self.alone: dict[Expr, None] = {}  # what may hold without any position
        self._find_values()
        self._sum_up(sums)
        found = Positions(facts, accesses, chooser, cells)
        found.flags(flags)
        for value in relaxed(self.values, found.limits):
            self.alone.setdefault(value)
        self.positions = found.positions
        self.alone.update(found.alone)
        self.values.update(found.values)
        self.instances = Instances(chooser, cells, cursors)
        moving = MovingCandidates(accesses, self._terms, cells, cursors, bags)
        moving.add_values(self.values, self.instances)
        moving.add_sums(self.values)
        self.alone.update(moving.alone)

    def is_definition(self, clause: tuple[Expr, ...]) -> bool:
        """Does it only say that a ghost is what a variable was once given?"""
        return len(clause) == 1 and clause[0] in self._defining

    # --- values -----------------------------------------------------------------------------------

    def _find_values(self) -> None:
        ghosts: dict[Expr, Expr] = {**self._chooser.constants, **self._chooser.ghosts}
        for condition in self._chooser.conditions:
            parts = [self._terms.said(part, ghosts) for part in condition.parts]
            known = [part for part in parts if part is not None]
            about = [part for part in known if self._has_cell(part)]
            if not about:
                for part in known[:_MOST_FLAGS]:
                    self._value(make.negate(part))
                continue
            self._value(make.disj(map(make.negate, about)))
            if len(known) <= 5 and any(not _is_bound(part) for part in known if part not in about):
                self._value(make.disj(map(make.negate, known)))
            for part in about:
                for atom in atoms(part):
                    self._value(make.negate(atom) if part is atom or len(about) > 1 else atom)
                    if part is not atom:
                        self._value(make.negate(atom))
        writes = list(self._writes())
        for cell, value in closed_forms(self._cells.cells, writes):
            self._value(_balanced(make.equal(cell.var, value)))
        wanted = list(self.values)
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
                for atom in atoms(edge.op.cond):
                    said = self._terms.said(atom, {})
                    if said is not None:
                        self.alone[said] = self.alone[make.negate(said)] = None
        self._align()
        self._pass()
        for var, ghost in self._chooser.ghosts.items():
            if ghost not in self._chooser.flags and isinstance(var, Var):
                self._defining[make.equal(Var(var.name, ghost.type), ghost)] = None
        self.alone.update(self._defining)

    def _find_conditions(self, writes: list[tuple[Cell, Expr]]) -> None:
        """What conditions say of a variable that is written to a cell, said of the cell."""
        tested: dict[Var, dict[Expr, None]] = {}
        for edge in edges_of(self._facts.program):
            for atom in atoms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                said = self._terms.said(atom, {})
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
                    value = self._terms.said(edge.op.value, mapping)
                    if value is not None and value is not cell.var:
                        yield cell, make.cast(value, cell.var.type)

    def _branch(self, cond: Expr) -> None:
        """What a condition says about cells."""
        for lvalue in reads(cond):
            if self._accesses.region(lvalue) is None:
                continue
            for cell in self._cells.cells:
                mapping = self._chooser.solution(lvalue, cell)
                said = None if mapping is None else self._terms.said(cond, mapping)
                if said is not None:
                    for atom in atoms(said):
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
                back = _inverse(self._chooser.solution(target, cell) or {})
                for lvalue in reads(edge.op.value) if back else ():
                    self._align_read(lvalue, back)

    def _pass(self) -> None:
        """Parameters are what was passed, while both stay the same."""
        functions = self._facts.program.functions
        for edge in edges_of(self._facts.program):
            match edge.op:
                case Call(_, FunctionAddress(name, _), args) if name in functions:
                    for param, arg in zip(functions[name].params, args, strict=False):
                        one, other = self._terms.said(param, {}), self._terms.said(arg, {})
                        if one is not None and isinstance(other, Var) and one.type is other.type:
                            self.alone[make.equal(one, other)] = None

    def _sum_up(self, sums: PrefixSums) -> None:
        """An accumulator is a sum of prefix sums and totals, with small factors."""
        for target, array in sums.accumulators:
            whole: list[Expr | None] = [None]
            whole += [t.ghost for t in sums.totals if t.array == array]
            parts: list[Expr | None] = [None, *(s.ghost for s in sums.sums if s.array == array)]
            for total in whole:
                for part in parts:
                    for times in range(-_MOST_TIMES, _MOST_TIMES + 1) if total else (0,):
                        for factor in (-1, 1) if part is not None else (0,):
                            value = _combined(array.type, ((times, total), (factor, part)))
                            self.alone[make.equal(target, value)] = None

    def _align_read(self, lvalue: Lvalue, back: Mapping[Expr, Expr]) -> None:
        """The index of a read is that of a cell, with variables for ghosts."""
        place, region = self._accesses.place(lvalue), self._accesses.region(lvalue)
        if place is None or len(place.steps) != 1:
            return
        index = self._terms.said(place.steps[0].index, {})
        for cell in self._cells.cells if index is not None else ():
            if cell.region is region and len(cell.index) == 1 and index is not None:
                wanted = cell.index[0]
                if set(variables(wanted)) <= set(back):
                    self.alone[make.equal(index, substitute(wanted, back))] = None


def _combined(type_: IntType, parts: Iterable[tuple[int, Expr | None]]) -> Expr:
    result: Expr = make.const(0, type_)
    for factor, part in parts:
        if factor and part is not None:
            scaled = make.binary(Op.MUL, make.const(type_.wrap(factor), type_), part)
            result = make.binary(Op.ADD, result, scaled)
    return result


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
