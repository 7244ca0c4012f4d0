"""What `make docs` needs beside the pages: the navigation, and the files that pages link to outside
of this folder (README, CONTRIBUTING, CHANGELOG, the examples)."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
GROUPS: dict[str, tuple[str, ...]] = {
    "Start": ("index", "tutorial", "check", "c", "floating-point", "spark"),
    "Properties": ("memory-safety", "rules", "harness"),
    "Evidence": ("report", "certificates", "witnesses", "ci"),
    "Engines": (
        "engines",
        "portfolio",
        "lazy",
        "slam",
        "numpred",
        "k-induction",
        "cells",
        "explicit",
    ),
    "Laboratory": ("abstract", "boolean-programs", "cfa", "run", "formulas", "domains"),
    "Reference": ("options", "json", "glossary", "papers"),
    "The project": (
        "architecture",
        "performance",
        "benchmarks",
        "dependencies",
        "contributing",
        "changelog",
    ),
}
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s:]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Navigation in groups; a page that no group has comes last."""
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    pages |= {Path(name).stem for name in OUTSIDE.values()}
    nav: list[Any] = []
    for title, names in GROUPS.items():
        nav.append({title: [f"{name}.md" for name in names if name in pages]})
        pages -= set(names)
    if pages:
        nav.append({"More": [f"{name}.md" for name in sorted(pages)]})
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies outside of this folder."""
    for name, page in OUTSIDE.items():
        text = (ROOT / name).read_text("utf-8")
        files.append(File.generated(config, page, content=_moved(text, "")))
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.is_file():
            uri = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links that leave this folder lead to what `on_files` has added."""
    return _moved(markdown, "docs")


def _moved(text: str, folder: str) -> str:
    """A text of a folder of the project, with links as they are on the site."""

    def moved(found: re.Match[str]) -> str:
        shown, link = found.groups()
        target, _, anchor = link.partition("#")
        if not target:
            return found.group()
        place = normpath(f"{folder}/{target}" if folder else target)
        if place in OUTSIDE:
            place = OUTSIDE[place]
        elif place.startswith("docs/"):
            place = place.removeprefix("docs/")
        elif not (ROOT / place).is_file() or not place.startswith("examples/"):
            return found.group() if (ROOT / "docs" / target).is_file() else shown
        return f"[{shown}]({place}{'#' * bool(anchor)}{anchor})"

    return LINK.sub(moved, text)
