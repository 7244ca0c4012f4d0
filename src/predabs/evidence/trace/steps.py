"""The steps of a trace: plain values, the same for the text and for the JSON report."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ...records import dataclass

Shown: TypeAlias = int | float | str


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A name and what it has: a number, or a text for an address, an array or a record. `note` says
    what more there is to know: the character that a number stands for, the text at an address."""

    name: str
    value: Shown
    note: str = ""

    def __str__(self) -> str:
        text = f"{self.name} = {self.value}" if self.name else str(self.value)
        return f"{text} {self.note}" if self.note else text


class StepKind(Enum):
    """What a step is; `OMITTED` stands for steps that are not listed."""

    STATEMENT = "statement"
    BRANCH = "branch"
    CALL = "call"
    RETURN = "return"
    INPUT = "input"
    EVENT = "event"
    ERROR = "error"
    OMITTED = "omitted"


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step at a place in the source, inside of `depth` calls.

    `values` are what it wrote or, of a branch, what it looked at; of an error, what the conditions
    before it looked at. It is `marked` if the error depends on it. `omitted` counts the steps that
    are not listed: of a call what it did inside, of a step of the kind `OMITTED` all it stands for.
    """

    file: str
    line: int
    column: int
    function: str
    statement: str
    values: tuple[ShownValue, ...]
    kind: StepKind = StepKind.STATEMENT
    depth: int = 0
    marked: bool = False
    omitted: int = 0
