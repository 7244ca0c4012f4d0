"""The compilation database that CMake, bear and others write: the flags of each file of a project.

https://clang.llvm.org/docs/JSONCompilationDatabase.html describes the format. Of the flags, those
count that change what the text means to a compiler's front end.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..ir.types import DataModel
from ..options.table import ModuleOptions
from ..records import dataclass, replace
from .compiler_flags import CompilerFlags, SourceFlags

_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
_FILES = ("-include", "-imacros")
_MACROS = ("-D", "-U")
_AS_THEY_ARE = (
    "-funsigned-char",
    "-fsigned-char",
    "-fgnu89-inline",
    "-fno-gnu89-inline",
    "-fshort-enums",
    "-fno-short-enums",
)
_WIDTHS = {"-m32": DataModel.ILP32, "-m64": DataModel.LP64}
_IN_C = (".c", ".i")
_STANDARD = re.compile(r"(c|gnu)(89|90|99|9x|11|1x|17|18|2x|23)|iso9899:\w+")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One compilation: the file by its one true name, and what the compiler is told."""

    file: str
    folder: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a program, and how each is read."""

    files: tuple[str, ...]
    flags: SourceFlags


def sources_of(files: Sequence[str], options: ModuleOptions) -> Sources:
    """The files with their flags; without files, all C files of the database.

    A file that the database does not have, such as a harness, is read like the first one that it
    has: it will include the same headers.
    """
    common = CompilerFlags(
        tuple(options.include),
        tuple(options.define),
        tuple(options.undefine),
        tuple(options.force_include),
        options.std or "",
    )
    if options.std is not None and not _STANDARD.fullmatch(options.std):
        raise InputError(f"-std: {options.std} is no version of C; there is c99, gnu11 and so on")
    database = options.compile_commands
    if database is None:
        if not files:
            raise InputError("no FILE was given, and no database with --compile-commands")
        return Sources(tuple(files), SourceFlags(common))
    entries = _by_file(database)
    if not files:
        files = [_shown(file) for file in entries if file.endswith(_IN_C)]
        if not files:
            raise InputError(f"{database}: there is no C file in it")
    own: dict[str, CompilerFlags] = {}
    notes = []
    for file in files:
        found = entries.get(os.path.realpath(file), [])
        if not found:
            continue
        for entry in found:
            _check_width(entry, DataModel[options.data_model], database, file)
        ways = list(dict.fromkeys(tuple(_flags(entry)) for entry in found))
        if len(ways) > 1:
            notes.append(f"{file} is compiled in {len(ways)} ways, and read in the first of them")
        own[file] = replace(common, entry=ways[0])
    if not own:
        raise InputError(f"{database}: none of the files is in it: {', '.join(files)}")
    first = next(iter(own.values()))
    return Sources(
        tuple(files),
        SourceFlags(first, {file: own.get(file, first) for file in files}, tuple(notes)),
    )


def _by_file(database: str) -> dict[str, list[_Entry]]:
    try:
        rows = json.loads(Path(database).read_bytes())
    except OSError as problem:
        raise InputError(f"{database}: cannot be read: {problem.strerror}") from None
    except ValueError as problem:
        raise InputError(f"{database}: this is no JSON: {problem}") from None
    if not isinstance(rows, list):
        raise InputError(f"{database}: this is no compilation database: not a list of entries")
    found: dict[str, list[_Entry]] = {}
    for number, row in enumerate(rows, 1):
        entry = _entry(row, os.path.dirname(database))
        if entry is None:
            raise InputError(
                f"{database}: entry {number} is no compilation: it must have a directory, a file, "
                "and arguments or a command"
            )
        found.setdefault(entry.file, []).append(entry)
    return found


def _entry(row: Any, beside: str) -> _Entry | None:
    match row:
        case {"directory": str(folder), "file": str(file), "arguments": list(words)}:
            if not all(isinstance(word, str) for word in words):
                return None
        case {"directory": str(folder), "file": str(file), "command": str(command)}:
            try:
                words = shlex.split(command)
            except ValueError:
                return None
        case _:
            return None
    folder = os.path.abspath(os.path.join(beside, folder))
    return _Entry(os.path.realpath(os.path.join(folder, file)), folder, tuple(words))


def _flags(entry: _Entry) -> Iterator[str]:
    """The flags that count, with paths as they are from here."""
    words = iter([word for word in entry.words if word != "-Xclang"])
    for word in words:
        kind = next((k for k in (*_FOLDERS, *_FILES, *_MACROS) if word.startswith(k)), "")
        if kind in _FILES and word != kind:
            continue  # -include-pch and its like
        if kind:
            value = next(words, "") if word == kind else word[len(kind) :]
            if kind in _MACROS:
                yield f"{kind}{value}"
            elif kind in _FOLDERS:
                yield from (kind, _shown(os.path.join(entry.folder, value)))
            else:  # else it is looked for among the folders
                path = os.path.join(entry.folder, value)
                yield from (kind, _shown(path) if os.path.exists(path) else value)
        elif word.startswith("-std=") or word in _AS_THEY_ARE:
            yield word
        elif word.startswith("--std="):
            yield word[1:]
        elif word == "-ansi":
            yield "-std=c90"


def _check_width(entry: _Entry, data_model: DataModel, database: str, file: str) -> None:
    for word, model in _WIDTHS.items():
        if word in entry.words and model is not data_model:
            raise InputError(
                f"{database}: {file} is compiled with {word}; give --data-model {model.name}"
            )


def _shown(path: str) -> str:
    """The path as a person would write it from here."""
    path = os.path.normpath(path)
    here = os.getcwd()
    inside = os.path.isabs(path) and os.path.commonpath([here, path]) == here
    return os.path.relpath(path, here) if inside else path
