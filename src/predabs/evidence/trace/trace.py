"""The trace of a run: its inputs and steps, and the lines that a person reads."""

from __future__ import annotations

from ...records import dataclass
from .steps import StepKind, TraceStep
from .text import TraceLine, error_lines, file_names, input_lines, step_lines


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of a run, but for rounds of loops that go the same way as others, and the insides
    of library functions. A run that was too long to be followed is `unfinished`: its end is not
    there, but for the error. `marks` says whether it is known what the error depends on. `inputs`
    has a step for each place that takes some, with their values in the order of the run."""

    steps: tuple[TraceStep, ...]
    inputs: tuple[TraceStep, ...] = ()
    unfinished: bool = False
    marks: bool = False

    @property
    def omitted(self) -> int | None:
        """How many steps are not listed, if that is known."""
        return None if self.unfinished else sum(step.omitted for step in self.steps)

    @property
    def error(self) -> TraceStep | None:
        """The step that is the error, if the run comes to it."""
        last = self.steps[-1] if self.steps else None
        return last if last is not None and last.kind is StepKind.ERROR else None

    def lines(self, confirmed: bool = True) -> list[str | TraceLine]:
        """All that is told of the run: what it gets, what it does, and the error it comes to, which
        is only a possible one if the run is not `confirmed`."""
        files = file_names((*self.inputs, *self.steps))
        inputs = input_lines(self.inputs, self.marks, files)
        lines: list[str | TraceLine] = ["inputs:", *inputs, "run:"] if inputs else []
        lines += step_lines(self.steps, self.marks, files)
        if self.error is None:
            return lines
        return [*lines, *error_lines(self.error, "error" if confirmed else "possible error")]

    def text(self) -> str:
        """The same as plain text."""
        return "\n".join(str(line) for line in self.lines())
