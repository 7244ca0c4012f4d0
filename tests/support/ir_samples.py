"""Small pieces of programs that several tests use."""

from __future__ import annotations

from predabs.ir.cfa import Coord, Function, Global, Program
from predabs.ir.types import DataModel, Record

C = Coord("a.c", 1, 1)


def program_of(
    *functions: Function, records: tuple[Record, ...] = (), globals_: tuple[Global, ...] = ()
) -> Program:
    """A program whose entry is the first function."""
    return Program(
        {f.name: f for f in functions},
        globals_,
        {record.type.tag: record for record in records},
        functions[0].name,
        DataModel.LP64,
        {},
        (),
        ("a.c",),
    )
