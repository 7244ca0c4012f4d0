"""The guard: a process that ends the runs of a bench that was killed.

A process that is killed with SIGKILL can end nothing any more. So it tells a guard, over a pipe,
what it has started: `+ pid`, `- pid`, `cgroup path`, `folder path`. When the pipe ends, the guard
kills what is left and removes the folders of that bench.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from ..supervise.usage import tree

_END_SECONDS, _LOOK_SECONDS = 5.0, 0.01
_LEADING = "predabs-bench-"  # of all that may be removed


class Guard:
    """The guard, as the process sees it that is guarded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def tell(self, word: str, what: object) -> None:
        stream = self._process.stdin
        with self._lock, contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.write(f"{word} {what}\n".encode())
                stream.flush()

    def close(self) -> None:
        """It goes; what it still knows of, it ends."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.wait()


def watch(lines: Iterable[str]) -> None:
    """What the guard does: listen to the end, then tidy up."""
    running: set[int] = set()
    groups: list[Path] = []
    folders: list[Path] = []
    for line in lines:
        word, _, what = line.rstrip("\n").partition(" ")
        match word:
            case "+":
                running.add(int(what))
            case "-":
                running.discard(int(what))
            case "cgroup":
                groups.append(Path(what))
            case "folder":
                folders.append(Path(what))
    for pid in running:
        for one in list(tree(pid)):
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
    for group in groups:
        _end_groups(group)
    for folder in folders:
        if folder.name.startswith(_LEADING):
            shutil.rmtree(folder, ignore_errors=True)


def _end_groups(home: Path) -> None:
    if not (home.name.startswith(_LEADING) and home.is_dir()):
        return
    for group in [*(path for path in home.iterdir() if path.is_dir()), home]:
        end = time.monotonic() + _END_SECONDS
        while group.exists() and time.monotonic() < end:  # what was killed takes a moment to go
            with contextlib.suppress(OSError):
                (group / "cgroup.kill").write_text("1")
            with contextlib.suppress(OSError):
                group.rmdir()
            time.sleep(_LOOK_SECONDS)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    watch(sys.stdin)
