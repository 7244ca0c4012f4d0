"""What a witness says of a check: loaded only if one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..analysis.facts import ProgramFacts
from ..errors import PredabsError
from ..evidence.replay import Confirmed
from ..evidence.witness.content import Content
from ..evidence.witness.correctness import correctness_content, interval_bounds
from ..evidence.witness.violation import (
    marked,
    only_target,
    target_location,
    violation_content,
)
from ..frontend.places import FilePlaces, file_places
from ..ir.cfa import Program
from ..ir.ops import Error, ErrorKind
from ..spec.properties import specification_text
from ..verdict import Invariant
from .check_pipeline import Task
from .preparation import Product
from .result import WitnessPart


def of_proof(
    task: Task, whole: ProgramFacts, part: Program, invariants: Sequence[Invariant]
) -> WitnessPart | None:
    """What the witness of a proof about a part of the program says: the invariants of the proof,
    and the interval facts of the loop heads. None if that cannot be found out: the verdict is worth
    more."""
    try:
        return _of_proof(task, whole, part, invariants)
    except (PredabsError, RecursionError):
        return None


def _of_proof(
    task: Task, whole: ProgramFacts, part: Program, invariants: Sequence[Invariant]
) -> WitnessPart:
    program = whole.program
    bounds = interval_bounds(whole, task.files)
    functions = {item.location.function for item in (*invariants, *bounds)}
    places = _places(task, program, functions)
    content = correctness_content(program, part, invariants, bounds, places)
    edges = (edge for function in program.functions.values() for edge in function.edges)
    kinds = {edge.op.kind for edge in edges if isinstance(edge.op, Error)}
    return _part(task, content, ErrorKind.ASSERTION not in kinds)


def _part(task: Task, content: Content, error_calls: bool) -> WitnessPart:
    text = specification_text(task.options.property, task.entry, error_calls)
    return WitnessPart(content, text)


def of_violation(
    task: Task,
    program: Program,
    replayed: Confirmed,
    load: Callable[[Product], Program],
    until: float | None,
) -> WitnessPart | None:
    """What the witness of a replayed run says; None if that cannot be found out."""
    try:
        return _of_violation(task, program, replayed, load, until)
    except (PredabsError, RecursionError):
        return None


def _of_violation(
    task: Task,
    program: Program,
    replayed: Confirmed,
    load: Callable[[Product], Program],
    until: float | None,
) -> WitnessPart:
    sources = _places(task, program, program.functions)
    edge = replayed.error.edge
    told = replayed.trace.error
    coord = edge.coord
    if told is not None and coord.file not in sources:
        coord = type(coord)(told.file, told.line, told.column)
    target = target_location(sources, coord, edge.src.function)
    marks = marked(sources, program.functions, replayed.inputs)
    try:
        again = load(Product(marks.texts, lambda changed: changed))
        content = violation_content(again, marks, replayed.inputs, target, until)
    except PredabsError:  # a mark in a place that C does not allow; the target is enough
        content = only_target(target)
    return _part(task, content, replayed.error.kind is ErrorKind.ERROR_CALL)


def _places(task: Task, program: Program, functions: Collection[str]) -> dict[str, FilePlaces]:
    """The places of these functions, by file."""
    starts: dict[str, list[int]] = {}
    for name in functions:
        coord = program.functions[name].coord
        starts.setdefault(coord.file, []).append(coord.line)
    found = {}
    for file in task.files:
        lines = starts.get(file)
        if lines is not None:

            def wanted(first: int, last: int, lines: list[int] = lines) -> bool:
                return any(first <= line <= last for line in lines)

            found[file] = file_places(file, task.data_model, task.flags.of(file), wanted)
    return found
