"""The object that `--json` writes: the result of a check for other programs."""

from __future__ import annotations

import math
from typing import Any

from ..evidence.invariants import LoopInvariant
from ..evidence.native_run import NativeRun
from ..evidence.trace.steps import TraceStep
from ..evidence.trace.trace import Trace
from ..statistics import Round
from ..verdict import Input
from .result import Answer, Result, SolverUse, Work


def report(result: Result, test_file: str | None = None, test: NativeRun | None = None) -> Any:
    """What goes into the file; `test` is what became of the C test, if one was asked for."""
    work = result.work
    data: dict[str, Any] = {
        "verdict": result.verdict.value,
        "reason": result.reason,
        "property": result.property,
        "checks": list(result.checks),
        "engine": result.engine,
        "seconds": round(result.seconds, 3),
        "assumptions": list(result.all_assumptions()),
        **_asked(work, result.solver),
        "iterations": work.refinements,
        "engines": {
            item.name: {
                **_asked(item.work, item.solver),
                **_counters(item.work),
                **_obstacles(item.work, result.verdict),
            }
            for item in result.engines
        },
        "stats": {
            **_counters(work),
            "native": round(sum(seconds for _, seconds in work.native), 3),
            "tried": list(result.tried),
        },
    }
    if result.language != "C":
        data["language"] = result.language
    if work.rounds:
        data["stats"]["rounds"] = [_round(item) for item in work.rounds]
    if work.operations:
        data["stats"]["operations"] = {
            item.name: {"calls": item.calls, "seconds": round(item.seconds, 3)}
            for item in work.operations
        }
    if result.verdict is Answer.TRUE:
        data["vacuous"] = None if result.vacuity is None else result.vacuity.value
        data["invariants"] = [_invariant(item) for item in result.invariants]
        if result.certification is not None:
            data["certificate"] = {
                "certified": result.certification.certified,
                "solvers": list(result.certification.solvers),
                "reason": result.certification.reason,
                "method": result.certification.method,
                "trusted": list(result.certification.trusted),
                "seconds": round(result.certification.seconds, 3),
            }
    if result.violation is not None:
        data["error"] = {
            "place": str(result.violation.coord),
            "text": result.violation.text,
            "subproperty": result.violation.subproperty,
        }
        data["trace"] = _trace(result.violation.trace)
        data["trace_omitted"] = result.violation.trace.omitted
        data["inputs"] = [_input(item) for item in result.violation.inputs]
    if result.unconfirmed is not None:
        data["unconfirmed"] = _trace(result.unconfirmed)
    if result.store is not None:
        data["store"] = {
            "had": result.store.had or None,
            "given": result.store.given,
            "kept": result.store.kept,
            "notes": list(result.store.notes),
        }
    if result.verdict is Answer.UNKNOWN:
        data["imprecise"] = [
            {
                "kind": item.kind.value,
                "place": f"{item.coord.file}:{item.coord.line}",
                "function": item.function,
                "name": item.name,
                "among": list(item.among),
            }
            for item in result.imprecise
        ]
    if result.changes:
        data["changes"] = list(result.changes)
    if test is not None:
        data["test"] = {"file": test_file, "reached": test.reached, "text": test.text}
    return data


def _obstacles(work: Work, verdict: Answer) -> dict[str, Any]:
    """What stands in the way of a verdict, if there is none."""
    if verdict is not Answer.UNKNOWN or not work.obstacles:
        return {}
    found = [
        {
            "kind": item.kind.value,
            "place": f"{item.coord.file}:{item.coord.line}",
            "function": item.function,
            "count": item.count,
            "text": item.text,
        }
        for item in work.obstacles
    ]
    return {"obstacles": found}


def _asked(work: Work, solver: SolverUse) -> dict[str, Any]:
    return {
        # engines without predicates have none
        "predicates": {"total": work.predicates, "active": work.active},
        "solver": {
            "calls": solver.calls,
            "cached": solver.cached,
            "seconds": round(solver.seconds, 3),
        },
    }


def _counters(work: Work) -> dict[str, Any]:
    return {
        "nodes": work.nodes,
        "refinements": work.refinements,
        "abstractions": work.abstractions,
        "abstractions_cached": work.cached,
        "seconds": {phase: round(seconds, 3) for phase, seconds in work.seconds},
    }


def _round(item: Round) -> dict[str, Any]:
    return {
        "predicates": item.predicates,
        "excluded": item.lemmas,
        "solver_calls": item.solver_calls,
        "bdd_nodes": item.bdd_nodes,
        "trace": item.trace,
        "new": list(item.new),
    }


def _invariant(item: LoopInvariant) -> dict[str, Any]:
    return {
        "place": item.place,
        "function": item.function,
        "calls": item.call_texts,
        "text": item.text,
    }


def _trace(trace: Trace) -> list[dict[str, Any]]:
    return [_step(step) for step in trace.steps]


def _step(step: TraceStep) -> dict[str, Any]:
    return {
        "file": step.file,
        "line": step.line,
        "column": step.column,
        "function": step.function,
        "statement": step.statement,
        "kind": step.kind.value,
        "depth": step.depth,
        "relevant": step.marked,
        "values": {item.name: _number(item.value) for item in step.values},
    }


def _input(item: Input) -> dict[str, Any]:
    """Bytes are written as hexadecimal digits."""
    value = item.value.hex() if isinstance(item.value, bytes) else _number(item.value)
    return {
        "source": item.source.value,
        "name": item.name,
        "type": str(item.type),
        "value": value,
        "place": str(item.coord),
    }


def _number(value: int | float | str) -> int | float | str:
    """JSON has no number that is infinite or none: those are texts.

    >>> _number(0.5), _number(float("-inf"))
    (0.5, '-inf')
    """
    return value if isinstance(value, int | str) or math.isfinite(value) else str(value)
