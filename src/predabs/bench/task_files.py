"""Where tasks come from: task definitions of SV-COMP (.yml), sets of them (.set), tables (.csv),
or C files.

A .yml file gives a task for each of its properties that has an expected verdict. A .set file has a
pattern of file names on each line, relative to itself. A table has the columns task, file (or
files, separated by blanks), expected, data_model, and if need be property, subproperty, options,
category, lines.
"""

from __future__ import annotations

import csv
import glob
import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ..errors import InputError
from ..records import replace
from .task import ASSERT, Task, TaskProperty, printable, property_named

_C_SUFFIXES = (".c", ".i", ".h")
_MODELS = {"32": "ILP32", "64": "LP64", "ILP32": "ILP32", "LP64": "LP64"}
_EXPECTED = {"true": True, "false": False, "": None, "unknown": None}
_FOLDER_FLAGS = ("-I", "-isystem", "-include")
_NEEDED = ("task", "expected", "data_model")


def read_tasks(
    words: Sequence[str], properties: Sequence[str] = (), data_model: str | None = None
) -> list[Task]:
    """The tasks that the words name; of those with one of the properties, if any are given. C files
    have these properties, and this data model."""
    found: list[Task] = []
    programs: set[Path] = set()  # that are named themselves, perhaps in several ways
    for path in map(Path, words):
        if path.suffix in _C_SUFFIXES:
            if path.resolve() in programs:
                continue
            programs.add(path.resolve())
        found += _tasks(path, properties, data_model)
    wanted = {Path(name).name.removesuffix(".prp").removesuffix(".rule") for name in properties}
    if wanted:
        found = [task for task in found if task.wanted.name in wanted]
    if not found:
        told = f" with the property {' or '.join(sorted(wanted))}" if wanted else ""
        shown = " ".join(words) if len(words) <= 3 else f"these {len(words)} files"
        raise InputError(f"there is no task{told} in {shown}")
    return _told_apart(found)


def _tasks(path: Path, properties: Sequence[str], data_model: str | None) -> Iterator[Task]:
    match path.suffix:
        case ".yml" | ".yaml":
            yield from read_definition(path, properties)
        case ".set":
            yield from _set(path, properties)
        case ".csv":
            yield from read_table(path, properties)
        case suffix if suffix in _C_SUFFIXES:
            if not path.is_file():
                raise InputError(f"{path}: no such file")
            for name in properties or (ASSERT,):
                yield Task(
                    path.as_posix(),
                    path.resolve().parent.name,
                    (path.resolve(),),
                    property_named(name),
                    data_model=data_model or "LP64",
                )
        case _:
            raise InputError(
                f"{path}: these are no tasks; name .yml, .set, .csv or C files (.c, .i)"
            )


def _told_apart(tasks: Sequence[Task]) -> list[Task]:
    """The same task once, also if it is in several sets; tasks of the same name but other files get
    longer names."""
    kept: dict[tuple[str, str], Task] = {}
    for task in tasks:
        task = replace(task, name=printable(task.name), category=printable(task.category))
        before = kept.get(task.key)
        if before is not None and replace(before, category=task.category) != task:
            longer = "/".join((*task.files[0].parts[1:-1], Path(task.name).name))
            task = replace(task, name=printable(longer))
        kept.setdefault(task.key, task)
    return list(kept.values())


# --- definitions ----------------------------------------------------------------------------------


def read_definition(path: Path, properties: Collection[str] = ()) -> list[Task]:
    """The tasks of a .yml file, in one of the formats 1.0 to 2.1."""
    given = _yaml(path)
    version = str(given.get("format_version", ""))
    if version not in ("1.0", "2.0", "2.1"):
        raise InputError(
            f"{path}: no task definition: its format_version is {version or 'missing'}"
        )
    options = given.get("options")
    options = options if isinstance(options, Mapping) else {}
    if str(options.get("language", "C")) != "C":
        return []
    model = str(options.get("data_model", "ILP32"))
    if model not in _MODELS:
        raise InputError(f"{path}: data_model: {model} is neither ILP32 nor LP64")
    files = [
        Path(found)
        for pattern in _listed(path, given, "input_files")
        for found in _expanded(path, pattern)
    ]
    found = []
    for item in given.get("properties") or ():
        if not isinstance(item, Mapping) or "property_file" not in item:
            raise InputError(f"{path}: properties: each one needs a property_file")
        verdict = item.get("expected_verdict")
        asked = Path(str(item["property_file"])).stem
        if not isinstance(verdict, bool) and asked not in {Path(p).stem for p in properties}:
            continue  # a property for test generators, or one that nobody knows the answer to
        found.append(
            Task(
                f"{path.resolve().parent.name}/{path.name}",
                path.resolve().parent.name,
                tuple(files),
                _property_in(path, str(item["property_file"]), path.parent),
                verdict if isinstance(verdict, bool) else None,
                str(item.get("subproperty") or ""),
                _MODELS[model],
            )
        )
    return found


def _property_in(place: object, name: str, folder: Path) -> TaskProperty:
    """The property that a file names at this place."""
    try:
        return property_named(name, folder)
    except InputError as problem:
        raise InputError(f"{place}: {problem}") from problem


