"""The weaker operators of [BPR01, section 9], for comparison with the BDDs.

A trivector gives each variable 0, 1 or `*` (None here), without any relation between variables.
`TrivectorDomain.SET` keeps a set of trivectors for each location (disjunctive completion, [BPR01,
section 9.2]), `TrivectorDomain.ONE` a single one, the least upper bound of all that arrive.
Expressions are evaluated in Kleene's logic; a test only throws away trivectors in which it is 0.
The focus [BPR01, section 9.3] replaces `*` by both values before a step: never, for the variables
of a condition, or for all. All of them reach at least what the BDDs reach: an unreached error is
proof, a reached one is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import product
from typing import TypeAlias, assert_never

from ..errors import ResourceExhausted
from ..records import dataclass
from .flow_graph import EnterCall, FlowEdge, FlowGraph, LeaveProcedure, Pass, Test, build_all
from .limits import CheckLimits
from .resolve import entry
from .syntax import (
    DISCARD,
    Assign,
    Binary,
    Choose,
    Cond,
    Const,
    Expr,
    Nary,
    Next,
    Not,
    Procedure,
    Program,
    Star,
    Var,
    fold,
    names,
)

Tri: TypeAlias = bool | None
Trivector: TypeAlias = tuple[Tri, ...]
"""Globals first, then the procedure's variables, in the order of declaration."""

_MAX_SPLIT = 14


class TrivectorDomain(Enum):
    SET = "trivectors"
    ONE = "trivector"


class Focus(Enum):
    NONE = "none"
    CONDITIONS = "conditions"
    ALL = "all"


def kleene(e: Expr, now: Callable[[str], Tri], after: Callable[[str], Tri]) -> Tri:
    """The value of an expression in Kleene's logic.

    >>> from .parse_expressions import read_expression
    >>> from .lexer import Lexer
    >>> values = {"a": True, "b": None}
    >>> [kleene(read_expression(Lexer(t, "")), values.get, values.get) for t in ("a | b", "a & b")]
    [True, None]
    """

    def combine(node: Expr, parts: list[Tri]) -> Tri:
        match node:
            case Const(value):
                return value
            case Star():
                return None
            case Var(name):
                return now(name)
            case Next(name):
                return after(name)
            case Not():
                return None if parts[0] is None else not parts[0]
            case Nary("&", _):
                return False if False in parts else None if None in parts else True
            case Nary("|", _):
                return True if True in parts else None if None in parts else False
            case Nary():
                return None if None in parts else parts.count(True) % 2 == 1
            case Binary("=>", _, _):
                if parts[0] is False or parts[1] is True:
                    return True
                return None if None in parts else False
            case Binary(op, _, _):
                return None if None in parts else (parts[0] == parts[1]) == (op == "=")
            case Cond():
                test, then, other = parts
                if test is None:
                    return then if then == other else None
                return then if test else other
            case Choose():
                pos, neg = parts
                return True if pos is True else False if (pos, neg) == (False, True) else None
            case _:
                assert_never(node)

    return fold(e, combine)


@dataclass(frozen=True, slots=True)
class TrivectorTable:
    """What an operator reaches: for each location its trivectors."""

    graphs: Mapping[str, FlowGraph]
    states: Mapping[tuple[str, int], frozenset[Trivector]]

    @property
    def may_fail(self) -> bool:
        return any((name, g.error) in self.states for name, g in self.graphs.items())


def explore(
    program: Program, domain: TrivectorDomain, focus: Focus, limits: CheckLimits
) -> TrivectorTable:
    """The least fixpoint of the chosen operator."""
    return _Explorer(program, domain, focus, limits).run()


_Context: TypeAlias = tuple[str, Trivector | None]
"""A procedure with the globals and arguments it was entered with; None: all entries in one."""


@dataclass(frozen=True, slots=True)
class _Site:
    context: _Context
    edge: FlowEdge
    vector: Trivector


