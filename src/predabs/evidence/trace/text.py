"""A trace for a person: lines with columns, calls indented, what the error depends on marked `>`.

A long trace is told by the steps that the error depends on, with the calls around them; if that is
still too long, by its beginning and its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath

from ...records import dataclass, replace
from .steps import ShownValue, StepKind, TraceStep

_MOST_LINES = 100
_FIRST, _LAST = 30, 60  # lines of a trace that is too long
_FEW_INPUTS, _MOST_INPUTS = 10, 30  # that are shown anyway, and at most
_LONGEST = 100  # characters of a statement
_MOST_INDENT = 12
_WIDEST_STATEMENT = 50
_LONG_NAME = 24  # characters of a file's name


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One line; `mark`, `place`, `indent` and `statement` are followed by spaces already."""

    mark: str
    place: str
    statement: str
    values: str
    kind: StepKind

    def __str__(self) -> str:
        return f"{self.mark}{self.place}{self.statement}{self.values}".rstrip()


def step_lines(
    steps: Sequence[TraceStep], marks: bool, files: Mapping[str, str]
) -> list[TraceLine]:
    """The steps up to the error, which has a line of its own elsewhere, but for the event of a rule
    that leads to it; `marks` if it is known what it depends on."""
    steps = [s for s in steps if s.kind is not StepKind.ERROR or error_message(s) != s.statement]
    if len(steps) > _MOST_LINES and marks:
        steps = _telling(steps)
    if len(steps) > _MOST_LINES:
        steps = _shallow(steps)
    if len(steps) > _MOST_LINES:
        steps = [*steps[:_FIRST], _summed(steps[_FIRST:-_LAST]), *steps[-_LAST:]]
    return _laid_out(steps, marks, files)


def input_lines(
    steps: Sequence[TraceStep], marks: bool, files: Mapping[str, str]
) -> list[TraceLine]:
    """What the run gets from outside; if that is much, what the error depends on."""
    shown = list(steps)
    if len(steps) > _FEW_INPUTS and any(step.marked for step in steps):
        shown = [step for step in steps if step.marked]
    shown = shown[:_MOST_INPUTS]
    if left := len(steps) - len(shown):
        text = f"... {left} more input{'s' * (left > 1)} ..."
        shown.append(replace(steps[0], statement=text, kind=StepKind.OMITTED, marked=False))
    places = [_place(step, files) for step in shown]
    where = max(map(len, places), default=0)
    return [
        TraceLine(
            "> " if step.marked and marks else "  ",
            f"{place:{where}}  ",
            step.statement,
            _taken(step),
            step.kind,
        )
        for step, place in zip(shown, places, strict=True)
    ]


def error_lines(error: TraceStep, title: str) -> list[str | TraceLine]:
    """The error, with the values that it depends on in a line of its own."""
    place = f"{error.file}:{error.line}:{error.column}"
    where = [f"       where {values_text(error.values)}"] if error.values else []
    return [f"{title}: {place}: {error_message(error)}", *where]


def error_message(error: TraceStep) -> str:
    """What is wrong, without the event of a rule that finds it."""
    return error.statement.removeprefix(f"event {error.function}: ")


def _taken(step: TraceStep) -> str:
    """
    >>> values = tuple(ShownValue("", number) for number in (1, 2))
    >>> _taken(TraceStep("a.c", 1, 1, "", "f()", values, omitted=3))
    ' = 1, then 2, ... (5 in all)'
    """
    if step.kind is StepKind.OMITTED:
        return ""
    texts = [str(value) for value in step.values]
    more = f", ... ({len(texts) + step.omitted} in all)" if step.omitted else ""
    return f" = {', then '.join(texts[:2])}{''.join(f', {text}' for text in texts[2:])}{more}"


def values_text(values: Iterable[ShownValue]) -> str:
    return ", ".join(str(value) for value in values)


