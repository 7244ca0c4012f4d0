"""Checks on request: a fault of C becomes an error of the program.

Before an operation that may go wrong, the run branches: where the condition of the fault holds it
comes to an `Error` edge, else to the operation. Soundness duty: a run in which no fault happens is
the same run as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from ..errors import InternalError, UnsupportedFeature
from ..frontend.lower.scopes import MODELS
from ..ir import make
from ..ir.cfa import Edge, Function, Language, Location, Program
from ..ir.def_use import op_reads, op_target
from ..ir.expr import FALSE, TRUE, Expr, Lvalue
from ..ir.ops import Assume, Error, ErrorKind
from ..options.checks import RUNTIME
from .access_faults import accessed_bounds, bounds, null, null_argument
from .arithmetic_faults import (
    conversion,
    div_by_zero,
    float_cast_overflow,
    shift,
    signed_overflow,
)
from .faults import Fault, LvalueFinder, OperationFinder, TermFinder, occurrences
from .memory_faults import (
    invalid_access,
    invalid_block,
    invalid_free,
    invalid_resize,
    live_object,
    lost_object,
    uses_heap,
)
from .printed_strings import with_read_strings
from .undefined_ends import reached, vla_bound
from .uninitialised import uninitialised, unwritten, with_flags

_NOTES: Mapping[str, str] = {
    "bounds": "bounds are checked for arrays of known length, not for accesses through pointers",
}


# The finders of each check; where a term has several faults, they come in this order.
_FIRST: Mapping[str, OperationFinder] = {"uninit": uninitialised}
_OF_TERMS: Mapping[str, TermFinder] = {
    "null": null,
    "bounds": bounds,
    "deref": accessed_bounds,
    "free": invalid_resize,
    "div-by-zero": div_by_zero,
    "shift": shift,
    "signed-overflow": signed_overflow,
    "conversion": conversion,
    "float-cast-overflow": float_cast_overflow,
}
_OF_LVALUES: Mapping[str, LvalueFinder] = {"deref": invalid_access}
_OF_OPERATIONS: Mapping[str, OperationFinder] = {
    "null": null_argument,
    "deref": invalid_block,
    "uninit": unwritten,
    "free": invalid_free,
    "leak": lost_object,
    "cleanup": live_object,
    "unreachable": reached,
    "vla-bound": vla_bound,
}
_OF_THE_HEAP = frozenset(["leak", "cleanup"])
ARITHMETIC = frozenset(
    ["div-by-zero", "shift", "signed-overflow", "conversion", "float-cast-overflow"]
)
_OVERFLOWING = frozenset(["abs", "labs", "llabs", "imaxabs"])  # of the least number (C17, 7.22.6.1)
FOUND = frozenset([*_FIRST, *_OF_TERMS, *_OF_OPERATIONS])  # the checks that there are finders for


def refuse_unsupported(checks: frozenset[str], language: Language = Language.C) -> None:
    """Raise `UnsupportedFeature` if nothing finds the faults of one of the checks."""
    if language is Language.SPARK:
        if missing := sorted(checks - RUNTIME):
            raise UnsupportedFeature(
                f"{', '.join(missing)}: no check of SPARK; there is {', '.join(sorted(RUNTIME))}"
            )
        return
    if checks - FOUND == {"range"}:
        raise UnsupportedFeature("range is a check of SPARK; C has conversion")
    if missing := sorted(checks - FOUND):
        raise UnsupportedFeature(
            f"not supported yet: the check{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
        )


def add_checks(
    program: Program, checks: frozenset[str], where: Callable[[Edge], bool] | None = None
) -> Program:
    """The program with an error edge for each fault of the chosen kinds; with `where`, only for
    faults of such edges."""
    refuse_unsupported(checks, program.language)
    if not checks or program.language is Language.SPARK:  # which has its error edges already
        return program
    if not uses_heap(program):
        checks -= _OF_THE_HEAP
    if "deref" in checks:
        program = with_read_strings(program)
    if "uninit" in checks:
        program = with_flags(program)
    notes = [note for check, note in _NOTES.items() if check in checks]
    return replace(
        program,
        functions={
            name: _Instrumented(program, function, _checks_of(function, checks), where).result()
            for name, function in program.functions.items()
        },
        assumptions=(*program.assumptions, *notes),
    )


def _checks_of(function: Function, checks: frozenset[str]) -> frozenset[str]:
    """The checks of a function: the arithmetic in a model is not that of the library."""
    if function.coord.file == MODELS and function.name not in _OVERFLOWING:
        return checks - ARITHMETIC
    return checks


class _Instrumented:
    """One function while it is rebuilt."""

    def __init__(
        self,
        program: Program,
        function: Function,
        checks: frozenset[str],
        where: Callable[[Edge], bool] | None,
    ) -> None:
        self._where = where
        self._program = program
        self._function = function
        self._checks = checks
        self._edges: list[Edge] = []
        self._next = 1 + max(location.index for location in function.locations)

    def result(self) -> Function:
        for location, edges in self._function.outgoing.items():
            self._from(location, edges)
        return replace(self._function, edges=tuple(self._edges))

    def _from(self, location: Location, edges: tuple[Edge, ...]) -> None:
        """The checks of a location's edges come first, one after the other, then the edges.

        Branches that leave one location evaluate one condition, so their checks are common.
        """
        if len(edges) > 1 and not all(isinstance(edge.op, Assume) for edge in edges):
            raise InternalError(f"{location}: a choice between operations that are no assumptions")
        here = location
        for edge, check, fault in self._faults(edges):
            if fault.cond is TRUE:  # nothing behind it can be reached
                self._error(here, edge, check, fault)
                return
            here = self._branch(here, edge, check, fault)
        if here is location:
            self._edges.extend(edges)
        else:
            self._edges.extend(replace(edge, src=here) for edge in edges)

    def _faults(self, edges: Iterable[Edge]) -> list[tuple[Edge, str, Fault]]:
        found: dict[Expr, tuple[Edge, str, Fault]] = {}
        for edge in edges:
            if self._where is not None and not self._where(edge):
                continue
            for check, fault in faults(self._program, edge, self._checks):
                if fault.cond is not FALSE:
                    found.setdefault(fault.cond, (edge, check, fault))
        return list(found.values())

    def _branch(self, here: Location, edge: Edge, check: str, fault: Fault) -> Location:
        wrong, fine = self._fresh(), self._fresh()
        self._edges.append(Edge(here, Assume(fault.cond), wrong, edge.coord))
        self._error(wrong, edge, check, fault)
        self._edges.append(Edge(here, Assume(make.negate(fault.cond)), fine, edge.coord))
        return fine

    def _error(self, here: Location, edge: Edge, check: str, fault: Fault) -> None:
        error = Error(ErrorKind.CHECK, fault.text, check)
        self._edges.append(Edge(here, error, self._fresh(), edge.coord))

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function.name, self._next - 1)


def faults(program: Program, edge: Edge, checks: frozenset[str]) -> Iterator[tuple[str, Fault]]:
    """What can go wrong in an operation, inner terms first, and which check finds it."""
    for check, of_operation in _FIRST.items():
        if check in checks:
            yield from ((check, fault) for fault in of_operation(program, edge))
    written = op_target(edge.op)
    whole = {*op_reads(edge.op), written}
    for term, accessed in occurrences(edge.op):
        for check, of_term in _OF_TERMS.items():
            if check in checks:
                yield from ((check, fault) for fault in of_term(program, term, accessed))
        if term in whole:
            assert isinstance(term, Lvalue)
            for check, of_lvalue in _OF_LVALUES.items():
                if check in checks:
                    for fault in of_lvalue(program, term, term is written):
                        yield check, fault
    for check, of_operation in _OF_OPERATIONS.items():
        if check in checks:
            yield from ((check, fault) for fault in of_operation(program, edge))
