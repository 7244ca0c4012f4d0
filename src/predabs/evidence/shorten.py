"""Simplify invariants for readers: conjuncts that follow from the others are removed by a solver.

Each lvalue that a condition reads stands for any value of its type, the same lvalue for the same
value. What follows then follows in every state; what only aliasing or program facts imply is not
looked for. A conjunct is removed if the others imply it; a case of a disjunction if the other cases
cover it; and a case is simplified under the assumption that no other case holds.

Soundness duty: the result is equivalent to the condition, in every state. What is not decided
within the number of solver calls stays as it is. Proofs and certificates use the exact invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import monotonic

from ..encode.encoding import BitVectorEncoding, BoundedTerm, Encoding, value_range
from ..encode.expressions import Encoder
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Program
from ..ir.expr import FALSE, TRUE, And, Cast, Expr, Lvalue, Or, Var
from ..ir.show import show_expr
from ..ir.simplify import simplified
from ..ir.types import IntType, PointerType, Type
from ..ir.walk import subterms
from ..records import dataclass, field, replace
from ..smt import build
from ..smt.solver import Solver, Statistics, Unknown, Unsat
from ..smt.solvers import create
from ..smt.term import Symbol, Term
from ..verdict import Invariant

_MOST_CALLS = 400  # of the solver, for all invariants of a proof
_CALLS = 120  # for one invariant
_SECONDS = 0.2  # of one call; what takes longer is not decided
_UNDECIDED = 20  # calls that one costs if it is not decided
_LARGEST = 4000  # subterms of a condition that is simplified
_SOLVERS = {"int": "z3", "bv": "bitwuzla"}


def shortened(
    program: Program,
    invariants: Sequence[Invariant],
    calls: int = _MOST_CALLS,
    until: float | None = None,
) -> tuple[Invariant, ...]:
    """The invariants with equivalent conditions, as short as so many solver calls make them; none
    is made after `until` (a time of `time.monotonic`)."""
    found: dict[Expr, Expr] = {}  # inside other calls a loop often has the same invariant
    for invariant in invariants:
        if invariant.expr not in found:
            left = _Left(min(calls, _CALLS), until)
            begun = left.calls
            found[invariant.expr] = shorter(program, invariant.expr, left)
            calls -= begun - left.calls
    return tuple(replace(invariant, expr=found[invariant.expr]) for invariant in invariants)


@dataclass(slots=True)
class _Left:
    """How many solver calls may be made, and until when."""

    calls: int
    until: float | None = None

    def take(self) -> bool:
        if self.calls <= 0 or (self.until is not None and monotonic() > self.until):
            return False
        self.calls -= 1
        return True


def shorter(program: Program, condition: Expr, left: _Left | None = None) -> Expr:
    """An equivalent condition, as short as can be found."""
    left = left or _Left(_CALLS)
    condition = simplified(condition)
    if not isinstance(condition, And | Or) or sum(1 for _ in subterms(condition)) > _LARGEST:
        return condition
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        try:
            logic = _Logic(program, encoding, left)
            logic.term(condition)
            return simplified(_Shortening(logic).under(condition, ()))
        except NeedsBitVectors:
            continue
        except UnsupportedFeature:
            break
    return condition


# --- the solver -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _SymbolicLvalues:
    """Any state: each lvalue is a symbol with the range of its type (`encode.Source`)."""

    encoding: Encoding
    symbols: dict[Lvalue, BoundedTerm] = field(default_factory=dict)
    facts: dict[Term, None] = field(default_factory=dict)

    def load(self, lvalue: Lvalue, encoder: Encoder) -> BoundedTerm:
        if lvalue not in self.symbols:
            low, high = value_range(lvalue.type)
            # terms are interned, a text may stand for several
            name = f"{len(self.symbols)}: {show_expr(lvalue)}"
            term = Symbol(name, self.encoding.sort(lvalue.type))
            if isinstance(lvalue.type, IntType | PointerType):
                self.facts[self.encoding.within(term, low, high, lvalue.type)] = None
            self.symbols[lvalue] = BoundedTerm(term, low, high)
        return self.symbols[lvalue]

    def address(self, var: Var) -> BoundedTerm:
        raise UnsupportedFeature(f"where {var.short} lies is not known")

    def function(self, name: str) -> BoundedTerm:
        raise UnsupportedFeature(f"where {name} lies is not known")

    def size(self, pointer: Expr, type_: IntType) -> BoundedTerm | None:
        return None

    def unknown(self, type_: Type) -> BoundedTerm | None:
        return None


class _Logic:
    """Decides implications between conditions."""

    def __init__(self, program: Program, encoding: Encoding, left: _Left) -> None:
        self._lvalues = _SymbolicLvalues(encoding)
        self._encoder = Encoder(program, encoding, self._lvalues)
        self._left = left
        self._solver: Solver = create(_SOLVERS[encoding.name], Statistics())
        self._told: set[Term] = set()

    def term(self, condition: Expr) -> Term:
        return self._encoder.condition(condition)

    def implies(self, context: Iterable[Expr], goal: Expr) -> bool:
        """Does it follow? False if that is not decided."""
        terms = [*map(self.term, context), build.not_(self.term(goal))]
        if not self._left.take():
            return False
        for fact in self._lvalues.facts:
            if fact not in self._told:
                self._told.add(fact)
                self._solver.add(fact)
        answer = self._solver.check(terms, _SECONDS)
        if isinstance(answer, Unknown):
            self._left.calls -= _UNDECIDED
        return isinstance(answer, Unsat)


# --- simplification -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shortening:
    """Rewrites a condition in a context: other conditions that hold too."""

    logic: _Logic

    def under(self, condition: Expr, context: tuple[Expr, ...]) -> Expr:
        match condition:
            case And(args):
                return self._conjunction(args, context)
            case Or(args):
                return self._disjunction(args, context)
        if self.logic.implies(context, condition):
            return TRUE
        if context and self.logic.implies(context, make.negate(condition)):
            return FALSE
        return condition

    def _conjunction(self, parts: Sequence[Expr], context: tuple[Expr, ...]) -> Expr:
        kept = list(parts)
        for part in sorted(parts, key=_cost, reverse=True):
            others = [other for other in kept if other is not part]
            if self.logic.implies((*context, *others), part):
                kept = others
        for number, part in enumerate(kept):
            if isinstance(part, Or):
                others = [other for other in kept if other is not part]
                kept[number] = self._disjunction(part.args, (*context, *others))
        return make.conj(kept)

    def _disjunction(self, cases: Sequence[Expr], context: tuple[Expr, ...]) -> Expr:
        kept = self._cases(cases, context)
        for number, case in sorted(enumerate(kept), key=lambda item: _cost(item[1]), reverse=True):
            rest = [make.negate(other) for k, other in enumerate(kept) if k != number]
            kept[number] = self.under(case, (*context, *rest))
        return make.disj(self._cases(kept, context))  # a case that says less may have others in it

    def _cases(self, cases: Sequence[Expr], context: tuple[Expr, ...]) -> list[Expr]:
        """Those that the others do not cover."""
        kept = list(cases)
        for case in sorted(cases, key=_cost, reverse=True):
            others = [other for other in kept if other is not case]
            if self.logic.implies((*context, case), make.disj(others)):
                kept = others
        return kept


def _cost(condition: Expr) -> int:
    """How much there is to read; what goes first is what costs most."""
    return sum(
        20 if isinstance(term, Or) else 4 if isinstance(term, Cast) else 1
        for term in subterms(condition)
    )
