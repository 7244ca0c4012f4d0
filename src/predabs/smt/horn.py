"""Constrained Horn clauses [BGMR15]: relations that satisfy clauses, found by z3's Spacer.

A clause says that from states of one relation, under a condition, states of another follow, or none
at all: then a solution proves that the condition is never met. Soundness duty: `Solved` only after
every clause was checked again by an ordinary solver, so that nothing depends on Spacer;
`HornRefuted` is Spacer's claim alone, and only a reason to stop asking. The check also leaves out
what no clause needs.

>>> from .term import INT
>>> x = Symbol("x", INT)
>>> even = HornRelation("even", (x,))
>>> clauses = [
...     HornClause(None, TRUE, even, (build.integer(0),)),
...     HornClause(even, build.lt(x, build.integer(9)), even, (build.add(x, build.integer(2)),)),
...     HornClause(even, build.gt(x, build.integer(10)), None),
... ]
>>> isinstance(solve(clauses, Statistics(), 10.0), Solved)
True
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeAlias

import z3

from ..errors import InternalError
from ..records import dataclass
from . import build
from .backends.z3 import Z3Solver
from .backends.z3_decode import decode
from .solver import Model, Reason, Sat, Solver, Statistics, Unknown, Unsat
from .solvers import create
from .substitution import substitute
from .term import FALSE, INT, TRUE, App, Op, Symbol, Term, is_app, postorder, symbols


@dataclass(frozen=True, slots=True)
class HornRelation:
    """A relation that is wanted; a solution speaks of it by these symbols."""

    name: str
    arguments: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class HornClause:
    """If the source holds of its arguments, and the condition is true, then the target holds of
    the outputs. Without a source the clause is where all begins; without a target it says that this
    never happens. Symbols that are no arguments of the source are any values. `also` are further
    relations that must hold, each of the terms beside it: summaries of calls."""

    source: HornRelation | None
    condition: Term
    target: HornRelation | None
    outputs: tuple[Term, ...] = ()
    also: tuple[tuple[HornRelation, tuple[Term, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Solved:
    """What satisfies all clauses: for each relation a condition on its arguments, a conjunction as
    small as was easy to find."""

    relations: Mapping[HornRelation, Term]


@dataclass(frozen=True, slots=True)
class HornRefuted:
    """There is no solution."""


Solution: TypeAlias = Solved | HornRefuted | Unknown

# With inlining, relations that were inlined come back with quantifiers. Global guidance (lemmas out
# of clusters of similar ones) finds most invariants of counting loops in no time, where Spacer
# diverges without it; state machines are solved several times faster without it, with obligations
# that are pushed on and never forgotten, and no equalities propagated. So the two take turns.
_NO_INLINING = {"xform.inline_eager": False, "xform.inline_linear": False}
_LOOPS = {**_NO_INLINING, "spacer.global": True}
_STATES = {
    **_NO_INLINING,
    "spacer.push_pob": True,
    "spacer.reset_pob_queue": False,
    "spacer.eq_prop": False,
}
_FIRST_TURN = 0.4  # seconds, if there are few; each turn is as long as the last one or three times


def solve(clauses: Sequence[HornClause], statistics: Statistics, timeout: float) -> Solution:
    """Relations for the clauses, verified, in so many seconds."""
    deadline = monotonic() + timeout
    task = _Task(clauses, statistics)
    answer: Solution = Unknown(Reason.TIMEOUT, "no time left")
    for options, seconds in _turns(max(_FIRST_TURN, timeout / 20)):
        left = deadline - monotonic()
        if left <= 0:
            break
        answer = task.ask(options, min(seconds, left), deadline)
        if not isinstance(answer, Unknown) or answer.reason is Reason.INTERRUPTED:
            break
    return answer


def _turns(seconds: float) -> Iterator[tuple[Mapping[str, bool], float]]:
    """Which options are tried for how long, without end."""
    while True:
        yield _LOOPS, seconds
        seconds *= 3
        yield _STATES, seconds


def verify(
    clauses: Sequence[HornClause],
    solution: Mapping[HornRelation, Term],
    statistics: Statistics,
    timeout: float,
) -> Solved | Unknown:
    """The solution, if it satisfies the clauses, without the conjuncts that are not needed.

    From the clauses without a target backwards: what a clause needs of its source is the core of
    the proof that it holds, and then the clauses that lead to the source must give that.
    """
    deadline = monotonic() + timeout
    into: dict[HornRelation | None, list[HornClause]] = {}
    for clause in clauses:
        into.setdefault(clause.target, []).append(clause)
    check = _Check(clauses, solution, statistics)
    needed: dict[HornRelation, dict[Term, None]] = {relation: {} for relation in solution}
    todo: dict[HornRelation | None, list[Term]] = {None: [FALSE]}
    while todo:
        target = next(iter(todo))
        goal = build.and_(*todo.pop(target))
        for clause in into.get(target, ()):
            reason = check.reason(clause, goal, deadline - monotonic())
            if isinstance(reason, Unknown):
                return reason
            for relation, part in reason:
                if part not in needed[relation]:
                    needed[relation][part] = None
                    todo.setdefault(relation, []).append(part)
    return Solved({relation: build.and_(*parts) for relation, parts in needed.items()})


class _Check:
    """Asks an ordinary solver about clauses, with what is claimed to be a solution."""

    def __init__(
        self,
        clauses: Sequence[HornClause],
        solution: Mapping[HornRelation, Term],
        statistics: Statistics,
    ) -> None:
        self._parts = {relation: conjuncts(term) for relation, term in solution.items()}
        used = [*solution.values(), *(clause.condition for clause in clauses)]
        integers = any(part.sort is INT for part in postorder(used))
        self._solver = create("z3" if integers else "bitwuzla", statistics)
        self._solvers: dict[HornClause, Solver] = {}

    def reason(
        self, clause: HornClause, goal: Term, timeout: float
    ) -> list[tuple[HornRelation, Term]] | Unknown:
        """Conjuncts of the relations before the clause that, with its condition, imply the goal for
        the target."""
        solver = self._solvers.get(clause)
        if solver is None:
            solver = self._solvers[clause] = self._solver.fresh()
            solver.add(clause.condition)
        if clause.target is not None:
            mapping = dict(zip(clause.target.arguments, clause.outputs, strict=True))
            (goal,) = substitute([goal], mapping)
        if goal is TRUE:
            return []
        parts = self._before(clause)
        denied = build.not_(goal)
        match solver.check((*(said for said, _, _ in parts), denied), timeout):
            case Unsat(core):
                used = set(core)
                return [(relation, part) for said, relation, part in parts if said in used]
            case Sat():
                return Unknown(Reason.FAILURE, "the solver's relations break a clause")
            case Unknown() as unknown:
                return unknown

    def _before(self, clause: HornClause) -> list[tuple[Term, HornRelation, Term]]:
        """What holds before a clause: each conjunct over the symbols of the clause, and whose it
        is."""
        if clause.source is None:
            found = []
        else:
            found = [(part, clause.source, part) for part in self._parts[clause.source]]
        for relation, terms in clause.also:
            mapping = dict(zip(relation.arguments, terms, strict=True))
            parts = self._parts[relation]
            said = substitute(parts, mapping)
            found += [(one, relation, part) for one, part in zip(said, parts, strict=True)]
        return found


def conjuncts(term: Term) -> list[Term]:
    """The parts of a conjunction, in order, each once."""
    seen: dict[Term, None] = {}
    stack = [term]
    while stack:
        part = stack.pop()
        if part not in seen:
            seen[part] = None
            if isinstance(part, App) and part.op is Op.AND:
                stack.extend(reversed(part.args))
    return [part for part in seen if not is_app(part, Op.AND)]


@contextmanager
def _silent_errors() -> Iterator[None]:
    """Whoever stops z3 while it computes a convex hull sees it complain on the standard error,
    behind Python's back."""
    try:
        saved = os.dup(2)
    except OSError:  # there is none
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


