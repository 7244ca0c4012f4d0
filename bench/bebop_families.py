"""How bebop grows: a chain of procedures, n-bit counters, random programs of 60 variables.

    python -m bench.bebop_families [chain|counters|random|hard]...

Without names all but `hard` are run: it is the random family with larger loops, which read farther
neighbours and call larger helpers, and its programs can exceed the limits of time and memory.

Prints, for each program, the processor seconds of the fixpoint (without parsing), the live BDD
nodes at its end, the number of images, the share of the time spent outside the BDD library, and the
time for a shortest trace where there is an error.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar
from unittest.mock import patch

from oxidd.util import BooleanOperator, DDMemoryError

from predabs.bdd import Function, Manager, Renaming
from predabs.boolprog import bebop
from predabs.boolprog.limits import CheckLimits
from predabs.boolprog.model_check import targets_of
from predabs.boolprog.parse import parse
from predabs.boolprog.shortest import shortest_run
from predabs.boolprog.syntax import Program
from predabs.errors import ResourceExhausted

AND = BooleanOperator.AND


def chain(n: int) -> str:
    """Procedure i calls procedure i + 1 twice: 2^n paths, and runs of 2^n steps."""
    parts = ["decl g;", "void main() begin g := F; p0(*); assert(!g); end"]
    for i in range(n):
        call = f"p{i + 1}" if i + 1 < n else "leaf"
        parts.append(
            f"void p{i}(a) begin decl b, c, d; b := a; "
            f"if b then c, d := T, F; else c, d := F, T; fi; "
            f"{call}(c); while c & d do d := !d; od; {call}(d); "
            "if b then g := g ^ (c = d); fi; end"
        )
    parts.append("void leaf(a) begin if a then g := !g; else g := g; g := !g; fi; end")
    return "\n".join(parts)


def counter(n: int) -> str:
    """An n-bit counter that runs from 0 to its end: 2^n states, one after the other."""
    bits = [f"b{i}" for i in range(n)]
    carry = ["T"] + [" & ".join(bits[:i]) for i in range(1, n)]
    increment = ", ".join(f"{b} ^ ({c})" for b, c in zip(bits, carry, strict=True))
    return (
        f"void main() begin decl {', '.join(bits)}; {', '.join(bits)} := {', '.join('F' * n)};\n"
        f"while !({' & '.join(bits)}) do {', '.join(bits)} := {increment}; od;\n"
        f"assert({bits[0]}); end"
    )


def random_program(
    variables: int, seed: int, updates: int = 30, distance: int = 2, helper: int = 2
) -> str:
    """A loop of random updates over many globals, each of which reads near neighbours.

    More updates, neighbours at a greater distance and more updates in each helper make it harder.
    """
    rng = random.Random(seed)
    names = [f"v{i}" for i in range(variables)]

    def near(i: int) -> str:
        return names[max(0, min(variables - 1, i + rng.randint(-distance, distance)))]

    def some(i: int) -> str:
        a, b, c = near(i), near(i), near(i)
        return rng.choice((f"{a} & {b}", f"{a} ^ {b}", f"choose({a} & {b}, {c})", f"{a} | !{b}"))

    def update() -> str:
        i = rng.randrange(variables - 1)
        return f"{names[i]}, {names[i + 1]} := {some(i)}, {some(i + 1)};"

    body = []
    for _ in range(updates):
        body.append(update())
        if rng.random() < 0.3:
            k = rng.randrange(variables)
            body.append(f"if {some(k)} then {update()} else q{k % 3}(); fi;")
    helpers = [
        f"void q{i}() begin {' '.join(update() for _ in range(helper))} end" for i in range(3)
    ]
    start = f"{', '.join(names)} := {', '.join('F' for _ in names)};"
    error = f"assert(!({' & '.join(names[:: variables // 6])}));"
    loop = f"while * do {' '.join(body)} {error} od;"
    head = f"decl {', '.join(names)};\n" + "\n".join(helpers)
    return f"{head}\nvoid main() begin {start} {loop} end"


# -- the share of time outside the BDD library ----------------------------------------------------
#
# A run is repeated with diagrams that record each operation; then the bare operations are done once
# more, in a fresh manager, without the engine around them. Both are measured in processor time.

Operation = tuple[str, tuple[int, ...]]
_OPERATIONS = """
    __and__ __or__ __invert__ equiv exists apply_exists satisfiable node_count cofactors node_var
