"""The globals of a program in its initial state: computed once, copied for each run."""

from __future__ import annotations

from ..ir.expr import FloatConst
from ..ir.ops import Assign
from ..ir.types import FloatType, IntType, PointerType
from ..records import dataclass
from .codec import codec
from .compile.lvalues import ByteLvalue, lvalue_operands
from .compile.statements import PythonStatements
from .extended import float_constant, zero
from .memory import set_bits
from .storage_layout import InBytes, Register


@dataclass(frozen=True, slots=True)
class InitialGlobals:
    """The value of each register and the bytes of each variable, in the order of the globals; and
    the assignments that are left to execute because they are not constant."""

    values: tuple[int | float | bytes, ...]
    rest: tuple[Assign, ...]


def initial_globals(statements: PythonStatements) -> InitialGlobals:
    """What the initialisers of the globals make of zeros."""
    values: list[int | float | bytes] = []
    rest: list[Assign] = []
    for item, home in statements.layout.globals:
        type_ = item.var.type
        single: int | float = zero(type_) if isinstance(type_, FloatType) else 0
        data = bytearray(home.size) if isinstance(home, InBytes) else bytearray()
        for number, assign in enumerate(item.init):
            value = _constant(statements, assign)
            if value is None:
                rest.extend(item.init[number:])
                break
            if isinstance(home, Register):
                single = value
            elif not _put(statements, assign, home, data, value):
                rest.extend(item.init[number:])
                break
        values.append(bytes(data) if isinstance(home, InBytes) else single)
    return InitialGlobals(tuple(values), tuple(rest))


def _constant(statements: PythonStatements, assign: Assign) -> int | float | None:
    """The value, if it is the same in every run. Prepares the target's operands too."""
    evaluator = statements.evaluator
    evaluator.prepare((assign.value, *lvalue_operands(assign.target)), lambda line: None)
    if isinstance(assign.value, FloatConst):
        return float_constant(assign.value.hex, assign.value.type)
    code = evaluator.codes[assign.value]
    return code.low if code.constant else None


def _put(
    statements: PythonStatements, assign: Assign, home: InBytes, data: bytearray, value: int | float
) -> bool:
    """Write the value into the bytes, if its offset in them is the same in every run."""
    evaluator = statements.evaluator
    lvalue = evaluator.lvalues.resolve(assign.target, "write", evaluator.codes)
    if not isinstance(lvalue, ByteLvalue) or lvalue.home is not home or lvalue.dynamic:
        return False
    match lvalue.type:
        case IntType() if lvalue.bits:
            assert isinstance(value, int)
            set_bits(data, lvalue.offset, *lvalue.bits, value)
        case IntType() | PointerType() | FloatType() as type_:
            codec(type_).write(data, lvalue.offset, value)
        case _:
            return False
    return True
