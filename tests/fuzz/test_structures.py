"""Random programs with data structures: what the engines say of them is what their runs do."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from fuzz.memory import KINDS, Comparison, compared
from fuzz.sanitizers import all_runs, one_run
from fuzz.structures import INPUTS, program, templates

from fuzz import native
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import EngineTask, decide
from predabs.ir.ops import Source
from predabs.options import Budget
from predabs.spec.checks import add_checks
from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c
from support.selection import mostly_long

CHECKS = frozenset(["deref", "free", "leak"])
needs_gcc = pytest.mark.skipif(native.compiler() is None, reason="no gcc here")


def test_a_seed_is_a_program_and_most_have_one_mistake_or_none() -> None:
    assert program(5) == program(5) != program(6)
    mistaken = sum(program(seed) != program(seed, right=True) for seed in range(200))
    assert 60 < mistaken < 140


def test_no_hole_is_left() -> None:
    for seed in range(100):
        text = program(seed)
        assert not any(mark in text for mark in ("<(", ")>", "<!", "!>", "^^", "~", "@", "---"))


@needs_gcc
def test_without_mistakes_no_native_run_faults(tmp_path: Path) -> None:
    texts = [program(seed, right=True) for seed in range(len(templates()) // 4)]
    for runs in all_runs(texts, tmp_path, INPUTS):
        assert not any(run.fault or run.lost for run in runs)


@needs_gcc
def test_native_runs_tell_faults_and_lost_objects(tmp_path: Path) -> None:
    head = "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);"
    texts = [
        f"{head} int main(void) {{ int a[2]; a[__VERIFIER_nondet_int()] = 1; return 0; }}",
        f"{head} int main(void) {{ if (__VERIFIER_nondet_int() == 1) malloc(4); return 0; }}",
        f"{head} void *p; int main(void) {{ p = malloc(4); return 0; }}",
        f"{head} int main(void) {{ while (1); }}",
    ]
    beyond, lost, kept, endless = all_runs(texts, tmp_path, 1)
    assert [run.fault for run in beyond] == [False, False, True]  # it ends there
    assert [run.lost for run in lost] == [False, True, False, False]
    assert [(run.fault, run.kept, run.lost) for run in kept] == [(False, True, False)]
    assert [run.fault for run in endless] == [False]
    assert one_run(0, [7], tmp_path).fault
    assert not one_run(0, [1], tmp_path).fault


@needs_gcc
def test_the_command_finds_no_contradiction() -> None:
    found = list(compared(KINDS["structures"], range(3), ["bounded", "smg"], 5))
    assert [one.engine for one in found] == ["bounded", "smg", "bounded"]
    assert not any(one.contradicts for one in found)


@pytest.mark.parametrize("seed", mostly_long(range(60), 8))
def test_engines_agree_with_the_runs(seed: int) -> None:
    checked = add_checks(program_of_c(program(seed)), CHECKS)
    fault = any(
        isinstance(execute(checked, ListInputs(inputs), max_steps=20_000), ErrorReached)
        for inputs in product(range(4), repeat=INPUTS - 1)
    )
    for engine in ("smg", "bounded"):
        match decide(engine, EngineTask(ProgramFacts(checked)), Budget.of(2)):
            case Safe():
                assert not Comparison(seed, engine, "TRUE", fault).contradicts
            case Unsafe(inputs):  # the others have not been tried
                tried = all(one.source is Source.NONDET and one.value in range(4) for one in inputs)
                assert fault or not tried or len(inputs) > INPUTS - 1
