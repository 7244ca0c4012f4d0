"""The expressions of a witness: what is let into the source, and what is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.errors import InputError
from predabs.evidence.witness.expressions import RESULT, guarded


@pytest.mark.parametrize(
    "text",
    [
        "x <= 10 && y != -3",
        "(long long)x * 2LL <= 0x7fU || !(a[i] == 'c')",
        "((struct s *)p)->k == q.a[1] ? 1 : (unsigned char)y > 3",
        "sizeof(int) == 4 && ~x << 2 >= 1.5e-3",
    ],
)
def test_expressions_stay_as_they_are(text: str) -> None:
    assert guarded(text, "w:1") == text


def test_words_of_witnesses() -> None:
    assert guarded("true && !false", "w:1") == "1 && !0"
    assert guarded("\\result >= 3", "w:1", result=True) == f"{RESULT} >= 3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "`=`"),
        ("x++ < 3", "`++`"),
        ("x <<= 2", "`<<=`"),
        ("f(x) > 0", "a call of f"),
        ("x); abort(", "do not match"),
        ("x) || (y", "do not match"),
        ("((x)", "do not match"),
        ("x; y", "`;`"),
        ("({ x; })", "`{`"),
        ("x /* y", "`/*`"),
        ("x // y", "`//`"),
        ("x <% y", "`<%`"),
        ("#define x", "`#`"),
        ("  ", "missing"),
        ("\\result == 1", "only known where a function returns"),
        ("__predabs_w_at == 1", "are taken"),
        ('"text"', '`"`'),
    ],
)
def test_what_could_change_the_program_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=r"^w:1: ") as problem:
        guarded(text, "w:1")
    assert message in str(problem.value)


@given(st.text(alphabet="xy01()[]{};=+-*/<>&|!?:,.#\\'\" \n", max_size=30))
def test_any_text_is_an_expression_or_bad_input(text: str) -> None:
    try:
        result = guarded(text, "w:1")
    except InputError:
        return
    outside = re.sub(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"", "", result)
    assert outside.count("(") == outside.count(")")
    assert not any(sign in outside for sign in (";", "{", "}", "//", "/*", "\n"))
