"""Comparisons of an object's address, as a number, with a constant: their result depends on where
objects lie, which C leaves open.

Models of the kernel compare so: 'a pointer above 2012 is an error'. predabs lays the objects out in
one way, so such a comparison is given another meaning: an input says whether objects lie below the
number, the same for all objects in a run, those of the environment included. Soundness duty: every
comparison of this kind that the program text has is changed, and no other value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..ir import make
from ..ir.address_space import FIRST_OBJECT, NULL_PAGE, end_of_objects
from ..ir.cfa import Edge, Function, Global
from ..ir.def_use import map_op, op_values
from ..ir.expr import Binary, Const, Expr, Op, Var
from ..ir.types import INT, IntType, PointerType
from ..ir.walk import substitute, subterms
from .facts import ProgramFacts
from .points_to.objects import Allocated, Variable

_ASSUMPTION = "an object's address may lie on either side of {0}, as all others do in the same run"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """`term` compares `address` with `number`, and is true of one that lies below if `below`."""

    term: Binary
    address: Expr
    number: int
    below: bool


def with_open_layout(facts: ProgramFacts) -> ProgramFacts:
    """The facts of the program in which such comparisons depend on an input."""
    program = facts.program
    bits = program.data_model.pointer_bits
    word = IntType(bits, False)
    inputs: dict[int, Var] = {}
    changes: dict[Expr, Expr] = {}
    seen: set[Expr] = set()
    for function in program.functions.values():
        for edge in function.edges:
            for value in op_values(edge.op):
                if value in seen:
                    continue
                seen.add(value)
                for found in _comparisons(value, bits):
                    targets = facts.points_to.targets(found.address)
                    if any(isinstance(t.object, Variable | Allocated) for t in targets):
                        var = inputs.setdefault(
                            found.number, Var(f"objects below {found.number}", INT)
                        )
                        changes[found.term] = _open(found, var, word)
    if not inputs:
        return facts
    coord = program.functions[program.entry].coord
    origin: dict[Edge, Edge] = {}
    changed = replace(
        program,
        functions={name: _changed(f, changes, origin) for name, f in program.functions.items()},
        globals=(*program.globals, *(Global(var, (), True, coord) for var in inputs.values())),
        assumptions=(*program.assumptions, *(_ASSUMPTION.format(number) for number in inputs)),
    )
    return facts.of_part(changed, origin)


def _comparisons(value: Expr, bits: int) -> Iterator[_Comparison]:
    """The comparisons of something as wide as a pointer with a number that objects may lie on both
    sides of."""
    for term in subterms(value):
        match term:
            case Binary(Op.LT | Op.LE, Const(number, _), address, _):
                below = False
            case Binary(Op.LT | Op.LE, address, Const(number, _), _):
                below = True
            case _:
                continue
        wide = isinstance(address.type, IntType | PointerType) and address.type.bits == bits
        if wide and 0 < number < end_of_objects(bits):
            yield _Comparison(term, address, number, below)


def _open(found: _Comparison, var: Var, word: IntType) -> Expr:
    """What stands for the comparison: of small numbers and of those that the kernel uses for errors
    it is what it was. Formulas have objects elsewhere than runs, but none there."""
    number = make.cast(found.address, word)
    inside = make.conj(
        (
            make.less_equal(make.const(FIRST_OBJECT, word), number),
            make.less(number, make.const((1 << word.bits) - NULL_PAGE, word)),
        )
    )
    lies_below = make.not_equal(var, make.const(0, INT))
    result = lies_below if found.below else make.negate(lies_below)
    return make.disj((make.conj((inside, result)), make.conj((make.negate(inside), found.term))))


def _changed(function: Function, changes: dict[Expr, Expr], origin: dict[Edge, Edge]) -> Function:
    """The function with changed edges, which come from those in `origin`."""
    edges: list[Edge] = []
    for edge in function.edges:
        if any(term in changes for value in op_values(edge.op) for term in subterms(value)):
            op = map_op(edge.op, lambda value: substitute(value, changes))
            edges.append(replace(edge, op=op))
            origin[edges[-1]] = edge
        else:
            edges.append(edge)
    return replace(function, edges=tuple(edges)) if origin else function
