"""Children under limits: results, limits, crashes, and that nothing is left behind."""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from predabs.errors import InputError, InternalError
from predabs.ir import make
from predabs.ir.expr import Var
from predabs.ir.types import INT
from predabs.supervise import (
    Channel,
    Child,
    ChildFinished,
    Crashed,
    Gone,
    Message,
    OutOfMemory,
    OutOfTime,
    ProcessLimits,
    Send,
    signals_held,
    supervise,
    unwinding,
)
from predabs.supervise.garbage import uncollected
from support.processes import PATIENCE, environment, hear_signals, is_alive, soon

FREE = ProcessLimits()
LONGER = (0.3, 3.0, 30.0, 300.0)  # seconds


def ended(work: Callable[[Send], None]) -> int:
    """The process that the work has told of before its time was over: the limit is as long as it
    takes on this machine to come so far."""
    heard: list[int] = []
    for seconds in LONGER:
        assert supervise(work, ProcessLimits(seconds), heard.append) == OutOfTime()
        if heard:
            break
    return heard[0]


def used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_result_and_messages_come_back() -> None:
    heard: list[object] = []

    def work(send: Send) -> int:
        send("one")
        send({"two": 2})
        return 6 * 7

    assert supervise(work, FREE, heard.append) == ChildFinished(42)
    assert heard == ["one", {"two": 2}]


def test_large_results_pass_through_the_pipe() -> None:
    assert supervise(lambda send: b"x" * 3_000_000, ProcessLimits(60)) == ChildFinished(
        b"x" * 3_000_000
    )


def test_terms_are_interned_again() -> None:
    x = Var("x", INT)

    def work(send: Send) -> object:
        return make.less(x, make.const(3, INT))

    outcome = supervise(work, FREE)
    assert isinstance(outcome, ChildFinished) and outcome.value is make.less(x, make.const(3, INT))


def test_our_errors_are_raised_here() -> None:
    def work(send: Send) -> None:
        raise InputError("a.c:1:1: no")

    with pytest.raises(InputError, match=r"a\.c:1:1: no"):
        supervise(work, FREE)


def test_a_bug_brings_its_traceback() -> None:
    def broken_function(send: Send) -> None:
        raise ValueError("oops")

    with pytest.raises(InternalError, match="ValueError: oops") as caught:
        supervise(broken_function, FREE)
    assert "broken_function" in "".join(caught.value.__notes__)


def test_what_does_not_pickle_is_a_bug() -> None:
    with pytest.raises(InternalError):
        supervise(lambda send: lambda: 1, FREE)


def test_time_limit_ends_a_busy_child() -> None:
    def work(send: Send) -> None:
        send(os.getpid())
        while True:
            pass

    assert not is_alive(ended(work))


def test_time_limit_ends_grandchildren_too() -> None:
    def work(send: Send) -> None:
        send(subprocess.Popen(["sleep", str(PATIENCE)]).pid)
        time.sleep(PATIENCE)

    grandchild = ended(work)
    assert soon(lambda: not is_alive(grandchild))


def test_memory_limit() -> None:
    def work(send: Send) -> int:
        block = bytearray(b"x") * (400 << 20)
        time.sleep(PATIENCE)
        return len(block)

    assert supervise(work, ProcessLimits(PATIENCE, 200)) == OutOfMemory()


def test_memory_error_is_a_limit_not_a_bug() -> None:
    def work(send: Send) -> None:
        raise MemoryError

    assert supervise(work, FREE) == OutOfMemory()


def test_a_limit_of_cpu_time_that_someone_else_has_set() -> None:
    def work(send: Send) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 2))
        while True:
            pass

    assert supervise(work, ProcessLimits(PATIENCE)) == OutOfTime()


def test_a_limit_of_cpu_time_holds_for_all_processes_together() -> None:
    def busy(send: Send) -> None:
        while True:
            pass

    def work(send: Send) -> None:
        with signals_held():
            children = [Child(busy) for _ in range(2)]
        try:
            time.sleep(PATIENCE)
        finally:
            for child in children:
                child.end()

    before = used_by_children()
    assert supervise(work, ProcessLimits(PATIENCE, cpu=0.4)) == OutOfTime()
    assert used_by_children() > before + 0.4  # the system has not lost what they used


def test_what_native_libraries_print_is_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    def work(send: Send) -> None:
        os.write(2, b"thread panicked at the disco")

    supervise(work, FREE)
    assert capfd.readouterr() == ("", "")


def test_orders_and_reports() -> None:
    """A child that is told what to do, step by step; suspended, it does nothing."""

    def serve(channel: Channel) -> None:
        while True:
            channel.send(channel.receive(int) + 1)

    with signals_held():
        child = Child(serve)
    for number in (1, 5):
        child.send(number)
        assert list(child.events()) == [Message(number + 1)]
    child.suspend()
    assert soon(lambda: Path(f"/proc/{child.pid}/stat").read_text().split()[2] == "T")
    child.send(7)
    child.resume()
    assert list(child.events()) == [Message(8)]
    os.kill(child.pid, signal.SIGKILL)
    assert list(child.events()) == [Gone(OutOfMemory())]
    child.send(9)  # nobody hears it
    child.end()


def test_native_crash_is_told() -> None:
    def work(send: Send) -> None:
        faulthandler.disable()  # pytest's would print the stack
        ctypes.string_at(0)

    assert supervise(work, FREE) == Crashed("it was ended by SIGSEGV")


def test_a_child_that_leaves_is_told() -> None:
    def work(send: Send) -> None:
        os._exit(5)

    assert supervise(work, FREE) == Crashed("it ended with exit code 5")


def test_an_exception_in_the_parent_ends_the_child() -> None:
    heard: list[int] = []

    def receive(pid: int) -> None:
        heard.append(pid)
        raise KeyboardInterrupt

    def work(send: Send) -> None:
        send(os.getpid())
        time.sleep(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        supervise(work, FREE, receive)
    assert not is_alive(heard[0])


PARENT = """
import os, sys, time
from predabs.supervise import ProcessLimits, supervise, unwinding

def work(send):
    send(os.getpid())
    time.sleep(600)

def receive(pid):
    print(pid, flush=True)

with unwinding():
    supervise(work, ProcessLimits(), receive)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP])
def test_the_child_dies_with_its_parent(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        text=True,
        preexec_fn=hear_signals,
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.send_signal(number)
        parent.wait(PATIENCE)
    assert soon(lambda: not is_alive(child))


def test_unwinding_turns_sigterm_into_an_exit() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as caught, unwinding():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
    assert caught.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == before


def test_what_a_child_makes_while_the_collector_rests_is_not_looked_through_again() -> None:
    def work(send: Send) -> tuple[int, int]:
        before = gc.get_freeze_count()
        with uncollected():
            made = [[number] for number in range(1000)]
        return gc.get_freeze_count() - before, len(made)

    frozen, made = gc.get_freeze_count(), 1000
    match supervise(work, FREE):
        case ChildFinished((more, 1000)):
            assert more >= made
        case other:
            pytest.fail(f"the child has ended: {other}")
    with uncollected():
        pass
    assert gc.get_freeze_count() == frozen  # not in a process that may live long


def test_the_garbage_collector_rests_and_goes_on() -> None:
    with pytest.raises(InputError), uncollected(), uncollected():
        assert not gc.isenabled()
        raise InputError("x")
    assert gc.isenabled()
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()  # as it was
    finally:
        gc.enable()
