"""Processes that tests start and watch, with all the patience that a busy machine needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 600.0  # seconds
_LOOK = 0.02


def environment() -> dict[str, str]:
    """What a Python process needs to import what this one can."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def predabs_process(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    """`predabs` as at a prompt, with what it prints."""
    return subprocess.run(
        [sys.executable, "-m", "predabs", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(),
        **options,
    )


def hear_signals() -> None:
    """To be called in a child before it starts: nohup and a shell's & let signals be ignored."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def is_alive(pid: int) -> bool:
    """Is the process there and no mere zombie?"""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def soon(holds: Callable[[], object]) -> bool:
    """Whether it comes true, if one waits."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(_LOOK)
    return True
