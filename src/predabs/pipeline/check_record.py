"""What a report shows beside the result: gathered when a check has ended, if one is wanted."""

from __future__ import annotations

from ..ir.cfa import Program
from ..ir.ops import Skip
from ..statistics import EngineStatistics
from .result import CheckRecord


def check_record(
    engine: str, statistics: EngineStatistics, whole: Program, checked: Program
) -> CheckRecord:
    """What the engines did on the part of the whole program that they got; `engine` is the one that
    was asked for."""
    engines = statistics.engines or {engine: statistics}
    return CheckRecord(
        tuple((name, one.record) for name, one in engines.items() if one.record is not None),
        _lines(whole),
        _lines(checked),
        frozenset(item.var.short for item in whole.globals),
    )


def _lines(program: Program) -> frozenset[tuple[str, int]]:
    """The lines of the source that hold an operation."""
    return frozenset(
        (edge.coord.file, edge.coord.line)
        for function in program.functions.values()
        for edge in function.edges
        if not isinstance(edge.op, Skip)
    )
