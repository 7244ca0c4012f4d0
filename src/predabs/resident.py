"""How much memory a process and its descendants hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def resident_bytes(pid: int) -> int:
    """The bytes of main memory that a process and all its descendants hold; 0 if it is gone."""
    if sys.platform != "linux":
        return _ask_ps(pid)
    total = 0
    todo = [pid]
    while todo:
        process = Path("/proc", str(todo.pop()))
        try:
            total += int((process / "statm").read_text().split()[1]) * _PAGE
            for thread in (process / "task").iterdir():
                todo += map(int, (thread / "children").read_text().split())
        except (OSError, IndexError):
            continue  # it ended while we looked
    return total


def _ask_ps(pid: int) -> int:
    """Where there is no /proc; of the process alone."""
    asked = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return int(asked.stdout.strip() or 0) * 1024
