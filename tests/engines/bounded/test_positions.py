"""Which variables tell where a run stands."""

from __future__ import annotations

from pathlib import Path

from predabs.engines.bounded.positions import Positions
from predabs.frontend.load import load

TEXT = """
extern int __VERIFIER_nondet_int(void);
static int table[4];
static int next(int from) { int step = from + 1; return step; }
int main(void) {
    int index = __VERIFIER_nondet_int(), start = index, sum = 0, rounds = 0, last = 3, found = 0;
    int *pointer = table;
    while (rounds < last) {
        index = next(index) % 4;
        sum += table[index];
        if (sum == 7) found = 1;
        rounds++;
    }
    return *pointer + sum + found + start;
}
"""


def test_indices_counters_and_pointers(tmp_path: Path) -> None:
    """And what their values are made from, in callees too; not what is only added up."""
    file = tmp_path / "program.c"
    file.write_text(TEXT)
    program = load([str(file)])
    positions = Positions(program)
    variables = {
        var.short: var
        for function in program.functions.values()
        for var in (*function.params, *function.locals)
    }
    told = {name for name, var in variables.items() if var in positions}
    assert {"index", "rounds", "last", "pointer", "from", "step"} <= told
    assert not told & {"sum", "found", "start"}
