"""From a model of the solver back to the inputs of the run that it describes."""

from __future__ import annotations

from collections.abc import Sequence

from ..concrete.extended import float_of_bits
from ..ir.address_space import fresh_address
from ..ir.types import FloatType, FunctionType, IntType, PointerType, Type, size_of
from ..smt import bitvectors
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Model
from ..smt.term import Term
from ..verdict import Input
from .content import Initial
from .guard_values import GuardEvaluator
from .symbolic_input import EnvironmentContent, SymbolicInput

_FAR = 1 << 16  # behind the addresses that a model has by itself


def inputs_of(
    model: Model, taken: Sequence[SymbolicInput], errors: Sequence[tuple[Term, str]]
) -> tuple[tuple[Input, ...], str]:
    """The inputs in the order in which the run takes them, and the error that it reaches.

    An input was taken if its guard holds in the model; the inputs of one run are
    passed in the order of their keys.
    """
    evaluator = TermEvaluator(model)
    guards = GuardEvaluator(evaluator)
    text = next((text for cond, text in errors if evaluator.holds(cond)), "error")
    inputs: dict[Input, None] = {}
    others: list[Input] = []
    for t in sorted(taken, key=lambda t: t.order):
        if not guards.holds(t.guard):
            continue
        if isinstance(t.value, EnvironmentContent):
            found = _content(evaluator, t, t.value)
            if found is not None:
                inputs[found] = None  # once, however often it is read
        else:
            value = _value(evaluator, t)
            if value == 0 and t.value not in model and _points_to_data(t.type):
                # nothing depends on it here; if a slice has left out that it is followed, then a
                # pointer to some place takes the run further than null does
                value = fresh_address(size_of(t.type) * 8, _FAR + len(others))
            others.append(Input(t.source, t.name, t.type, value, t.coord))
    return (*inputs, *others), text


def _points_to_data(type_: Type) -> bool:
    return isinstance(type_, PointerType) and not isinstance(type_.target, FunctionType)


def _content(
    evaluator: TermEvaluator, taken: SymbolicInput, memory: EnvironmentContent
) -> Input | None:
    """The bytes of memory of the environment that are read; None if it is not read in this run."""
    address, content = evaluator.value(memory.address), evaluator.value(memory.content)
    assert isinstance(address, int) and isinstance(content, int)
    if not memory.addresses.may_lie_at(address):
        return None
    data = content.to_bytes(size_of(taken.type), "little")
    return Input(taken.source, hex(address), taken.type, data, taken.coord)


def _value(evaluator: TermEvaluator, taken: SymbolicInput) -> int | float | bytes:
    assert not isinstance(taken.value, EnvironmentContent)
    if isinstance(taken.value, Initial):
        size = taken.size if isinstance(taken.size, int) else evaluator.value(taken.size)
        assert isinstance(size, int)
        return _bytes(evaluator, taken.value, size)
    number = evaluator.value(taken.value)
    assert isinstance(number, int)
    match taken.type:
        case FloatType() as type_:
            return float_of_bits(number, type_)
        case IntType() | PointerType() as type_:
            return type_.wrap(number)
    return number


def _bytes(evaluator: TermEvaluator, initial: Initial, size: int) -> bytes:
    """The bytes that an unwritten piece of memory has in the model; unread ones are zero."""
    data = bytearray(size)
    for offset, term in initial.read_pieces(size):
        number = evaluator.value(term)
        assert isinstance(number, int)
        width = bitvectors.width_of(term) // 8
        piece = number.to_bytes(width, "little")
        data[offset : offset + width] = piece[: max(0, size - offset)]
    return bytes(data)
