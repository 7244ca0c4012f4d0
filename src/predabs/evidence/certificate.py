"""An independent check of a proof: are the invariants enough to exclude every error?

It shares with the engines the semantics of operations and calls (`encode.steps`,
`analysis.control_flow`), and nothing else: no tree, no abstraction, no cached blocks, another
solver. The cut points are loop heads and the configurations with an invariant. Each loop-free piece
between them is one formula, made here (`piece_formulas`).

Soundness duty: `Certified` only if the initial states satisfy the invariants, every piece preserves
them, and none leads to an error or a limit, all of that proved by the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from time import monotonic
from typing import TypeAlias

from ..analysis.effects import Slot
from ..analysis.facts import ProgramFacts
from ..analysis.intervals.state import State
from ..analysis.memory.partition import lvalue_of
from ..analysis.memory.regions import Storage
from ..encode.encoding import BitVectorEncoding, Encoding
from ..encode.environment import Environment, Formulas
from ..encode.initial_states import initial_environment
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location, Program
from ..ir.configuration import CallStack, Configuration
from ..ir.expr import Expr, Lvalue
from ..ir.show import show_expr
from ..ir.types import IntType
from ..records import dataclass, field
from ..smt import build
from ..smt.term import TRUE, Term
from ..verdict import Invariant
from .obligations import ANY, START, Obligations, Stop
from .obligations import QUICK_SOLVERS as QUICK_SOLVERS
from .obligations import Certificate as Certificate
from .obligations import CertificateRefuted as CertificateRefuted
from .obligations import Certified as Certified
from .obligations import Effort as Effort
from .obligations import Unchecked as Unchecked
from .piece_formulas import Arrival, PieceFormulas, Pieces
from .summaries import SummarizedCalls, SummarizedFacts

_SECONDS_PER_CALL = 10.0

Candidates: TypeAlias = Callable[[Configuration], list[Expr]]  # for invariants; they are proved


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
    claims = Claims(program, invariants)
    answer: Certificate = Unchecked("")
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        # integers may be hopeless where bit-vectors are not
        until = deadline if encoding.name == "bv" else (monotonic() + deadline) / 2
        effort = Effort(until, _SECONDS_PER_CALL)

        def attempt(
            candidates: Candidates, encoding: Encoding = encoding, effort: Effort = effort
        ) -> Certificate:
            formulas = Formulas(facts.partition, encoding, adopted=dict(adopted or {}))
            return InductionCheck(facts, formulas, claims, candidates, effort).run()

        try:
            answer = attempt(no_candidates)
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
    claims = Claims(facts.program, invariants)
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        formulas = Formulas(facts.partition, encoding)
        try:
            answer = InductionCheck(facts, formulas, claims, no_candidates, effort).run()
        except NeedsBitVectors:
            continue
        except UnsupportedFeature:
            return False
        return isinstance(answer, Certified)
    return False


class Claims:
    """The invariants of a proof, by configuration: those of its calls, and those of the location
    that hold whatever the calls are."""

    def __init__(self, program: Program, invariants: Iterable[Invariant]) -> None:
        self._here: dict[Configuration, list[Expr]] = {}
        self._always: dict[Location, list[Expr]] = {}
        for item in invariants:
            if not item.stack and item.location.function != program.entry:
                self._always.setdefault(item.location, []).append(item.expr)
            else:
                self._here.setdefault(_configuration(item), []).append(item.expr)

    def __contains__(self, configuration: Configuration) -> bool:
        return configuration in self._here or configuration.location in self._always

    def at(self, configuration: Configuration) -> list[Expr]:
        here = self._here.get(configuration, [])
        return [*here, *self._always.get(configuration.location, ())]


def _configuration(invariant: Invariant) -> Configuration:
    stack: CallStack | None = None
    for call in invariant.stack:
        stack = CallStack(call, stack)
    return Configuration(invariant.location, stack)


def no_candidates(configuration: Configuration) -> list[Expr]:
    """The invariants must do."""
    return []


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


@dataclass(slots=True)
class InductionCheck:
    """One attempt, with one encoding. With `errors`, all errors and limits must be excluded; else
    only that the invariants hold up to the first one. With `drops_open`, a candidate about which
    the solver gives no answer is dropped."""

    facts: ProgramFacts
    formulas: Formulas
    claims: Claims
    candidates: Candidates
    effort: Effort
    errors: bool = True
    drops_open: bool = False
    kept: dict[Configuration, list[Expr]] = field(default_factory=dict)
    """At the cut points that were reached, the candidates that are not refuted."""
    _waiting: dict[Configuration | None, None] = field(default_factory=lambda: {None: None})
    """Where pieces begin that are to be followed; None is the start."""
    _here: Configuration | None = None
    _users: dict[Configuration, dict[Configuration | None, None]] = field(default_factory=dict)
    """For the exit of a function, the pieces that have used what holds there."""
    _obligations: Obligations = field(init=False)
    _pieces: Pieces = field(init=False)
    _calls: SummarizedCalls | None = None

    def __post_init__(self) -> None:
        asked = self._obligations = Obligations(self.formulas, self.effort)
        if isinstance(self.facts, SummarizedFacts):
            self._calls = SummarizedCalls(self.formulas, self.facts, self._ensured, asked.terms)
        self._pieces = Pieces(self.facts.flow, self._is_cut, asked.step, self._calls)

    def run(self) -> Certificate:
        try:
            while self._waiting:
                self._here = next(iter(self._waiting))
                del self._waiting[self._here]
                if self._here is None:
                    self._start()
                else:
                    before = self._begun(ANY, self._here)
                    terms = self._obligations.terms(self.known(self._here), before)
                    self._follow(self._here, before, build.and_(*terms), True)
        except Stop as end:
            return end.answer
        return Certified(tuple(self.effort.used), self.proved())

    def _start(self) -> None:
        initial, exact = initial_environment(self.formulas)
        entry = self.facts.flow.entry
        environment = self._begun(initial, entry)
        if self._pieces.is_point(entry):
            piece = PieceFormulas(self.formulas, {}, exact)
            self._enter(piece, START, TRUE, entry, Arrival(TRUE, environment))
        else:
            self._follow(entry, environment, TRUE, exact)

    def _begun(self, environment: Environment, at: Configuration) -> Environment:
        return environment if self._calls is None else self._calls.begun(environment, at)

    def _is_cut(self, configuration: Configuration) -> bool:
        if configuration in self.claims:
            return True
        return self._calls is not None and self._calls.is_cut(configuration)

    def _ensured(self, function: str) -> list[Expr] | None:
        """What holds when a call of a function with a summary returns, as far as it was not
        refuted; whoever asks is asked again when that changes."""
        end = Configuration(self.facts.program.functions[function].exit, None)
        self._users.setdefault(end, {})[self._here] = None
        return self.known(end) if end in self.kept else None

    def known(self, configuration: Configuration) -> list[Expr]:
        """What holds at a cut point, as far as it was not refuted."""
        claimed = self.claims.at(configuration)
        return list(dict.fromkeys((*claimed, *self.kept[configuration])))

    def proved(self) -> tuple[Invariant, ...]:
        """What was proved, by configuration."""
        return tuple(self._proved())

    def _proved(self) -> Iterable[Invariant]:
        for configuration in self.kept:
            known = self.known(configuration)
            if known or configuration in self.claims:
                yield Invariant(configuration.location, configuration.calls, make.conj(known))

    # --- proof obligations ------------------------------------------------------------------------

    def _follow(
        self, configuration: Configuration, before: Environment, known: Term, exact: bool
    ) -> None:
        """Check all paths from a cut point, or from the entry, to the next cut points."""
        piece = PieceFormulas(self.formulas, {}, exact)
        reached = self._pieces.follow(piece, configuration, Arrival(TRUE, before))
        if self.errors:
            self._obligations.exclude(piece, str(configuration), known, reached.bad)
        for target, arrivals in reached.leaving.items():
            arrival = piece.joined(arrivals, str(target.location))
            self._enter(piece, str(configuration), known, target, arrival)

    def _enter(
        self, piece: PieceFormulas, where: str, known: Term, target: Configuration, arrival: Arrival
    ) -> None:
        """The invariant of a cut point holds when a run arrives there; candidates that do not are
        dropped."""
        asked = self._obligations
        claims: Sequence[Expr] = self.claims.at(target)
        if target not in self.kept:
            unclaimed = target not in self.claims
            if unclaimed and asked.model(piece, known, arrival.guard) is None:
                return  # no run comes there
            self.kept[target] = self.candidates(target)
            self._wait(target)
        claimed = build.and_(*asked.terms(claims, arrival.environment))
        while True:
            candidates = self.kept[target]
            terms = asked.terms(candidates, arrival.environment)
            fails = build.not_(build.and_(claimed, *terms))
            try:
                model = asked.model(piece, known, arrival.guard, fails)
            except Stop:
                if not self.drops_open or claims or self.effort.is_spent:
                    raise
                sure = self._one_by_one(piece, build.and_(known, arrival.guard), terms)
                if not all(sure):
                    self.kept[target] = list(compress(candidates, sure))
                    self._wait(target)
                return
            if model is None:
                return
            if not model.holds(claimed):
                shown = show_expr(make.conj(claims))
                asked.refute(piece, where, f"'{shown}' need not hold at {target}")
            self.kept[target] = [
                candidate
                for candidate, term in zip(candidates, terms, strict=True)
                if model.holds(term)
            ]
            self._wait(target)

    def _one_by_one(self, piece: PieceFormulas, known: Term, terms: Sequence[Term]) -> list[bool]:
        """Which of the terms certainly follow, asked one after the other."""
        sure: list[bool] = []
        for term in terms:
            try:
                refuted = self._obligations.model(piece, known, build.not_(term)) is not None
            except Stop:
                if self.effort.is_spent:
                    raise
                refuted = True
            sure.append(not refuted)
            known = known if refuted else build.and_(known, term)
        return sure

    def _wait(self, target: Configuration) -> None:
        """What is known of a cut point has changed: the pieces that use it are to be followed."""
        self._waiting[target] = None
        self._waiting.update(self._users.get(target, {}))
