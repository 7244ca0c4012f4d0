"""The conditions of a program as predicates: one treatment of control flow [Mir13, section 11].

Then each test is one variable, as precise as the predicates allow. The price is one predicate
more for each condition.
"""

from __future__ import annotations

from ..ir import make
from ..ir.cfa import Function, Program
from ..ir.listing import naming
from ..ir.ops import Assume
from ..ir.show import show_expr
from ..ir.walk import variables
from ..records import replace
from .boolean_variables import Boolean
from .names import predicate_name
from .program import ProgramPredicates


def with_conditions(program: Program, predicates: ProgramPredicates) -> ProgramPredicates:
    """The predicates, and what each function tests, if that is not among them."""
    own = {
        name: _own(function, predicates.own.get(name, ()), predicates.shared, program)
        for name, function in program.functions.items()
    }
    return replace(predicates, own={**predicates.own, **own})


def _own(
    function: Function,
    own: tuple[Boolean, ...],
    shared: tuple[Boolean, ...],
    program: Program,
) -> tuple[Boolean, ...]:
    found = {variable.expr: variable for variable in (*shared, *own)}
    taken = {variable.name for variable in found.values()}
    added: list[Boolean] = []
    for edge in function.edges:
        if isinstance(edge.op, Assume) and variables(edge.op.cond):
            cond = edge.op.cond
            if cond not in found and make.negate(cond) not in found:
                name = predicate_name(show_expr(cond, naming(program)), taken)
                taken.add(name)
                found[cond] = Boolean(name, cond)
                added.append(found[cond])
    return (*own, *added)
