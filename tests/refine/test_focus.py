"""The focus operator: predicates as the program writes them."""

from __future__ import annotations

import pytest

from predabs.refine.interpolators.focus import FocusInterpolator
from support.lazy_paths import Case

FOCUS = FocusInterpolator()


def find(text: str, *labels: str) -> dict[str, set[str]]:
    case = Case(text, labels)
    return case.shown(FOCUS.find(case.problem(), 60.0))


def test_primes_are_dropped() -> None:
    """[HJMS02, section 5.3]: from old' = new and new' = old' stays new == old."""
    found = find(
        """int old, new; int main(void) { new = __VERIFIER_nondet_int(); old = new;
        A: new = new + 1; B: if (new == old) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert {"new == old"} <= found["B"] <= {"new == old", "old == new"}
    assert {"new == old"} <= found["A"] <= {"new == old", "old == new"}


def test_conditions_lose_their_connectives_and_negations() -> None:
    found = find(
        """int x, y; int main(void) { x = 1; y = 2;
        A: if (!(x == 1 || (y > 1 && x < 5))) reach_error(); return 0; }""",
        "A",
    )
    assert {"x == 1", "y > 1", "x < 5"} <= found["A"]
    assert not [text for text in found["A"] if "&&" in text or "||" in text or "!" in text]


def test_assignments_give_equations() -> None:
    found = find(
        """int x, y, z; int main(void) { x = 0; A: y = x; B: if (y) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert "y == 0" in found["B"]
    assert "x == 0" in found["A"]


def test_what_does_not_matter_is_left_out() -> None:
    found = find(
        """int x, y; int main(void) { x = 0; y = 7; if (__VERIFIER_nondet_int()) y = 8;
        A: y = y + 1; if (y > 5) B: if (x == 3) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert all("y" not in text for texts in found.values() for text in texts)


def test_a_variable_matters_until_it_is_written() -> None:
    """x is written behind A, so that nothing about x is wanted there."""
    found = find(
        """int x; int main(void) { x = __VERIFIER_nondet_int();
        A: x = 4; B: if (x == 5) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert "A" not in found
    assert found["B"] == {"x == 5", "x == 4"}


def test_variables_of_a_function_that_has_ended_are_left_out() -> None:
    found = find(
        """int x; void f(int n) { int m = n + 1; A: x = m; }
        int main(void) { f(2); B: if (x != 3) reach_error(); return 0; }""",
        "A",
        "B",
    )
    assert any("m" in text for text in found["A"])
    assert found["B"]
    assert not [text for text in found["B"] if "m" in text or "n" in text]


def test_counters_give_no_constants_of_the_unrolling() -> None:
    """`x = x + 1` is no equation without primes, so only what the program says is left."""
    found = find(
        """int x; int main(void) { x = 0; A: x = x + 1; goto B; B: x = x + 1;
        C: if (x == 7) reach_error(); return 0; }""",
        "A",
        "B",
        "C",
    )
    assert all(texts <= {"x == 0", "x == 7"} for texts in found.values())


def test_nothing_is_found_where_there_is_no_cut() -> None:
    case = Case(
        "int main(void) { int x = 0; if (x == __VERIFIER_nondet_int()) reach_error(); }", ()
    )
    with pytest.raises(IndexError):
        case.problem()  # the path is real: nobody is asked


def test_an_expression_that_chooses_is_no_predicate() -> None:
    found = find(
        """int x, y; int main(void) { y = __VERIFIER_nondet_int(); x = y > 0 ? 1 : 2;
        A: if (x == 3) reach_error(); return 0; }""",
        "A",
    )
    assert not [text for text in found["A"] if "?" in text]
