"""Give uninitialised variables their values in a copy of the program.

A compiled program cannot be told what its uninitialised variables hold, but a copy of its source
can: after the declaration of such a variable a call is inserted that fills it. Only the test uses
the copy; the file of the user is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..ir.cfa import Coord
from ..ir.ops import Source
from ..records import dataclass
from ..verdict import Input

_IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")
# what is skipped as a whole, and what matters, on the way to the end of a declaration
_PIECE = re.compile(
    rb"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | [(){}\[\];]""",
    re.VERBOSE | re.DOTALL,
)
_VLA = "alloca"  # what the interpreter calls the bytes of a variable-length array


@dataclass(frozen=True, slots=True)
class Preset:
    """A call to insert into `file` at a byte offset: it fills the variable declared at `coord`."""

    file: str
    offset: int
    coord: Coord
    text: str


def presets(files: Sequence[str], inputs: Iterable[Input]) -> tuple[Preset, ...]:
    """The calls for all variables that do not start with zero and whose declaration is found."""
    found: dict[Coord, Preset] = {}
    sources: dict[str, bytes] = {}
    for item in inputs:
        file = item.coord.file
        if (
            is_uninitialised(item)
            and is_nonzero(item)
            and item.coord not in found
            and file in files
        ):
            if file not in sources:
                sources[file] = Path(file).read_bytes()
            preset = _preset(sources[file], item)
            if preset is not None:
                found[item.coord] = preset
    return tuple(found.values())


def preset_copy(file: str, all_presets: Iterable[Preset]) -> bytes:
    """The text of the file with the calls inserted."""
    text = Path(file).read_bytes()
    calls: dict[int, str] = {}
    for preset in all_presets:
        if preset.file == file:  # calls at one place stay in the order of the run
            calls[preset.offset] = calls.get(preset.offset, "") + preset.text
    for offset in sorted(calls, reverse=True):  # from the end, so that offsets stay right
        text = text[:offset] + calls[offset].encode() + text[offset:]
    return text


def is_heap(item: Input) -> bool:
    """Is it what an allocated block of memory holds?"""
    return item.source is Source.UNINITIALIZED and item.name == "malloc"


def is_uninitialised(item: Input) -> bool:
    """Is it what a variable holds that has not been written?"""
    return item.source is Source.UNINITIALIZED and not is_heap(item)


def is_nonzero(item: Input) -> bool:
    return any(item.value) if isinstance(item.value, bytes) else item.value != 0


def _preset(text: bytes, item: Input) -> Preset | None:
    coord = item.coord
    start = _offset(text, coord)
    named = _IDENTIFIER.match(text, start)
    if named is None:
        return None
    name = named[0].decode()
    if item.name not in (name, _VLA) or name.endswith(_VLA) or _in_parentheses(text, start):
        return None
    end = _end_of_declaration(text, named.end())
    if end is None:
        return None
    call = (
        " { extern void predabs_value(const char *, void *, __SIZE_TYPE__); "
        f'predabs_value("{coord.line}:{coord.column}", (void *)&{name}, sizeof {name}); }}'
    )
    return Preset(coord.file, end, coord, call)


def _offset(text: bytes, coord: Coord) -> int:
    """Lines and columns count from one, columns in bytes."""
    start = 0
    for _ in range(coord.line - 1):
        start = text.find(b"\n", start) + 1
        if start == 0:
            return len(text)
    return start + coord.column - 1


def _in_parentheses(text: bytes, at: int) -> bool:
    """Is this the head of a loop, where no statement can be inserted?"""
    begin = max(text.rfind(mark, 0, at) for mark in (b";", b"{", b"}"))
    before = text[begin + 1 : at]
    return before.count(b"(") > before.count(b")")


def _end_of_declaration(text: bytes, at: int) -> int | None:
    """The offset behind the semicolon."""
    depth = 0
    for piece in _PIECE.finditer(text, at):
        match piece[0]:
            case b"(" | b"{" | b"[":
                depth += 1
            case b")" | b"}" | b"]":
                depth -= 1
                if depth < 0:
                    return None
            case b";" if depth == 0:
                return piece.end()
    return None
