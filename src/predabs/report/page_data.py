"""A result as the values that the page's scripts read: short keys, and each text once.

No soundness duty: the page shows what the result says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..evidence.trace.steps import StepKind, TraceStep
from ..evidence.trace.trace import Trace
from ..ir.cfa import Coord
from ..obstacles import obstacle_text
from ..options.table import ENGINES
from ..pipeline.explanation import answering
from ..pipeline.json_report import report
from ..pipeline.result import Answer, CheckRecord, Result
from ..proof_record import (
    Automaton,
    DomainElement,
    EngineRecord,
    MemoryShape,
    PathStep,
    Place,
    PredicatesAt,
    RefinementRound,
    Tree,
)
from .source_lines import read_source

_ROOT = re.compile(r"[A-Za-z_]\w*")
_FEW_FACTS = 6  # about cells, below one line of the source
_MOST_AUTOMATON_EDGES = 60_000  # of all automata that one page shows


class PageData:
    """The values of one page."""

    def __init__(self, result: Result, files: tuple[str, ...]) -> None:
        self._result = result
        self._record = result.record or CheckRecord((), frozenset(), frozenset(), frozenset())
        self._files: dict[str, int] = {}
        for file in files:
            self._file(file)

    def values(self) -> dict[str, Any]:
        """All of them; sources last, when it is known which files are spoken of."""
        result = self._result
        engine = self._answering()
        violation = result.violation
        trace = violation.trace if violation is not None else result.unconfirmed
        data: dict[str, Any] = {
            "verdict": result.verdict.value,
            "engine": engine,
            "run": None if trace is None else self._run(trace),
            "confirmed": violation is not None,
            "error": None if violation is None else self._at(violation.coord),
            "invariants": [*self._invariants(), *self._facts_about_cells(engine)],
            "standing": self._standing(),
            "engines": [self._engine(name, one) for name, one in self._record.engines],
            "time": self._time(),
        }
        return data | {"sources": [self._source(file) for file in tuple(self._files)]}

    def _invariants(self) -> list[dict[str, Any]]:
        return [
            {
                "at": self._at(item.coord),
                "function": item.function,
                "calls": item.call_texts,
                "text": item.text,
            }
            for item in self._result.invariants
        ]

    def _facts_about_cells(self, engine: str) -> list[dict[str, Any]]:
        """The result has the invariants that exclude the errors; the loops before them have some,
        too, which the cells engine has proved."""
        if self._result.verdict is not Answer.TRUE or engine != "cells":
            return []
        known = {item.coord for item in self._result.invariants}
        return [
            {
                "at": self._at(item.coord),
                "function": item.where.partition(":")[0],
                "calls": [],
                "text": text,
            }
            for name, record in self._record.engines
            if name == engine
            for item in record.predicates
            if item.coord is not None and item.coord not in known
            for text in item.texts[:_FEW_FACTS]
        ]

    def _standing(self) -> list[dict[str, Any]]:
        """For UNKNOWN: what each engine has tried, how its last time slice ended, and what stands
        in its way."""
        result = self._result
        if result.verdict is not Answer.UNKNOWN:
            return []
        last: dict[str, str] = {}
        for line in result.tried:
            head, _, text = line.partition(": ")
            last[head.partition(" ")[0]] = text
        uses = {item.name: item.work for item in result.engines}
        names = [*uses, *(name for name in last if name not in uses)]
        return [
            {
                "engine": name,
                "text": last.get(name, result.reason if len(names) == 1 else ""),
                "at": [
                    [self._at(item.coord), obstacle_text(item)]
                    for item in (uses[name].obstacles if name in uses else ())
                ],
            }
            for name in names
            if name in uses or name in ENGINES
        ]

    # --- places -----------------------------------------------------------------------------------

    def _file(self, file: str) -> int:
        return self._files.setdefault(file, len(self._files))

    def _at(self, coord: Coord) -> list[int]:
        return [self._file(coord.file), coord.line]

    def _place(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {"f": place.function, "i": place.index, "at": self._at(place.coord)}
        return found | ({"calls": list(place.calls)} if place.calls else {})

    def _source(self, file: str) -> dict[str, Any]:
        text = read_source(file)
        record = self._record
        reached = [one.reached for name, one in record.engines if name == self._answering()]
        return {
            "name": file,
            "lines": None if text is None else text.lines,
            "colours": None if text is None else text.colours,
            "code": _lines(file, record.code),
            "kept": _lines(file, record.kept),
            "reached": _lines(file, reached[0] if reached else ()),
        }

    # --- the run ----------------------------------------------------------------------------------

    def _run(self, trace: Trace) -> dict[str, Any]:
        steps = trace.steps
        deeper = [
            following.depth > step.depth
            for step, following in zip(steps, (*steps[1:], *steps[-1:]), strict=True)
        ]
        return {
            "steps": [self._step(step, inside) for step, inside in zip(steps, deeper, strict=True)],
            "omitted": trace.omitted,
            "inputs": [
                {"at": [self._file(step.file), step.line], "text": ", ".join(map(str, step.values))}
                for step in trace.inputs
            ],
            "marks": trace.marks,
        }

    def _step(self, step: TraceStep, inside: bool) -> dict[str, Any]:
        found: dict[str, Any] = {
            "at": [self._file(step.file), step.line],
            "f": step.function,
            "s": step.statement,
            "k": step.kind.value,
            "d": step.depth,
        }
        if step.marked:
            found["m"] = 1
        if step.omitted:
            found["o"] = step.omitted
        if step.values:
            depth = step.depth + (inside and step.kind is StepKind.CALL)
            found["v"] = [
                [item.name, str(item.value), item.note, self._scope(item.name, depth)]
                for item in step.values
            ]
        return found

    def _scope(self, name: str, depth: int) -> int:
        """The depth of the call whose variable it is; -1 for a global one."""
        root = _ROOT.search(name)
        return -1 if root is not None and root.group() in self._record.globals else depth

    # --- the proof --------------------------------------------------------------------------------

    def _answering(self) -> str:
        """The engine whose work the page shows first."""
        result = self._result
        names = [name for name, _ in self._record.engines]
        if result.verdict is Answer.FALSE and result.violation is not None:
            for line in result.tried:
                name = line.partition(" ")[0]
                if name in names and not line.endswith(("was faster", "has the answer")):
                    names.append(name)
        if result.verdict is Answer.TRUE and (found := answering(report(result))) in names:
            return found
        if result.verdict is Answer.UNKNOWN and names:
            return max(self._record.engines, key=lambda item: len(item[1].rounds))[0]
        return names[-1] if names else result.engine

    def _engine(self, name: str, record: EngineRecord) -> dict[str, Any]:
        edges = sum(len(automaton.edges) for automaton in record.automata)
        shown = name == self._answering() and edges <= _MOST_AUTOMATON_EDGES
        return {
            "name": name,
            "rounds": [self._round(one) for one in record.rounds],
            "rounds_left_out": record.rounds_left_out,
            "predicates": self._predicates(record.predicates),
            "tree": None if record.tree is None else self._tree(record.tree),
            "boolean": record.boolean_program,
            "elements": [self._element(one) for one in record.elements],
            "shapes": [self._shape(one) for one in record.shapes],
            "facts": record.facts,
            "automata": [self._automaton(one) for one in record.automata] if shown else [],
        }

    def _round(self, done: RefinementRound) -> dict[str, Any]:
        return {
            "title": done.title,
            "notes": done.notes,
            "path": [self._path_step(step) for step in done.path],
            "left_out": done.left_out,
            "new": self._predicates(done.new),
            "tree": None if done.tree is None else self._tree(done.tree),
            "boolean": done.boolean_program,
            "clauses": done.clauses,
        }

    def _path_step(self, step: PathStep) -> dict[str, Any]:
        found: dict[str, Any] = {"at": self._at(step.coord), "f": step.function, "s": step.text}
        return found | ({"core": 1} if step.core else {})

    def _predicates(self, tracked: Iterable[PredicatesAt]) -> list[dict[str, Any]]:
        return [
            {
                "where": item.where,
                "at": None if item.coord is None else self._at(item.coord),
                "texts": item.texts,
            }
            for item in tracked
        ]

    def _tree(self, tree: Tree) -> dict[str, Any]:
        nodes = []
        for node in tree.nodes:
            found: dict[str, Any] = {
                "n": node.number,
                "p": node.parent,
                **self._place(node.place),
                "r": node.region,
                "s": node.state.value,
            }
            if node.predicates:
                found["preds"] = node.predicates
            if node.covered_by:
                found["by"] = node.covered_by
            nodes.append(found)
        return {
            "nodes": nodes,
            "left_out": tree.left_out,
            "path": tree.path,
            "pivot": tree.pivot,
        }

    def _element(self, element: DomainElement) -> dict[str, Any]:
        return {**self._place(element.place), "head": element.head, "cases": element.cases}

    def _shape(self, shape: MemoryShape) -> dict[str, Any]:
        return {
            **self._place(shape.place),
            "nodes": [[node.number, node.kind, *node.lines] for node in shape.nodes],
            "pointers": shape.pointers,
            "left_out": shape.left_out,
        }

    def _automaton(self, automaton: Automaton) -> dict[str, Any]:
        return {
            "name": automaton.function,
            "at": self._at(automaton.coord),
            "entry": automaton.entry,
            "exit": automaton.exit,
            "heads": automaton.heads,
            "edges": [
                [edge.src, edge.dst, edge.text, edge.kind, *self._at(edge.coord)]
                for edge in automaton.edges
            ],
        }

    # --- time -------------------------------------------------------------------------------------

    def _time(self) -> dict[str, Any]:
        result = self._result
        return {
            "seconds": result.seconds,
            "phases": result.work.seconds,
            "native": result.work.native,
            "engines": [
                {
                    "name": item.name,
                    "phases": item.work.seconds,
                    "solver": [item.solver.calls, item.solver.seconds],
                    "predicates": item.work.predicates,
                    "nodes": item.work.nodes,
                    "refinements": item.work.refinements,
                }
                for item in result.engines
            ],
            "tried": result.tried,
        }


def _lines(file: str, places: Iterable[tuple[str, int]]) -> list[int]:
    return sorted(line for name, line in places if name == file)
