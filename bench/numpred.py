"""How the structures of predicates and numbers grow: [GC10, section 6.2 and figure 14].

    python -m bench numpred [a] [a-widened] [b] [b-apart] [--numeric box] [--limit 20]
                            [--structures nex,ndd] [--operations] [--svg START]

a          x = 0; while (x < C) ++x; assert(x == C)     without widening: C rounds
a-widened  the same with widening and narrowing
b          n = 1; if (x0 < 0) n = 0; else if (x1 < 0) n = 0; ... and then
           if (x0 < 0) assert(n == 0); else if (x1 < 0) assert(n == 0); ...  as the figure prints it
b-apart    the same without `else`: each condition is tested on its own

Predicates are the conditions xi < 0, numeric variables are all variables. A structure is given up
for larger C when it has taken longer than the limit, or more than 256 MiB of diagrams; the last
column is what it answered.
`--operations` adds the seconds by operation, as in [GC10, table 4]. `--svg START` writes the
curves of the structures that prove it to START-FAMILY.svg.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from predabs.bdd import Manager
from predabs.bench.plot import curves
from predabs.domains.factory import NAMES, create
from predabs.domains.fixpoint import Strategy, solve
from predabs.domains.linear import Variable, at_most, constant, equal, variable
from predabs.errors import ResourceExhausted
from predabs.numpred.domain.formula import Predicate, compare, conj, literal, negate
from predabs.numpred.domain.structures import STRUCTURES, make
from predabs.numpred.domain.transformers import (
    AssumeTransformer,
    Conditional,
    Transformer,
    either,
    numeric,
)


@dataclass(frozen=True, slots=True)
class Abstract:
    """An abstract program; the error is the node -1, the entry is 0."""

    predicates: tuple[Predicate, ...]
    variables: tuple[Variable, ...]
    graph: dict[int, list[tuple[Transformer, int]]]


def counting(bound: int) -> Abstract:
    """[GC10, figure 14 (a)]."""
    x = variable("x")
    below = compare(at_most(x, bound - 1))
    return Abstract(
        (),
        ("x",),
        {
            0: [(numeric(x=constant(0)), 1)],
            1: [(Conditional(below, numeric(x=x + 1)), 1), (AssumeTransformer(negate(below)), 2)],
            2: [(AssumeTransformer(negate(compare(equal(x, bound)))), -1)],
        },
    )


def _signs(number: int) -> list[Predicate]:
    return [Predicate(f"x{i} < 0", at_most(variable(f"x{i}"), -1)) for i in range(number + 1)]


def chain(number: int) -> Abstract:
    """[GC10, figure 14 (b)]: one of the conditions at most is taken, then again."""
    signs = _signs(number)
    wrong = negate(compare(equal(variable("n"), 0)))
    graph: dict[int, list[tuple[Transformer, int]]] = {0: [(numeric(n=constant(1)), 1)]}
    last = len(signs) + 1
    for i, sign in enumerate(signs, 1):
        graph[i] = [
            (Conditional(literal(sign), numeric(n=constant(0))), last),
            (AssumeTransformer(literal(sign, False)), i + 1),
        ]
    for i, sign in enumerate(signs, last):
        graph[i] = [
            (AssumeTransformer(conj(literal(sign), wrong)), -1),
            (AssumeTransformer(literal(sign, False)), i + 1),
        ]
    return Abstract(tuple(signs), _variables(number), graph)


def apart(number: int) -> Abstract:
    """[GC10, figure 14 (b)] with conditions that do not exclude each other."""
    signs = _signs(number)
    wrong = negate(compare(equal(variable("n"), 0)))
    graph: dict[int, list[tuple[Transformer, int]]] = {0: [(numeric(n=constant(1)), 1)]}
    for i, sign in enumerate(signs, 1):
        taken = Conditional(literal(sign), numeric(n=constant(0)))
        graph[i] = [(either([taken, AssumeTransformer(literal(sign, False))]), i + 1)]
    for i, sign in enumerate(signs, len(signs) + 1):
        graph[i] = [
            (AssumeTransformer(conj(literal(sign), wrong)), -1),
            (
                either([AssumeTransformer(literal(sign)), AssumeTransformer(literal(sign, False))]),
                i + 1,
            ),
        ]
    return Abstract(tuple(signs), _variables(number), graph)


def _variables(number: int) -> tuple[Variable, ...]:
    return ("n", *(f"x{i}" for i in range(number + 1)))


LOOP_SIZES = (100, 200, 400, 1000, 10_000, 100_000)
BRANCH_SIZES = (2, 4, 6, 8, 10, 12, 14, 16)
NEVER = Strategy(widen_after=None, narrowings=0)
FAMILIES: dict[str, tuple[Callable[[int], Abstract], tuple[int, ...], Strategy]] = {
    "a": (counting, LOOP_SIZES, NEVER),
    "a-widened": (counting, LOOP_SIZES, Strategy()),
    "b": (chain, BRANCH_SIZES, NEVER),
    "b-apart": (apart, BRANCH_SIZES, NEVER),
}


class TooLong(Exception):
    """The limit of time is over."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the table."""

    family: str
    size: int
    structure: str
    rounds: int
    seconds: float
    answer: str
    operations: dict[str, float]


