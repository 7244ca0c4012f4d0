"""An independent check of a proof: are the invariants enough to exclude every error?

It shares with the engines the semantics of operations and calls (`encode.steps`,
`analysis.control_flow`), and nothing else: no tree, no abstraction, no cached blocks, another
solver. The cut points are loop heads and the configurations with an invariant. Each loop-free piece
between them is one formula, made here: a configuration where branches meet has a Boolean symbol, 'a
run is here', and a copy of each variable on whose value the branches differ.

Soundness duty: `Certified` only if the initial states satisfy the invariants, every piece preserves
them, and none leads to an error or a limit, all of that proved by the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic
from typing import TypeAlias

from ..analysis.control_flow import ControlFlow
from ..analysis.effects import Slot
from ..analysis.facts import ProgramFacts
from ..analysis.intervals.state import State
from ..analysis.memory.partition import lvalue_of
from ..analysis.memory.regions import Storage
from ..encode.encoding import BitVectorEncoding, Encoding
from ..encode.environment import Environment, Formulas
from ..encode.initial_states import initial_environment
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..errors import InternalError, UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location, Program
from ..ir.configuration import CallStack, Configuration, TransitionKind
from ..ir.expr import Expr, Lvalue
from ..ir.order import loop_heads
from ..ir.show import show_expr
from ..ir.types import IntType
from ..records import dataclass, field
from ..smt import build
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Sat, Statistics, Unknown, Unsat
from ..smt.solvers import create
from ..smt.substitution import substitute
from ..smt.term import FALSE, TRUE, Symbol, Term, symbols
from ..verdict import Invariant
from .piece_formulas import Arrival, PieceFormulas

_SECONDS_PER_CALL = 10.0
ANY_STORAGE = Environment("")  # any storage
_SOLVERS = {"int": "cvc5", "bv": "z3"}  # not those of the lazy engine


@dataclass(frozen=True, slots=True)
class Certified:
    """The invariants prove the program."""


@dataclass(frozen=True, slots=True)
class CertificateRefuted:
    """They do not: `why` says what is not excluded, starting from `where`."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Unchecked:
    """It could not be decided."""

    reason: str


Certificate: TypeAlias = Certified | CertificateRefuted | Unchecked
Candidates: TypeAlias = Callable[[Configuration], list[Expr]]  # for invariants; they are proved


@dataclass(slots=True)
class Effort:
    """What checks may still cost: solver calls of so many seconds each, with solvers by encoding,
    and configurations (both None: any number), until a time of `time.monotonic`."""

    deadline: float
    seconds: float
    calls: int | None = None
    configurations: int | None = None
    solvers: Mapping[str, str] = field(default_factory=lambda: _SOLVERS)

    @property
    def is_spent(self) -> bool:
        counts = (self.calls, self.configurations)
        return monotonic() > self.deadline or any(left is not None and left <= 0 for left in counts)


def certify(
    program: Program,
    invariants: Iterable[Invariant],
    adopted: Mapping[Lvalue, Storage] | None = None,
    seconds: float = 60.0,
) -> Certificate:
    """Check the invariants of a program; where there is none, a run may be in any state or never
    come. They may rest on interval facts: those are proved too. `adopted` are lvalues that only the
    engine's formulas have a storage for (`Formulas.adopted`)."""
    deadline = monotonic() + seconds
    facts = ProgramFacts(program)  # not those that the engine had
    claims = _claims(invariants)
    answer: Certificate = Unchecked("")
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        # integers may be hopeless where bit-vectors are not
        until = deadline if encoding.name == "bv" else (monotonic() + deadline) / 2

        def attempt(
            candidates: Candidates, encoding: Encoding = encoding, until: float = until
        ) -> Certificate:
            formulas = Formulas(facts.partition, encoding, adopted=dict(adopted or {}))
            return InductiveCheck(
                formulas, facts.flow, claims, candidates, Effort(until, _SECONDS_PER_CALL)
            ).run()

        try:
            answer = attempt(lambda _: [])
            if isinstance(answer, CertificateRefuted):
                answer = attempt(interval_candidates(facts))
        except NeedsBitVectors:
            continue
        except UnsupportedFeature as problem:
            return Unchecked(str(problem))
        if not isinstance(answer, Unchecked):
            break
    return answer


def is_inductive(facts: ProgramFacts, invariants: Iterable[Invariant], effort: Effort) -> bool:
    """Do the invariants, without any interval facts, prove the program? False if that is not
    decided with so much effort."""
    claims = _claims(invariants)
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        formulas = Formulas(facts.partition, encoding)
        try:
            answer = InductiveCheck(formulas, facts.flow, claims, lambda _: [], effort).run()
        except NeedsBitVectors:
            continue
        except UnsupportedFeature:
            return False
        return isinstance(answer, Certified)
    return False


