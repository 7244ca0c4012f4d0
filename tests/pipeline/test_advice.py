"""Hints for a verdict that is no bug."""

from __future__ import annotations

import pytest

from predabs.pipeline.advice import advice, short_reason, tried_lines
from predabs.pipeline.result import Answer, Result


def unknown(reason: str, *tried: str) -> Result:
    return Result(Answer.UNKNOWN, reason, None, "assert", "auto", 1.0, (), (), tried=tried)


@pytest.mark.parametrize(
    ("reason", "hint"),
    [
        ("the time limit was reached; lazy: no proof yet", "--timeout"),
        ("a limit of CPU time was reached (lazy)", "--timeout"),
        ("the memory limit of 100 MiB was reached (lazy)", "--memory"),
        ("the violation rests on what `f` returns, which has no model", "a body"),
    ],
)
def test_hints(reason: str, hint: str) -> None:
    (line,) = advice(unknown(reason))
    assert line.startswith("try: ") and hint in line


def test_no_hint_without_an_idea() -> None:
    assert advice(unknown("a.c:1:1: inline assembly is not supported")) == []


def test_what_engines_said_is_not_said_twice() -> None:
    late = unknown("the time limit was reached; lazy: no proof yet", "lazy, 1 s: no proof yet")
    assert short_reason(late) == "the time limit was reached"
    other = unknown("lazy: no proof; slam: a loop", "lazy, 1 s: no proof")
    assert short_reason(other) == "lazy: no proof; slam: a loop"
    same = unknown("no", "lazy (proofs), 1.0 s: no: way", "slam, 2.0 s: no: way", "x: other")
    assert tried_lines(same) == [
        "tried: lazy (proofs), 1.0 s: no: way",
        "tried: slam, 2.0 s: the same",
        "tried: x: other",
    ]
