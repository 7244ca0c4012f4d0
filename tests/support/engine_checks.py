"""Programs checked in this process by one engine, with and without all that surrounds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

from predabs.analysis.facts import ProgramFacts
from predabs.engines.bounded import engine as bounded
from predabs.engines.engine import EngineTask, create
from predabs.evidence.only_run import OnlyRun
from predabs.frontend.compiler_flags import SourceFlags
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.pipeline.check_pipeline import analyse
from predabs.pipeline.judgement import Task
from predabs.pipeline.result import Result
from predabs.spec.properties import property_of
from predabs.statistics import EngineStatistics
from predabs.verdict import Verdict
from support.annotated import Annotated
from support.counted_time import counted_time

# what the lazy engine does not decide soon, and why
LAZY_UNDECIDED = {
    "library_errno": "a function of the C library without a model",
    "library_read": "the loops of a model of the C library",
    "library_snprintf_length": "the text that sprintf writes is open in formulas",
    "library_line": "the loops of a model of the C library",
    "library_line_wrong": "the loops of a model of the C library",
    "library_loop": "a function of the C library without a model",
    "library_result": "a function of the C library without a model",
    "library_result_unequal": "a function of the C library without a model",
    "library_short_buffer_wrong": "a function of the C library without a model",
    "library_sorted": "the loops of a model of the C library",
    "library_writes_heap_wrong": "a function of the C library without a model",
    "library_writes_wrong": "a function of the C library without a model",
    "asm_result_unequal": "what an instruction computes is not known",
    "array_too_large": "more memory than the interpreter has",
    "long_sum": "a sum that wraps around a thousand times",
    "queue_behind_struct": "a copy of unknown size",
    "memory_used_again_wrong": "the interpreter gives no object of this size",
    "argument_strings": "the exact semantics reads outside of all objects",
    "array_backwards_wrong": "the error is many rounds away, and the questions are hard",
    "array_symbolic": "the invariant needs a quantifier",
    "dangling_local_ends": "a dangling pointer ends a run; the formulas do not see it",
    "floats_nan": "floating-point numbers are open",
    "floats_symbolic": "floating-point numbers are open",
    "fresh_memory": "the bounds of objects are not part of the formulas",
    "heap_list": "the invariant is about a list",
    "loop_bounded": "the loop has to be unrolled",
    "loop_long": "the error is a thousand rounds away",
    "loop_symbolic_wrong": "the error is many rounds away",
    "memcpy_wrong": "a copy of unknown size",
    "memmove_length": "a copy of unknown size",
    "memmove_length_wrong": "a copy of unknown size",
    "memset_memcpy": "a copy of unknown size",
    "nested_loops": "the error is many rounds away",
    "pointer_from_outside": "the exact semantics writes outside of all objects",
    "pointer_order": "the solver takes long",
    "recursion_bounded": "recursion",
    "recursion_unbounded": "recursion",
    "recursion_wrong": "recursion",
    "strings_symbolic": "the invariant needs a quantifier",
    "strings_wrong": "the error is many rounds away",
    "use_after_free_ends": "a use after free ends a run; the formulas do not see it",
    "variadic": "the loop has to be unrolled",
    "vla_symbolic": "the bounds of objects are not part of the formulas",
}


@contextmanager
def searching(*, samples: bool = False) -> Iterator[None]:
    """The bounded engine has to search, also where the program has one run only; it may have
    samples of runs."""
    with patch.object(OnlyRun, "verdict", lambda *args: None):
        if samples:
            yield
        else:
            with patch.object(bounded.ConcreteRuns, "bug", lambda *_: None):
                yield


def check_annotated(program: Annotated, engine: str, seconds: float) -> Result:
    """The result after at most so many seconds of the clock that counts looks at it."""
    checks = program.text("check").split()
    options = Options(
        engine=engine,
        checks=checks,
        extern_pointers=program.text("extern", "fresh"),
        volatile=program.text("volatile", "doubt"),
    )
    wanted = property_of("assert")
    with searching(samples=True), counted_time() as clock:
        now = clock()
        limit = now + seconds
        model = DataModel.LP64
        task = Task(program.files, wanted, "main", model, SourceFlags(), options, now, limit, limit)
        return analyse(task, lambda progress: None)


def hold(program: Annotated, found: Result, undecided: Mapping[str, str]) -> None:
    """The verdict is not wrong, and given unless the program is among those that are not decided
    soon, each with the reason."""
    assert found.verdict.name in (program.need("verdict").text, "UNKNOWN"), found.reason
    if found.verdict.name == "UNKNOWN":
        assert program.name in undecided, found.reason
        assert found.reason


def task_of(
    program: Program,
    options: Options | None = None,
    statistics: EngineStatistics | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> EngineTask:
    """What an engine is made from."""
    counted = statistics or EngineStatistics()
    return EngineTask(ProgramFacts(program), options or Options(), counted, progress)


def checked(
    engine: str,
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Verdict:
    """An engine's own verdict; what it raises is raised."""
    return create(engine, task_of(program, options, statistics, progress)).run(budget)
