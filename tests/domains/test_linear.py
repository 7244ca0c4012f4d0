"""Linear forms and constraints, domains by name, the documentation's examples, and signals."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.domains.factory import NAMES as DOMAIN_NAMES
from predabs.domains.factory import create
from predabs.domains.linear import (
    FALSE,
    TRUE,
    Comparison,
    Constraint,
    Linear,
    at_most,
    equal,
    normal,
    variable,
)
from predabs.errors import InputError
from support.domain_values import GRID, NAMES, constraints, forms
from support.places import DOCS
from support.processes import PATIENCE

PAGE = DOCS / "domains.md"
some_points = st.sampled_from(GRID)
few = settings(max_examples=100, deadline=None)


@few
@given(a=forms, b=forms, factor=st.integers(-3, 3), point=some_points)
def test_sums(a: Linear, b: Linear, factor: int, point: dict[str, int]) -> None:
    assert (a + b).at(point) == a.at(point) + b.at(point)
    assert (a - b).at(point) == a.at(point) - b.at(point)
    assert (factor * a + 3 - 1).at(point) == factor * a.at(point) + 2
    assert a.replaced("x", b).at(point) == a.at({**point, "x": b.at(point)})
    assert all(c for _, c in (a + b).coefficients)
    assert (a - a) == Linear(())
    turned = dict(zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True))
    assert a.renamed(turned).at({turned[name]: point[name] for name in NAMES}) == a.at(point)


@few
@given(
    form=forms, relation=st.sampled_from(Comparison), factor=st.integers(1, 4), point=some_points
)
def test_the_normal_form_has_the_same_solutions(
    form: Linear, relation: Comparison, factor: int, point: dict[str, int]
) -> None:
    found = normal(factor * form, relation)
    assert found == normal(form, relation)
    assert found.holds(point) == Constraint(form, relation).holds(point)
    if relation is Comparison.EQUAL:
        assert found == normal(-form, relation)


@few
@given(constraint=constraints, point=some_points)
def test_negation_and_halves(constraint: Constraint, point: dict[str, int]) -> None:
    holds = constraint.holds(point)
    assert any(part.holds(point) for part in constraint.negation()) == (not holds)
    assert all(part.holds(point) for part in constraint.halves()) == holds
    assert all(part.relation is Comparison.AT_MOST for part in constraint.halves())


def test_constraints_without_variables() -> None:
    x = variable("x")
    assert at_most(x, x) == equal(x, x) == at_most(0, 1) == TRUE
    assert at_most(x + 1, x) == equal(2 * x, 2 * x + 1) == equal(2 * x, 1) == FALSE
    assert TRUE.negation() == (FALSE,) and FALSE.negation() == (TRUE,)


@pytest.mark.needs_polyhedra
def test_domains_by_name() -> None:
    assert [create(name).name for name in DOMAIN_NAMES] == list(DOMAIN_NAMES)
    with pytest.raises(InputError, match="choose one of box, octagon, polyhedra"):
        create("zones")


@pytest.mark.needs_polyhedra
def test_the_library_leaves_signals_alone() -> None:
    """Loading polyhedra changes no handler: here the kernel's word counts, not Python's."""
    script = """
import signal
def caught():
    with open("/proc/self/status") as status:
        mask = next(line.split()[1] for line in status if line.startswith("SigCgt"))
    return int(mask, 16) & 0x7FFFFFFF  # without those that the C library keeps for itself
before, handler = caught(), signal.getsignal(signal.SIGINT)
from predabs.domains.factory import create
create("polyhedra")
print(before == caught() and handler is signal.getsignal(signal.SIGINT))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == "True\n", done.stderr


@pytest.mark.needs_polyhedra
def test_the_examples_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted >= 20
    assert result.failed == 0
