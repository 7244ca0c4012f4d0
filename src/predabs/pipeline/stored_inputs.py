"""The inputs of a violation in the store: which place of a program asks for each.

Soundness duty: none; they are replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..ir.cfa import Coord, Function, Program
from ..ir.flat_terms import Damaged
from ..ir.ops import Alloc, Call, Havoc, Source
from ..verdict import Input


def input_places(program: Program) -> dict[Coord, list[Any]]:
    """Coordinates by their function: which of those each is that ask for inputs there, and how far
    below the first line."""
    found: dict[Coord, list[Any]] = {}
    for function in program.functions.values():
        coords = asking_coords(function)
        for number, coord in enumerate(coords):
            offset = coord.line - function.coord.line
            found.setdefault(coord, [function.name, number, len(coords), offset, coord.column])
    return found


def asking_coords(function: Function) -> dict[Coord, None]:
    """The coordinates of a function, its own first, at which it may ask for an input: however else
    it changes, their order tells which is which."""
    asking = (edge.coord for edge in function.edges if isinstance(edge.op, Havoc | Call | Alloc))
    return dict.fromkeys((function.coord, *asking))


def _coord(place: list[Any], asked: Mapping[str, list[Coord]]) -> Coord:
    name, number, count, line, column = place
    coords = asked.get(name)
    if coords is None:
        return Coord(str(number), int(line), int(column))
    if len(coords) == count:
        return coords[int(number)]
    return Coord(coords[0].file, coords[0].line + int(line), int(column))


def texts_of(files: Sequence[str]) -> str:
    """A hash of what is written in the files, those they include not among them."""
    digest = blake2b(digest_size=16)
    for file in files:
        with suppress(OSError):
            digest.update(Path(file).read_bytes() + b"\0")
    return digest.hexdigest()


def read_inputs(said: list[Any], terms: list[Any], program: Program) -> tuple[Input, ...]:
    """The inputs, at the places of this program."""
    asked = {name: list(asking_coords(f)) for name, f in program.functions.items()}
    return tuple(_read_input(item, terms, asked) for item in said)


def _read_input(item: list[Any], terms: list[Any], asked: Mapping[str, list[Coord]]) -> Input:
    source, name, type_, value, *place = item
    return Input(Source[source], str(name), terms[type_], _given(value), _coord(place, asked))


def written_value(value: float | bytes) -> Any:
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    return ["float", value.hex()] if isinstance(value, float) else value


def _given(value: Any) -> int | float | bytes:
    match value:
        case ["bytes", str(text)]:
            return bytes.fromhex(text)
        case ["float", str(text)]:
            return float.fromhex(text)
        case int():
            return value
    raise Damaged("no value of an input")
