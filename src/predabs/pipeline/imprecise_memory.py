"""What the engines know little about, by name: objects that are seen byte by byte, pointers that
may lead outside of the program or to several objects, calls through pointers that nothing binds.

It is looked for when a check has ended without a verdict, so that `explain` can name it. No
soundness duty: it makes no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from ..analysis.facts import ProgramFacts
from ..analysis.memory.regions import InRegion, MemoryRegion
from ..analysis.points_to.objects import (
    Allocated,
    FunctionObject,
    Object,
    TemporaryObject,
    UnknownObject,
    Variable,
)
from ..errors import InternalError
from ..evidence.trace.temporaries import is_temporary
from ..frontend.lower.scopes import MODELS
from ..ir.cfa import Coord, Edge
from ..ir.def_use import op_reads, op_writes
from ..ir.expr import Const, Deref, Expr, FunctionAddress, Index, Lvalue
from ..ir.listing import naming
from ..ir.ops import Call
from ..ir.show import show_expr
from ..ir.types import is_scalar, size_of
from ..ir.walk import subterms, variables
from ..records import dataclass, field

_FEW = 3  # objects that are named
_MOST = 40  # findings; a person reads the first ones


class Imprecision(Enum):
    """Why formulas know little, the most telling first."""

    CALLEE = "callee"  # a call through a pointer that no function of the program is bound to
    UNKNOWN = "unknown"  # a pointer that may lead to memory of the environment
    BYTES = "bytes"  # objects that are seen byte by byte
    CALLEES = "callees"  # a call through a pointer to one of several functions
    OBJECTS = "objects"  # a pointer to one of several objects
    ELEMENTS = "elements"  # an array at an index that changes


@dataclass(frozen=True, slots=True)
class ImpreciseMemory:
    """One of them: the first place, `name` as the source has it, and what it may be."""

    kind: Imprecision
    coord: Coord
    function: str
    name: str
    among: tuple[str, ...] = ()


def imprecise_memory(facts: ProgramFacts) -> tuple[ImpreciseMemory, ...]:
    """What is seen imprecisely in the program of the facts, which is what its errors depend on:
    each name of a function once, in the order of the program."""
    survey = _Survey(facts)
    for function in facts.program.functions.values():
        if function.coord.file == MODELS:
            continue
        for edge in function.edges:
            survey.look(edge)
    return tuple(survey.found.values())[:_MOST]


@dataclass(slots=True)
class _Survey:
    facts: ProgramFacts
    found: dict[tuple[Imprecision, str, str], ImpreciseMemory] = field(default_factory=dict)

    def look(self, edge: Edge) -> None:
        """What an operation accesses, and calls."""
        if isinstance(edge.op, Call) and not isinstance(edge.op.callee, FunctionAddress):
            targets = self.facts.points_to.call_targets(edge)
            kind = Imprecision.CALLEES if targets else Imprecision.CALLEE
            if len(targets) != 1:
                self._note(kind, edge, edge.op.callee, tuple(targets))
        for lvalue in (*op_reads(edge.op), *op_writes(edge.op)):
            self._access(edge, lvalue)

    def _access(self, edge: Edge, lvalue: Lvalue) -> None:
        region = self._region(lvalue)
        if region is None:
            return
        if region.unit is None and region.objects and size_of(lvalue.type) > 1:
            self._note(Imprecision.BYTES, edge, lvalue, _names(region.objects))
        for pointer in _pointers(lvalue):
            objects = {target.object for target in self.facts.points_to.targets(pointer)}
            if any(isinstance(item, UnknownObject) for item in objects):
                self._note(Imprecision.UNKNOWN, edge, pointer)
            elif len(objects) > 1:
                self._note(Imprecision.OBJECTS, edge, pointer, _names(objects))
        for array in _arrays(lvalue):
            self._note(Imprecision.ELEMENTS, edge, array)

    def _region(self, lvalue: Lvalue) -> MemoryRegion | None:
        if not is_scalar(lvalue.type):
            return None
        try:
            storage = self.facts.partition.storage(lvalue)
        except InternalError:
            return None
        if not isinstance(storage, InRegion):
            return None
        return self.facts.partition.region(storage.region)

    def _note(self, kind: Imprecision, edge: Edge, what: Expr, among: tuple[str, ...] = ()) -> None:
        """What it is, unless it is the front end's: then the source has another name for it."""
        if any(is_temporary(var) for var in variables(what)):
            return
        function, name = edge.src.function, show_expr(what, naming(self.facts.program))
        item = ImpreciseMemory(kind, edge.coord, function, name, among[:_FEW])
        self.found.setdefault((kind, function, name), item)


def _names(objects: Iterable[Object]) -> tuple[str, ...]:
    """What a person calls the objects."""
    found: set[str] = set()
    for item in objects:
        match item:
            case Variable(var):
                found.add(var.short)
            case Allocated(edge):
                found.add(f"what line {edge.coord.line} allocates")
            case FunctionObject(name):
                found.add(name)
            case TemporaryObject() | UnknownObject():
                pass
    return tuple(sorted(found))


def _pointers(lvalue: Lvalue) -> Iterator[Expr]:
    """The pointers that an access goes through."""
    for term in subterms(lvalue):
        if isinstance(term, Deref):
            yield term.pointer


def _arrays(lvalue: Lvalue) -> Iterator[Expr]:
    """The arrays that it accesses at an index that is no constant."""
    for term in subterms(lvalue):
        if isinstance(term, Index) and not isinstance(term.index, Const):
            yield term.base
