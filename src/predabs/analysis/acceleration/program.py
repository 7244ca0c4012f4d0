"""Acceleration of loops: many rounds along one path of the body as one step, in closed form.

A path from a loop head back to it that only assigns to integer variables changes each of them by a
constant amount, or gives it a value that follows from the others: after k rounds a counter x has
become x + k * d [KLW13, section 3; BFLP03]. Elements of arrays that are written have their places
and values from such counters [BHIKV09; AGS13]. The path's conditions compare values that move
evenly, so they hold for a number of rounds that can be computed. Each arrival at the head first
does that many rounds at once, for each path, and then goes on as before.

Soundness duty: the program with these steps has exactly the runs of the original one, but for how
often locations of loops are visited: k is never more than the number of rounds that the run would
take along the path (`rounds`), and what they do is exact (`closed_form`). No input is asked for on
such a path, and whatever cannot be computed is left to the loop itself. A run that faults in one of
the rounds has none of the errors of the loop before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.def_use import op_values
from ...ir.expr import AddressOf, Expr, Field, Index, Var
from ...ir.ops import Assign, Assume, Operation
from ...ir.walk import subterms
from ...records import replace
from .closed_form import operations, round_of
from .lasting import lasting
from .paths import loops
from .rounds import Counting


def accelerated(program: Program, *, checked: bool = False, arrays: bool = True) -> Program:
    """The program whose loops do many rounds at once; the same object if it has none that can. If
    it is `checked`, a run goes on only where the conditions are seen to hold in all the rounds.
    Without `arrays`, loops that write to memory stay as they are."""
    taken: Collection[Var] | None = None
    functions: dict[str, Function] = {}
    for name, function in program.functions.items():
        functions[name] = function
        found = loops(function)
        if found:
            if taken is None:
                taken = _address_taken(program)
            functions[name] = _changed(program, function, found, taken, checked, arrays)
    if all(
        new is old for new, old in zip(functions.values(), program.functions.values(), strict=True)
    ):
        return program
    return replace(program, functions=functions)


def _address_taken(program: Program) -> frozenset[Var]:
    """The variables whose address is a value somewhere."""
    found: set[Var] = set()
    seen: set[Expr] = set()

    def look(values: tuple[Expr, ...]) -> None:
        for value in values:
            for term in subterms(value):
                if term in seen:
                    continue
                seen.add(term)
                if isinstance(term, AddressOf):
                    base: Expr = term.target
                    while isinstance(base, Field | Index):
                        base = base.base
                    if isinstance(base, Var):
                        found.add(base)

    for function in program.functions.values():
        for edge in function.edges:
            look(op_values(edge.op))
            target = getattr(edge.op, "target", None)
            if target is not None and not isinstance(target, Var):
                look((target,))
    for item in program.globals:
        for assign in item.init:
            look((assign.value,))
    return frozenset(found)


def _changed(
    program: Program,
    function: Function,
    found: Mapping[Location, list[list[Edge]]],
    taken: Collection[Var],
    checked: bool,
    arrays: bool,
) -> Function:
    number = 1 + max(location.index for location in function.locations)
    added: list[Edge] = []
    starts: dict[Location, Location] = {}  # of what comes before a head
    fresh: list[Var] = []
    for head, paths in found.items():
        steps: list[Operation] = []
        for path in paths:
            round_ = round_of(program, function, path, taken)
            if round_ is None or (round_.writes and not arrays):
                continue
            counting = Counting(round_)
            count = counting.rounds()
            if count is None:
                continue
            rounds = Var(f"{function.name}::rounds.{len(fresh)}", counting.wide)
            fresh.append(rounds)
            steps.append(Assign(rounds, count))
            if checked:
                steps.append(Assume(lasting(round_, rounds)))
            index = Var(f"{function.name}::round.{len(fresh)}", counting.wide)
            if round_.writes:
                fresh.append(index)
            steps += operations(round_, counting, rounds, index)
        if not steps:
            continue
        starts[head] = at = Location(function.name, number)
        coord = paths[0][0].coord
        for step in steps:
            number += 1
            last = step is steps[-1]
            added.append(Edge(at, step, head if last else Location(function.name, number), coord))
            at = Location(function.name, number)
        number += 1
    if not fresh:
        return function
    old = [replace(e, dst=starts[e.dst]) if e.dst in starts else e for e in function.edges]
    return replace(
        function,
        edges=(*old, *added),
        entry=starts.get(function.entry, function.entry),
        locals=(*function.locals, *fresh),
    )
