"""Live local variables of a function, by itself."""

from __future__ import annotations

from pathlib import Path

from predabs.analysis.local_liveness import LocalLiveness
from predabs.frontend.load import load
from predabs.ir.cfa import Location

TEXT = """
int main(void) {
    int a = 1, b = 2, c = 3, i = 0;
    int *p = &a;
    while (i < b) {
        c = i;
        i = c + 1;
    }
    *p = b;
    return a;
}
"""


def test_a_loop(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT)
    function = load([str(file)]).functions["main"]
    live = LocalLiveness(function)

    def at(location: Location) -> set[str]:
        return {var.short for var in live.at(location)}

    (head,) = {edge.dst for edge in function.edges if edge.coord.line == 7}
    assert at(head) >= {"b", "i", "p"} and "c" not in at(head)
    (middle,) = {edge.dst for edge in function.edges if edge.coord.line == 6}
    assert "c" in at(middle) and "i" not in at(middle)
    assert at(function.exit) == set()
