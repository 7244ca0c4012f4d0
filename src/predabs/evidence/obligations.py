"""Proof obligations of a certificate: asking a solver, within limits, and what can be said at the
end.

Soundness duty: an obligation counts as proved only if the solver has refuted its negation; its
'unknown', or a limit, ends the check without an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import NoReturn, TypeAlias

from ..encode.environment import Environment, Formulas
from ..ir.configuration import Transition, TransitionKind
from ..ir.expr import Expr
from ..ir.ops import Error, ErrorKind
from ..records import dataclass, field
from ..smt import build
from ..smt.evaluate import TermEvaluator
from ..smt.interval_shapes import has_floats
from ..smt.solver import Answer, Sat, Solver, Statistics, Unknown
from ..smt.solvers import create
from ..smt.substitution import substitute
from ..smt.term import FALSE, Symbol, Term, postorder, symbols
from ..verdict import Invariant, Proof, ShapesAt
from .piece_formulas import Arrival, PieceFormulas

ANY = Environment("")  # any storage
START = "the start"
SOLVERS = {"int": ("cvc5",), "bv": ("z3",)}  # not those of the lazy engine
QUICK_SOLVERS = {"int": ("z3",), "bv": ("bitwuzla",)}  # where this is no certificate
_FIRST_SHARE, _FIRST_SECONDS = 0.5, 5.0  # of the time for a question, while others can be asked
_ALL_SHARE, _ALL_SECONDS = 0.2, 3.0  # of the time, for all errors in one question


@dataclass(frozen=True, slots=True)
class Certified:
    """The program is proved, by these solvers, with these invariants, and if it was unrolled, in so
    many pieces, with recursion of such a depth. `proof` says how, if it was a whole proof."""

    solvers: tuple[str, ...] = field(default=(), compare=False)
    invariants: tuple[Invariant, ...] = field(default=(), compare=False)
    pieces: int = field(default=0, compare=False)
    recursion: int = field(default=0, compare=False)
    proof: Proof | None = field(default=None, compare=False)
    shapes: tuple[ShapesAt, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class CertificateRefuted:
    """It is not: `why` says what is not excluded, starting from `where`. `certain`: in the
    formulas, a run comes to an error; `limit`: it is only where the check cannot follow."""

    where: str
    why: str
    certain: bool = field(default=False, compare=False)
    limit: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unchecked:
    """It could not be decided."""

    reason: str


Certificate: TypeAlias = Certified | CertificateRefuted | Unchecked


@dataclass(slots=True)
class Effort:
    """What checks may still cost: solver calls of so many seconds each, and configurations (both
    None: any number), until a time of `time.monotonic`. By encoding, the solvers to ask, one after
    the other until one decides."""

    deadline: float
    seconds: float
    calls: int | None = None
    configurations: int | None = None
    solvers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: SOLVERS)
    used: dict[str, None] = field(default_factory=dict)
    """The solvers that have decided a question."""

    @property
    def is_spent(self) -> bool:
        counts = (self.calls, self.configurations)
        return monotonic() > self.deadline or any(left is not None and left <= 0 for left in counts)


def is_limit(transition: Transition) -> bool:
    """Does it end where the check cannot follow, and not in a violation?"""
    op = transition.edge.op
    if isinstance(op, Error) and op.kind is ErrorKind.UNSUPPORTED:
        return True
    return transition.kind is TransitionKind.LIMIT


class Stop(Exception):
    """The check is over."""

    def __init__(self, answer: Certificate) -> None:
        self.answer = answer


@dataclass(slots=True)
class Obligations:
    """What is to be proved with one encoding, question by question."""

    formulas: Formulas
    effort: Effort
    _solvers: dict[str, Solver] = field(default_factory=dict)
    _order: dict[bool, tuple[str, ...]] = field(default_factory=dict)
    """The solvers, for questions without and with floating-point numbers: the one that has decided
    the last one comes first."""
    _apart: bool = False  # are errors asked about one after the other?

    def model(
        self, piece: PieceFormulas, *conditions: Term, seconds: float | None = None
    ) -> TermEvaluator | None:
        """A state in which the conditions hold; None if there is none. The question may cost so
        many seconds, or what the effort allows."""
        formula = build.and_(*piece.needed(conditions), *conditions)
        if formula is FALSE:
            return None
        self.tick()
        effort = self.effort
        if effort.calls is not None:
            effort.calls -= 1
        closed = self.formulas.closed(formula)
        end = min(effort.deadline, monotonic() + (effort.seconds if seconds is None else seconds))
        floats = bool(has_floats(list(postorder([closed]))))
        names = self._order.get(floats) or self._first(floats)
        undecided: list[str] = []
        for name in names:
            left = max(0.01, end - monotonic())
            share = left if name == names[-1] else min(_FIRST_SECONDS, _FIRST_SHARE * left)
            answer = self._asked(name, closed, share)
            if not isinstance(answer, Unknown):
                effort.used[name] = None
                self._order[floats] = (name, *(other for other in names if other != name))
                return TermEvaluator(answer.model) if isinstance(answer, Sat) else None
            undecided.append(f"{name} did not decide a question ({answer})")
        raise Stop(Unchecked("; ".join(undecided)))

    def _share(self, share: float, most: float) -> float:
        """So much of the time that is left, in seconds."""
        return max(0.0, min(most, share * (self.effort.deadline - monotonic())))

    def _first(self, floats: bool) -> tuple[str, ...]:
        """The solvers; z3 is slow with floating-point numbers."""
        names = self.effort.solvers[self.formulas.encoding.name]
        return tuple(sorted(names, key=lambda name: floats and name == "z3"))

    def _asked(self, name: str, closed: Term, seconds: float) -> Answer:
        """What a solver says about a formula, in so much time."""
        if name not in self._solvers:
            self._solvers[name] = create(name, Statistics())
        solver = self._solvers[name].fresh()
        solver.add(closed)
        return solver.check(timeout=seconds)

    def exclude(
        self, piece: PieceFormulas, where: str, known: Term, bad: Sequence[Arrival]
    ) -> None:
        """No error and no limit can be reached: all of them are one question at first, and then,
        if that is too hard, one after the other."""
        if len(bad) > 1 and not self._apart:
            try:
                self._exclude(piece, where, known, bad, self._share(_ALL_SHARE, _ALL_SECONDS))
            except Stop as end:
                if not isinstance(end.answer, Unchecked):
                    raise
                self._apart = True
            else:
                return
        for arrival in bad:
            self._exclude(piece, where, known, [arrival])

    def _exclude(
        self,
        piece: PieceFormulas,
        where: str,
        known: Term,
        bad: Sequence[Arrival],
        seconds: float | None = None,
    ) -> None:
        guards = build.or_(*(arrival.guard for arrival in bad))
        model = self.model(piece, known, guards, seconds=seconds)
        if model is None:
            return
        reached = next(
            a.transition for a in bad if a.transition is not None and model.holds(a.guard)
        )
        limit = is_limit(reached)
        what = "a limit" if limit else "an error"
        why = f"{reached.edge.coord}: {what} can be reached: {reached.text}"
        certain = where == START and not limit and not piece.summarized
        self.refute(piece, where, why, certain=certain, limit=limit)

    def refute(
        self,
        piece: PieceFormulas,
        where: str,
        why: str,
        *,
        certain: bool = False,
        limit: bool = False,
    ) -> NoReturn:
        """It does not hold; where formulas have more states than there are, nobody knows."""
        if piece.exact or limit:
            raise Stop(CertificateRefuted(where, why, certain, limit))
        raise Stop(Unchecked(f"{where}: {why}, as far as formulas tell"))

    def terms(self, conditions: Sequence[Expr], environment: Environment) -> list[Term]:
        """Conditions in an environment. They are encoded for any storage: so they mean the same
        where they are shown and where they are used, whatever else is known there."""
        formulas = self.formulas
        terms = [formulas.encoder(ANY).condition(condition) for condition in conditions]
        for condition in conditions:
            formulas.encoder(environment).condition(condition)  # notes the ranges of what it reads
        values: dict[Symbol, Term] = {}
        for symbol in symbols(terms):
            tag, key = formulas.origins.get(symbol, ("?", None))
            if tag == ANY.tag and key is not None:
                values[symbol] = formulas.get(environment, key).term
        return substitute(terms, values)

    def tick(self) -> None:
        if self.effort.is_spent:
            raise Stop(Unchecked("the time limit was reached"))

    def step(self) -> None:
        """One more configuration is encoded."""
        self.tick()
        if self.effort.configurations is not None:
            self.effort.configurations -= 1