def _yaml(path: Path) -> Mapping[str, Any]:
    try:
        given = yaml.safe_load(path.read_text("utf-8"))
    except OSError as problem:
        raise InputError(f"{path}: cannot read the task: {problem.strerror}") from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        what = getattr(problem, "problem", None) or problem
        raise InputError(f"{path}{place}: this is no YAML: {what}") from problem
    if not isinstance(given, Mapping):
        raise InputError(f"{path}: no task definition: it has no input_files")
    return given


def _listed(path: Path, given: Mapping[str, Any], key: str) -> list[str]:
    value = given.get(key)
    match value:
        case str():
            return [value]
        case list() if value:
            return [str(item) for item in value]
    raise InputError(f"{path}: no task definition: it has no {key}")


def _expanded(path: Path, pattern: str) -> list[str]:
    """The files that a pattern stands for, relative to the file that has it. A file that is called
    like the pattern is meant itself."""
    folder = path.resolve().parent
    if (folder / pattern).is_file():
        return [os.path.normpath(folder / pattern)]
    found = sorted(glob.glob(os.path.join(glob.escape(str(folder)), pattern), recursive=True))
    if not found:
        raise InputError(f"{path}: {pattern}: there is no such file")
    return [os.path.normpath(name) for name in found]


def _set(path: Path, properties: Collection[str]) -> Iterator[Task]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: cannot read the set of tasks: {problem}") from problem
    for line in lines:
        pattern = line.strip()
        if pattern and not pattern.startswith("#"):
            for name in _expanded(path, pattern):
                for task in read_definition(Path(name), properties):
                    yield replace(task, category=path.stem)


# --- tables ---------------------------------------------------------------------------------------


def read_table(path: Path, properties: Sequence[str] = ()) -> list[Task]:
    """The tasks of a .csv file; where a row names no property, those that are asked for, or
    unreach-call."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:  # tables of Excel have a mark
            rows = csv.DictReader(stream)
            columns = set(rows.fieldnames or ())
            missing = [name for name in _NEEDED if name not in columns]
            if not columns & {"file", "files"}:
                missing.append("file")
            if missing:
                raise InputError(f"{path}: not a table of tasks: no column {missing[0]}")
            return [
                task
                for row in rows
                for task in _rows_tasks(row, path, rows.line_num, properties or ("unreach-call",))
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"{path}: cannot read the tasks: {problem}") from problem


def _rows_tasks(
    row: Mapping[str, str | None], path: Path, line: int, properties: Sequence[str]
) -> Iterator[Task]:
    cells = {name: (text or "").strip() for name, text in row.items() if name}
    place = f"{path}:{line}"
    folder = path.resolve().parent
    names = [cells["file"]] if cells.get("file") else _split(cells.get("files", ""), place)
    if not names:
        raise InputError(f"{place}: the task has no file")
    for file in names:
        if not (folder / file).is_file():
            raise InputError(f"{place}: {file}: there is no such file")
    expected = cells["expected"].lower()
    if expected not in _EXPECTED:
        raise InputError(f"{place}: expected: {expected} is neither true nor false")
    model = cells["data_model"]
    if model not in _MODELS:
        raise InputError(f"{place}: data_model: {model} is none of 32, 64, ILP32, LP64")
    lines = cells.get("lines", "")
    flags, own = _with_own_property(_split(cells.get("options", ""), place))
    asked = [own or cells["property"]] if own or cells.get("property") else properties
    for name in asked:
        yield Task(
            cells["task"] or names[0],
            cells.get("category") or Path(os.path.normpath(folder / names[0])).parent.name,
            tuple(folder / file for file in names),
            _table_property(place, name, folder),
            _EXPECTED[expected],
            cells.get("subproperty", ""),
            _MODELS[model],
            tuple(absolute_flags(flags, folder)),
            int(lines) if lines.isdecimal() else 0,
        )


def _with_own_property(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Options of a row may be those of `predabs check`: a property or checks among them are what is
    asked.

    >>> _with_own_property(["-I", "inc", "--check", "memory"])
    (['-I', 'inc'], 'memory')
    """
    rest: list[str] = []
    own = None
    given = iter(words)
    for word in given:
        if word in ("--property", "--check"):
            own = next(given, None)
        else:
            rest.append(word)
    return rest, own


def _split(text: str, place: str) -> list[str]:
    """Words, as a shell reads them."""
    try:
        return shlex.split(text)
    except ValueError as problem:
        raise InputError(f"{place}: {text}: {problem}") from problem


def _table_property(place: str, name: str, folder: Path) -> TaskProperty:
    beside = folder / "properties"
    return _property_in(place, name, beside if (beside / name).is_file() else folder)


def absolute_flags(words: Iterable[str], folder: Path) -> Iterator[str]:
    """A compiler's flags, with folders that do not depend on the current one.

    >>> list(absolute_flags(["-Iinc", "-I", "more", "-DX=1"], Path("/a")))
    ['-I/a/inc', '-I', '/a/more', '-DX=1']
    """
    before = ""
    for word in words:
        flag = next((flag for flag in _FOLDER_FLAGS if word.startswith(flag)), None)
        if before in _FOLDER_FLAGS:
            yield os.path.normpath(folder / word)
        elif flag is not None and word != flag:
            yield f"{flag}{os.path.normpath(folder / word[len(flag) :])}"
        else:
            yield word
        before = word
