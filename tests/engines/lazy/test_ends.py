"""No formula excludes what a run does: the lazy engine finds the end of programs that come to one.

Each program of the folder `c` tests one feature of C, takes no input, and ends. Its end is made an
error here. Those that are not listed take longer: their loops have to be followed for many rounds.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from predabs.evidence.replay import NotReplayed, replay
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, Location, Program
from predabs.ir.ops import Error, ErrorKind, Return
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.verdict import Unsafe
from support.annotated import Annotated, programs
from support.counted_time import LONG, counted_time
from support.engine_checks import checked

NAMES = [
    "anonymous_members",
    "asm_and_attributes",
    "bitfields",
    "bool",
    "casts",
    "char_signedness",
    "comma_and_assignment",
    "compound_assignment",
    "conditional",
    "enums",
    "evaluation_order",
    "flexible_array",
    "floats",
    "increments",
    "int128",
    "integer_types",
    "knr",
    "linked",
    "linked_statics",
    "literals",
    "packed_aligned",
    "printing",
    "short_circuit",
    "sizeof_offsetof",
    "structs",
    "tentative",
    "typedefs",
    "typeof_generic",
    "usual_conversions",
]
PROGRAMS = [program for program in programs("c") if program.name in NAMES]


def with_error_at_the_end(program: Program) -> Program:
    main = program.functions["main"]
    nowhere = Location("main", -5)
    end = Error(ErrorKind.ERROR_CALL, "the end")
    edges = tuple(
        Edge(edge.src, end, nowhere, edge.coord) if isinstance(edge.op, Return) else edge
        for edge in main.edges
    )
    return replace(program, functions={**program.functions, "main": replace(main, edges=edges)})


@pytest.mark.parametrize("item", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_the_end_is_found(item: Annotated) -> None:
    model = DataModel[item.models[0]]
    program = with_error_at_the_end(load(item.files, model))
    with counted_time():
        verdict = checked("lazy", program, Options(), Budget.of(LONG))
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(program, verdict.inputs), NotReplayed)


def test_the_programs_are_there() -> None:
    assert len(PROGRAMS) == len(NAMES)
