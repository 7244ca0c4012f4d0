"""From a model of the solver back to the inputs of the run that it describes."""

from __future__ import annotations

from collections.abc import Sequence

from ..encode import bitvector_encoding as encode
from ..ir.types import FloatType, IntType, PointerType
from ..smt import bitvectors
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Model
from ..smt.term import Term
from ..verdict import Input
from .content import Initial
from .execute import SymbolicInput


def inputs_of(
    model: Model, taken: Sequence[SymbolicInput], errors: Sequence[tuple[Term, str]]
) -> tuple[tuple[Input, ...], str]:
    """The inputs in the order in which the run takes them, and the error that it reaches.

    An input was taken if its guard holds in the model; the inputs of one run are
    passed in the order of their keys.
    """
    evaluator = TermEvaluator(model)
    text = next((text for cond, text in errors if evaluator.holds(cond)), "error")
    inputs = [
        Input(t.source, t.name, t.type, _value(evaluator, t), t.coord)
        for t in sorted(taken, key=lambda t: t.order)
        if evaluator.holds(t.guard.term)
    ]
    return tuple(inputs), text


def _value(evaluator: TermEvaluator, taken: SymbolicInput) -> int | float | bytes:
    if isinstance(taken.value, Initial):
        size = taken.size if isinstance(taken.size, int) else evaluator.value(taken.size)
        assert isinstance(size, int)
        return _bytes(evaluator, taken.value, size)
    number = evaluator.value(taken.value)
    assert isinstance(number, int)
    match taken.type:
        case FloatType() as type_:
            return encode.float_value(bitvectors.bits(number, encode.width(type_)), type_)
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
