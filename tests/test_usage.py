"""What processes use: memory that they share counts once, CPU time of all counts."""

from __future__ import annotations

import os
import time

from predabs.supervise import Child, cpu_seconds, exceeds, own_bytes, signals_held
from predabs.supervise.usage import resident_bytes
from support.processes import PATIENCE, soon

BLOCK = bytearray(b"x") * (100 << 20)


def test_shared_memory_counts_once() -> None:
    """It would be 200 MiB more with each process counted for itself."""
    with signals_held():
        children = [Child(lambda channel: time.sleep(PATIENCE)) for _ in range(2)]
    try:
        alone = resident_bytes(os.getpid())
        own = own_bytes(os.getpid())
        assert len(BLOCK) <= alone and own < alone
        assert alone > 2 * len(BLOCK)
        most = (alone >> 20) - 100
        assert not exceeds(os.getpid(), most) and exceeds(os.getpid(), 100)
    finally:
        for child in children:
            child.end()


def test_what_is_gone_uses_nothing() -> None:
    with signals_held():
        child = Child(lambda channel: None)
    child.end()
    assert resident_bytes(child.pid) == own_bytes(child.pid) == cpu_seconds(child.pid) == 0


def test_cpu_time_of_children_counts() -> None:
    def busy(channel: object) -> None:
        while True:
            pass

    before = cpu_seconds(os.getpid())
    with signals_held():
        child = Child(busy)
    assert soon(lambda: cpu_seconds(child.pid) > 0.1)
    assert cpu_seconds(os.getpid()) > before + 0.1
    child.end()
    assert cpu_seconds(os.getpid()) > before + 0.1
