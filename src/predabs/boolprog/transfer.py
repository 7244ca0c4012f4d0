"""What each edge does to a set of states, as BDD operations.

A set belongs to a location of a procedure and relates the remembered values at the procedure's
entry with the values now (a path edge). All images are exact: the BDDs give disjunctive completion
and total focus for free [BPR01, section 9]. An expression is a pair of sets, the states where
it can be 0 and where it can be 1; `*` can be both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from ..bdd import Function, Manager, Renaming
from ..records import dataclass
from .flow_graph import EnterCall, FlowEdge, LeaveProcedure, Pass, Test
from .layout import BddLayout, ProcedureScope
from .limits import CheckLimits
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
    Star,
    Var,
    fold,
)

# Above this size a parallel assignment is kept as several factors instead of one relation.
_FACTOR_NODES = 3000

Possible = tuple[Function, Function]


def possible(
    manager: Manager, lookup: Callable[[Var | Next], int], e: Expr, limits: CheckLimits
) -> Possible:
    """The states in which `e` can be 0 and in which it can be 1."""
    true, false = manager.true, manager.false

    def both(op: str, a: Possible, b: Possible) -> Possible:
        limits.check()
        (a0, a1), (b0, b1) = a, b
        match op:
            case "&":
                return a0 | b0, a1 & b1
            case "|":
                return a0 & b0, a1 | b1
            case "=>":
                return a1 & b0, a0 | b1
            case "=":
                return (a0 & b1) | (a1 & b0), (a0 & b0) | (a1 & b1)
            case _:
                return (a0 & b0) | (a1 & b1), (a0 & b1) | (a1 & b0)

    def combine(node: Expr, parts: list[Possible]) -> Possible:
        match node:
            case Const(value):
                return (false, true) if value else (true, false)
            case Star():
                return true, true
            case Var() | Next():
                f = manager.var(lookup(node))
                return ~f, f
            case Not():
                return parts[0][1], parts[0][0]
            case Nary(op, _):
                result = parts[0]
                for part in parts[1:]:
                    result = both(op, result, part)
                return result
            case Binary(op, _, _):
                return both(op, parts[0], parts[1])
            case Cond():
                (t0, t1), (a0, a1), (b0, b1) = parts
                return (t1 & a0) | (t0 & b0), (t1 & a1) | (t0 & b1)
            case Choose():
                (p0, p1), (n0, _) = parts
                return p0, p1 | (p0 & n0)
            case _:
                assert_never(node)

    return fold(e, combine)


@dataclass(frozen=True, slots=True)
class _Update:
    """A parallel assignment: factors with what can be forgotten after each, then next to now."""

    factors: tuple[tuple[Function, Function], ...]
    rename: Renaming


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call: how states go into the callee and how its summaries come back."""

    edge: FlowEdge
    callee: str
    arguments: Function
    caller_only: Function
    inward: Renaming
    overwritten: Function
    met: Function
    outward: Renaming


