"""What a person or a program reads: traces, invariants, comparisons as text and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .bebop import Node, Reached
from .flow_graph import FlowLocation
from .invariant import invariant
from .model_check import Violated
from .precision_loss import OPERATORS, PrecisionComparison
from .show import show_expression
from .syntax import Position
from .trace import RunState, TraceLine, trace_lines

TEXT_STEPS = 400
JSON_STEPS = 20_000
_MAX_INDENT = 20


def location_of(reached: Reached, node: Node) -> FlowLocation:
    return reached.model.graphs[node[0]].locations[node[1]]


def headline(violated: Violated) -> str:
    """Where and what the run reaches."""
    run, steps = violated.run, violated.run.length
    while run.steps and run.steps[-1].after is None and run.steps[-1].inside is not None:
        run = run.steps[-1].inside
    location = location_of(violated.reached, violated.target)
    if location.text == "error" and run.steps:
        edge = run.steps[-1].edge
        return f"{edge.at}: `{edge.text}` can fail, after {_big(steps)} steps"
    label = location.labels[0] if location.labels else location.text
    return f"{location.at}: label `{label}` can be reached, after {_big(steps)} steps"


def trace_text(violated: Violated) -> Iterator[str]:
    """One line a step: depth of calls, procedure, line, statement, values after it."""
    program, run = violated.reached.model.program, violated.run
    yield f"  start of {run.procedure.name}: {_values(run.start.named(program, run.procedure))}"
    for line in trace_lines(run, TEXT_STEPS):
        step = line.step
        margin = "| " * min(line.depth, _MAX_INDENT)
        what = f"back from {_callee(line)}" if line.back else step.edge.text
        head = f"  {margin}{line.run.procedure.name}:{step.edge.at.line}: {what}"
        yield f"{head:<48} {_values(_shown(violated, line))}"
        if line.hidden:
            yield f"  {margin}... {_big(line.hidden)} steps left out ..."


def trace_json(violated: Violated) -> list[dict[str, Any]]:
    """The steps in the order of execution; `hidden` steps behind one are left out.

    An item with `back` is no step of its own: it tells the values after a call has ended.
    """
    result: list[dict[str, Any]] = []
    for line in trace_lines(violated.run, JSON_STEPS):
        item = {
            "depth": line.depth,
            "procedure": line.run.procedure.name,
            **_place(line.step.edge.at),
            "statement": line.step.edge.text,
            "values": _shown(violated, line),
        }
        if line.back:
            item["back"] = True
        if line.hidden:
            item["hidden"] = line.hidden
        result.append(item)
    return result


def _callee(line: TraceLine) -> str:
    return line.step.inside.procedure.name if line.step.inside is not None else ""


def _shown(violated: Violated, line: TraceLine) -> dict[str, bool]:
    """The values after a step; of a call that is entered, those with which the callee begins."""
    program, step = violated.reached.model.program, line.step
    if step.inside is not None and not line.hidden and not line.back:
        return step.inside.start.named(program, step.inside.procedure)
    state: RunState = step.after if step.after is not None else step.before
    values = state.named(program, line.run.procedure)
    if line.run.results is not None and step is line.run.steps[-1]:
        values |= {f"result {i + 1}": value for i, value in enumerate(line.run.results)}
    return values


def _values(values: Mapping[str, bool]) -> str:
    return " ".join(f"{name}={int(value)}" for name, value in values.items()) or "no variables"


def _big(number: int) -> str:
    """Lengths can have hundreds of digits."""
    return str(number) if number < 10**15 else f"about 10^{number.bit_length() * 30103 // 100000}"


def _place(at: Position) -> dict[str, Any]:
    return {"file": at.file, "line": at.line, "column": at.column}


def invariants_text(reached: Reached) -> Iterator[str]:
    """The reachable states before each statement."""
    for name, graph in reached.model.graphs.items():
        yield f"{name}:"
        for i, location in _in_order(reached, name):
            labels = "".join(f"{label}: " for label in location.labels)
            where = "" if i in (graph.exit, graph.error) else f"{location.at.line}: "
            text = f"  {where}{labels}{location.text}"
            yield f"{text:<40} {_invariant(reached, (name, i))}"


def invariants_json(reached: Reached) -> list[dict[str, Any]]:
    return [
        {
            "procedure": name,
            **_place(location.at),
            "statement": location.text,
            "labels": list(location.labels),
            "states": _invariant(reached, (name, i)),
        }
        for name in reached.model.graphs
        for i, location in _in_order(reached, name)
    ]


def _invariant(reached: Reached, node: Node) -> str:
    if not reached.at(node).satisfiable():
        return "unreachable"
    found = invariant(reached, node)
    return "too large to print" if found is None else show_expression(found)


def _in_order(reached: Reached, name: str) -> list[tuple[int, FlowLocation]]:
    """The locations as they are written; the end, the exit and the error last."""
    graph = reached.model.graphs[name]
    special = {graph.exit: 2, graph.error: 3}

    def key(item: tuple[int, FlowLocation]) -> tuple[int, int, int, int]:
        i, location = item
        rank = special.get(i, 1 if location.text == "end" else 0)
        return (rank, location.at.line, location.at.column, i)

    return sorted(enumerate(graph.locations), key=key)


def comparison_text(reached: Reached, comparison: PrecisionComparison) -> Iterator[str]:
    """A table of the locations where something is lost, then a line for each operator."""
    heads = [f"{d.value}/{f.value}" for d, f in OPERATORS]
    yield "states reached, by location; only locations where an operator reaches too much"
    yield f"  {'location':<36} {'bdd':>8}  " + "  ".join(heads)
    rows = {row.node: row for row in comparison.rows}
    nodes = ((name, i) for name in reached.model.graphs for i, _ in _in_order(reached, name))
    for row in (rows[node] for node in nodes if node in rows):
        if all(count == row.exact for count in row.counts):
            continue
        location = location_of(reached, row.node)
        where = f"{row.node[0]}:{location.at.line}: {location.text}"[:36]
        cells = (
            f"{f'{count}+' if count > row.exact else count:>{len(head)}}"
            for count, head in zip(row.counts, heads, strict=True)
        )
        yield f"  {where:<36} {row.exact:>8}  " + "  ".join(cells)
    for i, head in enumerate(heads):
        verdict = "cannot exclude a failure" if comparison.may_fail[i] else "proves all assertions"
        lost, total = comparison.lost(i), len(comparison.rows)
        yield f"  {head}: loses at {lost} of {total} locations, {verdict}"


def comparison_json(reached: Reached, comparison: PrecisionComparison) -> dict[str, Any]:
    heads = [f"{d.value}/{f.value}" for d, f in OPERATORS]
    rows = []
    for row in comparison.rows:
        location = location_of(reached, row.node)
        rows.append(
            {
                "procedure": row.node[0],
                **_place(location.at),
                "statement": location.text,
                "bdd": row.exact,
                **dict(zip(heads, row.counts, strict=True)),
            }
        )
    may_fail = dict(zip(heads, comparison.may_fail, strict=True))
    return {"locations": rows, "may_fail": may_fail}
