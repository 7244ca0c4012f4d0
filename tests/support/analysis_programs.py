"""Programs for tests of the analyses: loaded, analysed, and run with hooks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from predabs.analysis.liveness import Liveness, liveness
from predabs.analysis.memory.partition import Partition, partition
from predabs.analysis.modref import ModRef, modref
from predabs.analysis.points_to.sets import points_to
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, ExternPointers, Program
from predabs.ir.types import DataModel, IntType, PointerType
from support.analysis_machine import Inputs, Machine
from support.places import ANALYSIS_PROGRAMS

FILES = sorted(ANALYSIS_PROGRAMS.glob("*.c"))


@dataclass(frozen=True)
class Analysed:
    program: Program
    partition: Partition
    effects: ModRef
    live: Liveness


def analysed(program: Program) -> Analysed:
    division = partition(program, points_to(program))
    effects = modref(program, division)
    return Analysed(program, division, effects, liveness(program, effects))


@cache
def from_file(file: Path, model: DataModel) -> Analysed:
    return analysed(load([str(file)], model))


def from_text(
    text: str,
    folder: Path,
    model: DataModel = DataModel.ILP32,
    extern_pointers: ExternPointers = ExternPointers.FRESH,
) -> Analysed:
    file = folder / "program.c"
    file.write_text(text)
    return analysed(load([str(file)], model, extern_pointers=extern_pointers))


class RecordedInputs(Inputs):
    """Inputs without addresses that depend on the edge and how often it was taken, only."""

    def __init__(self, seed: int, origin: dict[Edge, Edge] | None = None) -> None:
        super().__init__(seed, addresses=0)
        self._seed = seed
        self._origin = origin
        self._taken: dict[Any, int] = {}

    def _next(self, edge: Edge | None) -> None:
        if edge is not None and self._origin is not None:
            edge = self._origin[edge]
        key = None if edge is None else (str(edge.src), str(edge.dst), str(edge.coord))
        count = self._taken[key] = self._taken.get(key, 0) + 1
        self.random.seed(f"{self._seed} {key} {count}")

    def number(self, edge: Edge | None, type_: IntType | PointerType, known: list[int]) -> int:
        self._next(edge)
        return super().number(edge, type_, [])

    def raw(self, edge: Edge | None, size: int) -> bytes:
        self._next(edge)
        return super().raw(edge, size)


class TracingMachine(Machine):
    """Keeps the edges that were taken."""

    def __init__(self, program: Program, division: Partition, inputs: Inputs) -> None:
        self.trace: list[Edge] = []
        super().__init__(program, division, inputs)

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        edge = super().choose(edges)
        self.trace.append(edge)
        return edge
