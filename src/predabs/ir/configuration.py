"""Configurations, locations with their call stacks, and the transitions between them.

As in [HJMS02, section 5.1], the control part of a state is a location together with the calls that
are under way. A transition is an edge as taken from a configuration, with what it does written as
simple operations: a call assigns the arguments to the parameters, a return assigns the result. A
function is entered only if it is not on the stack already, so at any time each local variable
exists once.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from ..records import dataclass, replace
from .cfa import Edge, Location
from .intern import Term
from .ops import Operation


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class CallStack(Term):
    """The innermost call under way, and those around it."""

    call: Edge
    below: CallStack | None

    def calls(self) -> tuple[Edge, ...]:
        """The calls, the outermost first."""
        return tuple(reversed(list(_calls(self))))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Configuration(Term):
    """Where the run is, and where it will return to."""

    location: Location
    stack: CallStack | None

    @property
    def calls(self) -> tuple[Edge, ...]:
        return () if self.stack is None else self.stack.calls()

    @property
    def depth(self) -> int:
        return sum(1 for _ in _calls(self.stack))

    def active(self, function: str) -> bool:
        """Is a call of the function under way?"""
        if self.location.function == function:
            return True
        return any(call.src.function == function for call in _calls(self.stack))

    def __str__(self) -> str:
        calls = "".join(f"{call.src} > " for call in self.calls)
        return f"{calls}{self.location}"


def _calls(stack: CallStack | None) -> Iterator[Edge]:
    while stack is not None:
        yield stack.call
        stack = stack.below


class TransitionKind(Enum):
    """How a transition ends."""

    STEP = "step"  # at another configuration
    ERROR = "error"  # in a violation of the property
    LIMIT = "limit"  # where the exploration cannot follow


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """An edge as taken from a configuration; `dst` is None unless it is a step. For an error or a
    limit, `text` says what; `callee` is the function that a call which is a limit would enter."""

    edge: Edge
    src: Configuration
    dst: Configuration | None
    kind: TransitionKind
    ops: tuple[Operation, ...]
    text: str = ""
    callee: str = ""

    @property
    def steps(self) -> tuple[Edge, ...]:
        """An edge for each operation: the edge itself where it can be, as allocated objects are
        named after it."""
        edge = self.edge
        return tuple(edge if op is edge.op else replace(edge, op=op) for op in self.ops)
