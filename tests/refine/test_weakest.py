"""Weakest preconditions of the core: the bad regions, phrased over the storage at each cut."""

from __future__ import annotations

import pytest

from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.ir import make
from predabs.refine.interpolators.weakest import Weakest
from predabs.refine.refiner import PivotRefinement
from support.lazy_paths import Case
from support.lazy_setup import equals

WEAKEST = Weakest()


def find(text: str, *labels: str, encoding: Encoding | None = None) -> dict[str, set[str]]:
    case = Case(text, labels, encoding=encoding)
    return case.shown(WEAKEST.find(case.problem(), 60.0))


COUNT = """int x; int main(void) { x = 0; A: x = x + 2; B: x = x + 2;
  C: if (x == 5) reach_error(); return 0; }"""


def test_substitution_along_the_path() -> None:
    case = Case(COUNT, ("A", "B", "C"))
    found = WEAKEST.find(case.problem(), 60.0)
    assert found is not None
    expected = {"A": 1, "B": 3, "C": 5}
    for configuration, predicate in found.predicates:
        value = expected.pop(case.names[configuration.location])
        other = equals(case.parts.program, "x", value)
        for one, two in ((predicate, other), (other, predicate)):
            assert case.parts.holds(make.disj((make.negate(one), two)))
    assert not expected


def test_inputs_are_projected_away() -> None:
    """Some input makes y less than x, if x is not the least number."""
    found = find(
        """int x, y, z; int main(void) { x = 5; z = 0; y = 0;
        A: y = __VERIFIER_nondet_int(); if (y > x) if (y < x + 2) if (y < 6) reach_error();
        return 0; }""",
        "A",
    )
    assert found
    assert all("nondet" not in text and "#" not in text for text in found["A"])


def test_memory() -> None:
    found = find(
        """int a[3], i; int main(void) { i = __VERIFIER_nondet_int(); a[0] = 1; a[1] = 1; a[2] = 1;
        A: if (i == 1) B: if (a[i] == 0) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert any("a[" in text for text in found["B"])


def test_several_conditions_are_several_predicates() -> None:
    found = find(
        """int x, y; int main(void) { x = __VERIFIER_nondet_int(); y = x;
        A: if (x > 3) B: if (y < 2) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert found["A"] == {"x > 3", "y < 2"}
    assert found["B"] == {"y < 2"}


PATHS = {
    "a counter": COUNT,
    "a relation": """int x, y; int main(void) { x = __VERIFIER_nondet_int(); y = x;
        A: x = x + 1; B: y = y + 1; C: if (x != y) reach_error(); return 0; }""",
    "branches": """int x, y; int main(void) { x = 0; y = __VERIFIER_nondet_int();
        A: if (y > 3) x = x + 1; B: if (y > 3) x = x - 1; C: if (x) reach_error(); return 0; }""",
    "calls": """int x; int g(int n) { return n + 3; } int main(void) { x = 0;
        A: x = g(x); B: x = g(x); C: if (x != 6) reach_error(); return 0; }""",
    "a pointer": """int *p; int main(void) { int x = 0; p = &x;
        A: *p = x + 1; B: *p = x + 1; C: if (x == 1) reach_error(); return 0; }""",
}


@pytest.mark.parametrize("encoding", [IntegerEncoding(), BitVectorEncoding()], ids=["int", "bv"])
@pytest.mark.parametrize("text", PATHS.values(), ids=PATHS)
def test_they_exclude_the_path(text: str, encoding: Encoding) -> None:
    case = Case(text, ("A", "B", "C"), WEAKEST, encoding=encoding)
    outcome = case.refine()
    assert isinstance(outcome, PivotRefinement)
    assert outcome.predicates
    for configuration, number in outcome.predicates:
        case.precision.add(configuration.location, number)
    assert case.refine() == PivotRefinement(outcome.pivot, ())
