"""The annotated programs of tests/programs/boolean, and programs with very long runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.boolprog import CheckLimits, Proved, Violated, check, parse, parse_file, show
from predabs.boolprog.invariant import formula, invariant, states_now
from predabs.boolprog.show import show_expression
from predabs.boolprog.trace import trace_lines
from support.places import BOOLEAN_PROGRAMS

PROGRAMS = sorted(BOOLEAN_PROGRAMS.glob("*.bp"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_annotations(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected = re.search(r"// expect: (TRUE|FALSE)(?: steps=(\d+))?", text)
    assert expected is not None, "the file has no annotation"
    program = parse_file(path)
    assert parse(show(program)) == program
    result = check(program, limits=CheckLimits(memory_mb=16), see_all=True)
    if expected[1] == "TRUE":
        assert isinstance(result, Proved)
    else:
        assert isinstance(result, Violated)
        assert result.run.length == int(expected[2])
        told = [line for line in trace_lines(result.run, 10_000) if not line.back]
        assert len(told) == result.run.length
    for procedure, label, wanted in re.findall(r"// invariant (\w+):(\w+): (.*)", text):
        (location,) = result.reached.model.graphs[procedure].labelled(label)
        found = invariant(result.reached, (procedure, location))
        assert found is not None
        assert show_expression(found) == wanted


def test_programs_are_there() -> None:
    assert len(PROGRAMS) >= 12


def doubling(n: int, last: str) -> str:
    """Procedure i calls procedure i + 1 twice: runs have 2^n steps."""
    parts = ["decl g;", f"void main() begin g := F; p0(); {last} end"]
    parts += [f"void p{i}() begin p{i + 1}(); p{i + 1}(); end" for i in range(n)]
    return "\n".join([*parts, f"void p{n}() begin g := T; end"])


def test_a_run_with_exponentially_many_steps_is_found_and_replayed() -> None:
    n = 60
    result = check(parse(doubling(n, "assert(!g);")), limits=CheckLimits(memory_mb=16))
    assert isinstance(result, Violated)
    # p0 .. p(n-1) take two calls and an end each, the last one an assignment and an end.
    inside = 2
    for _ in range(n):
        inside = 2 * (1 + inside) + 1
    assert result.run.length == 1 + (1 + inside) + 1
    told = list(trace_lines(result.run, 100))
    assert sum(1 + line.hidden for line in told) == result.run.length
    assert len(told) <= 100


def test_a_long_run_in_one_procedure() -> None:
    bits = [f"b{i}" for i in range(9)]
    carry = ["T", *(" & ".join(bits[:i]) for i in range(1, len(bits)))]
    step = ", ".join(f"{b} ^ ({c})" for b, c in zip(bits, carry, strict=True))
    names = ", ".join(bits)
    text = (
        f"void main() begin decl {names}; {names} := {', '.join('F' * len(bits))};"
        f"while T do assert(!({' & '.join(bits)})); {names} := {step}; od; end"
    )
    result = check(parse(text), limits=CheckLimits(memory_mb=16))
    assert isinstance(result, Violated)
    assert result.run.length == 1 + 3 * (2**9 - 1) + 2
    told = list(trace_lines(result.run, 50))
    assert len(told) == 50
    assert sum(1 + line.hidden for line in told) == result.run.length


def test_deep_recursion_needs_no_deep_stack() -> None:
    bits = [f"b{i}" for i in range(11)]
    carry = ["T", *(" & ".join(bits[:i]) for i in range(1, len(bits)))]
    step = ", ".join(f"{b} ^ ({c})" for b, c in zip(bits, carry, strict=True))
    names = ", ".join(bits)
    text = (
        f"decl {names}; void f() begin assert(!({' & '.join(bits)})); {names} := {step}; f(); end "
        f"void main() begin {names} := {', '.join('F' * len(bits))}; f(); end"
    )
    result = check(parse(text), limits=CheckLimits(memory_mb=16))
    assert isinstance(result, Violated)
    assert result.run.length == 2 + 3 * (2**11 - 1) + 1
    assert max(line.depth for line in trace_lines(result.run, 10**5)) == 2**11


def test_labels_instead_of_assertions() -> None:
    text = "void f() begin L: skip; end void main() begin skip; L: f(); assert(F); M: skip; end"
    program = parse(text)
    for label, length in (("L", 1), ("main:L", 1), ("f:L", 2)):
        result = check(program, label)
        assert isinstance(result, Violated)
        assert result.run.length == length
    # A failed assertion ends the run.
    assert isinstance(check(program, "M"), Proved)


def test_formula_of_every_small_function() -> None:
    text = "void main() begin decl a, b, c; X: skip; end"
    result = check(parse(text))
    scope = result.reached.model.layout.scopes["main"]
    manager = result.reached.model.manager
    cells = {cell.now: name for name, cell in scope.cells.items()}
    points = [dict(zip(cells, (i & 1 > 0, i & 2 > 0, i & 4 > 0), strict=True)) for i in range(8)]
    for table in range(256):
        f = manager.disjunction(manager.cube(p) for i, p in enumerate(points) if table >> i & 1)
        shown = formula(manager, f, cells)
        assert shown is not None
        again = f"void main() begin decl a, b, c; assume({show_expression(shown)}); X: skip; end"
        other = check(parse(again), limits=CheckLimits(memory_mb=1))
        (location,) = other.reached.model.graphs["main"].labelled("X")
        states = states_now(other.reached, ("main", location))
        other_cells = other.reached.model.layout.scopes["main"].cells
        numbers = [other_cells[name].now for name in "abc"]
        found = {
            tuple(p[i] for i in numbers)
            for p in other.reached.model.manager.points(states, numbers)
        }
        here = [scope.cells[name].now for name in "abc"]
        assert found == {
            tuple(p[i] for i in here) for i_, p in enumerate(points) if table >> i_ & 1
        }
