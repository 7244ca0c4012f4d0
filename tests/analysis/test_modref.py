"""Mod/ref: what a call writes and reads is among what the analysis names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fuzz.generate import program as random_program

from predabs.analysis.effects import Slot, slot_of
from predabs.analysis.memory.partition import Storage
from predabs.analysis.modref import ones
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, Function
from predabs.ir.expr import Expr, Lvalue, Var
from predabs.ir.ops import Call
from predabs.ir.types import DataModel
from support.analysis_machine import Frame, Machine, is_scalar
from support.analysis_programs import (
    FILES,
    Analysed,
    RecordedInputs,
    analysed,
    from_file,
    from_text,
)


class Watching(Machine):
    """Notes which slots each open call has read and written."""

    def __init__(self, item: Analysed, seed: int) -> None:
        self.effects = item.effects
        self.open: list[tuple[str, set[Slot], set[Slot]]] = []
        self.checked = 0
        super().__init__(item.program, item.partition, RecordedInputs(seed))

    def slot(self, lvalue: Lvalue) -> Slot | None:
        """The slot of a scalar, if it is not a scalar variable of a function."""
        slot = slot_of(self.partition.storage(lvalue))
        return None if isinstance(slot, Var) and slot.function else slot

    def read(self, lvalue: Lvalue) -> Any:
        value = super().read(lvalue)
        if is_scalar(lvalue.type) and (slot := self.slot(lvalue)) is not None:
            for _, read, _ in self.open:
                read.add(slot)
        return value

    def write(self, lvalue: Lvalue, value: Any) -> None:
        super().write(lvalue, value)
        self.note(self.slot(lvalue))

    def shadow_write(self, storage: Storage, address: int, raw: bytes, size: int) -> None:
        super().shadow_write(storage, address, raw, size)
        self.note(slot_of(storage))

    def note(self, slot: Slot | None) -> None:
        if slot is not None and not (isinstance(slot, Var) and slot.function):
            for _, _, written in self.open:
                written.add(slot)

    def enter(self, function: Function) -> None:
        """That a frame comes to life is no write of anybody's."""
        kept, self.open = self.open, []
        super().enter(function)
        self.open = kept

    def call(
        self, callee: Function, call: Call, calls: list[tuple[Frame, Edge]], edge: Edge
    ) -> None:
        super().call(callee, call, calls, edge)
        self.open.append((callee.name, set(), set()))

    def leave(self, value: Expr | None, calls: list[tuple[Frame, Edge]]) -> Any:
        if value is not None:
            self.value(value)  # the callee reads it; what comes of it is the caller's doing
        name, read, written = self.open.pop()
        assert read <= self.effects.reads(name), name
        assert written <= self.effects.writes(name), name
        self.checked += len(read) + len(written)
        return super().leave(value, calls)


# hazards of one function alone: nothing is read or written in a call
NO_CALLS = {"entry", "guessed", "inputs", "unknown_first", "unknown_store"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_calls_do(file: Path) -> None:
    """Where there are calls that do something, it is seen."""
    item = from_file(file, DataModel.ILP32)
    checked = 0
    for seed in range(5):
        machine = Watching(item, seed)
        machine.run(2000)
        checked += machine.checked
    assert (checked > 0) == (file.stem not in NO_CALLS), checked


def test_random_programs(tmp_path: Path) -> None:
    checked = 0
    for seed in range(300, 305):
        file = tmp_path / f"random{seed}.c"
        file.write_text(random_program(seed))
        machine = Watching(analysed(load([str(file)], DataModel.LP64)), seed)
        machine.run(4000)
        checked += machine.checked
    assert checked > 300


def test_effects_of_functions(tmp_path: Path) -> None:
    item = from_text(
        """
        void *memset(void *, int, unsigned), *malloc(unsigned);
        int a, b, c, table[4], *p = table;
        struct { int x, y; } s;
        void leaf(int n) { int local = n; a = local + s.x; }
        void middle(void) { leaf(b); s.y = 1; }
        int reader(int i) { return table[i] + c; }
        void writer(int i) { p[i] = i; }
        int ping(int);
        int pong(int n) { c = 1; return n ? ping(n - 1) : 0; }
        int ping(int n) { b = 2; return n ? pong(n - 1) : 1; }
        int peek(int n) { int *q = &n; return *q; }
        void poke(void) { peek(1); }
        void clear(void) { memset(table, 0, sizeof table); }
        void *fresh(void) { int *made = malloc(8); return made + 1; }
        int main(void) {
            middle(); writer(reader(1)); poke(); clear();
            return ping(3) + *(int *)fresh();
        }
        """,
        tmp_path,
    )

    def names(slots: frozenset[Slot]) -> set[str]:
        return {
            slot.name if isinstance(slot, Var) and not item.partition.is_single(slot) else "map"
            for slot in slots
        }

    effects = item.effects
    assert names(effects.reads("leaf")) == {"s.x"}
    assert names(effects.writes("leaf")) == {"a"}
    assert names(effects.reads("middle")) == {"b", "s.x"}
    assert names(effects.writes("middle")) == {"a", "s.y"}
    assert names(effects.reads("reader")) == {"c", "map"}
    assert names(effects.writes("reader")) == set()
    assert names(effects.writes("writer")) == {"map"}
    assert names(effects.writes("peek")) == set()
    assert names(effects.writes("poke")) == {"map"}  # the parameter's bytes
    assert names(effects.writes("clear")) == {"map"}
    assert names(effects.writes("fresh")) == {"map"}  # the bytes of the object
    assert names(effects.writes("ping")) == names(effects.writes("pong")) == {"b", "c"}


def test_bits_say_the_same_as_sets(tmp_path: Path) -> None:
    text = """
    int a, b, c, *p; int m[3];
    void two(int n);
    void one(int n) { a = b; m[n] = 1; if (n) two(n - 1); }
    void two(int n) { c = n; one(n); }
    int main(void) { int x = 0; p = &b; one(2); *p = x; return a; }
    """
    effects = from_text(text, tmp_path).effects
    assert effects.writes("one") == effects.writes("two")  # each calls the other
    for name in ("one", "two", "main"):
        for slots, bits in (
            (effects.reads(name), effects.read_variables(name)),
            (effects.writes(name), effects.written_variables(name)),
        ):
            variables = {slot for slot in slots if isinstance(slot, Var)}
            assert {effects.variables[number] for number in ones(bits)} == variables
            assert effects.mask(slots) == bits and not bits & ~effects.globals
    assert {var.name for var in effects.variables} >= {"a", "c", "main::x"}


def test_numbers_of_bits() -> None:
    assert list(ones(0)) == []
    assert list(ones(0b1)) == [0]
    assert list(ones(1 << 70 | 0b1010)) == [1, 3, 70]
