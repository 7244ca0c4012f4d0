"""What happens before an engine starts, phase by phase, for one program: `python -m bench.phases`.

    python -m bench.phases FILE DATA_MODEL

Prints a line of JSON when a phase begins (its name) and when it has ended (its CPU seconds), so
that whoever ends this process knows how far it came; and the size of the program when it is known.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from predabs.analysis.address_comparison import with_open_layout
from predabs.analysis.facts import ProgramFacts
from predabs.analysis.unset_globals import with_unset_globals
from predabs.analysis.unset_members import with_unset_members
from predabs.bench.task import STANDARD
from predabs.engines.cut_points import cut_points
from predabs.errors import PredabsError
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Options
from predabs.pipeline.preparation import sliced
from predabs.spec.properties import parse, restrict
from predabs.supervise.garbage import freeze, uncollected

CLANG, FRONT_END, MEMBERS = "clang", "front end", "unset members"
POINTS_TO, INPUTS, SLICE = "points-to", "inputs", "slice"
WHOLE = ("partition", "mod/ref")  # of the program, once it is known what comes from outside
SMALLER = ("partition", "mod/ref", "liveness", "intervals", "control flow")
PHASES = (
    CLANG,
    FRONT_END,
    MEMBERS,
    POINTS_TO,
    INPUTS,
    *WHOLE,
    SLICE,
    *(f"{SLICE}: {name}" for name in SMALLER),
)
_NEW_OBJECTS = 20_000  # before garbage is looked for, as there

T = TypeVar("T")


def main(words: Sequence[str]) -> int:
    file, model = words
    freeze()  # as in the child process of `predabs check`
    gc.set_threshold(_NEW_OBJECTS)
    try:
        _measure(file, DataModel[model])
    except (PredabsError, RecursionError, MemoryError) as problem:
        _say(failure=str(problem) or type(problem).__name__)
        return 1
    return 0


def _measure(file: str, model: DataModel) -> None:
    program = _read(file, model)
    edges = sum(len(function.edges) for function in program.functions.values())
    _say(functions=len(program.functions), edges=edges)
    whole = ProgramFacts(_timed(MEMBERS, lambda: with_unset_members(program)))
    _timed(POINTS_TO, lambda: whole.points_to)
    whole = _timed(INPUTS, lambda: with_open_layout(with_unset_globals(whole)).facts)
    for name in WHOLE:
        _timed(name, _analysis(name, whole))
    smaller = _timed(SLICE, lambda: sliced(whole))
    for name in SMALLER:
        _timed(f"{SLICE}: {name}", _analysis(name, smaller))


def _read(file: str, model: DataModel) -> Program:
    """The program with its property; clang's time is told apart."""
    inside = 0.0

    @contextmanager
    def parsing() -> Iterator[None]:
        nonlocal inside
        _say(begin=CLANG)
        start = time.process_time()
        yield
        inside += time.process_time() - start
        _say(begin=FRONT_END)

    start = time.process_time()
    program = restrict(
        load([file], model, parsing=parsing), parse(STANDARD["unreach-call"], "unreach-call.prp")
    )
    _say(end=CLANG, seconds=inside)
    _say(end=FRONT_END, seconds=time.process_time() - start - inside)
    return program


def _analysis(name: str, facts: ProgramFacts) -> Callable[[], object]:
    """An analysis by its name; those before it have been run."""
    return {
        "partition": lambda: facts.partition,
        "mod/ref": lambda: facts.modref,
        "liveness": lambda: facts.liveness,
        "intervals": lambda: facts.intervals,
        "control flow": lambda: cut_points(facts.flow, Options().block),
    }[name]


def _timed(name: str, work: Callable[[], T]) -> T:
    _say(begin=name)
    start = time.process_time()
    with uncollected():
        found = work()
    _say(end=name, seconds=time.process_time() - start)
    return found


def _say(**what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
