"""[GC10, figures 1 and 2, table 1]: who proves what, and who can say what."""

from __future__ import annotations

from typing import Any

import pytest

from predabs.domains.fixpoint import solve
from predabs.domains.linear import at_most, constant, equal, variable
from predabs.numpred.domain.formula import (
    FALSE,
    TRUE,
    Formula,
    Predicate,
    compare,
    conj,
    disj,
    literal,
    negate,
)
from predabs.numpred.domain.structures import STRUCTURES
from predabs.numpred.domain.transformers import (
    SKIP,
    AssumeTransformer,
    Both,
    Choices,
    ChoiceTransformer,
    either,
    exactly,
    numeric,
    sequence,
    unknown,
)
from support.numpred_states import NUMBERS, Dom, means, small

x = variable("x")
with_numbers = pytest.mark.parametrize("numbers", NUMBERS)


def at(constraint: Any) -> Formula:
    return compare(constraint)


# -- [GC10, figure 2 and example 10] -----------------------------------------------------------

x1, x2, y1, y2 = map(variable, ("x1", "x2", "y1", "y2"))
AP, AQ = Predicate("A[y1 + y2] == 3", None), Predicate("A[x1 + x2] == 3", None)
FIGURE_2 = [
    AssumeTransformer(at(equal(x1, x2))),
    either(
        [
            sequence(
                [
                    AssumeTransformer(literal(AP)),
                    Both(TRUE, numeric(x1=y1 - 2), Choices((unknown(AQ),))),
                    Both(
                        TRUE,
                        numeric(x2=y2 + 2),
                        Choices(
                            (
                                ChoiceTransformer(
                                    AQ, conj(at(equal(x1 + 2, y1)), literal(AP)), FALSE
                                ),
                            )
                        ),
                    ),
                ]
            ),
            sequence(
                [
                    AssumeTransformer(literal(AP, False)),
                    Choices((ChoiceTransformer(AQ, FALSE, TRUE),)),
                ]
            ),
        ]
    ),
    either(
        [
            sequence(
                [AssumeTransformer(literal(AQ)), numeric(x1=x1 + x2), numeric(x2=x2 + y1 - 2)]
            ),
            AssumeTransformer(literal(AQ, False)),
        ]
    ),
    AssumeTransformer(negate(at(equal(x1, x2)))),
]


def proves(domain: Dom, steps: list[Any]) -> bool:
    """Whether nothing gets to the end of the steps, which is the error."""
    graph = {i: [(step, i + 1)] for i, step in enumerate(steps)}
    values = solve(domain, graph, 0, domain.top).values
    return domain.is_bot(values[len(steps)])


@pytest.mark.parametrize("structure", STRUCTURES)
def test_figure_2_and_example_10_only_together(structure: str) -> None:
    domain = small(structure, "polyhedra", [AP, AQ], ["x1", "x2", "y1", "y2"])
    assert proves(domain, FIGURE_2) == (structure in ("nex", "mtndd", "ndd"))


# -- [GC10, figure 1] --------------------------------------------------------------------------

i, a1, a2 = map(variable, ("i", "a1", "a2"))
ONE, TWO = Predicate("i == 1", equal(i, 1)), Predicate("i == 2", equal(i, 2))
UP, DOWN = Predicate("a1 > 0", at_most(1, a1)), Predicate("a2 < 0", at_most(a2, -1))
OTHER = conj(literal(ONE, False), literal(TWO, False))
FIGURE_1A = [
    AssumeTransformer(disj(literal(ONE), literal(TWO))),
    either(
        [
            Both(literal(ONE), numeric(a1=constant(3)), Choices((exactly(UP, TRUE),))),
            Both(literal(TWO), numeric(a2=constant(-4)), Choices((exactly(DOWN, TRUE),))),
            AssumeTransformer(OTHER),
        ]
    ),
    AssumeTransformer(
        disj(
            conj(literal(ONE), literal(UP, False)),
            conj(literal(TWO), literal(DOWN, False)),
            OTHER,
        )
    ),
]