def _claims(invariants: Iterable[Invariant]) -> dict[Configuration, list[Expr]]:
    claims: dict[Configuration, list[Expr]] = {}
    for item in invariants:
        claims.setdefault(configuration_of(item), []).append(item.expr)
    return claims


def configuration_of(invariant: Invariant) -> Configuration:
    stack: CallStack | None = None
    for call in invariant.stack:
        stack = CallStack(call, stack)
    return Configuration(invariant.location, stack)


def interval_candidates(facts: ProgramFacts) -> Candidates:
    """Interval facts at a configuration as candidates: bounds of the variables at its location, and
    of those of its callers that cannot have changed since they made their calls."""
    found, effects = facts.intervals, facts.modref

    def conditions(state: State, written: set[Slot]) -> list[Expr]:
        parts: list[Expr] = []
        for var, (low, high) in state.items():
            if var not in written and isinstance(var.type, IntType):
                lvalue, type_ = lvalue_of(facts.partition, var), var.type
                if low > type_.low:
                    parts.append(make.less_equal(make.const(low, type_), lvalue))
                if high < type_.high:
                    parts.append(make.less_equal(lvalue, make.const(high, type_)))
        return parts

    def at(configuration: Configuration) -> list[Expr]:
        parts = conditions(found.at(configuration.location), set())
        written: set[Slot] = set()
        inside, stack = configuration.location.function, configuration.stack
        while stack is not None:
            written |= effects.writes(inside)
            parts += conditions(found.at(stack.call.src), written)
            inside, stack = stack.call.src.function, stack.below
        return list(dict.fromkeys(parts))

    return at


class _Stop(Exception):
    """The check is over."""

    def __init__(self, answer: Certificate) -> None:
        self.answer = answer


