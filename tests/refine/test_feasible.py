"""Feasibility of paths against the interpreter: recorded runs, and runs with one branch flipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as File

import pytest
from fuzz.generate import program as random_program

from predabs.concrete.inputs import Inputs, RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ExecutedStep, Value
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, Program
from predabs.ir.def_use import op_values
from predabs.ir.ops import Assume, Source
from predabs.ir.path import Path
from predabs.ir.types import FloatType, PointerType, ScalarType, Type
from predabs.ir.walk import subterms
from predabs.refine.feasible import FeasibilityUnknown, Feasible, Infeasible, check_path
from predabs.refine.path_execution import PathExecutor
from predabs.smt.solver import Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Term
from predabs.verdict import Input
from support.annotated import programs
from support.c_programs import program_of_c
from support.selection import mostly_long

COLLATZ = """
int steps(unsigned n) {
  int k = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } return k; }
int main(void) { int k = steps(6); if (k == 8) return 1; return 0; }
"""
POINTERS = """
struct pair { int a, b; struct pair *next; };
int read(struct pair *p) { return p->next->a; }
int main(void) {
  struct pair x, y; int i, table[4];
  x.next = &y; y.next = &x; x.a = 1; y.a = __VERIFIER_nondet_int();
  for (i = 0; i < 4; i++) table[i] = i * i;
  struct pair z = *x.next;
  if (read(&x) == 7) { if (z.a == 7) { if (table[z.a - 4] == 9) return 1; return 2; } return 3; }
  if (read(&y) != 1) return 4;
  return 0;
}
"""
CALLS = """
int up(int n) { return n + 1; }
int down(int n) { return n - 1; }
int outside(int n);
int (*table[3])(int) = {up, down, outside};
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 2) return 0;
  int *p = malloc(8);
  p[1] = table[k](5);
  if (p[1] == 6) { if (p[0] > 3) return 6; return 5; }
  if (p[1] == 4) return 4;
  if (p[1] == 100) return 100;
  return 1;
}
"""
RECURSION = """
struct big { int n[3]; };
struct big fill(int k) { struct big b; if (k == 0) { b.n[0] = b.n[1] = b.n[2] = 1; return b; }
  b = fill(k - 1); b.n[k] += b.n[k - 1]; return b; }
int main(void) { struct big *where, mine; where = &mine; *where = fill(2);
  if (where->n[2] == 3) return 1; return 0; }