def measure(family: str, size: int, structure: str, numbers: str, limit: float) -> Measured:
    """One program with one structure, stopped at the limit."""
    build, _, strategy = FAMILIES[family]
    program = build(size)
    domain = make(
        structure,
        create(numbers),
        program.predicates,
        program.variables,
        manager=Manager(memory_mb=256),
    )
    began = time.perf_counter()
    nodes = 0

    def tick() -> None:
        nonlocal nodes
        nodes += 1
        if time.perf_counter() - began > limit:
            raise TooLong

    rounds = 0
    try:
        with domain.vocabulary.manager.bounded():
            found = solve(domain, program.graph, 0, domain.top, strategy, tick)
            rounds = found.rounds or nodes
            answer = "proved" if domain.is_bot(found.values[-1]) else "not proved"
    except (TooLong, ResourceExhausted):
        rounds, answer = nodes, "gave up"
    seconds = time.perf_counter() - began
    spent = {operation.value: s for operation, s in domain.counters.seconds.items()}
    return Measured(family, size, structure, rounds, seconds, answer, spent)


def lines(
    families: Sequence[str], structures: Sequence[str], numbers: str, limit: float
) -> Iterator[Measured]:
    """All sizes of each family; a structure that gave up is not asked again."""
    for family in families:
        out: set[str] = set()
        for size in FAMILIES[family][1]:
            for structure in structures:
                if structure not in out:
                    line = measure(family, size, structure, numbers, limit)
                    yield line
                    if line.answer == "gave up":
                        out.add(structure)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench numpred", description="[GC10, figure 14]")
    parser.add_argument("families", nargs="*", help=f"of {', '.join(FAMILIES)}; default all")
    parser.add_argument("--numeric", choices=NAMES, default="polyhedra")
    parser.add_argument("--structures", default=",".join(STRUCTURES))
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one run")
    parser.add_argument("--operations", action="store_true", help="seconds by operation too")
    parser.add_argument("--svg", metavar="START", help="write the curves to START-FAMILY.svg")
    chosen = parser.parse_args(words)
    structures = chosen.structures.split(",")
    for word in chosen.families:
        if word not in FAMILIES:
            parser.error(f"no family is called {word}")
    for word in structures:
        if word not in STRUCTURES:
            parser.error(f"no structure is called {word}")
    print(
        f"{'family':10} {'C':>7} {'structure':10} {'rounds':>7} {'seconds':>9} {'ms/round':>9}"
        "  answer"
    )
    found: list[Measured] = []
    for line in lines(chosen.families or list(FAMILIES), structures, chosen.numeric, chosen.limit):
        found.append(line)
        each = 1000 * line.seconds / max(line.rounds, 1)
        print(
            f"{line.family:10} {line.size:7} {line.structure:10} {line.rounds:7} "
            f"{line.seconds:9.3f} {each:9.3f}  {line.answer}",
            flush=True,
        )
        if chosen.operations:
            parts = sorted(line.operations.items(), key=lambda item: -item[1])
            print("    " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in parts))
    if chosen.svg:
        for family in dict.fromkeys(line.family for line in found):
            _draw(Path(f"{chosen.svg}-{family}.svg"), family, chosen.numeric, found)
    return 0


def _draw(path: Path, family: str, numbers: str, found: Sequence[Measured]) -> None:
    """The seconds of each structure that proves it."""
    series: dict[str, list[tuple[float, float]]] = {}
    for line in found:
        if line.family == family and line.answer == "proved":
            series.setdefault(line.structure, []).append((line.size, max(line.seconds, 1e-4)))
    path.write_text(curves(f"({family}) with {numbers}", "C", "seconds", series), encoding="utf-8")