@dataclass(slots=True)
class InductiveCheck:
    """One attempt, with one encoding."""

    formulas: Formulas
    flow: ControlFlow
    claims: Mapping[Configuration, Sequence[Expr]]
    candidates: Candidates
    effort: Effort
    heads: frozenset[Location] = frozenset()
    kept: dict[Configuration, list[Expr]] = field(default_factory=dict)
    """At the cut points that were reached, the candidates that are not refuted."""
    waiting: dict[Configuration, None] = field(default_factory=dict)

    def run(self) -> Certificate:
        functions = self.flow.program.functions.values()
        self.heads = frozenset(head for function in functions for head in loop_heads(function))
        try:
            environment, exact = initial_environment(self.formulas)
            entry = self.flow.entry
            if self._is_point(entry):
                piece = PieceFormulas(self.formulas, {}, exact)
                self._enter(piece, "the start", TRUE, entry, Arrival(TRUE, environment))
            else:
                self._follow(entry, environment, TRUE, exact)
            while self.waiting:
                configuration = next(iter(self.waiting))
                del self.waiting[configuration]
                known = [*self.claims.get(configuration, ()), *self.kept[configuration]]
                self._follow(
                    configuration, ANY_STORAGE, build.and_(*self._terms(known, ANY_STORAGE)), True
                )
        except _Stop as end:
            return end.answer
        return Certified()

    def _is_point(self, configuration: Configuration) -> bool:
        return configuration.location in self.heads or configuration in self.claims

    # --- invariants -------------------------------------------------------------------------------

    def _terms(self, conditions: Sequence[Expr], environment: Environment) -> list[Term]:
        """Conditions in an environment. They are encoded for any storage: so they mean the same
        where they are shown and where they are used, whatever else is known there."""
        formulas = self.formulas
        terms = [formulas.encoder(ANY_STORAGE).condition(condition) for condition in conditions]
        for condition in conditions:
            formulas.encoder(environment).condition(condition)  # notes the ranges of what it reads
        values: dict[Symbol, Term] = {}
        for symbol in symbols(terms):
            tag, key = formulas.origins.get(symbol, ("?", None))
            if tag == ANY_STORAGE.tag and key is not None:
                values[symbol] = formulas.get(environment, key).term
        return substitute(terms, values)

    # --- pieces -----------------------------------------------------------------------------------

    def _follow(
        self, configuration: Configuration, before: Environment, known: Term, exact: bool
    ) -> None:
        """Check all paths from a cut point, or from the entry, to the next cut points."""
        piece = PieceFormulas(self.formulas, {}, exact)
        inside: dict[Configuration, list[Arrival]] = {configuration: [Arrival(TRUE, before)]}
        leaving: dict[Configuration, list[Arrival]] = {}
        bad: list[Arrival] = []
        for here in self._order(configuration):
            arrivals_here = inside.pop(here, None)
            if arrivals_here is None:
                continue  # no run comes here
            arrival = piece.joined(arrivals_here, str(here.location))
            for transition in self.flow.transitions(here):
                taken = piece.taken(arrival, transition)
                if taken.guard is FALSE:
                    continue
                if transition.dst is None:
                    bad.append(taken)
                elif self._is_point(transition.dst):
                    leaving.setdefault(transition.dst, []).append(taken)
                else:
                    inside.setdefault(transition.dst, []).append(taken)
        if inside:
            raise InternalError(f"a cycle without a loop head: {next(iter(inside))}")
        self._exclude(piece, str(configuration), known, bad)
        for target, arrivals in leaving.items():
            arrival = piece.joined(arrivals, str(target.location))
            self._enter(piece, str(configuration), known, target, arrival)

    def _order(self, first: Configuration) -> list[Configuration]:
        """The configurations of the piece from a cut point on, in topological order."""
        order: list[Configuration] = []
        seen: set[Configuration] = set()
        stack: list[tuple[Configuration, bool]] = [(first, False)]
        while stack:
            here, closed = stack.pop()
            if closed:
                order.append(here)
                continue
            if here in seen:
                continue
            seen.add(here)
            self._tick()
            if self.effort.configurations is not None:
                self.effort.configurations -= 1
            stack.append((here, True))
            for transition in self.flow.transitions(here):
                if transition.dst is not None and not self._is_point(transition.dst):
                    stack.append((transition.dst, False))
        order.reverse()
        return order

    # --- proof obligations ------------------------------------------------------------------------

    def _exclude(
        self, piece: PieceFormulas, where: str, known: Term, bad: Sequence[Arrival]
    ) -> None:
        """No error and no limit can be reached."""
        if not bad:
            return
        ends = build.or_(*(arrival.guard for arrival in bad))
        model = self._model(piece, known, ends)
        if model is None:
            return
        reached = next(
            a.transition for a in bad if a.transition is not None and model.holds(a.guard)
        )
        what = "an error" if reached.kind is TransitionKind.ERROR else "a limit"
        self._refute(piece, where, f"{reached.edge.coord}: {what} can be reached: {reached.text}")

    def _enter(
        self, piece: PieceFormulas, where: str, known: Term, target: Configuration, arrival: Arrival
    ) -> None:
        """The invariant of a cut point holds when a run arrives there; candidates that do not are
        dropped."""
        claims = self.claims.get(target)
        if target not in self.kept:
            if claims is None and self._model(piece, known, arrival.guard) is None:
                return  # no run comes there
            self.kept[target] = self.candidates(target)
            self.waiting[target] = None
        claimed = build.and_(*self._terms(claims or (), arrival.environment))
        while True:
            candidates = self.kept[target]
            terms = self._terms(candidates, arrival.environment)
            fails = build.not_(build.and_(claimed, *terms))
            model = self._model(piece, known, arrival.guard, fails)
            if model is None:
                return
            if not model.holds(claimed):
                shown = show_expr(make.conj(claims or ()))
                self._refute(piece, where, f"'{shown}' need not hold at {target}")
            right = [
                candidate
                for candidate, term in zip(candidates, terms, strict=True)
                if model.holds(term)
            ]
            self.kept[target] = right
            self.waiting[target] = None

    def _refute(self, piece: PieceFormulas, where: str, why: str) -> None:
        if piece.exact:
            raise _Stop(CertificateRefuted(where, why))
        raise _Stop(Unchecked(f"{where}: {why}, as far as formulas tell"))

    def _model(self, piece: PieceFormulas, *conditions: Term) -> TermEvaluator | None:
        """A state in which the conditions hold; None if there is none."""
        formula = build.and_(*piece.needed(conditions), *conditions)
        if formula is FALSE:
            return None
        self._tick()
        if self.effort.calls is not None:
            self.effort.calls -= 1
        solver = create(self.effort.solvers[self.formulas.encoding.name], Statistics())
        solver.add(self.formulas.closed(formula))
        left = self.effort.deadline - monotonic()
        match solver.check(timeout=min(self.effort.seconds, left)):
            case Unsat():
                return None
            case Sat(model):
                return TermEvaluator(model)
            case Unknown() as unknown:
                raise _Stop(Unchecked(f"{solver.name} did not decide a question ({unknown})"))
        raise InternalError("a solver gave no answer")

    def _tick(self) -> None:
        if self.effort.is_spent:
            raise _Stop(Unchecked("the time limit was reached"))
