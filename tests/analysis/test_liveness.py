"""Liveness: variables that are not live may be changed without any difference to the run."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fuzz.generate import program as random_program

from predabs.analysis.memory.partition import Scalar
from predabs.frontend.load import load
from predabs.ir.cfa import Edge
from predabs.ir.expr import Var
from predabs.ir.types import DataModel
from support.analysis_machine import decode, encode, is_scalar
from support.analysis_programs import (
    FILES,
    Analysed,
    RecordedInputs,
    TracingMachine,
    analysed,
    from_file,
    from_text,
)


class Disturbing(TracingMachine):
    """Changes scalar variables that are said to be dead."""

    def __init__(self, analysed: Analysed, seed: int) -> None:
        super().__init__(analysed.program, analysed.partition, RecordedInputs(seed))
        self.live = analysed.live
        self.disturbed = 0
        self.dice = Random(seed)

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        live = self.live.at(edges[0].src)
        function = self.frame.function
        assert function is not None
        names = [item.var for item in self.program.globals]
        for var in (*names, *function.params, *function.locals):
            if is_scalar(var.type) and self.dice.random() < 0.3:
                self.disturb(var, live)
        return super().choose(edges)

    def disturb(self, var: Var, live: frozenset[Var]) -> None:
        storage = self.partition.storage(var)
        if isinstance(storage, Scalar) and storage.var not in live:
            address = self.address(var, checked=True)[0]
            offset, data, _ = self.memory.find(address, 1)
            raw = self.dice.randbytes(len(encode(0, var.type)))
            value = decode(raw, 0, var.type, None)
            data[offset : offset + len(raw)] = encode(value, var.type)
            self.plain[self.key(storage.var)] = value
            self.disturbed += 1


def check(item: Analysed, seed: int) -> int:
    original = TracingMachine(item.program, item.partition, RecordedInputs(seed))
    original.run(1500)
    disturbed = Disturbing(item, seed)
    disturbed.run(1500)
    assert disturbed.trace == original.trace
    return disturbed.disturbed


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_dead_variables_do_not_matter(file: Path) -> None:
    item = from_file(file, DataModel.ILP32)
    for seed in range(4):
        check(item, seed)


def test_random_programs(tmp_path: Path) -> None:
    disturbed = 0
    for seed in range(100, 105):
        file = tmp_path / f"random{seed}.c"
        file.write_text(random_program(seed))
        disturbed += check(analysed(load([str(file)], DataModel.LP64)), seed)
    assert disturbed > 1000


def live_at_entry(item: Analysed, function: str) -> set[str]:
    return {var.name for var in item.live.at(item.program.functions[function].entry)}


def test_what_is_live(tmp_path: Path) -> None:
    item = from_text(
        """
        int g, h, k, unused;
        struct pair { int x, y; } p;
        int use(int a, int b) { int t = a; g = t; return h; }
        int nothing(int a) { return 1; }
        int main(void) {
            int i = k;
            p.x = 3;
            i = use(i, p.x + p.y);
            h = nothing(i);
            return g;
        }
        """,
        tmp_path,
    )
    assert live_at_entry(item, "main") == {"h", "k", "p.y"}
    assert live_at_entry(item, "use") == {"use::a", "h"}
    assert live_at_entry(item, "nothing") == {"g"}


def test_a_call_does_not_need_what_another_needs(tmp_path: Path) -> None:
    item = from_text(
        """
        int g, h; void nothing(void) { }
        int first(void) { nothing(); return g; }
        int second(void) { nothing(); g = 1; return h; }
        int main(void) { int x = first(); second(); return x; }
        """,
        tmp_path,
    )
    assert live_at_entry(item, "nothing") == {"g", "h"}
    assert live_at_entry(item, "second") == {"h"}
    assert live_at_entry(item, "main") == {"g", "h"}


def test_functions_that_call_each_other(tmp_path: Path) -> None:
    item = from_text(
        """
        int g, h, k, lost; int odd(int n);
        int even(int n) { if (n == 0) return g; lost = 1; return odd(n - 1); }
        int odd(int n) { if (n == 0) { k = 2; return h; } return even(n - 1); }
        int main(void) { int x = even(7); return x + k + lost; }
        """,
        tmp_path,
    )
    assert live_at_entry(item, "even") == {"even::n", "g", "h", "k", "lost"}
    assert live_at_entry(item, "odd") == {"odd::n", "g", "h", "k", "lost"}


def test_after_an_endless_call_nothing_is_live(tmp_path: Path) -> None:
    item = from_text(
        "int g, h; void ever(void) { for (;;) g++; } int main(void) { ever(); return h; }", tmp_path
    )
    assert live_at_entry(item, "main") == {"g"}
