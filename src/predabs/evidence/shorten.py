"""Invariants made short for people: what follows from the rest is left out, by asking a solver.

Each place in memory that a condition reads stands for any value of its type, the same place for the
same value. What follows then follows in every state; what only aliasing or the analysis of the
program tells is not looked for. A conjunct goes if the others imply it; a case of a disjunction if
the other cases have it; and a case is written as it is where no other case holds.

Soundness duty: the result is equivalent to the condition, in every state. What is not decided
within the number of questions stays as it is. Proofs and certificates use the exact invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
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
from ..smt import build
from ..smt.solver import Solver, Statistics, Unknown, Unsat
from ..smt.solvers import create
from ..smt.term import Symbol, Term
from ..verdict import Invariant

_MOST_QUESTIONS = 400  # about all invariants of a proof
_QUESTIONS = 120  # about one invariant
_SECONDS = 0.2  # for a question; what takes longer is not known
_UNDECIDED = 20  # questions that one costs if it is not decided
_LARGEST = 4000  # subterms of a condition that is looked at
_SOLVERS = {"int": "z3", "bv": "bitwuzla"}


def shortened(
    program: Program,
    invariants: Sequence[Invariant],
    questions: int = _MOST_QUESTIONS,
    until: float | None = None,
) -> tuple[Invariant, ...]:
    """The invariants with equivalent conditions, as short as so many questions make them; none is
    asked after `until` (a time of `time.monotonic`)."""
    known: dict[Expr, Expr] = {}  # inside other calls a loop often has the same invariant
    for invariant in invariants:
        if invariant.expr not in known:
            left = _Left(min(questions, _QUESTIONS), until)
            begun = left.questions
            known[invariant.expr] = shorter(program, invariant.expr, left)
            questions -= begun - left.questions
    return tuple(replace(invariant, expr=known[invariant.expr]) for invariant in invariants)


@dataclass(slots=True)
class _Left:
    """How many questions may be asked, and until when."""

    questions: int
    until: float | None = None

    def take(self) -> bool:
        if self.questions <= 0 or (self.until is not None and monotonic() > self.until):
            return False
        self.questions -= 1
        return True


def shorter(program: Program, condition: Expr, left: _Left | None = None) -> Expr:
    """An equivalent condition, as short as can be found."""
    left = left or _Left(_QUESTIONS)
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


# --- questions ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Places:
    """A state of which nothing is known but the types of its places (`encode.Source`)."""

    encoding: Encoding
    symbols: dict[Lvalue, BoundedTerm] = field(default_factory=dict)
    facts: dict[Term, None] = field(default_factory=dict)

    def load(self, place: Lvalue, encoder: Encoder) -> BoundedTerm:
        if place not in self.symbols:
            low, high = value_range(place.type)
            # terms are interned, a text may stand for several
            name = f"{len(self.symbols)}: {show_expr(place)}"
            term = Symbol(name, self.encoding.sort(place.type))
            if isinstance(place.type, IntType | PointerType):
                self.facts[self.encoding.within(term, low, high, place.type)] = None
            self.symbols[place] = BoundedTerm(term, low, high)
        return self.symbols[place]

    def address(self, var: Var) -> BoundedTerm:
        raise UnsupportedFeature(f"where {var.short} lies is not known")

    def function(self, name: str) -> BoundedTerm:
        raise UnsupportedFeature(f"where {name} lies is not known")

    def size(self, pointer: Expr, type_: IntType) -> BoundedTerm | None:
        return None

    def unknown(self, type_: Type) -> BoundedTerm | None:
        return None


class _Logic:
    """What follows from what."""

    def __init__(self, program: Program, encoding: Encoding, left: _Left) -> None:
        self._places = _Places(encoding)
        self._encoder = Encoder(program, encoding, self._places)
        self._left = left
        self._solver: Solver = create(_SOLVERS[encoding.name], Statistics())
        self._told: set[Term] = set()

    def term(self, condition: Expr) -> Term:
        return self._encoder.condition(condition)

    def implies(self, known: Iterable[Expr], goal: Expr) -> bool:
        """Whether it surely follows; False if it is not known."""
        terms = [*map(self.term, known), build.not_(self.term(goal))]
        if not self._left.take():
            return False
        for fact in self._places.facts:
            if fact not in self._told:
                self._told.add(fact)
                self._solver.add(fact)
        answer = self._solver.check(terms, _SECONDS)
        if isinstance(answer, Unknown):
            self._left.questions -= _UNDECIDED
        return isinstance(answer, Unsat)


# --- what is left out -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shortening:
    """Rewrites a condition where it is known what else holds."""

    logic: _Logic

    def under(self, condition: Expr, known: tuple[Expr, ...]) -> Expr:
        match condition:
            case And(args):
                return self._conjunction(args, known)
            case Or(args):
                return self._disjunction(args, known)
        if self.logic.implies(known, condition):
            return TRUE
        if known and self.logic.implies(known, make.negate(condition)):
            return FALSE
        return condition

    def _conjunction(self, parts: Sequence[Expr], known: tuple[Expr, ...]) -> Expr:
        kept = list(parts)
        for part in sorted(parts, key=_cost, reverse=True):
            others = [other for other in kept if other is not part]
            if self.logic.implies((*known, *others), part):
                kept = others
        for number, part in enumerate(kept):
            if isinstance(part, Or):
                others = [other for other in kept if other is not part]
                kept[number] = self._disjunction(part.args, (*known, *others))
        return make.conj(kept)

    def _disjunction(self, cases: Sequence[Expr], known: tuple[Expr, ...]) -> Expr:
        kept = self._cases(cases, known)
        for number, case in sorted(enumerate(kept), key=lambda item: _cost(item[1]), reverse=True):
            rest = [make.negate(other) for k, other in enumerate(kept) if k != number]
            kept[number] = self.under(case, (*known, *rest))
        return make.disj(self._cases(kept, known))  # a case that says less may have others in it

    def _cases(self, cases: Sequence[Expr], known: tuple[Expr, ...]) -> list[Expr]:
        """Those that the others do not have."""
        kept = list(cases)
        for case in sorted(cases, key=_cost, reverse=True):
            others = [other for other in kept if other is not case]
            if self.logic.implies((*known, case), make.disj(others)):
                kept = others
        return kept


def _cost(condition: Expr) -> int:
    """How much there is to read; what goes first is what costs most."""
    return sum(
        20 if isinstance(term, Or) else 4 if isinstance(term, Cast) else 1
        for term in subterms(condition)
    )
