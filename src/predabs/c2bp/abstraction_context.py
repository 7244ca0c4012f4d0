"""The abstraction context of one program: solvers, weakest preconditions, mod/ref sets.

Soundness duty: a predicate is reported as untouched only if no run can change its value there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..analysis.effects import Slot
from ..analysis.facts import ProgramFacts
from ..analysis.memory.partition import NOTHING, Partition
from ..analysis.modref import ModRef
from ..analysis.updates import FreshNames
from ..encode.checked_integers import CheckedIntegers
from ..encode.encoding import BitVectorEncoding
from ..encode.environment import Formulas
from ..encode.integer_encoding import IntegerEncoding
from ..errors import InternalError, UnsupportedFeature
from ..ir import make
from ..ir.call_graph import called_functions
from ..ir.cfa import Edge, Program
from ..ir.expr import Expr, Forall, Lvalue, Var
from ..ir.listing import naming
from ..ir.ops import Alloc, Operation
from ..ir.show import Naming
from ..ir.types import CBOOL, is_scalar
from ..ir.walk import reads, substitute, subterms
from ..predicates.cube import Cubes, Logic
from ..records import dataclass, field, replace
from ..smt.solver import Statistics
from ..smt.solvers import create
from ..wp.aliasing import Aliasing, aliasing
from ..wp.weakest_precondition import Preconditions
from .open_environment import typed_aliasing


@dataclass(frozen=True, slots=True)
class AbstractionContext:
    """Shared by all procedures; `names` has the variables that only formulas have."""

    facts: ProgramFacts
    aliasing: Aliasing
    logics: tuple[Logic, ...]
    cubes: Cubes
    naming: Naming
    slots: dict[Lvalue, frozenset[Slot] | None] = field(default_factory=dict)
    roles: dict[tuple[str, Lvalue], Var] = field(default_factory=dict)
    truths: dict[Forall, Var] = field(default_factory=dict)
    preconditions: dict[tuple[Operation, Expr], Expr | None] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        return self.facts.program

    @property
    def partition(self) -> Partition:
        return self.facts.partition

    @property
    def effects(self) -> ModRef:
        return self.facts.modref

    @property
    def names(self) -> FreshNames:
        return self.aliasing.names

    # --- preconditions ----------------------------------------------------------------------------

    def before(self, op: Operation, writes: frozenset[Slot], predicate: Expr) -> Expr | None:
        """What must hold before the operation, which writes these slots, so that the predicate
        holds after it; None if there is no formula for that."""
        if not self.touched(predicate, writes):
            return predicate
        if isinstance(op, Alloc) and self._allocated(op, writes, predicate):
            return None
        key = op, predicate
        if key not in self.preconditions:
            try:
                self.preconditions[key] = Preconditions(self.aliasing).wp(op, predicate)
            except UnsupportedFeature:
                self.preconditions[key] = None
        return self.preconditions[key]

    def _allocated(self, op: Alloc, writes: frozenset[Slot], predicate: Expr) -> bool:
        """Does the predicate speak of single places in the object that is allocated?"""
        target = self._slots(op.target) or frozenset()
        places = {slot for slot in writes - target if isinstance(slot, Var)}
        return self.touched(predicate, frozenset(places))

    # --- storage ----------------------------------------------------------------------------------

    def touched(self, expr: Expr, writes: frozenset[Slot]) -> bool:
        """May the value of the expression change when these slots are written?"""
        return any(self.lvalue_touched(lvalue, writes) for lvalue in reads(expr))

    def lvalue_touched(self, lvalue: Lvalue, writes: frozenset[Slot]) -> bool:
        """May the contents of the lvalue change, if its address stays the same?"""
        if not writes or lvalue in self.names.made:
            return False
        slots = self._slots(lvalue)
        return slots is None or not slots.isdisjoint(writes)

    def _slots(self, lvalue: Lvalue) -> frozenset[Slot] | None:
        """The storage of an lvalue; None if the program has no such lvalue."""
        if lvalue not in self.slots:
            try:
                slots = self.effects.slots.of_target(self.names.in_program(lvalue))
                self.slots[lvalue] = None if NOTHING in slots else slots
            except (InternalError, UnsupportedFeature):
                self.slots[lvalue] = None
        return self.slots[lvalue]

    def written(self, edge: Edge) -> frozenset[Slot]:
        """What an operation that is no call writes."""
        return self.effects.slots.effects(edge).writes

    def original(self, expr: Expr, writes: frozenset[Slot]) -> Expr:
        """The value of the expression before these slots were written (`orig` of [BMR05]): an
        lvalue that may have changed is a variable of which nothing else is known, and so is a
        quantifier over such lvalues."""
        mapping: dict[Expr, Expr] = {}
        for term in subterms(expr):
            if isinstance(term, Forall) and self.touched(term, writes):
                mapping[term] = make.as_condition(self._truth_before(term))
        expr = substitute(expr, mapping)
        for lvalue in reads(expr):
            if self.lvalue_touched(lvalue, writes):
                if not is_scalar(lvalue.type):
                    raise InternalError(f"a value of type {lvalue.type} has no name of its own")
                mapping[lvalue] = self.name("before", lvalue)
        return substitute(expr, mapping)

    def _truth_before(self, quantifier: Forall) -> Var:
        """A variable for whether it held before; steps share it."""
        known = self.truths.get(quantifier)
        if known is None:
            known = Var(f"before!forall {len(self.truths) + 1}", CBOOL)
            self.truths[quantifier] = known
        return known

    def name(self, role: str, lvalue: Lvalue) -> Var:
        """A variable for what an lvalue holds in some role during one step; steps share it."""
        known = self.roles.get((role, lvalue))
        if known is None:
            known = self.roles[role, lvalue] = self.names.fresh(role, lvalue)
        return known


def abstraction_context(
    facts: ProgramFacts,
    constants: Mapping[Var, Lvalue],
    max_cube: int,
    seconds: Callable[[], float | None],
    statistics: Statistics,
    open_environment: bool = False,
    checked: bool = False,
) -> AbstractionContext:
    """For a program; `constants` are the symbolic constants of its procedures, `open_environment`
    says that the program is one `with_open_environment`, `checked` that no run overflows."""
    alias_facts = (typed_aliasing if open_environment else aliasing)(facts.points_to)
    alias_facts = replace(alias_facts, single=facts.partition.single)
    alias_facts.names.made.update(constants)
    several = _several(facts)
    logics = tuple(
        Logic(
            Formulas(facts.partition, encoding, None, alias_facts.names, several),
            create(solver, statistics),
        )
        for encoding, solver in (
            (CheckedIntegers() if checked else IntegerEncoding(), "z3"),
            (BitVectorEncoding(), "bitwuzla"),
        )
    )
    return AbstractionContext(
        facts,
        alias_facts,
        logics,
        Cubes(logics, max_cube, seconds),
        naming(facts.program),
    )


def _several(facts: ProgramFacts) -> frozenset[Var]:
    """The variables that each call of their function has at another address."""
    called = (facts.program.functions[name] for name in called_functions(facts.call_graph))
    return frozenset(
        var
        for function in called
        for var in (*function.params, *function.locals)
        if not facts.points_to.address_taken.scalar_variable(var)
    )
