"""[HJMS02, section 6], in spirit: drivers under a model of the kernel, watched by monitors."""

from __future__ import annotations

from functools import cache

import pytest

from predabs.engines.engine import decide
from predabs.evidence.replay import NotReplayed, replay
from predabs.frontend.compiler_flags import CompilerFlags, SourceFlags
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.counted_time import counted_time
from support.engine_checks import task_of
from support.lazy_setup import Watched
from support.places import PROGRAMS

DRIVERS = ("driver.c", "serial.c")
BUGS = [
    ("driver.c", "BUG_LOCK"),
    ("driver.c", "BUG_TWICE"),
    ("driver.c", "BUG_PENDING"),
    ("driver.c", "BUG_QUEUE"),
    ("serial.c", "BUG_LATE"),
    ("serial.c", "BUG_EARLY"),
]
DEEP = {"BUG_QUEUE", "BUG_LOCK"}  # several rounds of the kernel: large blocks only


@cache
def driver(name: str, *macros: str) -> Program:
    flags = SourceFlags(CompilerFlags(define=tuple(macros)))
    return load([str(PROGRAMS / "papers" / name)], DataModel.LP64, "main", flags)


@cache
def proved(name: str, block: str, intervals: bool) -> tuple[Watched, Verdict]:
    watched = Watched(driver(name), block=block, intervals=intervals)
    return watched, watched.run()


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize("block", ["loop", "basic"])
@pytest.mark.parametrize("name", DRIVERS)
def test_the_driver_keeps_the_rules(name: str, block: str, intervals: bool) -> None:
    _, verdict = proved(name, block, intervals)
    assert isinstance(verdict, Safe)


@pytest.mark.parametrize("name", DRIVERS)
def test_no_number_of_rounds_is_enough(name: str) -> None:
    """The kernel goes on for ever, so that it takes an invariant."""
    with counted_time():
        found = decide("bounded", task_of(driver(name)), Budget.of(0.5))
    assert isinstance(found, Unknown) and "loops were followed for" in found.reason


@pytest.mark.parametrize(
    ("name", "bug", "block"),
    [(*case, "loop") for case in BUGS] + [(*c, "basic") for c in BUGS if c[1] not in DEEP],
)
def test_a_mistake_is_found(name: str, bug: str, block: str) -> None:
    program = driver(name, bug)
    verdict = Watched(program, block=block).run()
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(program, verdict.inputs), NotReplayed)


@pytest.mark.parametrize("name", DRIVERS)
@pytest.mark.parametrize("block", ["loop", "basic"])
def test_predicates_stay_where_they_are_needed(name: str, block: str) -> None:
    """The benefit of local predicates: fewer are active at a node than there are in total."""
    watched, _ = proved(name, block, False)
    found = watched.statistics
    largest = max(len(node.support) for node in watched.search.explorer.tree.nodes())
    assert largest <= found.predicates_active <= found.predicates_total
    if (name, block) == ("driver.c", "basic"):
        assert found.predicates_active <= found.predicates_total // 2


def test_large_blocks_need_less_work() -> None:
    large, small = (proved("driver.c", block, False)[0].statistics for block in ("loop", "basic"))
    assert large.refinements < small.refinements
    assert large.nodes < small.nodes
    assert large.solver.calls < small.solver.calls


def test_monitors_are_about_global_state_and_drivers_about_locals() -> None:
    """Where the driver waits for more work, the lock is free."""
    watched, verdict = proved("driver.c", "basic", False)
    assert isinstance(verdict, Safe)
    main = watched.program.functions["main"]
    loop = [
        node
        for node in watched.search.explorer.tree.nodes()
        if node.configuration.location.function == "main"
        and not node.covered
        and len(main.incoming[node.configuration.location]) > 1
    ]
    shown = {watched.region(node.region) for node in loop}
    assert any("lock_state == 0" in text for text in shown)
