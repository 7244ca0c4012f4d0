"""Settings for all tests: the same examples every time, and no time limit for one of them.

`HYPOTHESIS_PROFILE=search` looks for new counterexamples instead. After the tests one line says
what was left out, and why.
"""

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

# These two judge how fast the machine is
_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile("predabs", deadline=None, derandomize=True, suppress_health_check=_SLOW)
settings.register_profile("search", deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "predabs"))


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
