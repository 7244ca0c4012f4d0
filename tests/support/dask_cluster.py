"""A real scheduler of Dask, and real workers."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .bench_runs import own_environment
from .processes import soon


def start(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env=own_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[Path]:
    """A scheduler; its address is in the file."""
    file = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    process = start("distributed.cli.dask_scheduler", *words)
    try:
        assert soon(file.exists)
        yield file
    finally:
        process.kill()
        process.wait()


def worker(file: Path) -> subprocess.Popen[bytes]:
    words = ["--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    return start("distributed.cli.dask_worker", *words)


def address(file: Path) -> str:
    found: str = json.loads(file.read_text())["address"]
    return found
