"""Runs on a cluster, with the library Dask distributed.

A task is sent when a worker may soon be free for it. One whose worker dies or leaves is run again
elsewhere, by Dask or by us. Of each run one answer comes back, however often it was begun.
"""

from __future__ import annotations

import contextlib
import logging
import math
import queue
import re
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from distributed import Client, KilledWorker, LocalCluster

from ..errors import InputError
from .answer import Answer
from .parcel import Parcel, pack
from .perform import Run
from .series import Answers, Watcher
from .worker import run_parcel, stop

_AHEAD = 2  # runs sent for each thread of a worker, so that none waits for the next
_LOOK_SECONDS = 1.0  # between two looks at who is there
_MOST_DEATHS = 20  # of workers under one run, before it is given up
_CONNECT_SECONDS = 10
_ADDRESS = re.compile(r"(\w+://)?[^/\s]+:\d+")


def cluster_answers(
    runs: Sequence[Run], address: str | None, workers: int | None, watcher: Watcher
) -> Answers:
    """The answers as they come, from the cluster at the address, or from one of so many worker
    processes on this machine."""
    if not runs:
        return
    with connected(address, workers) as client:
        series = Series(client, runs, watcher)
        try:
            yield from series.answers()
        finally:
            series.close()


@contextlib.contextmanager
def connected(address: str | None, workers: int | None) -> Iterator[Any]:
    """A client of the cluster at the address, or of one of so many processes here."""
    if address is not None and not _ADDRESS.fullmatch(address):
        raise InputError(
            f"--cluster {address}: this is no address of a scheduler, such as tcp://host:8786"
        )
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as cleanup:
        place: Any = address
        if address is None:
            place = cleanup.enter_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    memory_limit=0,  # runs have limits of their own
                    dashboard_address=":0",  # any port that is free
                    silence_logs=logging.CRITICAL,
                )
            )
        try:
            client = Client(place, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, ImportError) as problem:
            raise InputError(f"--cluster {address}: no scheduler answers there") from problem
        yield cleanup.enter_context(client)


class Series:
    """The runs of one bench on a cluster."""

    def __init__(self, client: Any, runs: Sequence[Run], watcher: Watcher) -> None:
        self._client = client
        self._watcher = watcher
        self._name = uuid.uuid4().hex
        self._waiting = list(enumerate(runs))[::-1]
        self._runs = runs
        self._sent: dict[int, Any] = {}  # futures by the number of the run
        self._deaths: dict[int, int] = {}
        self._looked, self._room = -math.inf, 0
        self._alone = False
        self._ended: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def answers(self, last: float = math.inf) -> Iterator[tuple[Run, Answer]]:
        """The answers as they come, until that time of `time.monotonic`."""
        while (self._waiting or self._sent) and time.monotonic() < last:
            self._send()
            try:
                number, future = self._ended.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                self._check_connection()
                continue
            if (answer := self._taken(number, future)) is not None:
                yield self._runs[number], answer

    def others(self) -> Iterator[tuple[Run, Answer]]:
        """The answers that are there by now, too."""
        with contextlib.suppress(queue.Empty):
            while True:
                number, future = self._ended.get_nowait()
                if (answer := self._taken(number, future)) is not None:
                    yield self._runs[number], answer

    def _taken(self, number: int, future: Any) -> Answer | None:
        """The answer of a run that has ended; None if it was or will be sent again."""
        if self._sent.get(number) is not future:
            return None
        del self._sent[number]
        return self._answer(number, future)

    def _send(self) -> None:
        """Keep all threads of the workers that are there now busy."""
        now = time.monotonic()
        if now - self._looked > _LOOK_SECONDS:  # to ask the scheduler takes a while
            self._looked = now
            threads = sum(self._client.nthreads().values())
            self._room = _AHEAD * max(1, threads)
            if not threads and not self._alone:
                self._watcher.told("no worker is there: the runs wait for the first one")
            self._alone = not threads
        while self._waiting and len(self._sent) < self._room:
            number, run = self._waiting.pop()
            future = self._submit(number, pack(run))
            self._sent[number] = future
            self._watcher.begun(run)

            def tell(ended: Any, number: int = number) -> None:
                self._ended.put((number, ended))

            future.add_done_callback(tell)

    def _submit(self, number: int, parcel: Parcel) -> Any:
        key = f"predabs-{self._name}-{number}-{self._deaths.get(number, 0)}"
        return self._client.submit(run_parcel, parcel, self._name, key=key, pure=False)

    def _answer(self, number: int, future: Any) -> Answer | None:
        """What came of it; None if it has to be run again."""
        if future.status == "finished":
            answer: Answer = future.result()
            return answer
        if future.status == "error":
            problem = future.exception()
            if isinstance(problem, ModuleNotFoundError):
                raise InputError(f"a worker of the cluster lacks a module: {problem}") from problem
            if not isinstance(problem, KilledWorker):
                raise problem
        self._check_connection()
        self._deaths[number] = self._deaths.get(number, 0) + 1
        if self._deaths[number] > _MOST_DEATHS:
            title = self._runs[number].task.title
            raise InputError(
                f"{title}: each worker that runs it dies, for the {_MOST_DEATHS}th time"
            )
        self._waiting.append((number, self._runs[number]))
        return None

    def _check_connection(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise InputError("the scheduler of the cluster is gone; the same command goes on")

    def close(self) -> None:
        """Nothing of this bench goes on."""
        if self._sent:
            with contextlib.suppress(Exception):  # whatever is left of the cluster
                self._client.cancel(list(self._sent.values()), force=True)
                self._client.run(stop, self._name, on_error="ignore")
