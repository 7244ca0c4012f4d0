"""What can be seen before a step happens: the values that it uses, and where it will write."""

from __future__ import annotations

from ...concrete.outcome import Value
from ...concrete.state_view import ByteRange, StateView
from ...ir.expr import Lvalue
from ...ir.ops import Assign, Assume, Call, Copy, Fill, Free, Operation, Return
from ...ir.types import Type
from ...records import dataclass
from .step_texts import StepTexts, is_indexed
from .steps import ShownValue
from .temporaries import is_temporary


@dataclass(slots=True)
class Sight:
    """The values that are used (`args` are by argument of a call), the result of a return, the
    bytes that will be written, and the address that will be freed."""

    seen: tuple[ShownValue, ...] = ()
    args: tuple[tuple[ShownValue, ...], ...] = ()
    result: tuple[Type, Value] | None = None
    range: ByteRange | None = None
    freed: Value | None = None


def sight(op: Operation, texts: StepTexts, view: StateView, function: str, *, own: bool) -> Sight:
    """Look at what an operation will do, in the program's own code or elsewhere."""
    found = Sight()
    if isinstance(op, Free):
        found.freed = texts.value(op.pointer, view)
    if not own and not isinstance(op, Return | Call):
        found.range = texts.range_of(op, view)
        return found
    match op:
        case Assume(cond):
            found.seen = texts.seen([cond], view, function)
        case Assign(target, value) if is_temporary(target):
            found.seen = texts.seen([value], view, function)
        case Return(value) if value is not None:
            known = texts.value(value, view)
            found.result = None if known is None else (value.type, known)
            if own and not isinstance(value, Lvalue):
                found.seen = texts.seen([value], view, function)
        case Call(_, _, args):
            found.args = tuple(texts.seen([arg], view, function) for arg in args)
        case Free(pointer):
            found.seen = texts.seen([pointer], view, function)
        case Fill() | Copy():
            found.range = texts.range_of(op, view)
        case Assign(target) if is_indexed(target):
            found.range = texts.range_of(op, view)
    return found
