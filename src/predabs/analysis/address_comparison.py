"""Comparisons of an object's address, as a number, with a constant: their result depends on where
objects lie, which C leaves open.

Models of the kernel compare so: 'a pointer above 2012 is an error'. predabs lays the objects out in
one way, so such a comparison is given another meaning: an input says whether objects lie below the
number, the same for all objects in a run, those of the environment included.

A comparison of a number that is an address maybe, as far as the points-to analysis can tell, may go
either way in the program that engines see; a violation must replay in one where it does what the
numbers say. Soundness duty: every comparison that may be of this kind is changed for proofs, and
only those that are of this kind for violations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir import make
from ..ir.address_space import FIRST_OBJECT, NULL_PAGE, end_of_objects
from ..ir.cfa import Edge, Function, Global, Program
from ..ir.def_use import map_op, op_target, op_values
from ..ir.expr import Binary, Cast, Const, Expr, Op, Var
from ..ir.ops import Assign
from ..ir.types import INT, IntType, PointerType
from ..ir.walk import Folding, substitute, unseen
from ..records import dataclass, replace
from .facts import ProgramFacts
from .points_to.address_taken import AddressTaken
from .points_to.objects import Allocated, Variable

_ASSUMPTION = "an object's address may lie on either side of {0}, as all others do in the same run"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """`term` compares `address` with `number`, and is true of one that lies below if `below`."""

    term: Binary
    address: Expr
    number: int
    below: bool


@dataclass(frozen=True, slots=True)
class OpenLayout:
    """The facts of the program that engines see, and the program in which violations replay."""

    facts: ProgramFacts
    replayed: Program


def with_open_layout(facts: ProgramFacts) -> OpenLayout:
    """The program in which such comparisons depend on an input."""
    program = facts.program
    bits = program.data_model.pointer_bits
    word = IntType(bits, False)
    inputs: dict[str, tuple[Var, int]] = {}
    changes: dict[Expr, Expr] = {}
    certain: dict[Expr, Expr] = {}  # those of addresses for sure
    seen: set[Expr] = set()
    only_addresses = _only_addresses(program, facts.points_to.address_taken)
    for function in program.functions.values():
        for edge in function.edges:
            for found in _comparisons(unseen(op_values(edge.op), seen), bits):
                targets = facts.points_to.targets(found.address)
                if any(isinstance(t.object, Variable | Allocated) for t in targets):
                    is_certain = _is_address(found.address, only_addresses)
                    what = "objects" if is_certain else "objects or numbers"
                    name = f"{what} below {found.number}"
                    var, _ = inputs.setdefault(name, (Var(name, INT), found.number))
                    changes[found.term] = _open(found, var, word)
                    if is_certain:
                        certain[found.term] = changes[found.term]
    if not inputs:
        return OpenLayout(facts, program)
    coord = program.functions[program.entry].coord
    numbers = sorted({number for _, number in inputs.values()})
    program = replace(
        program,
        globals=(*program.globals, *(Global(var, (), True, coord) for var, _ in inputs.values())),
        assumptions=(*program.assumptions, *map(_ASSUMPTION.format, numbers)),
    )
    origin: dict[Edge, Edge] = {}
    changed = _changed_program(program, changes, origin)
    same = len(certain) == len(changes)
    replayed = changed if same else _changed_program(program, certain, {})
    return OpenLayout(facts.of_part(changed, origin), replayed)


def _only_addresses(program: Program, taken: AddressTaken) -> frozenset[Var]:
    """Local variables that hold numbers, all of them addresses: each value that they are given is
    one."""
    given: dict[Var, list[Expr]] = {}
    other: set[Var] = set()
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            if isinstance(target, Var) and isinstance(edge.op, Assign):
                given.setdefault(target, []).append(edge.op.value)
            elif isinstance(target, Var):
                other.add(target)
        other.update(function.params)
    found = frozenset(
        v for v in given if v.function and v not in other and v.name not in taken.variables
    )
    while True:
        kept = frozenset(v for v in found if all(_is_address(e, found) for e in given[v]))
        if kept == found:
            return found
        found = kept


def _is_address(value: Expr, only_addresses: frozenset[Var]) -> bool:
    """Is it a pointer, or a number that was made from one and from nothing else?"""
    while isinstance(value, Cast):
        value = value.arg
    match value:
        case Const(number, _):
            return number == 0
        case Var() if isinstance(value.type, IntType):
            return value in only_addresses
        case _:
            return isinstance(value.type, PointerType)


def _changed_program(
    program: Program, changes: dict[Expr, Expr], origin: dict[Edge, Edge]
) -> Program:
    is_changed = Folding[bool](lambda term, parts: term in changes or any(parts))
    functions = {
        name: _changed(f, changes, is_changed, origin) for name, f in program.functions.items()
    }
    return replace(program, functions=functions)


def _comparisons(terms: Iterable[Expr], bits: int) -> Iterator[_Comparison]:
    """The comparisons of something as wide as a pointer with a number that objects may lie on both
    sides of."""
    for term in terms:
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


def _changed(
    function: Function,
    changes: dict[Expr, Expr],
    is_changed: Folding[bool],
    origin: dict[Edge, Edge],
) -> Function:
    """The function with changed edges, which come from those in `origin`."""
    edges: list[Edge] = []
    for edge in function.edges:
        if any(map(is_changed, op_values(edge.op))):
            op = map_op(edge.op, lambda value: substitute(value, changes))
            edges.append(replace(edge, op=op))
            origin[edges[-1]] = edge
        else:
            edges.append(edge)
    return replace(function, edges=tuple(edges)) if origin else function
