"""States kept apart: random programs that read text, against all their runs and against merging."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from predabs.engines.bounded import explore, waitlist
from predabs.engines.engine import decide
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.options import Budget
from predabs.verdict import Safe, Unsafe
from support.counted_time import LONG, counted_time
from support.engine_checks import searching, task_of
from support.selection import mostly_long
from support.text_programs import has_error, text_program


def loaded(text: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(text)
    return load([str(file)])


@pytest.fixture(autouse=True)
def without_runs() -> Iterator[None]:
    """What a concrete run would find is left to the search."""
    with searching():
        yield


@pytest.mark.parametrize("most", [1, 3, 256])
@pytest.mark.parametrize("seed", mostly_long(range(60), 8))
def test_all_runs(seed: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many states of a point are kept apart, the verdict is what all runs together say."""
    monkeypatch.setattr(waitlist, "_MOST_APART", most)
    program = loaded(text_program(seed), tmp_path)
    with counted_time():
        verdict = decide("bounded", task_of(program), Budget.of(LONG))
    assert isinstance(verdict, Unsafe if has_error(program) else Safe)


def visits(program: Program, bound: int) -> int:
    """How many states are followed up to a bound."""
    explorer = explore.UnrollingExplorer(program, bound)
    count = 0
    while explorer.open:
        explorer.visit_next()
        count += 1
    assert not explorer.deferred
    return count


WORDS = """
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char text[6];
    int words = 0, at = 0;
    for (int i = 0; i < 6; i++) text[i] = __VERIFIER_nondet_char();
    while (at < 6) {
        while (at < 6 && text[at] == ' ') at++;
        if (at < 6) words++;
        while (at < 6 && text[at] != ' ') at++;
    }
    return words;
}
"""


def test_loops_over_a_text_end_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a known position no round is followed that no run makes: each takes a word."""
    program = loaded(WORDS, tmp_path)
    assert visits(program, bound=16) < 1000
    monkeypatch.setattr(waitlist, "_MOST_APART", 1)
    with pytest.raises(AssertionError):
        visits(program, bound=16)
