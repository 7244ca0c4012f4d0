"""What a watcher sees of a run: each edge before it is tried, values, and where lvalues lie."""

from __future__ import annotations

from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited
from predabs.concrete.state_view import ByteRange, StateView
from predabs.concrete.storage_layout import Register
from predabs.ir.cfa import Edge
from predabs.ir.expr import Lvalue
from predabs.ir.ops import Assign, Assume
from predabs.ir.show import show_expr
from support.c_programs import program_of_c

PROGRAM = """struct s { int a; unsigned b : 3; unsigned c : 7; } s;
int f(int n) { int k = 0; k = n + 1; return k; }
int main(void) {
  int v[4]; int i = 2; int *p = &v[1];
  v[i] = 5; p[2] = 6; s.c = 1; p = 0;
  i = f(i);
  if (i == 4) return 1;
  return i;
}"""


def test_places_values_and_depth() -> None:
    places: dict[str, tuple[Lvalue, object]] = {}
    depths: set[tuple[str, int]] = set()
    values: list[object] = []
    tried: list[str] = []

    def before(edge: Edge, view: StateView) -> None:
        depths.add((edge.src.function, view.depth))
        match edge.op:
            case Assign(target, value):
                places[show_expr(target)] = target, view.place(target)
                values.append(view.value(value))
            case Assume(cond):
                tried.append(show_expr(cond))

    assert execute(program_of_c(PROGRAM), ZeroInputs(), before=before) == Exited(3)
    assert depths == {("main", 1), ("f", 2)}
    assert isinstance(places["k"][1], Register) and isinstance(places["i"][1], Register)
    element, behind = places["v[i]"][1], places["p[2]"][1]
    assert isinstance(element, ByteRange) and isinstance(behind, ByteRange)
    assert behind == ByteRange(element.address + 4, 4)  # v[3] after v[2]
    field = places["s.c"][1]
    assert isinstance(field, ByteRange) and field.partly and field.size == 2
    assert {0, 2, 3, 5, 6} <= set(values)
    assert tried == ["i == 4", "i != 4"]  # also the one that does not hold


def test_ends_of_objects() -> None:
    ends: list[object] = []

    def before(edge: Edge, view: StateView) -> None:
        match edge.op:
            case Assign(target, _) if show_expr(target) == "p[2]":
                place = view.place(target)
                assert isinstance(place, ByteRange)
                ends.append(view.end_of_object(place.address) == place.address + 4)
                ends.append(view.end_of_object(place.address + 4))

    execute(program_of_c(PROGRAM), ZeroInputs(), before=before)
    assert ends == [True, None]
