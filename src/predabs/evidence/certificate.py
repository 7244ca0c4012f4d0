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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TypeAlias

from ..analysis.control_flow import ControlFlow
from ..analysis.facts import ProgramFacts
from ..analysis.memory.regions import Storage
from ..encode.encoding import Encoding, Number, Vectors
from ..encode.environment import Environment, Formulas
from ..encode.initial_states import initial
from ..encode.integer_encoding import Integers, NeedsBitVectors
from ..encode.steps import EdgeStep
from ..errors import InternalError, UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location, Program
from ..ir.configuration import Configuration, Stack, Transition, TransitionKind
from ..ir.expr import Expr, Lvalue, Var
from ..ir.order import loop_heads
from ..ir.show import show_expr
from ..smt import build
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Sat, Statistics, Unknown, Unsat
from ..smt.solvers import create
from ..smt.substitution import substitute
from ..smt.term import BOOL, FALSE, TRUE, Symbol, Term, symbols
from ..verdict import Invariant
from .interval_invariants import Candidates, interval_invariants

_SECONDS_PER_CALL = 10.0
_ANY = Environment("")  # any storage
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
    claims: dict[Configuration, list[Expr]] = {}
    for item in invariants:
        claims.setdefault(_config(item), []).append(item.expr)
    answer: Certificate = Unchecked("")
    encodings: tuple[Encoding, ...] = (Integers(), Vectors())
    for encoding in encodings:
        # integers may be hopeless where bit-vectors are not
        until = deadline if encoding.name == "bv" else (monotonic() + deadline) / 2

        def attempt(
            candidates: Candidates, encoding: Encoding = encoding, until: float = until
        ) -> Certificate:
            formulas = Formulas(facts.partition, encoding, adopted=dict(adopted or {}))
            return _Check(formulas, facts.flow, claims, candidates, until).run()

        try:
            answer = attempt(lambda _: [])
            if isinstance(answer, CertificateRefuted):
                answer = attempt(interval_invariants(facts))
        except NeedsBitVectors:
            continue
        except UnsupportedFeature as problem:
            return Unchecked(str(problem))
        if not isinstance(answer, Unchecked):
            break
    return answer


def _config(invariant: Invariant) -> Configuration:
    stack: Stack | None = None
    for call in invariant.stack:
        stack = Stack(call, stack)
    return Configuration(invariant.location, stack)


