"""Which variables and functions have their address taken.

Soundness duty: whatever a pointer can ever reach is listed; a variable that is not can only be
accessed by its name.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.cfa import Program
from ...ir.def_use import op_target, op_values
from ...ir.expr import AddressOf, Expr, Field, FunctionAddress, Index, Lvalue, Var
from ...ir.ops import Call
from ...ir.types import is_scalar
from ...ir.walk import children, root_of
from ...records import dataclass

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AddressTaken:
    """The names of the variables and functions; `declared` has the variables of all names, `parts`
    the lvalues behind pointers whose addresses are taken.

    One name may occur with two types (declared differently in two files): it is one variable.
    """

    variables: frozenset[str]
    functions: frozenset[str]
    declared: dict[str, Var]
    parts: tuple[Lvalue, ...] = ()

    def home(self, var: Var) -> Var:
        """The variable that owns the bytes."""
        return self.declared.get(var.name, var)

    def scalar_variable(self, var: Var) -> bool:
        """Is it a scalar that only its name reaches?"""
        return is_scalar(var.type) and var.name not in self.variables


def address_taken(program: Program) -> AddressTaken:
    """Look through the whole program."""
    variables: set[str] = set()
    functions: set[str] = set()
    declared = {item.var.name: item.var for item in program.globals}
    for function in program.functions.values():
        declared.update((var.name, var) for var in (*function.params, *function.locals))
    seen: set[Expr] = set()
    parts: dict[Lvalue, None] = {}
    stack = list(_roots(program))
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        match term:
            case Var(name, type_):
                if declared.setdefault(name, term).type is not type_:
                    variables.add(name)  # only its bytes can be both
            case FunctionAddress(name, _):
                functions.add(name)
            case AddressOf(target, _):
                whole: Expr = target
                while isinstance(whole, Field | Index):
                    whole = whole.base
                if isinstance(whole, Var):
                    variables.add(whole.name)
                else:
                    parts[target] = None
        stack.extend(children(term))
    return AddressTaken(frozenset(variables), frozenset(functions), declared, tuple(parts))


def taken_by(term: Expr, parts: tuple[frozenset[str], ...]) -> frozenset[str]:
    """The variables and functions whose address a term takes, from those of its subterms (for
    `Folding`)."""
    names = [part for part in parts if part]
    match term:
        case FunctionAddress(name, _):
            return frozenset((name,))
        case AddressOf(target, _) if isinstance(root := root_of(target), Var):
            return frozenset((root.name,)).union(*names)
    return names[0] if len(names) == 1 else _NONE.union(*names)


def _roots(program: Program) -> Iterable[Expr]:
    for item in program.globals:
        for assign in item.init:
            yield assign.target
            yield assign.value
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            if target is not None:
                yield target
            if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
                yield from edge.op.args  # calling a function by its name does not take its address
            else:
                yield from op_values(edge.op)
