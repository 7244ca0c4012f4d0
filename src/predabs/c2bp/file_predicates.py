"""From a predicates file to the variables of a Boolean program.

A symbolic constant is of use only with the predicate that ties it to its parameter at the entry
[BMR05, sections 4.4.1 and 5.3]; such binding predicates are added where the file has none.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InputError, InternalError
from ..ir import make
from ..ir.cfa import Program
from ..ir.expr import Deref, Expr, Lvalue, Var
from ..ir.result_variables import RESULT, with_results
from ..ir.show import show_expr
from ..ir.types import FloatType
from ..ir.walk import variables
from ..predicates.syntax.file import PredicatesFile, SourcePredicate
from ..records import replace
from .boolean_variables import Boolean
from .names import predicate_name
from .program import ProgramPredicates
from .store.stored_procedure import StoredProcedure


def predicates_of_file(
    file: PredicatesFile, stored: Mapping[str, StoredProcedure] | None = None
) -> ProgramPredicates:
    """The predicates of a file, each with a name, and the binding predicates; `stored` are
    procedures that were stored before, which bring their own."""
    shared: dict[str, Boolean] = {}
    for name, kept in (stored or {}).items():
        if name in file.procedures:
            raise InputError(
                f"{name} has no body here: its predicates are those that it was stored with"
            )
        for variable in kept.shared:
            if shared.setdefault(variable.name, variable) != variable:
                raise InputError(
                    f"the stored abstraction of {name} means something else by {variable.name}"
                )
    for predicate in file.globals:
        _add(shared, {}, predicate.text, predicate.expr)
    constants: dict[str, dict[Var, Lvalue]] = {name: {} for name in file.procedures}
    for constant, value in file.constants.items():
        if not isinstance(value, Lvalue):
            raise InternalError(f"{constant.name} is the value of no lvalue")
        constants[constant.function][constant] = value
    own = {
        name: _own(name, predicates, shared, constants[name])
        for name, predicates in file.procedures.items()
    }
    for name, kept in (stored or {}).items():
        own[name] = kept.own
        constants[name] = dict(kept.constants)
    return ProgramPredicates(tuple(shared.values()), own, constants)


def with_used_results(program: Program, file: PredicatesFile) -> Program:
    """The program in which the functions that a file says `return` of have a result variable; it
    was read for one in which all have."""
    used = {
        var.function
        for predicates in file.procedures.values()
        for predicate in predicates
        for var in variables(predicate.expr)
        if var.short == RESULT
    }
    full = with_results(program).functions
    functions = {name: full[name] if name in used else f for name, f in program.functions.items()}
    return replace(program, functions=functions)


def _own(
    function: str,
    predicates: tuple[SourcePredicate, ...],
    shared: Mapping[str, Boolean],
    constants: dict[Var, Lvalue],
) -> tuple[Boolean, ...]:
    """The predicates of one procedure; those that are global already are left out."""
    found: dict[str, Boolean] = {}
    for predicate in predicates:
        _add(found, shared, predicate.text, predicate.expr)
    for constant, value in list(constants.items()):
        expr = _binding(function, constant, value, constants)
        if expr is not None:
            _add(found, shared, show_expr(expr), expr)
    return tuple(found.values())


def _add(found: dict[str, Boolean], shared: Mapping[str, Boolean], text: str, expr: Expr) -> None:
    same = {variable.expr for variable in (*found.values(), *shared.values())}
    if expr not in same and make.negate(expr) not in same:
        name = predicate_name(text, {*found, *shared})
        found[name] = Boolean(name, expr)


def _binding(
    function: str, constant: Var, value: Lvalue, constants: dict[Var, Lvalue]
) -> Expr | None:
    """`x == 'x`, or `*'p == '*p` and the constant 'p; floating point has no such equality."""
    if isinstance(value.type, FloatType):
        return None
    stars = 0
    base: Expr = value
    while isinstance(base, Deref):
        stars += 1
        base = base.pointer
    if not isinstance(base, Var):
        raise InternalError(f"{constant.name} is the value of no parameter")
    if not stars:
        return make.equal(base, constant)
    pointer = Var(f"{function}::'{base.short}", base.type)
    constants.setdefault(pointer, base)
    lvalue: Expr = pointer
    for _ in range(stars):
        lvalue = make.deref(lvalue)
    return make.equal(lvalue, constant)
