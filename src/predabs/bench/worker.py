"""What a worker of a cluster does: it unpacks a run, performs it under its limits, and answers."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import tempfile
import threading
from pathlib import Path

from .. import __version__
from ..errors import InputError
from .answer import Answer
from .execute import Executor
from .parcel import Parcel, delivered, unpack
from .perform import perform
from .series import machine

_lock = threading.Lock()
_machine: list[tuple[Executor, Path]] = []  # of this process; made for the first run
_stopped: set[str] = set()  # the benches that want no more answers


def run_parcel(parcel: Parcel, bench: str) -> Answer:
    """The answer to a run of a bench. Raises `Stopped` if the bench is stopped meanwhile."""
    if parcel.version != __version__:
        raise InputError(
            f"a worker has predabs {__version__}, this is {parcel.version}: install the same"
        )
    executor, home = _this_machine()
    folder = Path(tempfile.mkdtemp(prefix="parcel-", dir=home))
    try:
        run = unpack(parcel, folder / "program")
        answer = perform(run, executor, folder / "run", lambda: bench in _stopped)
        return delivered(parcel, answer)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stop(bench: str) -> None:
    """End the runs of a bench on this worker, and begin none."""
    _stopped.add(bench)


def _this_machine() -> tuple[Executor, Path]:
    with _lock:
        if not _machine:
            cleanup = contextlib.ExitStack()
            _machine.append(cleanup.enter_context(machine()))
            atexit.register(cleanup.close)
        return _machine[0]
