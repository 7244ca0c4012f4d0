"""The calls that are open at one point of a run, and what they know about an error."""

from __future__ import annotations

from collections.abc import Sequence

from ...concrete.outcome import Value
from ...concrete.state_view import ByteRange
from ...ir.types import Type
from ...records import dataclass, field
from .foreign_code import Code
from .steps import ShownValue
from .tree import Entry


@dataclass(slots=True)
class OpenCall:
    """A call that is open. `entry` is its step, if it has one; `args` are the values that the
    arguments were computed from, by parameter; `looked` what the last conditions looked at, in
    that line."""

    function: str
    code: Code
    entry: Entry | None
    args: dict[str, tuple[ShownValue, ...]]
    looked: dict[str, ShownValue] = field(default_factory=dict)
    line: int = 0
    result: tuple[Type, Value] | None = None
    written: list[ByteRange] = field(default_factory=list)
    told: bool = False  # an event or an error inside: not to be dropped


def at_error(calls: Sequence[OpenCall]) -> tuple[ShownValue, ...]:
    """The values of the last conditions, and those that they were computed from by callers; in a
    library function, what its arguments were. The innermost call comes last."""
    found: dict[str, ShownValue] = {}
    for call in reversed(calls):
        if call.code is Code.MODEL:
            given = library_call(calls).args.values()
            return tuple(item for items in given for item in items)
        passed = [item for name in call.looked for item in call.args.get(name, ())]
        for item in (*call.looked.values(), *passed):
            found.setdefault(item.name, item)
        if passed or call.looked.keys() - call.args:
            break
    return tuple(found.values())


def library_call(calls: Sequence[OpenCall]) -> OpenCall:
    """The outermost call of a library function."""
    return next(call for call in calls if call.code is Code.MODEL)
