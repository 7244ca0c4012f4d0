"""A parsed file: clang's flags, its errors, and the source positions of cursors.

Nothing here interprets C. What clang calls an error becomes an `InputError`.
"""

from __future__ import annotations

import os
import re
import threading
from bisect import bisect_right
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from ctypes import byref, c_char_p, c_uint, c_void_p
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.types import DataModel
from ..compiler_flags import NO_FLAGS, CompilerFlags
from . import clang
from .arguments import arguments
from .clang import Cursor, CursorKind, Range, SourceLocation
from .literals import code_tokens, expanded

Watch: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Gives what is to be open while something goes on: it may take the time."""

_CRASHED = 2  # what libclang says when it caught a crash of its own
_ON_THIS_THREAD = "LIBCLANG_NOTHREADS"  # makes libclang use the caller's stack
_STACK = 1 << 28
_ENOUGH = 20_000
_MACRO = 1 << 31  # in the key of a source location: it comes out of a macro

# gcc's `malloc (free, 1)` says which function frees the result. glibc's headers have it if gcc is
# the preprocessor. clang ignores the attribute then, as predabs would.
_GCC_ATTRIBUTE = re.compile(r"'_*malloc_*' attribute takes no arguments\Z")
_DIGITS = re.compile(rb"(?:[1-9]\d{0,8}|0)(?![\w.\\'])")  # an int, and nothing else
_MAY_DEFINE = re.compile(rb"(#|%:|\?\?=)\s*(define|include|import|\\|/\*|\?\?/)")


class _Stretch(NamedTuple):
    """A file that clang has read: the first of the numbers of its characters, and the end."""

    file: str
    first: int
    end: int
    lines: list[int]  # where they start
    text: bytes


class SourceFile:
    """One parsed file: its cursors, and their source positions.

    Positions are physical: where a macro is used, and in a preprocessed file the line of that very
    file, because that is what the user has before the eyes. Use as a context manager; cursors
    must not outlive it.
    """

    def __init__(
        self,
        path: str,
        data_model: DataModel,
        flags: CompilerFlags = NO_FLAGS,
        text: str | None = None,
        parsing: Watch = nullcontext,
    ) -> None:
        self.path = path
        self.last = Coord(path, 1, 1)  # of the cursor that was asked for last
        self._texts: dict[str, bytes] = {path: _contents(path, text)}
        self._lines: dict[str, list[int]] = {}  # where the lines of a file start
        self._files: dict[int | None, str] = {}
        self._coords: dict[int, Coord] = {0: self.last}
        self._near = _Stretch(path, 0, 0, [], b"")  # where the last position lay
        self._file, self._offset = c_void_p(), c_uint()
        self._answer = (byref(self._file), None, None, byref(self._offset))
        self.flags = flags
        self._macros: dict[str, list[str]] | None = None
        self._arguments = arguments(data_model, self._texts[path], flags)
        self._index = clang.create_index(0, 0)
        with parsing():
            self._unit, status = _parse(self._index, path, self._texts[path], self._arguments, 0)
        if status or not self._unit:
            self.close()
            if status == _CRASHED:
                raise UnsupportedFeature(
                    f"{path}:1:1: clang crashed on this file; is something nested very deeply?"
                )
            raise InputError(f"{path}:1:1: clang cannot read this file")
        try:
            self._check()
        except InputError:
            self.close()
            raise
        self.root: Cursor = clang.unit_cursor(self._unit)

    def close(self) -> None:
        if self._unit:
            clang.dispose_unit(self._unit)
            self._unit = c_void_p()
        if self._index:
            clang.dispose_index(self._index)
            self._index = None

    def __enter__(self) -> SourceFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self) -> None:
        errors = []
        for index in range(clang.diagnostic_count(self._unit)):
            diagnostic = clang.diagnostic(self._unit, index)
            if clang.diagnostic_severity(diagnostic) >= 3:
                coord = self._coord(clang.diagnostic_location(diagnostic))
                text = clang.take(clang.diagnostic_text(diagnostic))
                if not _GCC_ATTRIBUTE.match(text):
                    errors.append(f"{coord}: {text}")
            clang.dispose_diagnostic(diagnostic)
        if errors:
            more = [f"... and {len(errors) - 10} more errors"] if len(errors) > 10 else []
            raise InputError("\n".join(errors[:10] + more))

    def _where(self, look: Callable[..., Any], location: SourceLocation) -> tuple[str, int]:
        """The file of a source location and the offset in it; clang is slow to count lines and
        columns."""
        look(location, *self._answer)
        name = self._files.get(self._file.value)
        if name is None:
            name = clang.take(clang.file_name(self._file)) if self._file.value else ""
            name = self.path if name == _as_argument(self.path) else name
            self._files[self._file.value] = name
        return name, self._offset.value

    def _coord(self, location: SourceLocation) -> Coord:
        key = location.key
        coord = self._coords.get(key)
        if coord is None:
            near = self._near
            if not near.first <= key < near.end:
                found = self._stretch(location)
                if found is None:
                    return self.last
                near, offset = found
            else:
                offset = key - near.first
            line = bisect_right(near.lines, offset)
            coord = Coord(near.file, line, offset - near.lines[line - 1] + 1)
            self._coords[key] = coord
        return coord

    def _stretch(self, location: SourceLocation) -> tuple[_Stretch, int] | None:
        """Where a location lies, and the offset there; not for one that clang made up.

        clang numbers the characters of a file that is read one after the other, so that the next
        location there needs no question. What comes out of a macro is numbered elsewhere.
        """
        name, offset = self._where(clang.expansion, location)
        if not name:
            return None
        lines = self._lines.get(name)
        text = self._text(name)
        if lines is None:
            lines = [0, *(m.end() for m in re.finditer(b"\n", text))]
            self._lines[name] = lines
        first = location.key - offset
        stretch = _Stretch(name, first, first + len(text), lines, text)
        if not location.key & _MACRO:
            self._near = stretch
        return stretch, offset

    def number_at(self, location: SourceLocation) -> int | None:
        """The value of the integer literal without a suffix that stands there, if that is easy to
        tell."""
        near = self._near
        if near.first <= location.key < near.end:
            match = _DIGITS.match(near.text, location.key - near.first)
            if match is not None:
                return int(match[0])
        return None

    def text_of(self, extent: Range) -> bytes | None:
        """The text there, if that is easy to tell; of what a macro has made, it is not."""
        near = self._near
        if near.first <= extent.begin <= extent.end <= near.end:
            return near.text[extent.begin - near.first : extent.end - near.first]
        return None

    def _text(self, name: str) -> bytes:
        text = self._texts.get(name)
        if text is None:
            try:
                text = Path(name).read_bytes()
            except (OSError, ValueError):
                text = b""  # a location that clang made up, such as where ## puts its tokens
            self._texts[name] = text
        return text

    def coord(self, cursor: Cursor) -> Coord:
        self.last = coord = self._coord(clang.cursor_location(cursor))
        return coord

    def coord_of(self, location: SourceLocation) -> Coord:
        self.last = coord = self._coord(location)
        return coord

    def offset_of(self, location: SourceLocation) -> tuple[str, int]:
        """The file of a location and the offset in it; of what comes out of a macro, the macro."""
        return self._where(clang.expansion, location)

    @staticmethod
    def is_in_macro(location: SourceLocation) -> bool:
        """Does what stands there come out of a macro?"""
        return bool(location.key & _MACRO)

    def tokens_at(self, cursor: Cursor, most: int | None = None) -> list[str]:
        """The tokens, or `most` of them, from where the cursor starts on; of a macro all that it
        expands to.

        libclang does not tell where in a macro a token stands, nor what it expands to: macros
        within are put in, but not the arguments. For rough questions about the text only.
        """
        tokens = self._written_at(cursor, most)
        return self.expanded(tokens[:1]) + tokens[1:] if self.in_macro(cursor) else tokens

    def macro_at(self, cursor: Cursor) -> list[str]:
        """The tokens that the macro where the cursor starts expands to."""
        return self.expanded(self._written_at(cursor, 1))

    def _written_at(self, cursor: Cursor, most: int | None) -> list[str]:
        location = clang.range_start(clang.extent(cursor))
        name, offset = self._where(clang.written, location)
        text = self._text(name)[offset : offset + _ENOUGH].decode("utf-8", "replace")
        return code_tokens(text, most)

    def expanded(self, tokens: list[str]) -> list[str]:
        """The tokens with macros put in for their names."""
        if self._macros is None:
            self._macros = self._read_macros()
        return expanded(tokens, self._macros)

    def in_macro(self, cursor: Cursor) -> bool:
        return bool(clang.range_start(clang.extent(cursor)).key & _MACRO)

    def _read_macros(self) -> dict[str, list[str]]:
        """The tokens of all definitions of each macro: it takes a second parse to see them, unless
        the file is preprocessed."""
        macros: dict[str, list[str]] = {}
        for definition in self.flags.macros:
            name, _, body = definition.partition("=")
            macros[name.partition("(")[0]] = code_tokens(body)
        if not _MAY_DEFINE.search(self._texts[self.path]) and not self.flags.reads_files:
            return macros
        unit, _ = _parse(self._index, self.path, self._texts[self.path], self._arguments, 1)
        for cursor in clang.children(clang.unit_cursor(unit)):
            if cursor.kind == CursorKind.MACRO_DEFINITION:
                extent = clang.extent(cursor)
                name, start = self._where(clang.expansion, clang.range_start(extent))
                _, end = self._where(clang.expansion, clang.range_end(extent))
                text = self._text(name)[start:end].decode("utf-8", "replace") if name else ""
                macros.setdefault(clang.spelling(cursor), []).extend(code_tokens(text)[1:])
        clang.dispose_unit(unit)
        return macros

    def unsupported(self, cursor: Cursor, what: str) -> UnsupportedFeature:
        """The exception to raise for something at the cursor."""
        return UnsupportedFeature(f"{self.coord(cursor)}: {what}")


def _parse(
    index: c_void_p, path: str, text: bytes, arguments: list[str], options: int
) -> tuple[c_void_p, int]:
    """Let clang parse the text; it needs a large stack for code that is deeply nested."""
    name = os.fsencode(_as_argument(path))
    unsaved = clang.Unsaved(name, text, len(text))
    argv = (c_char_p * len(arguments))(*(os.fsencode(argument) for argument in arguments))
    unit = c_void_p()
    status: list[int] = []

    def parse() -> None:
        status.append(
            clang.parse(index, name, argv, len(arguments), byref(unsaved), 1, options, byref(unit))
        )

    before = os.environ.get(_ON_THIS_THREAD)
    os.environ[_ON_THIS_THREAD] = "1"
    try:
        _on_large_stack(parse)
    finally:
        if before is None:
            del os.environ[_ON_THIS_THREAD]
        else:
            os.environ[_ON_THIS_THREAD] = before
    return unit, status[0]


def _on_large_stack(work: Callable[[], None]) -> None:
    size = threading.stack_size(_STACK)
    thread = threading.Thread(target=work, name="clang", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no room for it: a limit on address space
        work()
        return
    finally:
        threading.stack_size(size)
    thread.join()


def _as_argument(path: str) -> str:
    """A name that clang does not take for an option."""
    return f"./{path}" if path.startswith("-") else path


def _contents(path: str, text: str | None) -> bytes:
    if text is not None:
        return text.encode()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory, not a C file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from None
