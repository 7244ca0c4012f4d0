"""Annotations in comments: SPARK 2005's `--#`, and SABS' `--%` [Mir13, section 4].

An annotation goes on over the comment lines that follow, up to a semicolon.

    --# pre X > 0;               --# post Y = Y~ + 1;         --# assert X > 0 -> Y > 0;
    --# check X > 0;             --# assume X > 0;            --# return X + 1;
    --# global in X; out Y;      --# derives ... (read, not checked)

    --% assert X > 0;            an assertion
    --% assume X > 0;            an assumption
    --% predicate X > 0;         a predicate of the subprogram for the abstraction
    --% method direct;           how `predabs abstract` abstracts: cartesian or direct
    --% branches;                conditions of branches become predicates
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from ...records import dataclass
from .tree import Node, Source, text

_KNOWN = {
    "--#": frozenset(
        [
            "pre",
            "post",
            "return",
            "assert",
            "check",
            "assume",
            "global",
            "derives",
            "own",
            "main_program",
            "inherit",
            "initializes",
            "hide",
            "function",
            "type",
            "accept",
            "end",
        ]
    ),
    "--%": frozenset(["assert", "assume", "predicate", "method", "branches"]),
}
REMARKS = frozenset(["predicate", "method", "branches"])  # no statements
_WORD = re.compile(r"\s*([A-Za-z_]+)")
_READ_ONLY = frozenset(
    ["derives", "main_program", "inherit", "initializes", "own", "accept", "end"]
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation: its kind, the text behind the word, and where that begins."""

    mark: str  # --# or --%
    word: str
    text: str
    coord: Coord


def read_annotations(source: Source, comments: Iterable[Node]) -> list[Annotation]:
    """The annotations among comments that follow one another."""
    found: list[Annotation] = []
    open_: tuple[str, str, str, Coord] | None = None
    for node in comments:
        mark, body = text(node)[:3], text(node)[3:].rstrip()
        if mark not in _KNOWN:
            continue
        where = source.coord(node)
        if open_ is not None and open_[0] == mark:
            mark, word, rest, coord = open_
            # the lines are put below one another, so that places in the text are those in the file
            rest += "\n" + " " * (where.column + 2) + body
        else:
            matched = _WORD.match(body)
            if matched is None:
                raise InputError(f"{where}: an annotation begins with a word, such as assert")
            word, rest = matched[1].lower(), body[matched.end() :]
            if word not in _KNOWN[mark]:
                names = ", ".join(sorted(_KNOWN[mark]))
                raise InputError(f"{where}: {word} is no annotation; there is {names}")
            coord = Coord(where.file, where.line, where.column + 3 + matched.end())
        open_ = mark, word, rest, coord
        more = word == "global" and mark == "--#"  # its parts have a semicolon each
        if rest.endswith(";") or more:
            found.append(Annotation(mark, word, rest.rstrip(";").strip("\n"), coord))
            open_ = None
    if open_ is not None:
        raise InputError(f"{open_[3]}: the annotation has no semicolon at its end")
    return [one for one in found if not _ignored(one)]


def _ignored(one: Annotation) -> bool:
    if one.word in ("hide", "function", "type"):
        raise UnsupportedFeature(f"{one.coord}: --# {one.word} is not supported")
    return one.word in _READ_ONLY


def global_parts(one: Annotation) -> list[tuple[str, str]]:
    """The modes and names of `--# global in X, Y; out Z`."""
    found = []
    for part in one.text.split(";"):
        words = part.replace(",", " ").split()
        modes = {word.lower() for word in words} & {"in", "out"}
        mode = "in_out" if len(modes) == 2 else "output" if modes == {"out"} else "input"
        found += [(mode, word) for word in words if word.lower() not in ("in", "out")]
    return found
