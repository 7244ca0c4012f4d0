"""Pointers to functions as numbers: so a state that is a function can be followed like any other.

Null is 0, and each function has a number of its own. A variable that holds a pointer to a function
is followed as another one, of the same name, that holds the number.

Soundness duty: different functions have different numbers, and none that of null, as their
addresses are. A pointer of which this is not known may be any number.
"""

from __future__ import annotations

from ...ir import make
from ...ir.expr import TRUE, Const, Expr, FunctionAddress, Var
from ...ir.types import FunctionType, IntType, PointerType, Type

CODE = IntType(64, False)


def is_function_pointer(type_: Type) -> bool:
    return isinstance(type_, PointerType) and isinstance(type_.target, FunctionType)


class FunctionCodes:
    """The numbers of functions."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.pointers: dict[Var, Var] = {}
        """The variables that hold numbers, with those that hold the pointers."""

    def of(self, var: Var) -> Var:
        """The variable that is followed for this one."""
        if not is_function_pointer(var.type):
            return var
        code = Var(var.name, CODE)
        self.pointers[code] = var
        return code

    def number(self, e: Expr) -> Expr | None:
        """The number of null or of a function's address."""
        match e:
            case FunctionAddress(name, _):
                number = self._numbers.setdefault(name, len(self._numbers) + 1)
                return make.const(number, CODE)
            case Const(0, _):
                return make.const(0, CODE)
        return None

    def equal(self, var: Var, value: Expr) -> Expr:
        """`var = value` in terms of the program; nothing of pointers that may be any."""
        pointer = self.pointers.get(var)
        if pointer is None:
            return make.equal(var, value)
        if not isinstance(value, Const) or not isinstance(pointer.type, PointerType):
            return TRUE
        if value.value == 0:
            return make.equal(pointer, Const(0, pointer.type))
        name = list(self._numbers)[value.value - 1]
        return make.equal(pointer, FunctionAddress(name, pointer.type))
