"""docs/architecture.md: the modules that it names exist, its layers are those of the imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.places import DOCS, ROOT

SOURCES = ROOT / "src" / "predabs"
PAGES = ("architecture.md", "papers.md", "glossary.md")
PATH = re.compile(r"`([a-z]\w*(?:/\w+)*/?)`")
LAYER = re.compile(r"^\| *\d+ \| (.*?) \|", re.MULTILINE)


def paths(text: str) -> list[str]:
    """What is in backticks and has a slash: `folder/module`, `folder/`."""
    return [path for path in PATH.findall(text) if "/" in path]


def exists(path: str) -> bool:
    starts = (SOURCES / path, ROOT / path)
    if path.endswith("/"):
        return any(start.is_dir() for start in starts)
    return any(start.with_suffix(".py").is_file() or start.is_dir() for start in starts)


def read(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def test_how_paths_are_read() -> None:
    assert paths("`ir/ops`, `a/b/`, `ir`, `/x`, `p->f`, `F / G`") == ["ir/ops", "a/b/"]
    assert exists("ir/ops") and exists("ir/") and exists("bench/direct") and exists("wp")
    assert not exists("ir/none") and not exists("ops/")


@pytest.mark.parametrize("page", PAGES)
def test_every_path_exists(page: str) -> None:
    assert [path for path in paths(read(page)) if not exists(path)] == []


def test_every_folder_is_told_of() -> None:
    """A folder is named itself, or one of its modules is."""
    folders = {path.parent.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py")}
    named = [f"{path.rstrip('/')}/" for path in paths(read("architecture.md"))]
    told = [folder for folder in folders if any(path.startswith(f"{folder}/") for path in named)]
    assert sorted(folders - {"."} - set(told)) == []


NAMES = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| `([\w/]+)` \|", read("glossary.md"), re.MULTILINE)


@pytest.mark.parametrize(("names", "module"), NAMES)
def test_names_of_the_glossary_are_defined(names: str, module: str) -> None:
    tree = ast.parse((SOURCES / module).with_suffix(".py").read_text("utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert [name for name in re.findall(r"\w+", names) if name not in defined] == []


def test_the_glossary_has_names() -> None:
    assert len(NAMES) > 15


# --- layers ---------------------------------------------------------------------------------------


def rows() -> list[list[str]]:
    return [re.findall(r"`(\w+)`", row) for row in LAYER.findall(read("architecture.md"))]


ORDER = {name: number for number, name in enumerate(name for row in rows() for name in row)}


def home(path: Path) -> str:
    """The folder or module right below predabs that a file belongs to."""
    return path.relative_to(SOURCES).with_suffix("").parts[0]


FILES = [path for path in sorted(SOURCES.rglob("*.py")) if not home(path).startswith("__")]


def imported(path: Path) -> Iterator[str]:
    """The homes of what a file imports from predabs; imports are relative, but for `from .. import`
    a name of the package itself, its version."""
    depth = len(path.relative_to(SOURCES).parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from (name.partition(".")[0] for name in names)


def test_the_table_has_all() -> None:
    assert sorted(ORDER) == sorted({home(path) for path in FILES})
    assert len(rows()) > 10


@pytest.mark.parametrize("name", ORDER)
def test_imports_go_down(name: str) -> None:
    mine = [path for path in FILES if home(path) == name]
    used = {other for path in mine for other in imported(path) if other in ORDER} - {name}
    assert [other for other in used if ORDER[other] > ORDER[name]] == []


def test_siblings_of_other_rows_are_seen() -> None:
    """The reading of imports finds those that are there."""
    cegar = set(imported(SOURCES / "engines" / "cegar.py"))
    assert {"ir", "refine", "statistics", "verdict"} <= cegar
