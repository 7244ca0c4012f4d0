"""The direct method of predicate abstraction beside the Cartesian one: how many questions to
solvers each saving of [Mir13] spares, and how they grow with the number of predicates."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from predabs.bench.text_table import Table
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.direct.table_rows import ALGORITHM_1, NOTHING_SPARED, Savings
from predabs.c2bp.file_predicates import predicates_of_file
from predabs.c2bp.program import abstract
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.predicates.syntax.file import read_predicates
from predabs.smt.solver import Statistics

INPUT = "__VERIFIER_nondet_int"
# the body of a function, and predicates in the order in which they are added
BLOCKS = {
    "x = x + 10; y = y + 1": ("x = x + 10; y = y + 1;", ("x >= 0", "y % 2 == 0", "x > 5", "y > 5")),
    "x = 10": ("x = 10;", ("x >= 0", "x <= 100", "x == 10", "y == x")),
    "i = i + 1": ("x = x + 1;", ("x < y", "x == y", "x <= z", "y == z")),
    "x = *; y = x": (f"x = {INPUT}(); y = x;", ("x < 5", "y < 5", "x == y", "y == z")),
    "y = x; x = z; z = y": ("y = x; x = z; z = y;", ("x == 0", "y == 0", "z == 0", "x == z")),
}
WAYS: dict[str, Savings] = {
    "all pairs of cubes [Mir13, section 6]": NOTHING_SPARED,
    "states after first": replace(NOTHING_SPARED, attainable=True),
    "dependent predicates only": replace(NOTHING_SPARED, dependent=True),
    "both [Mir13, algorithm 1]": ALGORITHM_1,
    "and independent ones apart": replace(ALGORITHM_1, components=True),
    "and literal by literal": replace(ALGORITHM_1, components=True, stepwise=True),
    "and states remembered": replace(ALGORITHM_1, components=True, stepwise=True, models=True),
    "and contradictions remembered": Savings(),
}


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench direct", description=__doc__)
    parser.add_argument("--predicates", type=int, default=4, help="of each block (at most 4)")
    parser.add_argument("--most", type=int, default=8, help="predicates of the growing block")
    parser.add_argument("--markdown", action="store_true", help="as in docs/benchmarks.md")
    args = parser.parse_args(words)
    for table in (savings(args.predicates), growth(args.most)):
        print(table.markdown() if args.markdown else table.text())
        print()
    return 0


def program_of(body: str) -> Program:
    """A program that is one block."""
    text = f"int {INPUT}(void); int x, y, z; int main(void) {{ {body} return x + y + z; }}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "block.c"
        path.write_text(text)
        return load([str(path)], DataModel.LP64, "main")


def calls(body: str, predicates: Sequence[str], method: DirectMethod | None) -> tuple[int, float]:
    """All questions to solvers, those about `enforce` and the start too, and the seconds."""
    program = program_of(body)
    found = predicates_of_file(read_predicates("main:\n" + "\n".join(predicates) + "\n", program))
    statistics = Statistics()
    start = perf_counter()
    abstract(program, found, 0, statistics=statistics, method=method)
    return statistics.calls, perf_counter() - start


def table_calls(body: str, predicates: Sequence[str], way: Savings) -> int:
    """The questions for the tables alone."""
    method = DirectMethod(0, way)
    calls(body, predicates, method)
    return method.counts.calls


def savings(count: int) -> Table:
    """Questions with more and more savings, by block."""
    rows = [
        (
            name,
            *(str(table_calls(body, p[:count], way)) for body, p in BLOCKS.values()),
        )
        for name, way in WAYS.items()
    ]
    title = f"questions for the tables of one block and {count} predicates"
    return Table(title, ("savings", *BLOCKS), rows)


def growth(most: int) -> Table:
    """Questions and time for `x = x + y`, as predicates are added."""
    bounds = [f"x < {4 * n}" if n % 2 else f"y < {3 * n}" for n in range(1, most + 1)]
    rows = []
    for count in range(2, most + 1, 2):
        row = [str(count)]
        ways = [None, DirectMethod(1), DirectMethod(2), DirectMethod()]
        for method in [*ways, DirectMethod(0, ALGORITHM_1)] if count <= 4 else ways:
            asked, seconds = calls("x = x + y;", bounds[:count], method)
            row += [str(asked), f"{seconds:.2f}"]
        rows.append((*row, *["-"] * (11 - len(row))))
    names = ("cartesian", "joint 1", "joint 2", "direct", "[Mir13, algorithm 1]")
    heads = ("predicates", *(head for name in names for head in (name, "s")))
    return Table("all questions, and seconds, for x = x + y", heads, rows, frozenset())
