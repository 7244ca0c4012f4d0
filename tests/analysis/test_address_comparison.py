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