"""


class _Recording:
    operations: ClassVar[list[Operation]] = []
    renamings: ClassVar[list[dict[int, int]]] = []
    diagrams = 0


class _Recorded:
    """Stands for a diagram, knows its number, and records what is done with it."""

    __slots__ = ("inner", "number")

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.number = _Recording.diagrams
        _Recording.diagrams += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Recorded) and bool(self.inner == other.inner)

    def __hash__(self) -> int:
        return hash(self.inner)


def _recorded(name: str) -> Callable[..., Any]:
    method = getattr(Function, name)

    def call(self: _Recorded, *args: Any) -> Any:
        others = [a for a in args if isinstance(a, _Recorded)]
        _Recording.operations.append((name, (self.number, *(a.number for a in others))))
        result = method(self.inner, *(a.inner if isinstance(a, _Recorded) else a for a in args))
        if isinstance(result, tuple):
            return tuple(map(_Recorded, result))
        return result if isinstance(result, bool | int | None) else _Recorded(result)

    return call


for _name in _OPERATIONS.split():
    setattr(_Recorded, _name, _recorded(_name))


class _RecordedRenaming(Renaming):
    __slots__ = ("_number",)

    def __init__(self, manager: _RecordingManager, mapping: Mapping[int, int]) -> None:
        super().__init__(manager.plain, mapping)
        self._number = len(_Recording.renamings)
        _Recording.renamings.append(dict(mapping))

    def __call__(self, f: Function) -> Function:
        # The second number is that of the renaming, not of a diagram.
        _Recording.operations.append(("rename", (f.number, self._number)))
        return _Recorded(super().__call__(f.inner))


class _RecordingManager(Manager):
    def __init__(self, memory_mb: int) -> None:
        _Recording.operations.clear()
        _Recording.renamings.clear()
        _Recording.diagrams = 0
        self.plain = Manager(memory_mb)
        super().__init__(1)
        self.true, self.false = _Recorded(self.plain.true), _Recorded(self.plain.false)

    def add_variables(self, number: int) -> range:
        numbers = self.plain.add_variables(number)
        self._variables += [_Recorded(self.plain.var(i)) for i in numbers]
        _Recording.operations.append(("variables", (number,)))
        return numbers

    def renaming(self, mapping: Mapping[int, int]) -> Renaming:
        return _RecordedRenaming(self, mapping)


def seconds_in_library(program: Program) -> float:
    """The processor time of a fixpoint's bare BDD operations."""
    limits = CheckLimits(timeout=120)
    with patch.object(bebop, "Manager", _RecordingManager):
        bebop.reach(bebop.model_of(program, limits), limits)
    operations = list(_Recording.operations)
    last_use: dict[int, int] = {}
    for i, (name, numbers) in enumerate(operations):
        last_use.update(dict.fromkeys(numbers[:1] if name == "rename" else numbers, i))
    ends: list[list[int]] = [[] for _ in operations]
    for number, i in last_use.items():
        if operations[i][0] != "variables":
            ends[i].append(number)
    return _repeat(operations, ends, True) - _repeat(operations, ends, False)


def _repeat(operations: list[Operation], ends: list[list[int]], really: bool) -> float:
    """Do the operations, or only go through them; each diagram is dropped after its last use."""
    manager = Manager()
    for name, numbers in operations:
        if name == "variables":
            manager.add_variables(numbers[0])
    renamings = [manager.renaming(mapping) for mapping in _Recording.renamings]
    diagrams: list[Any] = [manager.true, manager.false]
    methods = {name: getattr(Function, name, None) for name, _ in operations}
    known = 0
    nothing = manager.true
    start = time.process_time()
    for (name, numbers), ended in zip(operations, ends, strict=True):
        if name == "variables":
            diagrams += [manager.var(i) for i in range(known, known + numbers[0])]
            known += numbers[0]
            continue
        operands = [diagrams[n] for n in (numbers[:1] if name == "rename" else numbers)]
        result: Any = nothing
        if really:
            method = methods[name]
            if name == "rename":
                result = renamings[numbers[1]](operands[0])
            elif name == "apply_exists":
                result = operands[0].apply_exists(AND, operands[1], operands[2])
            else:
                assert method is not None
                result = method(*operands)
        elif name in ("satisfiable", "node_count", "node_var"):
            result = 0
        elif name == "cofactors":
            result = (nothing, nothing)
        if isinstance(result, tuple):
            diagrams += result
        elif not isinstance(result, bool | int | None):
            diagrams.append(result)
        for n in ended:
            diagrams[n] = None
    return time.process_time() - start


def fixpoint(program: Program) -> tuple[bebop.Reached, float]:
    """The fixpoint and its processor time, the best of three."""
    best = float("inf")
    for _ in range(3):
        gc.collect()  # so that none of the garbage of earlier programs is collected meanwhile
        limits = CheckLimits(timeout=120)
        start = time.process_time()
        reached = bebop.reach(bebop.model_of(program, limits), limits)
        best = min(best, time.process_time() - start)
    return reached, best


def trace_of(reached: bebop.Reached, bad: list[bebop.Node]) -> str:
    """The length of a shortest trace and the time to find it."""
    start = time.perf_counter()
    try:
        length = shortest_run(reached, bad, CheckLimits(timeout=120)).length
    except ResourceExhausted as error:
        return f", no trace ({error})"
    size = str(length) if length < 10**9 else f"about 10^{len(str(length)) - 1}"
    return f", trace of {size} steps in {time.perf_counter() - start:.2f} s"


def share_outside(program: Program, seconds: float) -> str:
    try:
        inside = min(seconds_in_library(program) for _ in range(2))
    except (ResourceExhausted, DDMemoryError):
        return "too large to repeat"
    return f"{100 * (1 - inside / seconds):4.0f}% outside"


def measure(name: str, text: str) -> str:
    program = parse(text)
    try:
        reached, seconds = fixpoint(program)
    except ResourceExhausted as error:
        return f"{name:16} UNKNOWN ({error})"
    model = reached.model
    bad = [t for t in targets_of(model, None) if reached.at(t).satisfiable()]
    trace = trace_of(reached, bad) if bad else ""
    return (
        f"{name:16} {'FALSE' if bad else 'TRUE':6} {seconds:8.3f} s "
        f"{model.manager.nodes():9} nodes {reached.images:7} images "
        f"{share_outside(program, seconds)}{trace}"
    )


def rows(families: list[str]) -> Iterator[tuple[str, str]]:
    if "chain" in families:
        yield from ((f"chain {n}", chain(n)) for n in (100, 200, 400, 800))
    if "counters" in families:
        yield from ((f"counter {n}", counter(n)) for n in (8, 10, 12, 14, 16))
    if "random" in families:
        yield from ((f"random 60/{s}", random_program(60, s)) for s in range(8))
    if "hard" in families:
        for seed in range(4):
            text = random_program(60, seed, updates=60, distance=4, helper=6)
            yield f"hard 60/{seed}", text


def main(argv: list[str]) -> int:
    for name, text in rows(argv or ["chain", "counters", "random"]):
        print(measure(name, text), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