@pytest.mark.parametrize("structure", STRUCTURES)
@with_numbers
def test_figure_1a_needs_predicates(structure: str, numbers: str) -> None:
    domain = small(structure, numbers, [ONE, TWO, UP, DOWN], ["i", "a1", "a2"])
    # NDD needs none: its union of numbers is exact
    assert proves(domain, FIGURE_1A) == (structure != "numeric")
    alone = small(structure, numbers, [], ["i", "a1", "a2"])
    assert proves(alone, FIGURE_1A) == (structure == "ndd")


def within(low: int, form: Any, high: int) -> Formula:
    return conj(at(at_most(low, form)), at(at_most(form, high)))


BOUNDS = [at_most(3, y1), at_most(y1, 4), at_most(3, y2), at_most(y2, 4)]
SUMS = [at_most(5, x1 + x2), at_most(x1 + x2, 10)]
SUM_PREDICATES = [Predicate(str(c), c) for c in SUMS]
LOST = Choices(tuple(map(unknown, SUM_PREDICATES)))
FIGURE_1B = [
    # the fragment says nothing of the runs that take neither branch: there are none
    either(
        [
            sequence(
                [
                    AssumeTransformer(condition),
                    # the preconditions y1 + x2 - 2 >= 5, ... have no words among the predicates
                    Both(TRUE, numeric(x1=source - 2), LOST),
                    Both(TRUE, numeric(x2=source + 2), LOST),
                ]
            )
            for condition, source in (
                (within(3, y1, 4), y1),
                (conj(negate(within(3, y1, 4)), within(3, y2, 4)), y2),
            )
        ]
    ),
    AssumeTransformer(negate(within(5, x1 + x2, 10))),
]


@pytest.mark.parametrize("structure", STRUCTURES)
@with_numbers
def test_figure_1b_needs_numbers(structure: str, numbers: str) -> None:
    predicates = [*(Predicate(str(c), c) for c in BOUNDS), *SUM_PREDICATES]
    domain = small(structure, numbers, predicates, ["x1", "x2", "y1", "y2"])
    assert proves(domain, FIGURE_1B) == (structure != "predicate")
    without = small(structure, numbers, predicates, [])
    assert not proves(without, FIGURE_1B)


# -- [GC10, table 1] ----------------------------------------------------------------------------

TP, TQ = Predicate("p", None), Predicate("q", None)
TABLE_1 = {
    "point": conj(disj(literal(TP), literal(TQ)), within(0, x, 5)),
    "function": disj(conj(literal(TP), within(0, x, 3)), conj(literal(TQ), within(1, x, 5))),
    "union": disj(
        conj(literal(TP), disj(at(equal(x, 0)), at(equal(x, 3)))),
        conj(literal(TQ), disj(at(equal(x, 1)), at(equal(x, 5)))),
    ),
}
EXPRESSIVE = {
    "numeric": [],
    "predicate": [],
    "nexpoint": ["point"],
    "nex": ["point", "function"],
    "mtndd": ["point", "function"],
    "ndd": ["point", "function", "union"],
}


@pytest.mark.parametrize("structure", STRUCTURES)
@with_numbers
def test_table_1_what_each_structure_can_say(structure: str, numbers: str) -> None:
    domain = small(structure, numbers, [TP, TQ], "xy")
    exact = [name for name, value in TABLE_1.items() if means(domain, domain.alpha(value), value)]
    assert exact == EXPRESSIVE[structure]


def test_skip_changes_nothing() -> None:
    for structure in STRUCTURES:
        domain = small(structure, "box", [TP, TQ], "xy")
        value = domain.alpha(TABLE_1["point"])
        assert domain.post(value, SKIP) == value
        assert domain.is_bot(domain.post(value, either([])))
