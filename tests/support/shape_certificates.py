"""Certificates of memory graphs, as the engine makes them and changed, and a second opinion.

The second opinion takes segments apart into lists of a few nodes, and compares the shapes of what
comes out: no graph that is accepted may have lost a list that the one before it had.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import Any

from predabs.analysis.facts import ProgramFacts
from predabs.engines.engine import EngineTask, decide
from predabs.ir.expr import Var
from predabs.options import Budget, Options
from predabs.records import replace
from predabs.smg.canonical import collect, shape_of
from predabs.smg.graph import MemoryGraph
from predabs.smg.graph_text import read_graph
from predabs.smg.segments import materialized, split
from predabs.verdict import Safe, ShapesAt
from support.counted_time import LONG, counted_time

Shapes = tuple[ShapesAt, ...]
_LENGTH = 3  # nodes of a list that are looked at


def shapes_of(facts: ProgramFacts) -> Shapes:
    """The graphs of a proof."""
    with counted_time():
        found = decide("smg", EngineTask(facts, Options(certify=True)), Budget.of(LONG))
    assert isinstance(found, Safe), found
    return found.shapes


def graph_of(facts: ProgramFacts, text: str) -> MemoryGraph:
    """A graph of a certificate."""
    return read_graph(text, facts.program.data_model.pointer_bits // 8, variables_of(facts))


def variables_of(facts: ProgramFacts) -> dict[str, Var]:
    functions = facts.program.functions.values()
    own = [var for f in functions for var in (*f.params, *f.locals)]
    return {var.name: var for var in (*(item.var for item in facts.program.globals), *own)}


def dropped(shapes: Shapes) -> Iterator[Shapes]:
    """With one graph left out."""
    for place, item in enumerate(shapes):
        for number in range(len(item.graphs)):
            rest = (*item.graphs[:number], *item.graphs[number + 1 :])
            yield (*shapes[:place], replace(item, graphs=rest), *shapes[place + 1 :])


def mutants(shapes: Shapes) -> Iterator[tuple[Shapes, int, int]]:
    """With one graph changed, and which: other lengths, other values, other flags."""
    for place, item in enumerate(shapes):
        for number, text in enumerate(item.graphs):
            for changed in _changed(text):
                graphs = (*item.graphs[:number], changed, *item.graphs[number + 1 :])
                made = (*shapes[:place], replace(item, graphs=graphs), *shapes[place + 1 :])
                yield made, place, number


def _changed(text: str) -> Iterator[str]:
    count = len(json.loads(text)["objects"])
    for number in range(count):
        data: Any = json.loads(text)
        made = data["objects"][number]
        if "segment" in made:
            for least in {0, 1, 2} - {made["segment"][3]}:
                data = json.loads(text)
                data["objects"][number]["segment"][3] = least
                yield json.dumps(data)
        for flag in ("optional", "ended", "zeroed"):
            data = json.loads(text)
            row = data["objects"][number]
            row[flag] = not row.get(flag, False)
            yield json.dumps(data)
        for place, cell in enumerate(made["cells"]):
            for value in (0, 1, *(["to", other, 0] for other in range(min(count, 3)))):
                if cell[2] != value:
                    data = json.loads(text)
                    data["objects"][number]["cells"][place][2] = value
                    yield json.dumps(data)


def lists(graph: MemoryGraph) -> set[Hashable]:
    """The shapes of its memories in which each list has a few nodes at most."""
    found: set[Hashable] = set()
    todo = [(graph.copy(), 0)]
    while todo:
        here, nodes = todo.pop()
        missing = [n for n, made in here.objects.items() if made.may_be_missing and not made.nested]
        if missing:
            todo += [(case, nodes) for case in split(here, missing[0])]
            continue
        segments = [
            number
            for number, made in here.objects.items()
            if made.segment is not None and not made.nested
        ]
        if segments:
            if nodes < _LENGTH:
                todo.append((materialized(here, segments[0], False), nodes + 1))
            continue
        collect(here, False)
        for number, made in here.objects.items():
            here.objects[number] = replace(made, zeroed=False)  # what holds nothing says nothing
        found.add(shape_of(here).key)
    return found
