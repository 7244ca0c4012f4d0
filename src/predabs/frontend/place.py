"""What a place in the source is: a statement, a loop, a branching statement or a call."""

from __future__ import annotations

from enum import Enum
from typing import TypedDict

from ..records import dataclass


class PlaceKind(Enum):
    """What stands there."""

    STATEMENT = "statement"
    LOOP = "loop"
    BRANCH = "branching statement"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Place:
    """A construct of a function, from offset `begin` to `end` of its file.

    `line` and `column` say where a witness finds it: where it begins, the `?` of a conditional
    expression, the closing parenthesis of a call. `head` is its controlling expression (empty for
    `for (;;)`), for a call the last argument. `form` is the keyword, the function that is called,
    `{` for a block, `declaration`, or nothing. `braced` says that it stands in a block, so that a
    statement may be put before it; `cases` are the labels of a switch.
    """

    kind: PlaceKind
    function: str
    line: int
    column: int
    begin: int
    end: int
    form: str = ""
    head: tuple[int, int] | None = None
    braced: bool = False
    is_void: bool = False
    cases: tuple[int, ...] = ()
    sides: tuple[tuple[int, int], ...] = ()


class PlaceParts(TypedDict, total=False):
    """The parts of a place that some kinds have."""

    form: str
    head: tuple[int, int] | None
    braced: bool
    is_void: bool
    cases: tuple[int, ...]
    sides: tuple[tuple[int, int], ...]
