"""The interface of a procedure, which is what its callers see [BMR05, sections 4.4.1 and 5.3].

The predicates of a procedure that have a meaning in its caller before the call are its formal
parameters, those that have one after the call are returned. Beyond [BMR05], predicates over
globals alone are both, so that they need not be declared global to be of use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir.cfa import Function
from ..ir.expr import AddressOf, Deref, Expr, Field, Index, Lvalue, Var
from ..ir.result_variables import result_variable
from ..ir.walk import subterms, variables
from ..records import dataclass
from .boolean_variables import Boolean


@dataclass(frozen=True, slots=True)
class Interface:
    """The Boolean procedure `name` of a function.

    `result` is the variable that every `return` gives back, if there is one (r in [BMR05]);
    `constants` maps the symbolic constants to what they are equal to at the entry.
    """

    function: Function
    name: str
    result: Var | None
    constants: Mapping[Var, Lvalue]
    formals: tuple[Boolean, ...]
    returned: tuple[Boolean, ...]
    own: tuple[Boolean, ...]

    @property
    def locals(self) -> tuple[Boolean, ...]:
        return tuple(variable for variable in self.own if variable not in self.formals)


def interface(
    function: Function,
    name: str,
    own: Sequence[Boolean],
    constants: Mapping[Var, Lvalue],
    globals_: frozenset[Var],
) -> Interface:
    """Which predicates of a function are formal parameters, which are returned."""
    result = result_variable(function, globals_)
    params = frozenset(function.params)
    formals, returned = [], []
    for variable in own:
        found = frozenset(variables(variable.expr))
        fixed = found & constants.keys()
        local = found - globals_ - constants.keys()
        address_taken = _address_taken(variable.expr)
        if local <= params and not fixed and not address_taken & params:
            formals.append(variable)
        if local <= {result} and not address_taken & local:
            returned.append(variable)
    return Interface(function, name, result, constants, tuple(formals), tuple(returned), tuple(own))


def _address_taken(expr: Expr) -> frozenset[Expr]:
    """The variables whose address is used: another call has them elsewhere."""
    found: set[Expr] = set()
    for term in subterms(expr):
        if isinstance(term, AddressOf):
            lvalue: Expr = term.target
            while isinstance(lvalue, Field | Index):
                lvalue = lvalue.base
            if not isinstance(lvalue, Deref):
                found.add(lvalue)
    return frozenset(found)
