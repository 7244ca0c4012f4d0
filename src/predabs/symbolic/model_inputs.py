"""From a model of the solver back to the inputs of the run that it describes."""

from __future__ import annotations

from collections.abc import Sequence

from ..encode import bitvector_encoding as encode
from ..ir.types import FloatType, IntType, PointerType, size_of
from ..smt import bitvectors
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Model
from ..smt.term import Term
from ..verdict import Input
from .content import Initial
from .state import Guard
from .symbolic_input import EnvironmentContent, SymbolicInput


def inputs_of(
    model: Model, taken: Sequence[SymbolicInput], errors: Sequence[tuple[Term, str]]
) -> tuple[tuple[Input, ...], str]:
    """The inputs in the order in which the run takes them, and the error that it reaches.

    An input was taken if its guard holds in the model; the inputs of one run are
    passed in the order of their keys.
    """
    evaluator = TermEvaluator(model)
    guards = _GuardEvaluator(evaluator)
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
            others.append(Input(t.source, t.name, t.type, _value(evaluator, t), t.coord))
    return (*inputs, *others), text


class _GuardEvaluator:
    """Which guards hold in a model; each of their conditions is looked at once."""

    def __init__(self, evaluator: TermEvaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[Guard, bool] = {}

    def holds(self, guard: Guard) -> bool:
        chain: list[Guard] = []
        at: Guard | None = guard
        while at is not None and at not in self._known:
            chain.append(at)
            at = at.before
        holds = at is None or self._known[at]
        for link in reversed(chain):
            holds = holds and self._evaluator.holds(link.cond)
            self._known[link] = holds
        return holds


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