class _Task:
    """The clauses in the terms of one z3 context, for one question after the other."""

    def __init__(self, clauses: Sequence[HornClause], statistics: Statistics) -> None:
        self._horn_clauses = clauses
        self._statistics = statistics
        self._context = Z3Solver(statistics)
        self._translate = self._context._translate
        self._declared: dict[HornRelation, Any] = {}
        self._clauses = [self._clause(clause) for clause in clauses]

    def ask(self, options: Mapping[str, bool], seconds: float, deadline: float) -> Solution:
        spacer = _Spacer(self._context, options)
        for clause in self._clauses:
            spacer.assert_clause(clause)
        with _silent_errors():
            answer = spacer.check((), seconds)
        if isinstance(answer, Unknown):
            return answer
        if isinstance(answer, Unsat):
            return HornRefuted()
        solution: dict[HornRelation, Term] = {}
        try:
            for relation, declared in self._declared.items():
                # a relation that matters for nothing may have a meaning that we cannot read
                solution[relation] = spacer.meaning(relation, declared) or TRUE
        except z3.Z3Exception as error:  # the alarm rang when z3 had just finished
            return Unknown(Reason.TIMEOUT, str(error))
        return verify(self._horn_clauses, solution, self._statistics, deadline - monotonic())

    def _clause(self, clause: HornClause) -> Any:
        translate = self._translate
        ref = translate.ref
        body = translate(clause.condition)
        before = list(clause.also)
        if clause.source is not None:
            before.append((clause.source, clause.source.arguments))
        bound = symbols(
            [clause.condition, *clause.outputs, *(t for _, terms in before for t in terms)]
        )
        if before:
            parts = [body, *(self._applied(relation, terms) for relation, terms in before)]
            body = translate.keep(z3.Z3_mk_and(ref, len(parts), (z3.Ast * len(parts))(*parts)))
        head = (
            translate(FALSE)
            if clause.target is None
            else self._applied(clause.target, clause.outputs)
        )
        implication = translate.keep(z3.Z3_mk_implies(ref, body, head))
        if not bound:
            return implication
        names = (z3.Ast * len(bound))(*(translate(symbol) for symbol in bound))
        none = (z3.Pattern * 0)()
        return translate.keep(
            z3.Z3_mk_forall_const(ref, 0, len(bound), names, 0, none, implication)
        )

    def _applied(self, relation: HornRelation, args: Sequence[Term]) -> Any:
        if len(args) != len(relation.arguments):
            raise InternalError(f"{relation.name} has {len(relation.arguments)} arguments")
        natives = [self._translate(arg) for arg in args]
        vector = (z3.Ast * len(natives))(*natives)
        application = z3.Z3_mk_app(
            self._translate.ref, self._declaration(relation), len(natives), vector
        )
        return self._translate.keep(application)

    def _declaration(self, relation: HornRelation) -> Any:
        known = self._declared.get(relation)
        if known is None:
            ref, translate = self._translate.ref, self._translate
            # numbered, as two relations may have the same name
            name = z3.Z3_mk_string_symbol(ref, f"{len(self._declared)}:{relation.name}")
            sorts = [translate.sort(symbol.sort) for symbol in relation.arguments]
            domain = (z3.Sort * len(sorts))(*sorts)
            known = z3.Z3_mk_func_decl(ref, name, len(sorts), domain, z3.Z3_mk_bool_sort(ref))
            translate.keep(z3.Z3_func_decl_to_ast(ref, known))
            self._declared[relation] = known
        return known