def _telling(steps: Sequence[TraceStep]) -> list[TraceStep]:
    """The steps that are marked, and the calls that they lie in."""
    kept: list[bool] = []
    wanted = steps[-1].depth if steps else 0  # the depth of the step after, if that is kept
    for step in reversed(steps):
        around = step.kind is StepKind.CALL and step.depth < wanted
        keep = step.marked or around or step.kind is StepKind.EVENT
        if keep:
            wanted = step.depth
        kept.append(keep)
    found: list[TraceStep] = []
    dropped: list[TraceStep] = []
    for step, keep in zip(steps, reversed(kept), strict=True):
        if not keep:
            dropped.append(step)
            continue
        found += _short(dropped)
        dropped = []
        found.append(step)
    return [*found, *_short(dropped)]


def _short(steps: Sequence[TraceStep]) -> list[TraceStep]:
    """One line for all of these."""
    return [_summed(steps)] if len(steps) > 1 else list(steps)


def _shallow(steps: Sequence[TraceStep]) -> Sequence[TraceStep]:
    """As many levels of calls as there is room for; those that are open at the end, all."""
    around = _open_at_the_end(steps)
    for depth in range(max((step.depth for step in steps), default=0), -1, -1):
        kept = [n for n, step in enumerate(steps) if step.depth <= depth or n in around]
        if len(kept) <= _MOST_LINES:
            return [_closed(steps, n, after) for n, after in pairwise([*kept, len(steps)])]
    return steps


def _open_at_the_end(steps: Sequence[TraceStep]) -> set[int]:
    """The numbers of the steps that lie in no call that has returned."""
    found: set[int] = set()
    least = steps[-1].depth if steps else 0
    for number in range(len(steps) - 1, -1, -1):
        step = steps[number]
        if step.kind is StepKind.CALL and step.depth < least:
            least = step.depth
        if step.depth == least:
            found.add(number)
    return found


def _closed(steps: Sequence[TraceStep], number: int, after: int) -> TraceStep:
    """The step without what it does inside, up to the next that is shown; with what it gives."""
    step, inside = steps[number], steps[number + 1 : after]
    if not inside:
        return step
    count = sum(item.omitted + (item.kind is not StepKind.OMITTED) for item in inside)
    last = inside[-1]
    given = last.values[:1] if last.kind is StepKind.RETURN else ()
    return replace(step, values=(*step.values, *given), omitted=step.omitted + count)


def _summed(steps: Sequence[TraceStep]) -> TraceStep:
    """One line for all of these."""
    count = sum(step.omitted + (step.kind is not StepKind.OMITTED) for step in steps)
    text = f"... {count} more step{'s' * (count != 1)} ..."
    return replace(
        steps[0],
        statement=text,
        values=(),
        kind=StepKind.OMITTED,
        omitted=count,
        marked=False,
        depth=min(step.depth for step in steps),
    )


def _laid_out(steps: Sequence[TraceStep], marks: bool, files: Mapping[str, str]) -> list[TraceLine]:
    rows = [(_place(step, files), _statement(step), step) for step in steps]
    where = max((len(place) for place, _, _ in rows), default=0)
    what = min(max((len(text) for _, text, _ in rows), default=0), _WIDEST_STATEMENT)
    return [
        TraceLine(
            ("> " if step.marked else "  ") if marks else "",
            f"{place:{where}}  ",
            f"{text:{what}}  ",
            values_text(step.values),
            step.kind,
        )
        for place, text, step in rows
    ]


def file_names(steps: Iterable[TraceStep]) -> dict[str, str]:
    """The names of the files, without their folders if some are long and none are confused."""
    files = dict.fromkeys(step.file for step in steps)
    names = {file: PurePath(file).name for file in files}
    if max(map(len, files), default=0) > _LONG_NAME and len(set(names.values())) == len(files):
        return names
    return {file: file for file in files}


def _place(step: TraceStep, names: Mapping[str, str]) -> str:
    return "" if step.kind is StepKind.OMITTED else f"{names[step.file]}:{step.line}"


def _statement(step: TraceStep) -> str:
    text = step.statement
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 3]}..."
    if step.kind is StepKind.CALL and step.omitted:
        text = f"{text}  ... {step.omitted} steps inside"
    return f"{'  ' * min(step.depth, _MOST_INDENT)}{text}"
