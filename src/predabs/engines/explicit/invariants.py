"""Invariants of an exploration: at each loop head, the values that variables have together.

Soundness duty: each state that was explored is one of the cases. What cannot be said in terms of
variables is left out, which makes a case weaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...analysis.memory.partition import Partition, in_scope, lvalue_of
from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.configuration import Configuration
from ...ir.expr import Expr, Var
from ...ir.walk import substitute, subterms
from ...verdict import Invariant
from .array_cells import ArrayCells
from .function_codes import FunctionCodes
from .symbolic_terms import is_canonical, symbol_of
from .valuation import Canonical

_MOST_CASES = 400  # of a program


def invariants_of(
    partition: Partition,
    cells: ArrayCells,
    states: Iterable[tuple[Configuration, Sequence[Var], Canonical]],
) -> tuple[Invariant, ...]:
    """An invariant for each configuration, with lvalues for cells of arrays and for places in
    records and memory; none at all if there are very many cases."""
    pointers = cells.codes.pointers
    places: dict[Expr, Expr] = {pointers.get(c, c): at for c, at in cells.lvalues.items()}
    cases: dict[Configuration, dict[Expr, None]] = {}
    for count, (here, frame, state) in enumerate(states):
        if count >= _MOST_CASES:
            return ()
        for var in frame:
            pointer = pointers.get(var, var)
            if pointer not in places:
                places[pointer] = _place(partition, pointer)
        case = _case(cells.codes, frame, state)
        cases.setdefault(here, {})[substitute(case, places)] = None
    return tuple(
        Invariant(here.location, here.calls, in_scope(partition, make.disj(found), function))
        for here, found in cases.items()
        if (function := here.location.function)
    )


def _place(partition: Partition, var: Var) -> Expr:
    """What the program writes for a variable of the formulas; the variable, if it has no words."""
    try:
        return lvalue_of(partition, var)
    except UnsupportedFeature:
        return var


def _case(codes: FunctionCodes, frame: Sequence[Var], state: Canonical) -> Expr:
    """A state as a condition. The symbol that is a variable's value is that variable."""
    terms, known = state
    names: dict[Expr, Expr] = {
        term: var
        for place, (var, term) in enumerate(zip(frame, terms, strict=True))
        if isinstance(term, Var) and term is symbol_of(place, var.type)
        if var not in codes.pointers
    }
    said = [
        codes.equal(var, substitute(term, names))
        for var, term in zip(frame, terms, strict=True)
        if term is not None and names.get(term) is not var and _is_said(term, names)
    ]
    said += [substitute(cond, names) for cond in known if _is_said(cond, names)]
    return make.conj(said)


def _is_said(term: Expr, names: dict[Expr, Expr]) -> bool:
    symbols = (one for one in subterms(term) if isinstance(one, Var) and is_canonical(one))
    return all(one in names for one in symbols)