class _Explorer:
    def __init__(
        self, program: Program, domain: TrivectorDomain, focus: Focus, limits: CheckLimits
    ) -> None:
        self._program = program
        self._domain = domain
        self._focus = focus
        self._limits = limits
        self._graphs = build_all(program)
        self._states: dict[tuple[_Context, int], set[Trivector]] = {}
        self._work: list[tuple[_Context, int, Trivector]] = []
        self._exits: dict[_Context, set[Trivector]] = {}
        self._callers: dict[_Context, dict[_Site, None]] = {}

    def run(self) -> TrivectorTable:
        root = entry(self._program)
        self._enter(root.name, (None,) * (len(self._program.globals) + len(root.params)))
        while self._work:
            self._limits.check()
            context, node, vector = self._work.pop()
            for edge in self._graphs[context[0]].outgoing[node]:
                self._step(context, edge, vector)
        states: dict[tuple[str, int], frozenset[Trivector]] = {}
        found = [(context, node, v) for (context, node), v in self._states.items()]
        found += [(context, self._graphs[context[0]].exit, v) for context, v in self._exits.items()]
        for context, node, vectors in found:
            key = (context[0], node)
            states[key] = states.get(key, frozenset()) | vectors
        return TrivectorTable(self._graphs, states)

    # -- sets of trivectors ---------------------------------------------------------------------

    def _merge(self, reached: set[Trivector], vector: Trivector) -> Trivector | None:
        """Put a trivector into a set; gives what is new, if anything."""
        if self._domain is TrivectorDomain.ONE and reached:
            (old,) = reached
            vector = tuple(a if a == b else None for a, b in zip(old, vector, strict=True))
            reached.clear()
            reached.add(vector)
            return None if vector == old else vector
        if any(_below(vector, other) for other in reached):
            return None
        reached.add(vector)
        return vector

    def _add(self, context: _Context, node: int, vector: Trivector) -> None:
        new = self._merge(self._states.setdefault((context, node), set()), vector)
        if new is not None:
            self._work.append((context, node, new))

    def _split(self, vector: Trivector, positions: Iterable[int]) -> Iterator[Trivector]:
        """The focus: both values for each `*` at these positions."""
        unknown = [i for i in positions if vector[i] is None]
        if len(unknown) > _MAX_SPLIT:
            raise ResourceExhausted(
                f"the focus would split {len(unknown)} unknown values at once; "
                "use --states bdd or a smaller --focus"
            )
        for values in product((False, True), repeat=len(unknown)):
            chosen = list(vector)
            for i, value in zip(unknown, values, strict=True):
                chosen[i] = value
            yield tuple(chosen)

    def _place(self, p: Procedure, name: str) -> int:
        if name in p.variables:
            return len(self._program.globals) + p.variables.index(name)
        return self._program.globals.index(name)

    def _focused(
        self, p: Procedure, vector: Trivector, conditions: Iterable[Expr]
    ) -> Iterator[Trivector]:
        match self._focus:
            case Focus.NONE:
                return iter((vector,))
            case Focus.CONDITIONS:
                wanted = {n for e in conditions for n in names(e)}
                return self._split(vector, sorted(self._place(p, n) for n in wanted))
            case Focus.ALL:
                return self._split(vector, range(len(vector)))
            case _:
                assert_never(self._focus)

    def _value(self, p: Procedure, e: Expr, now: Trivector, after: Trivector | None = None) -> Tri:
        return kleene(
            e,
            lambda name: now[self._place(p, name)],
            lambda name: (after or now)[self._place(p, name)],
        )

    # -- steps ----------------------------------------------------------------------------------

    def _step(self, context: _Context, edge: FlowEdge, vector: Trivector) -> None:
        p = self._graphs[context[0]].procedure
        op = edge.op
        match op:
            case Pass():
                self._add(context, edge.dst, vector)
            case Test(condition, wanted):
                for v in self._focused(p, vector, (condition,)):
                    if self._value(p, condition, v) in (wanted, None):
                        self._add(context, edge.dst, v)
            case Assign(_, _, constrain):
                for v in self._focused(p, vector, () if constrain is None else (constrain,)):
                    after = self._assigned(p, op, v)
                    if constrain is None or self._value(p, constrain, v, after) is not False:
                        self._arrive(context, edge.dst, after)
            case EnterCall():
                for v in self._focused(p, vector, ()):
                    self._call(_Site(context, edge, v))
            case LeaveProcedure(values):
                for v in self._focused(p, vector, ()):
                    results = tuple(self._value(p, e, v) for e in values)
                    self._leave(context, v[: len(self._program.globals)] + results)
            case _:
                assert_never(op)

    def _assigned(self, p: Procedure, op: Assign, vector: Trivector) -> Trivector:
        after = list(vector)
        for target, e in zip(op.targets, op.values, strict=True):
            if target != DISCARD:
                after[self._place(p, target)] = self._value(p, e, vector)
        return tuple(after)

    def _arrive(self, context: _Context, node: int, vector: Trivector) -> None:
        """Where values have changed, the procedure's `enforce` acts like a test."""
        p = self._graphs[context[0]].procedure
        if p.enforce is None:
            self._add(context, node, vector)
            return
        for v in self._focused(p, vector, (p.enforce,)):
            if self._value(p, p.enforce, v) is not False:
                self._add(context, node, v)

    def _enter(self, name: str, entry: Trivector) -> _Context:
        context = (name, entry if self._domain is TrivectorDomain.SET else None)
        graph = self._graphs[name]
        self._arrive(context, graph.entry, entry + (None,) * len(graph.procedure.locals))
        return context

    def _call(self, site: _Site) -> None:
        assert isinstance(site.edge.op, EnterCall)
        call = site.edge.op.call
        p = self._graphs[site.context[0]].procedure
        args = tuple(self._value(p, arg, site.vector) for arg in call.args)
        entry = site.vector[: len(self._program.globals)] + args
        callee = (call.procedure, entry if self._domain is TrivectorDomain.SET else None)
        self._callers.setdefault(callee, {})[site] = None
        self._enter(call.procedure, entry)
        for exit_ in tuple(self._exits.get(callee, ())):
            self._return(site, exit_)

    def _leave(self, context: _Context, exit_: Trivector) -> None:
        new = self._merge(self._exits.setdefault(context, set()), exit_)
        if new is not None:
            for site in tuple(self._callers.get(context, ())):
                self._return(site, new)

    def _return(self, site: _Site, exit_: Trivector) -> None:
        assert isinstance(site.edge.op, EnterCall)
        p = self._graphs[site.context[0]].procedure
        count = len(self._program.globals)
        after = list(exit_[:count] + site.vector[count:])
        for target, value in zip(site.edge.op.call.targets, exit_[count:], strict=False):
            if target != DISCARD:
                after[self._place(p, target)] = value
        self._arrive(site.context, site.edge.dst, tuple(after))


def _below(small: Trivector, large: Trivector) -> bool:
    return all(b is None or a == b for a, b in zip(small, large, strict=True))
