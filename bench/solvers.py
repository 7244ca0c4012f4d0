"""The solvers beside each other: translation, checks under assumptions, entailment.

Prints what each takes as a ratio to z3, on a straight path of additions and guards and on
predicates about its last values, once over integers and once over bit-vectors:
`python -m bench.solvers`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.solver import Sat, Solver, Statistics, Unknown, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import INT, BitVecSort, Sort, Symbol, Term

NAMES = ("z3", "bitwuzla", "cvc5")


def path(sort: Sort, steps: int) -> tuple[list[Term], list[Symbol]]:
    """An SSA path over six variables, and the last version of each."""
    last = [Symbol(f"v{i}@0", sort) for i in range(6)]
    conditions: list[Term] = []
    for step in range(steps):
        i, j = step % 6, (step * 5 + 1) % 6
        new = Symbol(f"v{i}@{step + 1}", sort)
        if sort is INT:
            conditions.append(build.eq(new, build.add(last[j], build.integer(step % 7 - 2))))
            conditions.append(build.le(last[i], build.integer(1000 + step)))
        else:
            conditions.append(
                build.eq(new, bitvectors.add(last[j], bitvectors.bits(step % 7 - 2, 32)))
            )
            conditions.append(bitvectors.sle(last[i], bitvectors.bits(1000 + step, 32)))
        last[i] = new
    return conditions, last


def predicates(sort: Sort, values: Sequence[Symbol], count: int) -> list[Term]:
    """Bounds and differences, of which some follow from the path."""
    found: list[Term] = []
    for n in range(count):
        x, y, bound = values[n % 6], values[(n * 5 + 1) % 6], 900 + 37 * n
        if sort is INT:
            right = build.integer(bound) if n % 2 else build.add(y, build.integer(n - 8))
            found.append(build.le(x, right))
        else:
            number = bitvectors.bits(bound if n % 2 else n - 8, 32)
            found.append(bitvectors.sle(x, number if n % 2 else bitvectors.add(y, number)))
    return found


def best(repeat: int, run: Callable[[], object]) -> float:
    """The median time of a run in microseconds."""
    times = []
    for _ in range(repeat):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return median(times) * 1e6


def loaded(name: str, conditions: Sequence[Term]) -> Solver:
    solver = create(name, Statistics())
    for term in conditions:
        solver.add(term)
    return solver


def both_signs(solver: Solver, terms: Sequence[Term]) -> int:
    """Two checks for each predicate; how many had no answer."""
    unknown = 0
    for term in terms:
        for literal in (term, build.not_(term)):
            unknown += isinstance(solver.check([literal], 10), Unknown)
    return unknown


def pushed(solver: Solver, terms: Sequence[Term]) -> None:
    for term in terms:
        for literal in (term, build.not_(term)):
            solver.push()
            solver.add(literal)
            solver.check((), 10)
            solver.pop()


def entailed(solver: Solver, terms: Sequence[Term]) -> list[Term]:
    """The predicates that follow: a model that refutes one is evaluated on all the others, and
    refutes most of those that do not follow without another question."""
    implied: list[Term] = []
    waiting = list(terms)
    while waiting:
        term = waiting.pop(0)
        match solver.check([build.not_(term)], 10):
            case Unsat():
                implied.append(term)
            case Sat(model):
                evaluator = TermEvaluator(model)
                waiting = [other for other in waiting if evaluator.holds(other)]
    return implied


def row(text: str, times: dict[str, float], unit: str) -> str:
    base = times["z3"]
    cells = [
        f"{f'{times[name] / base:.2f}x':>10}" if name in times else f"{'-':>10}" for name in NAMES
    ]
    return f"{text:<44}{base:>10.1f} {unit:<8}{''.join(cells)}"


def measure(sort: Sort, steps: int, count: int, repeat: int) -> list[str]:
    conditions, last = path(sort, steps)
    wanted = predicates(sort, last, count)
    names = [name for name in NAMES if sort is not INT or name != "bitwuzla"]
    tests: dict[str, Callable[[str], float]] = {}

    def creation(name: str) -> float:
        return best(repeat, lambda: create(name, Statistics()))

    def translation(name: str) -> float:
        times = []
        for _ in range(repeat):
            solver = create(name, Statistics())
            start = perf_counter()
            for term in conditions:
                solver.add(term)
            times.append((perf_counter() - start) / solver.statistics.translated)
        return median(times) * 1e6

    def assumptions(name: str) -> float:
        solver = loaded(name, conditions)
        return best(repeat, lambda: both_signs(solver, wanted)) / (2 * count)

    def frames(name: str) -> float:
        solver = loaded(name, conditions)
        return best(repeat, lambda: pushed(solver, wanted)) / (2 * count)

    def model_driven(name: str) -> float:
        solver = loaded(name, conditions)
        return best(repeat, lambda: entailed(solver, wanted)) / count

    def evaluation(name: str) -> float:
        answer = loaded(name, conditions).check()
        assert isinstance(answer, Sat)
        answer.model.complete()

        def run() -> None:
            evaluator = TermEvaluator(answer.model)
            assert all(evaluator.holds(term) for term in conditions)

        return best(repeat, run) / len(conditions)

    tests["a first solver"] = creation
    tests["translate and assert, per term"] = translation
    tests["check under one assumption"] = assumptions
    tests["the same with push and pop"] = frames
    tests["which predicates follow, per predicate"] = model_driven
    tests["evaluate the model, per conjunct"] = evaluation
    return [row(text, {name: test(name) for name in names}, "us") for text, test in tests.items()]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.solvers", description=__doc__)
    parser.add_argument("--steps", type=int, default=40, help="length of the path")
    parser.add_argument("--predicates", type=int, default=35)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(argv)
    for title, sort in (("integers", INT), ("bit-vectors (32)", BitVecSort(32))):
        heads = "".join(f"{name:>10}" for name in NAMES)
        print(f"{title:<44}{'z3':>10} {'':<8}{heads}")
        for line in measure(sort, options.steps, options.predicates, options.repeat):
            print(line)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
