"""Positions: where an access, or a pointer, is before or behind a distinguished cell.

No soundness duty: they are parts of candidates, which may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.cells.choice import Chooser
from ...analysis.cells.distinguished import Cells, Node
from ...analysis.cells.memory_accesses import (
    MemoryAccesses,
    edges_of,
    memory_reads,
    memory_write,
)
from ...analysis.cells.places import WIDE, unwidened, wide
from ...analysis.cells.scalar_variables import FLAG, ONE, ZERO
from ...analysis.facts import ProgramFacts
from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import FALSE, TRUE, Binary, Const, Expr, Op, Var
from ...ir.linear_forms import normal
from ...ir.ops import Assign, Assume
from ...ir.types import IntType, PointerType
from ...ir.walk import substitute, subterms, variables
from .cell_terms import CellTerms, atoms

_MOST_ORDERED = 6  # variables
_MOST_GUARDS = 4
_MOST_STRIDES = 1
_LONGEST_STRIDE = 4


class Positions:
    """`positions` of indices and pointers, what may hold `alone`, and `values` about nodes."""

    def __init__(
        self, facts: ProgramFacts, accesses: MemoryAccesses, chooser: Chooser, cells: Cells
    ) -> None:
        self._facts = facts
        self._accesses = accesses
        self._chooser = chooser
        self._cells = cells
        self._terms = CellTerms(accesses, chooser)
        self._equal: dict[tuple[Expr, Expr], None] = {}  # indices that are told apart
        self.positions: dict[Expr, None] = {}
        self.alone: dict[Expr, None] = {}
        self.values: dict[Expr, None] = {}
        self.limits: list[tuple[Expr, Expr]] = []  # indices, and what they are compared with
        self._find_positions()

    def _find_positions(self) -> None:
        found = self.positions
        places: dict[tuple[Expr, ...], tuple[int, ...]] = {}
        others: dict[tuple[Expr, ...], tuple[int, ...]] = {}  # that are only read
        leading: set[Expr] = set()
        for edge in edges_of(self._facts.program):
            target = memory_write(self._accesses, edge)
            for lvalue in (*memory_reads(self._accesses, edge), *((target,) if target else ())):
                place = self._accesses.place(lvalue)
                said = [self._index(step.index) for step in place.steps] if place else []
                known = [index for index in said if index is not None]
                leading.update(var for index in known for var in variables(index))
                if place is not None and len(known) == len(said) > 0:
                    kept = places if lvalue is target else others
                    if lvalue is target or not self._is_bound(edge, known):
                        kept[tuple(known)] = tuple(step.stride for step in place.steps)
        self._order(leading)
        limits = self.limits = self._limits(leading)
        for cell in self._cells.cells:
            for place_, strides in (places | others).items():
                if strides == cell.strides:
                    self._compare(place_, cell.index)
                    self._limit(place_, cell.index, limits)
            self._limit(cell.index, cell.index, limits)
            for index in cell.index:
                if not self._is_positive(index):
                    found[make.less(index, make.const(0, WIDE))] = None
        self._limit_ghosts(limits)
        for var, limit in limits:
            self.alone[_at_most(wide(var), wide(limit))] = None
        for node in self._cells.nodes:
            self._node_positions(node)
        self._guards(leading)
        self._find_strides(leading)
        for constant in (TRUE, FALSE):
            found.pop(constant, None)

    def _find_strides(self, leading: set[Expr]) -> None:
        """Where an index takes steps of 2, or elements 2 * i and 2 * i + 1 are written, an index is
        even, or odd."""
        ghosts = [g for g in self._chooser.flags if isinstance(g.type, IntType)]
        for step in self._strides(leading):
            for var in leading:
                if isinstance(var.type, IntType) and step <= var.type.high:
                    for rest in range(step):
                        self.alone[_remainder(var, step, rest)] = None
            for ghost in ghosts:
                for rest in range(step):
                    found = _remainder(ghost, step, rest)
                    self.positions[found] = self.positions[make.negate(found)] = None

    def _strides(self, leading: set[Expr]) -> list[int]:
        """By how much indices grow, and what they are multiplied with."""
        found: dict[int, None] = {}
        names = {var.name for var in leading if isinstance(var, Var)}
        for edge in edges_of(self._facts.program):
            terms: list[Expr] = []
            match edge.op:
                case Assign(Var() as var, value) if var.name in names:
                    if var in variables(value):
                        terms.append(value)
            target = memory_write(self._accesses, edge)
            for lvalue in (*memory_reads(self._accesses, edge), *((target,) if target else ())):
                place = self._accesses.place(lvalue)
                terms += [step.index for step in place.steps] if place is not None else ()
            for term in (sub for whole in terms for sub in subterms(whole)):
                match term:
                    case Binary(Op.ADD | Op.MUL, _, Const(number, IntType())):
                        if 1 < number <= _LONGEST_STRIDE:
                            found[number] = None
                    case Binary(Op.ADD | Op.MUL, Const(number, IntType()), _):
                        if 1 < number <= _LONGEST_STRIDE:
                            found[number] = None
        return list(found)[:_MOST_STRIDES]

    def _limit_ghosts(self, limits: list[tuple[Expr, Expr]]) -> None:
        """A ghost lies behind where the loop ends whose index it is."""
        ghosts = {
            var.name: ghost
            for var, ghost in self._chooser.ghosts.items()
            if isinstance(var, Var) and ghost in self._chooser.flags
        }
        for var, limit in limits:
            ghost = ghosts.get(var.name) if isinstance(var, Var) else None
            if ghost is not None and isinstance(ghost.type, IntType):
                self.positions[_at_most(wide(limit), wide(ghost))] = None

    def _is_bound(self, edge: Edge, indices: list[Expr]) -> bool:
        """Is it where ghosts are bound? What another loop reads at the same variable is not."""
        names = {binding.value.name for binding in self._cells.bindings.get(edge, ())}
        return all(var.name in names for index in indices for var in variables(index))

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
        said = self._terms.said(index, {})
        for _ in range(3):
            if said is None:
                return None
            copies: dict[Expr, Expr] = {}
            for var in variables(said):
                value = self._chooser.copied(var)
                known = None if value is None else self._terms.said(value, {})
                if known is not None and known.type is var.type:
                    copies[var] = known
            if not copies:
                break
            said = substitute(said, copies)
        return None if said is None else wide(normal(unwidened(said)))

    def _limits(self, leading: set[Expr]) -> list[tuple[Expr, Expr]]:
        """Variables of indices, and what they are compared with."""
        found: dict[tuple[Expr, Expr], None] = {}
        for edge in edges_of(self._facts.program):
            for atom in atoms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                bound = self._terms.said(atom, {})
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
            behind = [_at_most(wide(limit), other) for limit in mine]
            rows.append(list(dict.fromkeys(part for part in behind if part is not FALSE)))
            for var, limit in self._equal:
                if var in variables(one):
                    self.positions[make.equal(*_narrow(wide(limit), other))] = None
        for parts in rows:
            for part in parts:
                self.positions[part] = None
        for number in range(len(rows) - 1):
            inner = [part for parts in rows[number:] for part in parts]
            self.positions[make.disj(inner)] = None

    def _is_positive(self, index: Expr) -> bool:
        """Is it a ghost that is known to be no less than 0?"""
        core = unwidened(index)
        return any(
            bound is make.less_equal(make.const(0, core.type), core)
            for bound in self._cells.bounds
            if isinstance(core.type, IntType)
        )

    def _compare(self, place: tuple[Expr, ...], index: tuple[Expr, ...]) -> None:
        """Positions of an access before or behind a cell, in the order of rows."""
        found = self.positions
        for one, other in zip(place, index, strict=True):
            found[_at_most(one, other)] = None
            found[_before(other, one)] = None
            found[_before(one, other)] = None
            found[_at_most(other, one)] = None
        for number in range(2, len(place) + 1):
            pairs = list(zip(place, index, strict=True))[:number]
            rows = [_before(one, other) for one, other in pairs[:-1]]
            found[make.disj((*rows, _at_most(*pairs[-1])))] = None

    def _guards(self, leading: set[Expr]) -> None:
        """What else must be so: a flag has one of its values, nothing was counted."""
        found: dict[Expr, None] = {}
        counts = _counts(self._facts)
        for edge in edges_of(self._facts.program):
            for atom in atoms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                said = self._terms.said(atom, {})
                read = variables(said) if said is not None else ()
                if said is not None and len(read) == 1 and not leading.intersection(read):
                    (var,) = read
                    if self._chooser.is_flag(var.name):
                        found[said] = None
                    elif var.name in counts:
                        found[said] = None
                        self._count(var, leading)
        for said in list(found)[:_MOST_GUARDS]:
            self.positions[said] = self.positions[make.negate(said)] = None
        for flag in self._cells.flags:
            self.positions[make.equal(flag, ZERO)] = None

    def _count(self, var: Var, leading: set[Expr]) -> None:
        """What is counted in rounds of a loop is not more than its index."""
        assert isinstance(var.type, IntType)
        self.alone[make.less_equal(make.const(0, var.type), var)] = None
        for index in [index for index in leading if index.type is var.type][:_MOST_ORDERED]:
            self.alone[make.less_equal(var, index)] = None

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
        live = Var(f"live {address.name}", FLAG)
        found[make.equal(live, ZERO)] = None
        self.values[make.equal(live, ONE)] = None

    def flags(self, names: Iterable[Var]) -> None:
        """Flags of the scalar program that say whether an address was stored."""
        for var in names:
            if var.name.startswith("stored "):
                self.positions[make.equal(var, ZERO)] = None


def _counts(facts: ProgramFacts) -> set[str]:
    """Variables that begin with a constant, and only ever grow by one."""
    counted, others = set(), set()
    for edge in edges_of(facts.program):
        match edge.op:
            case Assign(Var(name, IntType()) as var, Binary(Op.ADD, one, Const(), _)) if one is var:
                counted.add(name)
            case Assign(Var(name), value) if not isinstance(value, Const):
                others.add(name)
    return counted - others


def _remainder(index: Expr, step: int, rest: int) -> Expr:
    assert isinstance(index.type, IntType)
    found = make.binary(Op.REM, index, make.const(step, index.type))
    return make.equal(found, make.const(rest, index.type))


def _at_most(left: Expr, right: Expr) -> Expr:
    return make.less_equal(*_narrow(left, right))


def _before(left: Expr, right: Expr) -> Expr:
    return make.less(*_narrow(left, right))


def _narrow(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Two wide numbers before they were made wide, if they had the same type: that is shorter."""
    one, other = unwidened(left), unwidened(right)
    for const, kept in ((one, other), (other, one)):
        type_ = kept.type
        if not isinstance(const, Const) or not isinstance(type_, IntType):
            continue
        if type_.low <= const.value <= type_.high and type_.bits < WIDE.bits:
            narrow = make.const(const.value, type_)
            return (narrow, kept) if const is one else (kept, narrow)
    same = one.type is other.type and isinstance(one.type, IntType) and one.type.bits < WIDE.bits
    return (one, other) if same else (left, right)
