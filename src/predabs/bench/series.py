"""A series of runs: what is still to be done, on this machine or elsewhere, and where answers go.

Tasks come one after the other, each under all configurations before the next, so that the machine
is in the same state for all of them. An answer is kept as soon as it is known. The same series
begun again goes on with what is missing.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from ..errors import InputError
from . import cgroup
from .answer import Answer
from .configuration import Configuration
from .database import Database
from .execute import Executor, Limits
from .guard import Guard
from .perform import Run, Stopped, perform
from .process_tree import adopting_orphans
from .task import Task

Answers: TypeAlias = Generator[tuple[Run, Answer], None, None]  # closed, it ends what runs


class Watcher(Protocol):
    """Somebody who is told how it goes."""

    def begun(self, run: Run) -> None: ...
    def ended(self, run: Run, answer: Answer) -> None: ...
    def told(self, text: str) -> None: ...


class Quiet:
    """A watcher who says nothing."""

    def begun(self, run: Run) -> None:
        pass

    def ended(self, run: Run, answer: Answer) -> None:
        pass

    def told(self, text: str) -> None:
        pass


def missing_runs(
    database: Database,
    tasks: Sequence[Task],
    configurations: Sequence[Configuration],
    limits: Limits,
    again: bool = False,
) -> list[Run]:
    """The runs that have no answer yet; with `again`, also those that may go on under these limits.
    Raises `InputError` if a program has changed since its answer."""
    known = {(*found.key, found.configuration): found for found in database.answers()}
    runs = []
    for task in tasks:
        digest = ""
        for configuration in configurations:
            answer = known.get((*task.key, configuration.name))
            if answer is not None and answer.digest:
                digest = digest or task.digest()
                if digest != answer.digest:
                    raise InputError(
                        f"{task.title}: the program has changed since its answer was kept; "
                        "write to another file (-o)"
                    )
            if answer is None or (again and answer.may_go_on(limits)):
                runs.append(Run(task, configuration, limits))
    return runs


def local_answers(runs: Sequence[Run], jobs: int, watcher: Watcher) -> Answers:
    """The answers as they come, so many runs at the same time on this machine."""
    if not runs:
        return
    waiting = iter(runs)
    told: queue.SimpleQueue[tuple[Run, Answer | BaseException]] = queue.SimpleQueue()
    stop = threading.Event()
    lock = threading.Lock()
    with machine() as (executor, folder):

        def work() -> None:
            while not stop.is_set():
                with lock:
                    run = next(waiting, None)
                if run is None:
                    return
                watcher.begun(run)
                told.put((run, attempt(run, executor, folder, stop.is_set)))

        threads = [threading.Thread(target=work) for _ in range(min(jobs, len(runs)))]
        try:
            for thread in threads:
                thread.start()
            for _ in runs:
                run, found = told.get()
                if isinstance(found, BaseException):
                    raise found
                yield run, found
        finally:
            stop.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()


def attempt(
    run: Run, executor: Executor, folder: Path, stopped: Callable[[], bool]
) -> Answer | BaseException:
    """The answer, or what went wrong with us."""
    try:
        place = Path(tempfile.mkdtemp(prefix="run-", dir=folder)) / "run"
        try:
            return perform(run, executor, place, stopped)
        finally:
            place.parent.rmdir()
    except Stopped as end:
        return end
    except Exception as problem:
        return problem


@contextlib.contextmanager
def machine() -> Iterator[tuple[Executor, Path]]:
    """What runs need on a machine: somebody who runs commands, and a folder. All is tidied up, even
    if this process is killed."""
    guard = Guard()
    group = cgroup.home()
    folder = Path(tempfile.mkdtemp(prefix=f"predabs-bench-{os.getpid()}-"))
    guard.tell("folder", folder)
    if group is not None:
        guard.tell("cgroup", group)
    try:
        with adopting_orphans():
            yield Executor(guard, group), folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if group is not None:
            cgroup.leave(group)
        guard.close()


def keep_answers(
    database: Database,
    answers: Answers,
    watcher: Watcher,
    again: bool = False,
) -> int:
    """Write each answer as soon as it is there; how many there were."""
    count = 0
    with contextlib.closing(answers):
        for run, answer in answers:
            database.add(answer, instead=again)
            watcher.ended(run, answer)
            count += 1
    return count
