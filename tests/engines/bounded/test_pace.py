"""A short search stops when it can be seen that it comes to nothing, and goes on later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from predabs.engines.bounded.engine import BoundedEngine
from predabs.engines.bounded.pace import Pace
from predabs.options import Budget, TimeOver
from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.engine_checks import searching, task_of

STEPS = "".join(f"x = x + {number}; if (x == 7) y = {number};" for number in range(1, 30))


@pytest.fixture(autouse=True)
def without_runs() -> Iterator[None]:
    """What a concrete run would find is left to the search."""
    with searching():
        yield


def search(body: str) -> BoundedEngine:
    program = program_of_c(f"int x, y; int main(void) {{ {body} return 0; }}")
    return BoundedEngine(task_of(program))


def hopeless(speeds: list[int], nodes: int = 1000) -> list[bool]:
    """What is said after each of ten seconds, of which so many nodes were seen in each."""
    guess = Pace(nodes, 0.0, 10.0)
    done, said = 0, []
    for second, speed in enumerate(speeds, 1):
        done += speed
        said.append(guess.is_hopeless(done, float(second)))
    return said


def test_a_steady_search_goes_on() -> None:
    assert not any(hopeless([100] * 10))


def test_a_search_that_gets_slower_stops() -> None:
    assert hopeless([150, 150, 150, 50, 5, 5, 5]) == [False] * 4 + [True] * 3


def test_nothing_is_said_at_once() -> None:
    assert hopeless([1, 1, 1, 1]) == [False] * 3 + [True]


def test_a_search_that_has_seen_as_many_nodes_as_there_are_goes_on() -> None:
    assert not any(hopeless([500, 500, 1, 1, 1, 1]))


@pytest.mark.parametrize("error", ["", "if (y == 3) reach_error();"])
def test_what_was_put_off_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch, error: str) -> None:
    monkeypatch.setattr(Pace, "is_hopeless", lambda self, done, now: True)
    begun = search(f"x = __VERIFIER_nondet_int(); {STEPS} {error}")
    with pytest.raises(TimeOver):
        begun.look(Budget.of(PLENTY))
    assert isinstance(begun.run(Budget.of(PLENTY)), Unsafe if error else Safe)


def test_only_a_short_search_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "is_hopeless", lambda self, done, now: True)
    assert isinstance(search(STEPS).run(Budget.of(PLENTY)), Safe)
