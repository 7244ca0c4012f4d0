"""Where objects lie is left open."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs

MODEL = """extern void reach_error(void); extern void *malloc(unsigned long); void *outside(void);
long is_error(void *p) { return (unsigned long)p > %s; }
void *error(long n) { return (void *)(2012L - n); }
int main(void) {
    int *p = %s;
    if (!is_error(p)) reach_error();
    return 0;
}
"""


@pytest.mark.parametrize(
    ("number", "pointer", "verdict"),
    [
        ("2012UL", "malloc(4)", "FALSE"),  # it could lie below
        ("2012UL", "error(-12)", "TRUE"),  # no object
        ("(unsigned long)-4096", "malloc(4)", "FALSE"),
        ("2012UL", "outside()", "FALSE"),
        ("2012UL", "0", "FALSE"),
    ],
)
def test_a_proof_does_not_rest_on_where_objects_lie(
    number: str, pointer: str, verdict: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.c"
    file.write_text(MODEL % (number, pointer))
    result = predabs.check([file], timeout=30)
    assert result.verdict.value == verdict


def test_all_objects_lie_on_the_same_side(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        """extern void reach_error(void); int a, b;
        int main(void) {
            unsigned long p = (unsigned long)&a, q = (unsigned long)&b;
            if ((p > 100) != (q > 100)) reach_error();
            return 0;
        }
        """
    )
    result = predabs.check([file], timeout=30)
    assert result.verdict.value == "TRUE"
    assert any("either side of 100" in text for text in result.assumptions)


NUMBERS = """extern void reach_error(void); extern unsigned int __VERIFIER_nondet_uint(void);
extern int x; union { int *address; unsigned number; } both;
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    both.address = &x;
    both.number = n;
    unsigned m = both.number;
    if (m %s 256 && n %s 256) reach_error();
    return 0;
}
"""


@pytest.mark.parametrize(("one", "other", "wrong"), [("<", ">=", "FALSE"), ("<", "<", "TRUE")])
def test_numbers_where_addresses_may_be_are_still_numbers(
    one: str, other: str, wrong: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.c"
    file.write_text(NUMBERS % (one, other))
    result = predabs.check([file], timeout=20, data_model="ILP32")
    assert result.verdict.value != wrong


def test_an_address_in_a_variable_for_numbers(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        """extern void reach_error(void); int a;
        int main(void) {
            unsigned long first = (unsigned long)&a, second = first;
            if (second < 2012UL) reach_error();
            return 0;
        }
        """
    )
    assert predabs.check([file], timeout=30).verdict.value == "FALSE"
