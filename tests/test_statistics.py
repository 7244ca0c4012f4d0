"""The counters of a check: time is charged to the innermost phase, whatever happens."""

from __future__ import annotations

import pickle

import pytest

from predabs import statistics
from predabs.numpred.domain.counters import Operation
from predabs.statistics import EngineStatistics, Phase


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as a list of one number that a test moves on."""
    now = [100.0]
    monkeypatch.setattr(statistics.time, "perf_counter", lambda: now[0])
    return now


def test_phases_nest_and_exclude_each_other(clock: list[float]) -> None:
    counted = EngineStatistics()
    with counted.phase(Phase.ABSTRACTION):
        clock[0] += 1
        for _ in range(3):
            with counted.phase(Phase.BDD):
                clock[0] += 10
        clock[0] += 100
    clock[0] += 1000  # in no phase
    assert counted.seconds == {Phase.ABSTRACTION: 101, Phase.BDD: 30}
    assert counted.phase_now is None


def test_a_phase_inside_itself_counts_once(clock: list[float]) -> None:
    counted = EngineStatistics()
    with counted.phase(Phase.REPLAY), counted.phase(Phase.REPLAY):
        clock[0] += 5
    assert counted.seconds == {Phase.REPLAY: 5}


def test_an_exception_ends_a_phase(clock: list[float]) -> None:
    counted = EngineStatistics()
    with pytest.raises(ValueError), counted.phase(Phase.SLICE):
        clock[0] += 2
        raise ValueError
    clock[0] += 4
    with counted.phase(Phase.SEARCH):
        clock[0] += 1
    assert counted.seconds == {Phase.SLICE: 2, Phase.SEARCH: 1}


def test_the_phase_that_is_open_can_be_charged(clock: list[float]) -> None:
    counted = EngineStatistics()
    with counted.phase(Phase.SEARCH):
        clock[0] += 3
        counted.charge()
        assert counted.seconds == {Phase.SEARCH: 3}
        assert counted.phase_now is Phase.SEARCH
        clock[0] += 4
    assert counted.seconds == {Phase.SEARCH: 7}


def test_engines_count_on_their_own_and_together(clock: list[float]) -> None:
    counted = EngineStatistics()
    lazy, slam = counted.of("lazy"), counted.of("slam")
    assert counted.of("lazy") is lazy
    with counted.phase(Phase.SLICE):
        clock[0] += 1
    with lazy.phase(Phase.ABSTRACTION):
        clock[0] += 10
        assert counted.phase_now is Phase.ABSTRACTION
    for number, engine in enumerate((lazy, slam), 1):
        engine.solver.calls, engine.solver.seconds = number, 0.5 * number
        engine.predicates_total, engine.predicates_active = 3 * number, 4 - number
        engine.refinements, engine.nodes = 5 * number, 7
        engine.operations.calls[Operation.JOIN] = number
    with slam.phase(Phase.ABSTRACTION):
        clock[0] += 100
        total = counted.total()  # up to this moment
    assert total.seconds == {Phase.SLICE: 1, Phase.ABSTRACTION: 110}
    assert (total.solver.calls, total.solver.seconds) == (3, 1.5)
    assert (total.predicates_total, total.predicates_active) == (9, 3)
    assert (total.refinements, total.nodes) == (15, 14)
    assert total.operations.calls == {Operation.JOIN: 3}
    assert counted.refinements == 0 and lazy.refinements == 5


def test_whoever_was_stopped_counts_no_time(clock: list[float]) -> None:
    """The counters of a process that is gone are as it has sent them, in the middle of a phase."""
    counted = EngineStatistics()
    with counted.phase(Phase.SEARCH):
        sent: EngineStatistics = pickle.loads(pickle.dumps(counted))
    clock[0] += 2.0
    sent.stop()
    clock[0] += 5.0
    assert sent.total().seconds == {Phase.SEARCH: 2.0} and sent.phase_now is None
