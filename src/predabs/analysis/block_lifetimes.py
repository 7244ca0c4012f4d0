"""Variables of inner blocks whose address may outlive them: objects that are made and freed.

A pointer to such a variable is worth nothing once its block has been left, also if the block is
entered again: then there is another object. So it becomes memory of the heap, which is allocated
where the block is entered and freed where it is left (`frontend/lower/block_lifetimes` has marked
that), and `x` becomes `*x.life`. That is done only where an address may still be there after the
end: in memory, in a global, in a result, or in a variable of the function that ends later.
Soundness duty: a run without an access to a variable that has ended is the same run as before, and
such an access is one to freed memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program, life_of, whose_life
from ..ir.def_use import map_op
from ..ir.expr import AddressOf, Const, Deref, Expr, Var
from ..ir.ops import Alloc, AllocKind, Assign, Free, Operation, Skip
from ..ir.types import IntType, PointerType, size_of
from ..ir.walk import fold, rebuild
from ..records import replace
from .points_to.sets import PointsTo, points_to
from .valid_accesses import leaving_variables


def with_block_lifetimes(program: Program) -> Program:
    """The program without marks: those that matter have become allocations."""
    if not any(function.blocks for function in program.functions.values()):
        return program
    facts = points_to(program)
    leaving = leaving_variables(program, facts)
    outlived = {
        name: _outlived(function, facts, leaving) for name, function in program.functions.items()
    }
    _see_not_freed(program, facts, {var for found in outlived.values() for var in found})
    return replace(
        program,
        functions={
            name: _Rewritten(program, function, outlived[name]).result()
            for name, function in program.functions.items()
        },
    )


def _see_not_freed(program: Program, facts: PointsTo, outlived: set[Var]) -> None:
    """A variable that the program itself frees would pass for an object of the heap."""
    objects = {facts.variable(var) for var in outlived}
    for function in program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Free):
                targets = {target.object for target in facts.targets(edge.op.pointer)}
                if not targets.isdisjoint(objects):
                    raise UnsupportedFeature(
                        f"{edge.coord}: a variable of an inner block may be freed"
                    )


def _outlived(function: Function, facts: PointsTo, leaving: frozenset[Var]) -> list[Var]:
    """The variables of inner blocks whose address may be somewhere after their end."""
    inner = [var for var in function.locals if var.name in function.blocks]
    found = [var for var in inner if facts.variable(var).var in leaving]
    for holder in (*function.params, *function.locals):
        if not isinstance(holder.type, IntType | PointerType) or "." in holder.short:
            continue
        targets = {target.object for target in facts.targets(holder)}
        found += [
            var
            for var in inner
            if holder.name not in function.blocks[var.name] and facts.variable(var) in targets
        ]
    return list(dict.fromkeys(found))


class _Rewritten:
    """A function whose outlived variables are allocated."""

    def __init__(self, program: Program, function: Function, outlived: list[Var]) -> None:
        self._program = program
        self._function = function
        bits = program.data_model.pointer_bits
        self._lives = {var: life_of(var, bits) for var in outlived}
        self._memory: Mapping[Expr, Expr] = {
            var: Deref(life, var.type) for var, life in self._lives.items()
        }

    def result(self) -> Function:
        function = self._function
        if not function.blocks:
            return function
        kept = set(self._lives.values())
        locals_ = tuple(
            var
            for var in function.locals
            if var not in self._lives and (var in kept or whose_life(var) is None)
        )
        edges = [replace(edge, op=self._changed(edge.op)) for edge in function.edges]
        entry, begun = function.entry, list[Edge]()
        index = 1 + max(location.index for location in function.locations)
        for number, life in enumerate(kept):  # so that an end without a beginning frees nothing
            before = Location(function.name, index + number)
            begun.append(Edge(before, Assign(life, _null(life)), entry, function.coord))
            entry = before
        return replace(function, locals=locals_, edges=(*begun, *edges), entry=entry, blocks={})

    def _changed(self, op: Operation) -> Operation:
        match op:
            case Assign(Var() as life, value) if whose_life(life) is not None:
                if life not in self._lives.values():
                    return Skip()
                if isinstance(value, AddressOf):
                    type_ = self._program.data_model.size_type
                    size = make.const(size_of(value.target.type), type_)
                    return Alloc(life, size, AllocKind.HEAP, zeroed=False)
                assert isinstance(value, Const)
                return Free(life)
        return map_op(op, self._in_memory) if self._lives else op

    def _in_memory(self, e: Expr) -> Expr:
        """The expression with what lies in memory now."""

        def step(term: Expr, new: tuple[Expr, ...]) -> Expr:
            return self._memory[term] if term in self._memory else rebuild(term, new)

        return fold(e, step)


def _null(life: Var) -> Const:
    assert isinstance(life.type, PointerType)
    return make.const(0, life.type)
