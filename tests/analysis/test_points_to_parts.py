"""Points-to sets of a slice that come from those of the whole program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from fuzz.generate import program as random_program

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to import sets
from predabs.analysis.points_to.objects import Allocated, Target
from predabs.analysis.points_to.offsets import covers
from predabs.analysis.points_to.sets import PointsTo, points_to
from predabs.analysis.slice import Slice, slice_program
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, ExternPointers, Location, Program
from predabs.ir.def_use import op_target, op_values
from predabs.ir.expr import Deref, Expr
from predabs.ir.ops import Alloc, Call, Error, ErrorKind
from predabs.ir.types import DataModel
from predabs.ir.walk import subterms
from support.analysis_machine import Inputs, Machine
from support.analysis_programs import FILES, Analysed, analysed, from_text
from support.selection import mostly_long

BOTH = (ExternPointers.FRESH, ExternPointers.ANY)


def with_error(program: Program, seed: int) -> Program:
    """The program with an error at some location."""
    name = Random(seed).choice(sorted(program.functions))
    function = program.functions[name]
    here = Random(seed).choice(function.edges)
    end = Location(name, 1_000_000)
    kept = [edge for edge in function.edges if edge.src is not here.src]
    error = Edge(here.src, Error(ErrorKind.ASSERTION, "here"), end, here.coord)
    changed = replace(function, edges=(*kept, error))
    return replace(program, functions={**program.functions, name: changed})


def sliced(item: Analysed) -> Slice:
    return slice_program(item.program, item.partition, item.effects)


def pointers(program: Program) -> Iterator[Expr]:
    """All that the program follows."""
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            for value in (*op_values(edge.op), *(() if target is None else (target,))):
                yield from (term.pointer for term in subterms(value) if isinstance(term, Deref))


def contains(large: frozenset[Target], small: frozenset[Target]) -> bool:
    return all(
        any(a.object == b.object and covers(a.offsets, b.offsets) for a in large) for b in small
    )


def assert_no_less(part: PointsTo, anew: PointsTo) -> int:
    """What an analysis of the slice itself says is said too; how many pointers there were."""
    count = 0
    for pointer in pointers(part.program):
        assert contains(part.targets(pointer), anew.targets(pointer)), pointer
        count += 1
    for function in part.program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Call):
                assert set(part.call_targets(edge)) >= set(anew.call_targets(edge))
                assert part.may_be_unknown(edge) >= anew.may_be_unknown(edge)
            if isinstance(edge.op, Alloc):
                made = Allocated(edge)
                assert part.escaped(made) >= anew.escaped(made)
                assert part.size(made) == anew.size(made)
    return count


@pytest.mark.parametrize("extern_pointers", BOTH)
@pytest.mark.parametrize("file", mostly_long(FILES, 8, lambda file: file.stem))
def test_slices_of_a_program_for_each_hazard(file: Path, extern_pointers: ExternPointers) -> None:
    program = load([str(file)], DataModel.LP64, extern_pointers=extern_pointers)
    for seed in range(4):
        check(with_error(program, seed), seed)


@pytest.mark.parametrize("extern_pointers", BOTH)
def test_slices_of_random_programs(extern_pointers: ExternPointers, tmp_path: Path) -> None:
    count = 0
    for seed in range(300, 306):
        file = tmp_path / f"random{seed}.c"
        file.write_text(random_program(seed))
        program = load([str(file)], DataModel.LP64, extern_pointers=extern_pointers)
        count += check(with_error(program, seed), seed)
    assert count > 20


def check(program: Program, seed: int) -> int:
    """Compare with an analysis of the slice, and with runs of it."""
    item = analysed(program)
    cut = sliced(item)
    part = item.partition.points_to.of_part(cut.program, cut.origin)
    Machine(cut.program, partition(cut.program, part), Inputs(seed)).run(2000)
    return assert_no_less(part, points_to(cut.program))


TEXT = """extern void reach_error(void); extern void *malloc(unsigned long);
int a, b, *p, *q, **unused;
void one(void) { a = 1; } void two(void) { b = 2; }
int main(void) {
    void (*call)(void) = one, (*other)(void) = two;
    unused = &q;
    p = &a; q = &b; other();
    if (!p) p = malloc(4);
    call();
    if (*p == 7) reach_error();
    return 0;
}
"""


def test_what_a_slice_does_not_take_has_no_address(tmp_path: Path) -> None:
    item = from_text(TEXT, tmp_path)
    cut = sliced(item)
    part = item.partition.points_to.of_part(cut.program, cut.origin)
    assert part.address_taken.variables == {"a"}
    (pointer,) = set(pointers(part.program))
    edges = [edge for function in cut.program.functions.values() for edge in function.edges]
    (made,) = [Allocated(edge) for edge in edges if isinstance(edge.op, Alloc)]
    assert {str(t.object) for t in part.targets(pointer)} == {"a", str(made)}
    assert made in {target.object for target in part.targets(pointer)}
    (call,) = [edge for edge in edges if isinstance(edge.op, Call) and not edge.op.args]
    assert part.call_targets(call) == ("one",)


def test_the_slice_of_a_slice(tmp_path: Path) -> None:
    item = from_text(TEXT, tmp_path)
    first = sliced(item)
    facts = item.partition.points_to.of_part(first.program, first.origin)
    again = analysed(first.program)
    second = sliced(again)
    part = facts.of_part(second.program, second.origin)
    assert assert_no_less(part, points_to(second.program)) > 0


def test_a_small_slice_of_a_large_program_is_analysed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = "".join(f"int *p{n}, x{n}; void f{n}(void) {{ p{n} = &x{n}; }}\n" for n in range(40))
    calls = "".join(f"f{n}();" for n in range(40))
    text = more + TEXT.replace("unused = &q;", calls)
    fine = from_text(text, tmp_path)
    cut = sliced(fine)
    monkeypatch.setattr(sets, "_WORK", 0)
    monkeypatch.setattr(sets, "_WORK_PER_EDGE", 0)
    whole = points_to(fine.program)
    monkeypatch.undo()
    assert whole.of_part(fine.program, {}).is_coarse
    assert not whole.of_part(cut.program, cut.origin).is_coarse


def test_all_precision_is_tried_for_a_moment_in_a_large_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = from_text(TEXT, tmp_path).program
    monkeypatch.setattr(sets, "_LARGE", 0)
    assert not points_to(program).is_coarse
    monkeypatch.setattr(sets, "_WORK_OF_LARGE", 0)
    assert points_to(program).is_coarse


def test_a_vast_program_is_analysed_with_less_precision_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = from_text(TEXT, tmp_path).program
    fine = points_to(program)
    monkeypatch.setattr(sets, "_VAST", 0)
    coarse = points_to(program)
    assert coarse.is_coarse and not fine.is_coarse
    assert assert_no_less(coarse, fine) > 0
