"""Widening thresholds from the conditions of an abstract program, and whether it relates numbers.

No soundness duty: `abstract_program.StepDomain` assumes a threshold only of values for which it
holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ...analysis.intervals.float_bounds import ALL
from ...analysis.intervals.widening import number_thresholds
from ...domains.linear import Constraint, Linear, Variable, at_most, variable
from ...ir.cfa import Program
from ...ir.types import FloatType
from ..domain.formula import Compare, children_first
from ..domain.transformers import (
    AssumeTransformer,
    Both,
    Conditional,
    Either,
    Numeric,
    Sequence,
    Transformer,
)
from .abstract_program import AbstractStep, Node
from .numeric_variables import NumericVariable

_MOST_CONDITIONS = 60


def _parts(graph: Mapping[Node, list[tuple[AbstractStep, Node]]]) -> Iterator[Transformer]:
    """The transformers inside steps that are made of no others."""
    for edges in graph.values():
        for step, _ in edges:
            stack = [step.transformer]
            while stack:
                part = stack.pop()
                match part:
                    case Sequence(parts) | Either(parts):
                        stack += parts
                    case _:
                        yield part


def conditions_of(graph: Mapping[Node, list[tuple[AbstractStep, Node]]]) -> tuple[Compare, ...]:
    """Where widening stops: the constraints that transformers test, and what comes of those when
    the program adds a constant to a variable (`i < n` and then `i += 2` leave `i < n + 2`)."""
    found: dict[Constraint, None] = {}
    added: dict[tuple[Variable, int], None] = {}
    for part in _parts(graph):
        if isinstance(part, AssumeTransformer | Conditional | Both):
            for atom in children_first(part.condition):
                if isinstance(atom, Compare):
                    found.update(dict.fromkeys(atom.constraint.halves()))
        for name, source in _updates(part):
            if source is not None and source.coefficients == ((name, 1),):
                added[name, source.constant] = None
    for constraint in list(found):
        for name, number in added:
            factor = constraint.linear.coefficient(name)
            if factor * number > 0:
                found[at_most(constraint.linear - factor * number, 0)] = None
    return tuple(map(Compare, list(found)[:_MOST_CONDITIONS]))


def ladders(cells: Iterable[NumericVariable], program: Program) -> tuple[tuple[Compare, ...], ...]:
    """Bounds for each number of floating point, on either side, the strongest first: the constants
    of the program, and powers of ten [BCC+03, section 7.1.2]."""
    forms = [variable(cell.name) for cell in cells if isinstance(cell.type, FloatType)]
    if not forms:
        return ()
    rungs = [*number_thresholds(program), ALL[1]]
    return tuple(
        tuple(Compare(at_most(sign * form, rung)) for rung in rungs)
        for form in forms
        for sign in (1, -1)
    )


def _updates(part: Transformer) -> tuple[tuple[Variable, Linear | None], ...]:
    match part:
        case Numeric():
            return part.updates
        case Conditional() | Both():
            return part.numeric.updates
    return ()


def relates(
    graph: Mapping[Node, list[tuple[AbstractStep, Node]]], without: Collection[Variable] = ()
) -> bool:
    """Does anything relate numeric variables, so that a relational domain is of use: a copy, a sum,
    a counter, or a comparison of two? Some variables do not count."""
    for part in _parts(graph):
        for name, source in _updates(part):
            used = () if source is None or name in without else source.variables
            if any(other not in without for other in used):
                return True
    return any(
        sum(name not in without for name in limit.constraint.variables) > 1
        for limit in conditions_of(graph)
    )
