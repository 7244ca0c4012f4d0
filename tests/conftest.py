"""Settings for all tests: the same examples every time, and no time limit for one of them.

`HYPOTHESIS_PROFILE=search` looks for new counterexamples instead. A test of polyhedra is skipped
where they are not installed.
"""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from predabs.domains.factory import installed
from predabs.errors import NotInstalled

settings.register_profile("predabs", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "predabs"))


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
