"""How a run ends, and what one step of it did.

The outcomes are a closed union. `ErrorReached` and `RunFault` say that the program is wrong, the
others do not; `StepLimit` and `Exhausted` say nothing about the program at all.
"""

from __future__ import annotations

from typing import TypeAlias

from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir.cfa import Edge
from ..ir.expr import Lvalue
from ..ir.ops import Error, ErrorKind
from ..records import dataclass, field

Value: TypeAlias = int | float | bytes
"""An integer or address, a floating-point number, or the bytes of an array or record."""


@dataclass(frozen=True, slots=True)
class Exited:
    """The entry function returned, or `exit` was called."""

    status: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """A `Halt` without a status: abort, or code declared unreachable."""

    text: str
    edge: Edge


@dataclass(frozen=True, slots=True)
class AssumeFailed:
    """No assumption of a location holds; `edge` is the last one tried."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class ErrorReached:
    """An `Error` edge: the program violates its specification. A run at full speed also says after
    how many `steps`."""

    kind: ErrorKind
    text: str
    edge: Edge
    steps: int = field(default=0, compare=False)

    @property
    def check(self) -> str | None:
        """The check that finds this fault; None for an error of another kind."""
        return self.edge.op.check if isinstance(self.edge.op, Error) else None


@dataclass(frozen=True, slots=True)
class RunFault:
    """An operation went wrong: null, bounds, free, division by zero, bad call."""

    text: str
    edge: Edge


@dataclass(frozen=True, slots=True)
class StepLimit:
    """As many edges as allowed were taken, and the run had not ended."""

    steps: int


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The interpreter ran out of time, memory or call depth; `edge` where one is to blame."""

    text: str
    edge: Edge | None


Outcome: TypeAlias = (
    Exited | Stopped | AssumeFailed | ErrorReached | RunFault | StepLimit | Exhausted
)


@dataclass(frozen=True, slots=True)
class FoundValue:
    """What an lvalue in memory of the environment holds when it is first read."""

    lvalue: Lvalue
    address: int
    value: Value


@dataclass(frozen=True, slots=True)
class ExecutedStep:
    """One edge that was taken, with what it wrote.

    A call writes the callee's parameters, and a return what the call assigns its result to. Bytes
    that memset or memcpy change behind a pointer are not listed. `found` is what it has read first
    in memory of the environment.
    """

    edge: Edge
    values: tuple[tuple[Lvalue, Value], ...]
    found: tuple[FoundValue, ...] = ()


class Failure(Exception):
    """Raised while an operation is executed: it goes wrong, and `str()` says how."""


class Refusal(UnsupportedFeature):
    """Raised while an operation is executed: it uses what predabs does not model."""


class Overrun(ResourceExhausted):
    """A limit of the interpreter is in the way: while an operation is executed, or already when
    the program's variables are laid out in memory. Who asks only for the latter (an engine that
    needs addresses) gets an UNKNOWN from it, as from every limit."""


class RunFinished(Exception):
    """Raised where a run ends in order: after `steps` further edges, with `outcome`."""

    def __init__(self, outcome: Outcome, steps: int) -> None:
        self.outcome = outcome
        self.steps = steps
