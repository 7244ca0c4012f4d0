"""Open environments: a function that anyone may call, at any time [BMR05, section 1].

Its arguments and the globals hold anything; its pointers point to anything, to each other's targets
and to globals too. Only one thing is taken for granted, which C demands of whoever calls: what is
read or written through a pointer is an object of that type. Objects lie in each other or apart, so
two of one size are the same or have no byte in common.

Soundness duty: what the analyses say of the program with an open environment holds for each call in
any program whose other functions keep to that.
"""

from __future__ import annotations

from ..analysis.facts import ProgramFacts
from ..analysis.points_to.objects import UNKNOWN
from ..analysis.points_to.offsets import aligned
from ..analysis.points_to.sets import PointsTo
from ..ir import make
from ..ir.cfa import Coord, ExternPointers, Global, Program
from ..ir.expr import Expr, FunctionAddress, Lvalue, Var
from ..ir.listing import literal_text
from ..ir.ops import Assign, Call
from ..ir.types import size_of
from ..records import replace
from ..wp.aliasing import Aliasing, aliasing


def with_open_environment(program: Program) -> Program:
    """The program in which a run begins in the entry function, in any state.

    If something is accessed through a pointer of the environment, that may be any global, and a
    function that is called through one may be any function: then their addresses are in further
    globals.
    """
    globals_ = tuple(_unknown_content(item) for item in program.globals)
    program = replace(program, globals=globals_, extern_pointers=ExternPointers.ANY)
    facts = ProgramFacts(program, single=False)
    more: list[Global] = []
    if any(info.unknown for info in facts.partition.regions):
        pointer = program.data_model.pointer
        more += [
            _holder(item.var.name, make.address_of(item.var, pointer(item.var.type)), item.coord)
            for item in globals_
        ]
    if any(
        facts.points_to.may_be_unknown(edge)
        for function in program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, Call)
    ):
        more += [
            _holder(
                name,
                FunctionAddress(name, program.data_model.pointer(function.type)),
                function.coord,
            )
            for name, function in program.functions.items()
        ]
    return replace(program, globals=(*globals_, *more))


def _unknown_content(item: Global) -> Global:
    """It holds anything, unless it is a string literal, which stays what it is."""
    return item if literal_text(item) is not None else replace(item, init=(), external=True)


def _holder(name: str, address: Expr, coord: Coord) -> Global:
    """A global that holds an address; no variable of C has such a name."""
    var = Var(f"&{name}", address.type)
    return Global(var, (Assign(var, address),), False, coord)


def typed_aliasing(points_to: PointsTo) -> Aliasing:
    """Aliasing if the pointers of the environment point to objects of their types."""

    def same_or_apart(one: Lvalue, two: Lvalue) -> bool:
        size = size_of(one.type)
        if size != size_of(two.type):
            return False
        found = [(a, b) for a in points_to.reached(one) for b in points_to.reached(two)]
        return all(
            aligned(a.offsets, b.offsets, size)
            for a, b in found
            if a.object == b.object and a.object != UNKNOWN
        )

    return replace(aliasing(points_to), same_or_apart=same_or_apart)
