"""Re-executing a run step by step, independent of the BDDs that found it.

The duty: whoever reports a violation has had its run accepted here. The interpreter knows only the
tree, the graph and plain values; an expression has a set of possible values, and each recorded
choice must be one of them. A step that does not follow is a bug of ours: `InternalError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, assert_never

from ..errors import InternalError
from .flow_graph import EnterCall, FlowGraph, LeaveProcedure, Pass, Test
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
)
from .trace import Run, RunState, RunStep

Values = frozenset[bool]
_BOTH: Values = frozenset((False, True))


def values_of(e: Expr, now: Mapping[str, bool], after: Mapping[str, bool] | None = None) -> Values:
    """The values that an expression can have; `after` holds the next values of a `constrain`."""

    def apply(op: str, a: bool, b: bool) -> bool:
        match op:
            case "&":
                return a and b
            case "|":
                return a or b
            case "=>":
                return not a or b
            case "=":
                return a == b
            case _:
                return a != b

    def combine(node: Expr, parts: list[Values]) -> Values:
        match node:
            case Const(value):
                return frozenset((value,))
            case Star():
                return _BOTH
            case Var(name):
                return frozenset((now[name],))
            case Next(name):
                assert after is not None
                return frozenset((after[name],))
            case Not():
                return frozenset(not v for v in parts[0])
            case Nary(op, _):
                result = parts[0]
                for part in parts[1:]:
                    result = frozenset(apply(op, a, b) for a in result for b in part)
                return result
            case Binary(op, _, _):
                return frozenset(apply(op, a, b) for a in parts[0] for b in parts[1])
            case Cond():
                test, then, other = parts
                return frozenset().union(*(then if t else other for t in test))
            case Choose():
                found: Values = frozenset()
                for pos in parts[0]:
                    for neg in parts[1]:
                        found |= {True} if pos else {False} if neg else _BOTH
                return found
            case _:
                assert_never(node)

    return fold(e, combine)


def replay(
    program: Program, graphs: Mapping[str, FlowGraph], root: str, run: Run, target: int
) -> None:
    """Accept a run from the entry of `root` to a location numbered `target`, or raise.

    `target` is a location of the innermost procedure that the run is in when it stops.
    """
    _Replay(program, graphs).accept(root, run, target)


class _Replay:
    def __init__(self, program: Program, graphs: Mapping[str, FlowGraph]) -> None:
        self._program = program
        self._graphs = graphs
        self._accepted: dict[int, Run] = {}

    def accept(self, root: str, run: Run, target: int) -> None:
        if run.procedure.name != root:
            self._fail("the run does not begin in the entry procedure")
        while True:
            self._activation(run, target if not self._open_call(run) else None)
            self._finished_calls(run)
            if not self._open_call(run):
                return
            inner = run.steps[-1].inside
            if inner is None:
                self._fail("a call has no run")
            run = inner

    def _open_call(self, run: Run) -> bool:
        return bool(run.steps) and run.steps[-1].after is None

    def _finished_calls(self, run: Run) -> None:
        """Accept the runs of all finished calls, each distinct one once."""
        work = [s.inside for s in run.steps if s.inside is not None and s.after is not None]
        while work:
            inner = work.pop()
            # The run itself is kept too, so that its identity cannot be given to another one.
            if id(inner) in self._accepted:
                continue
            self._accepted[id(inner)] = inner
            exit_ = self._graphs[inner.procedure.name].exit
            self._activation(inner, exit_)
            for step in inner.steps:
                if step.inside is not None:
                    if step.after is None:
                        self._fail("a finished call contains one that never ends")
                    work.append(step.inside)

    def _activation(self, run: Run, target: int | None) -> None:
        """The steps of one activation follow each other and end at the target, if there is one."""
        graph = self._graphs[run.procedure.name]
        location = graph.entry
        state: RunState | None = run.start
        self._enforced(run.procedure, run.start)
        for step in run.steps:
            if not any(step.edge is edge for edge in graph.outgoing[location]):
                self._fail(f"no such step at {step.edge.at}")
            if step.before != state:
                self._fail(f"the values change between two steps at {step.edge.at}")
            self._step(run, step)
            location, state = step.edge.dst, step.after
        if target is not None and location != target:
            self._fail("the run does not end where it should")

    def _step(self, run: Run, step: RunStep) -> None:
        procedure, op = run.procedure, step.edge.op
        before = step.before.named(self._program, procedure)
        if isinstance(op, EnterCall):
            self._call(run.procedure, step)
            return
        after = step.after
        if after is None:
            self._fail("only a call can be left open")
        match op:
            case Pass():
                good = after == step.before
            case Test(condition, wanted):
                good = after == step.before and wanted in values_of(condition, before)
            case Assign():
                good = self._assignment(procedure, op, step.before, after)
                self._enforced(procedure, after)
            case LeaveProcedure(results):
                good = after == RunState(step.before.globals, ())
                if run.results is not None:
                    good = good and all(
                        value in values_of(e, before)
                        for e, value in zip(results, run.results, strict=True)
                    )
            case _:
                assert_never(op)
        if not good:
            self._fail(f"`{step.edge.text}` at {step.edge.at} does not do this")

    def _assignment(self, p: Procedure, op: Assign, before: RunState, after: RunState) -> bool:
        old, new = before.named(self._program, p), after.named(self._program, p)
        expected = before
        for target, e in zip(op.targets, op.values, strict=True):
            if target != DISCARD:
                if new[target] not in values_of(e, old):
                    return False
                expected = self._set(p, expected, target, new[target])
        if op.constrain is not None and True not in values_of(op.constrain, old, new):
            return False
        return expected == after

    def _set(self, p: Procedure, state: RunState, name: str, value: bool) -> RunState:
        if name in p.variables:
            i = p.variables.index(name)
            return RunState(state.globals, (*state.locals[:i], value, *state.locals[i + 1 :]))
        i = self._program.globals.index(name)
        return RunState((*state.globals[:i], value, *state.globals[i + 1 :]), state.locals)

    def _call(self, caller: Procedure, step: RunStep) -> None:
        assert isinstance(step.edge.op, EnterCall)
        call, inner = step.edge.op.call, step.inside
        if inner is None or inner.procedure.name != call.procedure:
            self._fail(f"the call at {step.edge.at} has no run of `{call.procedure}`")
        before = step.before.named(self._program, caller)
        if inner.start.globals != step.before.globals:
            self._fail(f"the call at {step.edge.at} changes globals")
        for i, arg in enumerate(call.args):
            if inner.start.locals[i] not in values_of(arg, before):
                self._fail(f"the call at {step.edge.at} passes other arguments")
        if step.after is None:
            return
        if not inner.steps or inner.results is None or inner.steps[-1].after is None:
            self._fail(f"the call at {step.edge.at} does not come back")
        state = RunState(inner.steps[-1].after.globals, step.before.locals)
        for target, value in zip(call.targets, inner.results, strict=False):
            if target != DISCARD:
                state = self._set(caller, state, target, value)
        if state != step.after:
            self._fail(f"the call at {step.edge.at} returns something else")
        self._enforced(caller, step.after)

    def _enforced(self, p: Procedure, state: RunState) -> None:
        values = state.named(self._program, p)
        if p.enforce is not None and True not in values_of(p.enforce, values):
            self._fail(f"the `enforce` of `{p.name}` does not hold")

    def _fail(self, what: str) -> NoReturn:
        raise InternalError(f"an error trace does not replay: {what}")