class Transfer:
    """The images of all edges of a program; what was prepared for an edge is kept."""

    def __init__(self, manager: Manager, layout: BddLayout, limits: CheckLimits) -> None:
        self._manager = manager
        self._layout = layout
        self._limits = limits
        self._enforced: dict[str, Function] = {}
        self._locals: dict[str, Function] = {}
        for name, scope in layout.scopes.items():
            if scope.procedure.enforce is not None:
                self._enforced[name] = self.possible(scope, scope.procedure.enforce)[1]
            self._locals[name] = manager.variable_set(c.now for c in scope.locals)
        self._prepared: dict[FlowEdge, Function] = {}
        self._updates: dict[FlowEdge, _Update] = {}
        self._sites: dict[FlowEdge, CallSite] = {}
        self._summary_frames: dict[str, Renaming] = {}

    def _enforce(self, name: str, states: Function) -> Function:
        enforced = self._enforced.get(name)
        return states if enforced is None else states & enforced

    def possible(self, scope: ProcedureScope, e: Expr) -> Possible:
        return possible(self._manager, lambda v: scope.cells[v.name].now, e, self._limits)

    def chosen(self, variable: int, e: Possible) -> Function:
        """The variable has a value that the expression can have."""
        f = self._manager.var(variable)
        return (f & e[1]) | (~f & e[0])

    # -- inside a procedure ---------------------------------------------------------------------

    def start(self, name: str, entries: Function) -> Function:
        """The path edges at the entry location for a set of remembered entry values."""
        scope = self._layout.scopes[name]
        same = self._manager.equal((c.entry, c.now) for c in scope.remembered)
        return self._enforce(name, entries & same)

    def post(self, name: str, edge: FlowEdge, states: Function) -> Function:
        """The image under an edge that is not a call."""
        op = edge.op
        match op:
            case Pass():
                return states
            case Test():
                return states & self.guard(name, edge)
            case Assign():
                update = self.update(name, edge)
                for factor, hidden in update.factors:
                    states = self._manager.product(states, factor, hidden)
                return self._enforce(name, update.rename(states))
            case LeaveProcedure():
                return self._manager.product(states, self.results(name, edge), self._locals[name])
            case EnterCall():
                raise AssertionError("calls have no image of their own")
            case _:
                assert_never(op)

    def guard(self, name: str, edge: FlowEdge) -> Function:
        def make() -> Function:
            assert isinstance(edge.op, Test)
            return self.possible(self._layout.scopes[name], edge.op.condition)[edge.op.wanted]

        return self._once(edge, make)

    def results(self, name: str, edge: FlowEdge) -> Function:
        """The relation between the state at a `return` and the results."""

        def make() -> Function:
            assert isinstance(edge.op, LeaveProcedure)
            scope = self._layout.scopes[name]
            return self._manager.conjunction(
                self.chosen(self._layout.results[i], self.possible(scope, value))
                for i, value in enumerate(edge.op.values)
            )

        return self._once(edge, make)

    def _once(self, edge: FlowEdge, make: Callable[[], Function]) -> Function:
        known = self._prepared.get(edge)
        if known is None:
            known = self._prepared[edge] = make()
        return known

    def update(self, name: str, edge: FlowEdge) -> _Update:
        known = self._updates.get(edge)
        if known is None:
            assert isinstance(edge.op, Assign)
            known = self._make_update(self._layout.scopes[name], edge.op)
            self._updates[edge] = known
        return known

    def _make_update(self, scope: ProcedureScope, op: Assign) -> _Update:
        m = self._manager
        changed = {t: scope.cells[t] for t in op.targets if t != DISCARD}
        parts = [
            self.chosen(changed[t].next, self.possible(scope, value))
            for t, value in zip(op.targets, op.values, strict=True)
            if t != DISCARD
        ]
        if op.constrain is not None:

            def lookup(v: Var | Next) -> int:
                # The next value of a variable that is not assigned is its value now.
                if isinstance(v, Next) and v.name in changed:
                    return changed[v.name].next
                return scope.cells[v.name].now

            parts.append(possible(m, lookup, op.constrain, self._limits)[1])
        factors: list[Function] = []
        for part in parts:
            joined = factors[-1] & part if factors else part
            if factors and joined.node_count() > _FACTOR_NODES:
                factors.append(part)
            else:
                factors[-1:] = [joined]
        left = {c.now for c in changed.values()}
        schedule: list[tuple[Function, set[int]]] = []
        for factor in reversed(factors):
            # Seen from the end: a value can be forgotten after the last factor that reads it.
            last_read = left & m.support(factor)
            left -= last_read
            schedule.append((factor, last_read))
        if schedule:  # and what nobody reads, with the first
            factor, hidden = schedule.pop()
            schedule.append((factor, hidden | left))
        return _Update(
            tuple((factor, m.variable_set(hidden)) for factor, hidden in reversed(schedule)),
            m.renaming({c.next: c.now for c in changed.values()}),
        )

    # -- calls ----------------------------------------------------------------------------------

    def site(self, name: str, edge: FlowEdge) -> CallSite:
        known = self._sites.get(edge)
        if known is None:
            known = self._sites[edge] = self._make_site(name, edge)
        return known

    def _make_site(self, name: str, edge: FlowEdge) -> CallSite:
        assert isinstance(edge.op, EnterCall)
        m, call = self._manager, edge.op.call
        caller = self._layout.scopes[name]
        callee = self._layout.scopes[call.procedure]
        arguments = m.conjunction(
            self.chosen(cell.next, self.possible(caller, arg))
            for cell, arg in zip(callee.params, call.args, strict=True)
        )
        shared = tuple(callee.globals.values())
        caller_only = {c.entry for c in caller.remembered} | {c.now for c in caller.locals}
        caller_only |= {c.now for g, c in caller.globals.items() if g not in callee.globals}
        inward = {c.now: c.entry for c in shared} | {c.next: c.entry for c in callee.params}
        results = self._layout.results[: callee.procedure.returns]
        taken = {
            r: caller.cells[t] for r, t in zip(results, call.targets, strict=False) if t != DISCARD
        }
        targets = frozenset(taken.values())
        met = {c.now for c in shared} | {c.next for c in callee.params}
        met |= {c.next for c in shared if c in targets} | {r for r in results if r not in taken}
        outward = {c.next: c.now for c in shared if c not in targets}
        outward |= {r: c.now for r, c in taken.items()}
        return CallSite(
            edge,
            call.procedure,
            arguments,
            m.variable_set(caller_only),
            m.renaming(inward),
            m.variable_set(c.now for c in targets if c not in shared),
            m.variable_set(met),
            m.renaming(outward),
        )

    def entries(self, site: CallSite, states: Function) -> Function:
        """The entry values with which the callee is called from these path edges."""
        return site.inward(self._manager.product(states, site.arguments, site.caller_only))

    def as_seen_by_callers(self, callee: str, summary: Function) -> Function:
        """A summary with its entry values where a caller has values now and arguments."""
        frame = self._summary_frames.get(callee)
        if frame is None:
            scope = self._layout.scopes[callee]
            mapping = {c.entry: c.now for c in scope.globals.values()}
            mapping |= {c.now: c.next for c in scope.globals.values()}
            mapping |= {c.entry: c.next for c in scope.params}
            frame = self._summary_frames[callee] = self._manager.renaming(mapping)
        return frame(summary)

    def returned(self, name: str, site: CallSite, states: Function, summary: Function) -> Function:
        """The path edges behind the call; `summary` as seen by callers."""
        joined = self._manager.product(states, site.arguments, site.overwritten)
        after = self._manager.product(joined, summary, site.met)
        return self._enforce(name, site.outward(after))