"""
PROGRAMS = {"collatz": COLLATZ, "pointers": POINTERS, "calls": CALLS, "recursion": RECURSION}


def recorded(program: Program, inputs: Inputs, most: int = 400) -> Path:
    steps: list[ExecutedStep] = []
    execute(program, inputs, max_steps=most, trace=steps.append)
    return Path(tuple(step.edge for step in steps))


class InOrder:
    """The inputs of a path, which a run must ask for in the same order and from the same sources;
    zeros after the last."""

    def __init__(self, inputs: Sequence[Input]) -> None:
        self._inputs = list(reversed(inputs))

    def _next(self, source: Source, edge: Edge | None) -> Value:
        if not self._inputs:
            return 0
        item = self._inputs.pop()
        assert item.source is source
        assert edge is None or item.coord == edge.coord
        return item.value

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        value = self._next(source, edge)
        assert not isinstance(value, bytes)
        return value

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        value = self._next(source, edge) or bytes(size)
        assert isinstance(value, bytes)
        assert len(value) == size
        return value

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return self._next(Source.VOLATILE, edge) if self._inputs else held


def assert_follows(program: Program, path: Path, feasible: Feasible) -> None:
    again = recorded(program, InOrder(feasible.inputs), len(path))
    assert again.edges == path.edges


def replays(path: Path, feasible: Feasible) -> bool:
    """Formulas leave floating-point numbers open, and addresses that are inputs are others in a
    run; save for these, the inputs must lead along the path."""
    if any(isinstance(item.type, PointerType) for item in feasible.inputs):
        return False
    values = [value for edge in path.edges for value in op_values(edge.op)]
    return not any(isinstance(e.type, FloatType) for value in values for e in subterms(value))


def flips(program: Program, path: Path) -> Iterator[Path]:
    """The paths that turn off at a branch, and end there."""
    for number, edge in enumerate(path.edges):
        if isinstance(edge.op, Assume):
            for other in program.functions[edge.src.function].outgoing[edge.src]:
                if other is not edge and isinstance(other.op, Assume):
                    yield Path((*path.edges[:number], other))


def conditions(program: Program, path: Path) -> list[Term]:
    executor = PathExecutor(program, lambda guard, cond, text, coord: pytest.fail(text))
    edges: list[Edge | None] = [*path.edges, None]
    return [executor.follow(edge, after) for edge, after in zip(path.edges, edges[1:], strict=True)]


def assert_minimal(program: Program, path: Path, core: tuple[int, ...]) -> None:
    """By z3: the core contradicts, and none of it can go."""
    assert core
    cut = Path(path.edges[: core[-1] + 1])
    terms = conditions(program, cut)
    solver = create("z3", Statistics())
    chosen = [terms[number] for number in core]
    assert isinstance(solver.check(chosen), Unsat)
    for out in chosen:
        assert isinstance(solver.check([term for term in chosen if term is not out]), Sat)


@pytest.mark.parametrize("name", PROGRAMS)
def test_recorded_runs_are_feasible_and_their_inputs_follow_them(name: str) -> None:
    program = program_of_c(PROGRAMS[name])
    sources: list[Inputs] = [ZeroInputs(), *(RandomInputs(seed) for seed in range(5))]
    for source in sources:
        path = recorded(program, source)
        answer = check_path(program, path, Statistics(), 30)
        assert isinstance(answer, Feasible), answer
        assert_follows(program, path, answer)


@pytest.mark.parametrize("name", PROGRAMS)
def test_turning_off_a_run_is_followed_by_a_run_or_has_a_minimal_core(name: str) -> None:
    program = program_of_c(PROGRAMS[name])
    path = recorded(program, RandomInputs(3), 150)
    seen = set()
    for flipped in flips(program, path):
        answer = check_path(program, flipped, Statistics(), 30)
        seen.add(type(answer))
        match answer:
            case Feasible():
                assert_follows(program, flipped, answer)
            case Infeasible(core):
                assert_minimal(program, flipped, core)
            case _:
                pytest.fail(str(answer))
    assert seen


def test_without_inputs_no_other_path_is_feasible() -> None:
    program = program_of_c(COLLATZ)
    found = list(flips(program, recorded(program, ZeroInputs())))
    assert len(found) > 15
    for flipped in found:
        answer = check_path(program, flipped, Statistics(), 30)
        # all values are constants, so the last condition is false by itself
        assert answer == Infeasible((len(flipped) - 1,))


def test_a_core_leaves_out_what_does_not_matter() -> None:
    program = program_of_c("""
    int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(),
                         c = __VERIFIER_nondet_int();
      if (a < b) if (c > 0) if (b < c) if (a != 17) if (c < a) return 1;
      return 0; }""")
    (main,) = program.functions.values()
    edges = [main.outgoing[main.entry][0]]
    while main.outgoing[edges[-1].dst]:
        edges.append(main.outgoing[edges[-1].dst][0])
    answer = check_path(program, Path(tuple(edges)), Statistics(), 30)
    assert isinstance(answer, Infeasible)
    assert len(answer.core) == 3
    assert_minimal(program, Path(tuple(edges)), answer.core)


def test_limits_and_what_formulas_cannot_say_are_unknown() -> None:
    program = program_of_c("""
    int main(void) { unsigned long n = __VERIFIER_nondet_uint(); char *p = malloc(n * 4096);
      if (n > 1000000) return 1; return 0; }""")
    path = recorded(program, ZeroInputs())
    assert isinstance(check_path(program, path, Statistics(), 30), Feasible)
    assert check_path(program, path, Statistics(), 0.0) == FeasibilityUnknown(
        "the time limit was reached"
    )
    failing, flipped = flips(program, path)
    answer = check_path(program, failing, Statistics(), 30)
    assert isinstance(answer, Infeasible)  # no product of these is too large a request
    answer = check_path(program, flipped, Statistics(), 30)
    assert isinstance(answer, FeasibilityUnknown)
    assert "very large allocation" in answer.reason


@pytest.mark.parametrize("program", mostly_long(programs("c"), 20, lambda p: p.name))
def test_the_runs_of_all_annotated_programs(program) -> None:
    subject = load(list(program.files))
    path = recorded(subject, ZeroInputs(), 60)
    answer = check_path(subject, path, Statistics(), 30)
    assert not isinstance(answer, Infeasible)
    if isinstance(answer, Feasible) and replays(path, answer):
        assert_follows(subject, path, answer)


@pytest.mark.parametrize("seed", mostly_long(range(6), 2))
def test_random_programs(seed: int, tmp_path: File) -> None:
    file = tmp_path / "random.c"
    file.write_text(random_program(seed))
    program = load([str(file)])
    path = recorded(program, ZeroInputs(), 300)
    answer = check_path(program, path, Statistics(), 30)
    assert not isinstance(answer, Infeasible)
    if isinstance(answer, Feasible):
        assert_follows(program, path, answer)
    for flipped in list(flips(program, path))[::7]:
        match check_path(program, flipped, Statistics(), 30):
            case Feasible() as found:
                assert_follows(program, flipped, found)
            case Infeasible(core):
                assert_minimal(program, flipped, core)
