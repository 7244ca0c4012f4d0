"""One result variable for each function, so that predicates can speak of what it returns.

[BMR05] takes for granted that a procedure returns one variable r. Here `return e;` becomes
`return = e; return return;` with a local variable called `return`, where a function does not do so
already. Soundness duty: the program has the same runs.
"""

from __future__ import annotations

from ..records import replace
from .cfa import Edge, Function, Location, Program
from .expr import Var
from .ops import Assign, Return
from .types import is_scalar

RESULT = "return"  # the result of a procedure: a keyword of C, so no variable has this name


def with_results(program: Program) -> Program:
    """The program in which each function that returns a scalar has a result variable; the program
    itself if they all have one, so that its program facts can be used again."""
    globals_ = frozenset(item.var for item in program.globals)
    functions = {
        name: function if result_variable(function, globals_) else _with_result(function)
        for name, function in program.functions.items()
    }
    same = all(functions[name] is function for name, function in program.functions.items())
    return program if same else replace(program, functions=functions)


def result_variable(function: Function, globals_: frozenset[Var]) -> Var | None:
    """The scalar local or parameter that all `return` statements give back."""
    values = {edge.op.value for edge in function.edges if isinstance(edge.op, Return)}
    if len(values) != 1:
        return None
    [value] = values
    if isinstance(value, Var) and value not in globals_ and is_scalar(value.type):
        return value
    return None


def _with_result(function: Function) -> Function:
    type_ = function.type.result
    if not is_scalar(type_):
        return function
    result = Var(f"{function.name}::{RESULT}", type_)
    edges: list[Edge] = []
    free = 1 + max(location.index for location in function.locations)
    for edge in function.edges:
        if isinstance(edge.op, Return) and edge.op.value is not None:
            if edge.op.value.type is not type_:
                return function
            between = Location(function.name, free)
            free += 1
            edges.append(Edge(edge.src, Assign(result, edge.op.value), between, edge.coord))
            edges.append(Edge(between, Return(result), edge.dst, edge.coord))
        else:
            edges.append(edge)
    return replace(function, locals=(*function.locals, result), edges=tuple(edges))
