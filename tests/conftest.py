"""Settings for all tests: the same examples every time, and no time limit for one of them.

`HYPOTHESIS_PROFILE=search` looks for new counterexamples instead. After the tests one line says
what was left out, and why. A test of polyhedra is skipped where they are not installed. Engines
take turns unless a test asks for more: so they do the same on every machine. There is no store
unless a test makes one.
"""

import gc
import os
import sys
from collections import Counter
from collections.abc import Generator
from functools import _lru_cache_wrapper

import pytest
from hypothesis import HealthCheck, settings

from predabs.domains.factory import installed
from predabs.engines.auto import engine as auto
from predabs.errors import NotInstalled

# These two judge how fast the machine is
_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile("predabs", deadline=None, derandomize=True, suppress_health_check=_SLOW)
settings.register_profile("search", deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "predabs"))
auto.cores = lambda: 1
os.environ["PREDABS_STORE"] = "off"  # that of whoever runs the tests is none of theirs


def pytest_collection_finish() -> None:
    """Look through old objects as seldom as a check does: interned terms and programs stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What a module's tests share ends with them: the BDD managers in it would be in the way of
    checks that are started later."""
    module = getattr(item, "module", None)
    if module is not None and getattr(nextitem, "module", None) is not module:
        shared = sys.modules.get("support.numpred_states")
        for value in [*vars(module).values(), *vars(shared or module).values()]:
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell on one line how many tests were skipped for which reason."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    if reasons:
        told = ", ".join(f"{count} ({reason})" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {told}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    try:
        return (yield)
    except NotInstalled as missing:
        pytest.skip(str(missing))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Examples in docstrings and pages report what they meet themselves."""
    skip = pytest.mark.skip(reason="needs polyhedra: pip install 'predabs[polyhedra]'")
    for item in items:
        example = item.path.name == "polyhedra.py" or "needs_polyhedra" in item.keywords
        if example and not installed("polyhedra"):
            item.add_marker(skip)
