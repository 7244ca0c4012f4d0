"""The refinement for a spurious path: cells to track as numbers, and predicates.

The conditions of the core are carried backwards by weakest preconditions, as in Newton [BR02]; the
operations of transitions are simple, and each local exists once, so calls need no special care. The
conditions along the path are the predicates, and what those read are the cells [GC10, section 6.1,
step 5].

No soundness duty: precision can only help.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration, Transition
from ...ir.expr import Const, Expr
from ...ir.ops import Assume, Operation
from ...ir.sums import folded
from ...ir.walk import subterms, variables
from ...records import dataclass
from ...refine.atoms import atoms, conjuncts, eliminated
from ...wp.weakest_precondition import Preconditions
from ..program.abstract_program import ConfigurationGraph, Node
from ..program.numeric_variables import NumericVariable, NumericVariables
from ..program.numpred_facts import NumpredFacts

_LARGEST = 60  # parts of a condition that is carried on


@dataclass(frozen=True, slots=True)
class PathRefinement:
    """Cells and predicates that the path speaks of, those near its end first; `written` are those
    that the program tests itself."""

    cells: dict[str, NumericVariable]
    written: tuple[Expr, ...]
    predicates: tuple[Expr, ...]


def path_refinement(
    facts: NumpredFacts, cells: NumericVariables, path: Sequence[Transition], core: Collection[int]
) -> PathRefinement:
    """The refinement for a path whose transitions with the indices of the core contradict each
    other."""
    names = facts.context.names
    before = Preconditions(facts.context.aliasing)
    now: dict[Expr, None] = {}
    found: dict[Expr, None] = {}
    written: dict[Expr, None] = {}
    for number in range(len(path) - 1, -1, -1):
        for op in reversed(path[number].ops):
            if isinstance(op, Assume):
                if number in core:
                    now.update(dict.fromkeys(conjuncts(op.cond)))
                    written.update(dict.fromkeys(atoms(op.cond)))
            else:
                now = _through(before, op, now)
        for condition in now:
            for atom in atoms(condition):
                if not any(var in names.made for var in variables(atom)):
                    found[atom] = None
    return PathRefinement(cells.read_by(found), tuple(written), tuple(found))


def tested(near: Mapping[Node, int], control: ConfigurationGraph) -> Iterator[Expr]:
    """The atoms of all conditions from which an error can be reached, those near it first: what
    tells states apart that a join has put together."""
    for node in sorted(near, key=near.__getitem__):
        for transition in (
            control.transitions.get(node, ()) if isinstance(node, Configuration) else ()
        ):
            for op in transition.ops:
                if isinstance(op, Assume):
                    yield from atoms(op.cond)


def _through(before: Preconditions, op: Operation, now: dict[Expr, None]) -> dict[Expr, None]:
    """From behind an operation to before it."""
    made = before.aliasing.names.made
    known = len(made)
    found: dict[Expr, None] = {}
    for condition in now:
        try:
            moved = folded(before.pre(op, condition))
        except UnsupportedFeature:
            continue
        if not isinstance(moved, Const) and _is_small(moved):
            found.update(dict.fromkeys(conjuncts(moved)))
    return dict.fromkeys(eliminated(found, list(islice(made, known, None))))


def _is_small(condition: Expr) -> bool:
    return sum(1 for _ in islice(subterms(condition), _LARGEST + 1)) <= _LARGEST
