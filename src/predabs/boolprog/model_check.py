"""Checking a Boolean program: the fixpoint, then a shortest run, then its replay.

The duty: `Proved` only from a completed fixpoint, `Violated` only with a run that the independent
interpreter accepted. Limits raise `ResourceExhausted`.
"""

from __future__ import annotations

from typing import TypeAlias

from ..errors import InputError, InternalError, ResourceExhausted
from ..records import dataclass
from .bebop import BebopModel, Node, Reached, model_of, reach
from .limits import CheckLimits
from .replay import replay
from .shortest import shortest_run
from .syntax import Program
from .trace import Run


@dataclass(frozen=True, slots=True)
class Proved:
    """No run reaches a target."""

    reached: Reached


@dataclass(frozen=True, slots=True)
class Violated:
    """`run` is a shortest run to the target."""

    reached: Reached
    run: Run
    target: Node


Result: TypeAlias = Proved | Violated


def targets_of(model: BebopModel, label: str | None) -> tuple[Node, ...]:
    """The error locations, or those that carry the label (`L`, or `procedure:L`)."""
    if label is None:
        return tuple((name, graph.error) for name, graph in model.graphs.items())
    wanted_procedure, _, wanted_label = label.rpartition(":")
    found = tuple(
        (name, location)
        for name, graph in model.graphs.items()
        if wanted_procedure in ("", name)
        for location in graph.labelled(wanted_label)
    )
    if not found:
        raise InputError(f"{model.program.at.file}: there is no label `{label}`")
    return found


def check(
    program: Program,
    label: str | None = None,
    limits: CheckLimits | None = None,
    see_all: bool = False,
) -> Result:
    """Can an assertion fail, or, if a label is given, can a run reach it?

    With `see_all` the reached states of every procedure are about all globals, not only those that
    the procedure or its callees mention.
    """
    limits = limits or CheckLimits()
    model = model_of(program, limits, see_all)
    targets = targets_of(model, label)
    reached = reach(model, limits)
    if not any(reached.at(node).satisfiable() for node in targets):
        return Proved(reached)
    try:
        run = shortest_run(reached, targets, limits)
    except ResourceExhausted as error:
        raise ResourceExhausted(f"a target is reachable, but no run was found: {error}") from None
    target = _end(model, run)
    if target not in targets:
        raise InternalError("an error trace does not end at a target")
    replay(model.program, model.graphs, model.root, run, target[1])
    return Violated(reached, run, target)


def _end(model: BebopModel, run: Run) -> Node:
    """Where a run stops."""
    while run.steps and run.steps[-1].after is None and run.steps[-1].inside is not None:
        run = run.steps[-1].inside
    name = run.procedure.name
    return name, run.steps[-1].edge.dst if run.steps else model.graphs[name].entry
