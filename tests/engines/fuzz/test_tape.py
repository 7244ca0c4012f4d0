"""Tapes are repeated, changed in one place, and followed by place behind that; careful inputs."""

from __future__ import annotations

import random

from predabs.concrete.inputs import Inputs, RecordingInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.engines.fuzz.endings import CarefulInputs, Endings
from predabs.engines.fuzz.tape import Mutation, TapeInputs, mutated
from predabs.ir.address_space import fresh_address
from predabs.ir.ops import Havoc, Source
from predabs.ir.types import INT
from support.c_programs import program_of_c

# the second number says how often the third place is asked
PROGRAM = program_of_c("""int main(void) {
  int first = __VERIFIER_nondet_int(), s = 0;
  if (first) s = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    s += __VERIFIER_nondet_int();
  return s;
}""")


class Counting(ZeroInputs):
    """1, 2, 3 ..."""

    def __init__(self, start: int = 0) -> None:
        self._last = start

    def scalar(self, *asked: object) -> int:
        self._last += 1
        return self._last


def values(inputs: Inputs) -> RecordingInputs:
    recording = RecordingInputs(inputs)
    execute(PROGRAM, recording)
    return recording


def numbers(mutation: Mutation, start: int = 100) -> list[object]:
    return [item.value for item in values(TapeInputs(mutation, Counting(start))).taken]


TAPE = tuple(values(Counting()).taken)


def test_a_tape_is_repeated() -> None:
    assert [item.value for item in TAPE] == [1, 2, 3, 4, 5]
    assert numbers(Mutation(TAPE)) == [1, 2, 3, 4, 5]
    assert numbers(Mutation(TAPE[:2])) == [1, 2, 101, 102, 103]


def test_one_input_is_new_and_the_others_keep_their_places() -> None:
    assert numbers(Mutation(TAPE[:1], TAPE[2:], TAPE[1])) == [1, 101, 3, 4, 5]
    # without the second one, the others are what they were
    assert numbers(Mutation((), TAPE[1:], TAPE[0]), -1) == [0, 3, 4, 5]


def test_a_part_is_done_twice() -> None:
    assert numbers(Mutation(TAPE[:4], TAPE[2:])) == [1, 2, 3, 4, 3]


def test_another_run_than_that_of_the_tape_is_seen() -> None:
    assert numbers(Mutation(TAPE[1:])) == [101, 102, 103, 104, 105]


def test_mutations_are_parts_of_the_tape() -> None:
    choose = random.Random(1)
    assert mutated((), choose) == Mutation()
    for _ in range(200):
        mutation = mutated(TAPE, choose)
        assert mutation.first == TAPE[: len(mutation.first)]
        assert mutation.pointers == 0
        assert len(numbers(mutation)) in (4, 5)


def test_large_records_are_zero_or_pointers() -> None:
    careful = CarefulInputs(ZeroInputs(), Endings(), random.Random(1))
    records = [careful.memory(Source.EXTERN, "g", 803, None) for _ in range(40)]
    assert all(len(record) == 803 for record in records)
    full = [record for record in records if any(record)]
    assert full and len(full) < 40
    words = {int.from_bytes(full[0][at : at + 8], "little") for at in range(0, 800, 8)}
    assert len(words) == 100 and min(words) >= fresh_address(64, 1)
    assert careful.memory(Source.EXTERN, "g", 1 << 20, None) == bytes(1 << 20)


def test_values_that_end_runs_are_drawn_again() -> None:
    endings, taken = Endings(), TAPE[:1]
    edge = next(e for e in PROGRAM.functions["main"].edges if isinstance(e.op, Havoc))
    assert edge.coord == taken[0].coord
    for _ in range(8):
        endings.note(taken, ended=True)
    assert endings.share(taken[0].coord, 1) == 1.0
    assert endings.share(taken[0].coord, 2) == 0.0
    careful = CarefulInputs(Counting(), endings, random.Random(1))
    assert careful.scalar(Source.NONDET, "", INT, edge) == 2
    for _ in range(40):
        endings.note(taken, ended=False)
    assert endings.share(taken[0].coord, 1) < 0.2