class _Spacer(Z3Solver):
    """z3's solver for clauses; what is asserted in it are no terms of ours."""

    def __init__(self, context: Z3Solver, options: Mapping[str, bool]) -> None:
        super().__init__(context.statistics, context._translate)
        ref = self._ref
        self._solver = z3.Z3_mk_solver_for_logic(ref, z3.Z3_mk_string_symbol(ref, "HORN"))
        z3.Z3_solver_inc_ref(ref, self._solver)
        self._translate.context.lend(self, self._solver, z3.Z3_solver_dec_ref)
        params = z3.Z3_mk_params(ref)
        z3.Z3_params_inc_ref(ref, params)
        for name, value in options.items():
            z3.Z3_params_set_bool(ref, params, z3.Z3_mk_string_symbol(ref, name), value)
        z3.Z3_solver_set_params(ref, self._solver, params)
        z3.Z3_params_dec_ref(ref, params)
        self._interpretation: Any = None

    def assert_clause(self, clause: Any) -> None:
        z3.Z3_solver_assert(self._ref, self._solver, clause)

    def _take_model(self, assumptions: Sequence[Term]) -> Model:
        self._interpretation = z3.Z3_solver_get_model(self._ref, self._solver)
        z3.Z3_model_inc_ref(self._ref, self._interpretation)
        self._translate.context.lend(self, self._interpretation, z3.Z3_model_dec_ref)
        return super()._take_model(assumptions)

    def meaning(self, relation: HornRelation, declared: Any) -> Term | None:
        """What the model makes of a relation; None if that is no condition of ours."""
        ref, keep = self._ref, self._translate.keep
        if not z3.Z3_model_has_interp(ref, self._interpretation, declared):
            return TRUE
        count = len(relation.arguments)
        if count == 0:
            value = z3.Z3_model_get_const_interp(ref, self._interpretation, declared)
            return decode(ref, keep(value), {})
        table = z3.Z3_model_get_func_interp(ref, self._interpretation, declared)
        z3.Z3_func_interp_inc_ref(ref, table)
        try:
            if z3.Z3_func_interp_get_num_entries(ref, table):
                return None
            # numbers for names, as two arguments may have the same
            names = [Symbol(f"{number}", arg.sort) for number, arg in enumerate(relation.arguments)]
            vector = (z3.Ast * count)(*(self._translate(name) for name in names))
            otherwise = z3.Z3_func_interp_get_else(ref, table)
            body = keep(z3.Z3_substitute_vars(ref, otherwise, count, vector))
        finally:
            z3.Z3_func_interp_dec_ref(ref, table)
        known = {name.name: arg for name, arg in zip(names, relation.arguments, strict=True)}
        return decode(ref, body, known)