class _Stop(Exception):
    """The check is over."""

    def __init__(self, answer: Certificate) -> None:
        self.answer = answer


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A set of paths to a configuration: their condition, and the storage then."""

    guard: Term
    environment: Environment
    transition: Transition | None = None


@dataclass(slots=True)
class _Check:
    """One attempt, with one encoding."""

    formulas: Formulas
    flow: ControlFlow
    claims: Mapping[Configuration, Sequence[Expr]]
    candidates: Candidates
    deadline: float
    heads: frozenset[Location] = frozenset()
    kept: dict[Configuration, list[Expr]] = field(default_factory=dict)
    """At the cut points that were reached, the candidates that are not refuted."""
    waiting: dict[Configuration, None] = field(default_factory=dict)

    def run(self) -> Certificate:
        functions = self.flow.program.functions.values()
        self.heads = frozenset(head for function in functions for head in loop_heads(function))
        try:
            environment, exact = initial(self.formulas)
            entry = self.flow.start
            if self._is_point(entry):
                piece = _Piece(self.formulas, {}, exact)
                self._enter(piece, "the start", TRUE, entry, _Arrival(TRUE, environment))
            else:
                self._follow(entry, environment, TRUE, exact)
            while self.waiting:
                configuration = next(iter(self.waiting))
                del self.waiting[configuration]
                known = [*self.claims.get(configuration, ()), *self.kept[configuration]]
                self._follow(configuration, _ANY, build.and_(*self._terms(known, _ANY)), True)
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
        terms = [formulas.encoder(_ANY).condition(condition) for condition in conditions]
        for condition in conditions:
            formulas.encoder(environment).condition(condition)  # notes the ranges of what it reads
        values: dict[Symbol, Term] = {}
        for symbol in symbols(terms):
            tag, key = formulas.origins.get(symbol, ("?", None))
            if tag == _ANY.tag and key is not None:
                values[symbol] = formulas.get(environment, key).term
        return substitute(terms, values)

    # --- pieces -----------------------------------------------------------------------------------

    def _follow(
        self, configuration: Configuration, before: Environment, known: Term, exact: bool
    ) -> None:
        """Check all paths from a cut point, or from the entry, to the next cut points."""
        piece = _Piece(self.formulas, {}, exact)
        inside: dict[Configuration, list[_Arrival]] = {configuration: [_Arrival(TRUE, before)]}
        leaving: dict[Configuration, list[_Arrival]] = {}
        bad: list[_Arrival] = []
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
            stack.append((here, True))
            for transition in self.flow.transitions(here):
                if transition.dst is not None and not self._is_point(transition.dst):
                    stack.append((transition.dst, False))
        order.reverse()
        return order

    # --- proof obligations ------------------------------------------------------------------------

    def _exclude(self, piece: _Piece, where: str, known: Term, bad: Sequence[_Arrival]) -> None:
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
        self, piece: _Piece, where: str, known: Term, target: Configuration, arrival: _Arrival
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

    def _refute(self, piece: _Piece, where: str, why: str) -> None:
        if piece.exact:
            raise _Stop(CertificateRefuted(where, why))
        raise _Stop(Unchecked(f"{where}: {why}, as far as formulas tell"))

    def _model(self, piece: _Piece, *conditions: Term) -> TermEvaluator | None:
        """A state in which the conditions hold; None if there is none."""
        formula = build.and_(*piece.needed(conditions), *conditions)
        if formula is FALSE:
            return None
        self._tick()
        solver = create(_SOLVERS[self.formulas.encoding.name], Statistics())
        solver.add(self.formulas.closed(formula))
        left = self.deadline - monotonic()
        match solver.check(timeout=min(_SECONDS_PER_CALL, left)):
            case Unsat():
                return None
            case Sat(model):
                return TermEvaluator(model)
            case Unknown() as unknown:
                raise _Stop(Unchecked(f"{solver.name} did not decide a question ({unknown})"))
        raise InternalError("a solver gave no answer")

    def _tick(self) -> None:
        if monotonic() > self.deadline:
            raise _Stop(Unchecked("the time limit was reached"))


@dataclass(slots=True)
class _Piece:
    """The formulas of a loop-free piece: what the symbols stand for where branches meet."""

    formulas: Formulas
    definitions: dict[Symbol, Term]
    exact: bool

    def taken(self, arrival: _Arrival, transition: Transition) -> _Arrival:
        """After a transition."""
        guard, environment = [arrival.guard], arrival.environment
        for op in transition.ops:
            # the same edge where it can be: objects are known by the edge that allocates them
            edge = transition.edge if op is transition.edge.op else replace(transition.edge, op=op)
            step = EdgeStep(self.formulas, edge, environment)
            step.run()
            guard += step.guard
            environment = step.environment
            self.exact = self.exact and step.exact
        return _Arrival(build.and_(*guard), environment, transition)

    def joined(self, arrivals: Sequence[_Arrival], name: str) -> _Arrival:
        """All arrivals at a configuration as one."""
        if len(arrivals) == 1:
            return arrivals[0]
        formulas = self.formulas
        environments = [arrival.environment for arrival in arrivals]
        merged = environments[0]
        cases = [[arrival.guard] for arrival in arrivals]

        def meet(symbol: Term, values: Sequence[Number]) -> None:
            for case, value in zip(cases, values, strict=True):
                case.append(build.eq(symbol, value.term))

        for key in dict.fromkeys(key for e in environments for key in e.changed):
            values = [formulas.get(environment, key) for environment in environments]
            if any(value.term is not values[0].term for value in values):
                if isinstance(key, Var):
                    copy = formulas.fresh_between(key.name, key.type, values)
                else:
                    copy = Number(formulas.fresh_like(str(key), formulas.map_sort(key)), 0, 0)
                merged = merged.put(key, copy)
                meet(copy.term, values)
        heaps = [formulas.heap_end(environment) for environment in environments]
        if any(heap.term is not heaps[0].term for heap in heaps):
            heap = formulas.fresh_between("heap", formulas.pointer, heaps)
            merged = replace(merged, heap=heap)
            meet(heap.term, heaps)
        here = formulas.fresh_like(f"at {name}", BOOL)
        self.definitions[here] = build.implies(
            here, build.or_(*(build.and_(*case) for case in cases))
        )
        return _Arrival(here, merged)

    def needed(self, conditions: Iterable[Term]) -> list[Term]:
        """The definitions of all symbols that the conditions lead to."""
        found: dict[Term, None] = {}
        todo = list(conditions)
        while todo:
            for symbol in symbols([todo.pop()]):
                definition = self.definitions.get(symbol)
                if definition is not None and definition not in found:
                    found[definition] = None
                    todo.append(definition)
        return list(found)
