"""A verdict on its way from one process to another that was forked beside it.

Terms are interned again by themselves. Edges are compared by identity, so those of the programs
that both sides have are named by their place there and stay what they are. Invariants may be deeper
than Python's stack: their subterms go first, so that nothing is ever nested.

Soundness duty: an invariant that cannot be handed over is left out, nothing else is.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from typing import Any, TypeAlias

from ...ir.cfa import Edge, Program
from ...ir.walk import subterms
from ...records import replace
from ...verdict import Safe, Verdict

_Place: TypeAlias = tuple[int, str, int]  # number of the program, function, number of the edge


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, programs: Sequence[Program]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._places: dict[Edge, _Place] = {
            edge: (number, function.name, index)
            for number, program in enumerate(programs)
            for function in program.functions.values()
            for index, edge in enumerate(function.edges)
        }

    def persistent_id(self, obj: Any) -> _Place | None:
        return self._places.get(obj) if isinstance(obj, Edge) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, programs: Sequence[Program]) -> None:
        super().__init__(file)
        self._programs = programs

    def persistent_load(self, pid: _Place) -> Edge:
        number, function, index = pid
        return self._programs[number].functions[function].edges[index]


def packed(verdict: Verdict | None, programs: Sequence[Program]) -> bytes:
    """A verdict about one of the programs as bytes."""
    try:
        return _packed(verdict, programs)
    except RecursionError:  # some other part is nested that deeply
        less = replace(verdict, invariants=(), support=()) if isinstance(verdict, Safe) else verdict
        return _packed(less, programs)


def _packed(verdict: Verdict | None, programs: Sequence[Program]) -> bytes:
    file = io.BytesIO()
    invariants = (*verdict.invariants, *verdict.support) if isinstance(verdict, Safe) else ()
    terms = [term for invariant in invariants for term in subterms(invariant.expr)]
    _Pickler(file, programs).dump((terms, verdict))
    return file.getvalue()


def unpacked(data: bytes, programs: Sequence[Program]) -> Verdict | None:
    """The verdict; the programs are the same ones."""
    _, verdict = _Unpickler(io.BytesIO(data), programs).load()
    found: Verdict | None = verdict
    return found
