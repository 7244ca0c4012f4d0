"""Pointers to library functions of which a call is no ordinary call: to a function that makes it.

Soundness duty: a call through the pointer does what the call by name does; what cannot be passed on
(the further arguments of a variadic function) is refused if the function may write through it.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.types import FunctionType, VoidType
from .. import ast
from ..parts import FoundFunction
from ..symbols import StorageClass, Symbol
from . import libc

_OUTPUT = frozenset(["printf", "fprintf"])  # reads its further arguments only


def calling(symbol: Symbol, name: str, coord: Coord) -> FoundFunction:
    """The function `name`: it calls the symbol with its own arguments, and returns the result."""
    type_ = symbol.type
    assert isinstance(type_, FunctionType)
    in_library = symbol.name.removeprefix("__builtin_")
    known = libc.contract(in_library)
    silent = in_library in _OUTPUT
    if type_.variadic and not silent and (known is None or known.more != "..."):
        raise UnsupportedFeature(f"{coord}: the address of {symbol.name} is not supported")
    own_type = FunctionType(type_.result, type_.params, type_.variadic)
    own = Symbol(name, own_type, StorageClass.FUNCTION, True, False, False, coord)
    params = tuple(
        Symbol(f"#{number}", param, StorageClass.PARAMETER, False, False, False, coord)
        for number, param in enumerate(type_.params)
    )
    callee: Symbol = symbol
    args = tuple(ast.Ref(param, param.type, False, coord) for param in params)
    if silent:  # what was printed is not told, nor how long it is
        unknown = FunctionType(type_.result, (), False)
        callee = Symbol(
            f"__predabs_unknown_{in_library}",
            unknown,
            StorageClass.FUNCTION,
            True,
            False,
            False,
            coord,
        )
        args = ()
    call = ast.Call(ast.Ref(callee, callee.type, False, coord), args, type_.result, coord)
    body: ast.Stmt = ast.Return(call, coord)
    if isinstance(type_.result, VoidType):
        body = ast.Evaluate(call, coord)
    definition = ast.FunctionDef(own, params, ast.Compound((body,), coord), coord)
    return FoundFunction(own, False, 0, lambda: definition)
