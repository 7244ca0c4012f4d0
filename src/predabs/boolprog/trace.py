"""A run of a Boolean program: steps with states, hierarchical where procedures are called.

A finished call is one step that holds the callee's own run, so a run with exponentially many steps
can still be small: equal calls share one object. All walks are iterative, as recursion in the
program can nest runs deeply.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..records import dataclass, field
from .flow_graph import FlowEdge
from .syntax import Procedure, Program


@dataclass(frozen=True, slots=True)
class RunState:
    """Values in the order of declaration; at a procedure's exit the locals are gone."""

    globals: tuple[bool, ...]
    locals: tuple[bool, ...]

    def named(self, program: Program, procedure: Procedure) -> dict[str, bool]:
        """The values by name, as the procedure sees them."""
        values = dict(zip(program.globals, self.globals, strict=True))
        if self.locals:
            values.update(zip(procedure.variables, self.locals, strict=True))
        return values


@dataclass(frozen=True, slots=True)
class RunStep:
    """One edge taken. A call holds the callee's run; `after` is None if that never came back."""

    edge: FlowEdge
    before: RunState
    after: RunState | None
    inside: Run | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One activation of a procedure: its first state, its steps, and what it returned, if it did.

    `length` counts all steps, those of called procedures included: make runs with `run_of`.
    """

    procedure: Procedure
    start: RunState
    steps: tuple[RunStep, ...] = field(repr=False)
    results: tuple[bool, ...] | None
    length: int


def run_of(
    procedure: Procedure,
    start: RunState,
    steps: tuple[RunStep, ...],
    results: tuple[bool, ...] | None = None,
) -> Run:
    length = sum(1 + (step.inside.length if step.inside else 0) for step in steps)
    return Run(procedure, start, steps, results, length)


@dataclass(frozen=True, slots=True)
class TraceLine:
    """A step in reading order; `hidden` counts steps that are left out behind it.

    A call has two lines, when it is entered and, `back` in the caller, when it has ended.
    """

    depth: int
    run: Run
    step: RunStep
    hidden: int = 0
    back: bool = False


def trace_lines(run: Run, limit: int) -> Iterator[TraceLine]:
    """The steps in the order of execution, calls entered, at most about `limit` of them.

    Of a longer run the finished calls are left out, then the middle.
    """
    enter_finished = run.length <= limit
    flat = _flatten(run, enter_finished)
    if enter_finished:
        yield from flat
        return
    spine = list(flat)
    if len(spine) <= limit:
        yield from spine
        return
    half = max(1, limit // 2)
    head, middle, tail = spine[:half], spine[half:-half], spine[-half:]
    last = head[-1]
    left_out = last.hidden + sum(1 + line.hidden for line in middle)
    yield from head[:-1]
    yield TraceLine(last.depth, last.run, last.step, left_out)
    yield from tail


def _flatten(run: Run, enter_finished: bool) -> Iterator[TraceLine]:
    stack: list[tuple[Run, Iterator[RunStep], RunStep | None]] = [(run, iter(run.steps), None)]
    while stack:
        current, steps, called_by = stack[-1]
        step = next(steps, None)
        if step is None:
            stack.pop()
            if called_by is not None and called_by.after is not None:
                yield TraceLine(len(stack) - 1, stack[-1][0], called_by, back=True)
            continue
        inside = step.inside
        if inside is None:
            yield TraceLine(len(stack) - 1, current, step)
        elif enter_finished or step.after is None:
            yield TraceLine(len(stack) - 1, current, step)
            stack.append((inside, iter(inside.steps), step))
        else:
            yield TraceLine(len(stack) - 1, current, step, inside.length)
