"""Slices: an error that a program reaches is reached by its slice, with the same inputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from fuzz.generate import program as random_program

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.analysis.slice import Slice, slice_program
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, ExternPointers, Location, Program
from predabs.ir.ops import Assume, Error, ErrorKind, Return, Skip
from predabs.ir.types import DataModel
from support.analysis_machine import End
from support.analysis_programs import (
    FILES,
    Analysed,
    RecordedInputs,
    TracingMachine,
    analysed,
    from_file,
    from_text,
)


def sliced(item: Analysed) -> Slice:
    return slice_program(item.program, item.partition, item.effects)


class Guided(TracingMachine):
    """Runs a slice; where it leaves the next edge open, the trace of the original decides."""

    def __init__(self, cut: Slice, seed: int, guide: list[Edge]) -> None:
        division = partition(cut.program, points_to(cut.program))
        self.guide = guide
        self.position = 0
        super().__init__(cut.program, division, RecordedInputs(seed, dict(cut.origin)))

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        here = edges[0].src if edges else None
        while self.position < len(self.guide) and self.guide[self.position].src is not here:
            self.position += 1
        if len(edges) > 1 and not any(isinstance(edge.op, Assume) for edge in edges):
            ends = {edge.dst: edge for edge in edges}
            for step in self.guide[self.position :]:
                if step.dst in ends:
                    self.trace.append(ends[step.dst])
                    return ends[step.dst]
            raise End("the original did not go on")
        return super().choose(edges)


def with_error_at(program: Program, location: Location) -> Program:
    """The program with an error at a location."""
    function = program.functions[location.function]
    edges = [edge for edge in function.edges if edge.src is not location]
    coord = function.outgoing[location][0].coord
    end = Location(function.name, 1_000_000)
    edges.append(Edge(location, Error(ErrorKind.ASSERTION, "here"), end, coord))
    changed = replace(function, edges=tuple(edges))
    return replace(program, functions={**program.functions, function.name: changed})


def check(program: Program, seed: int, count: int) -> tuple[int, int]:
    """Put errors at locations that a run comes to; gives the edges of programs and of slices."""
    item = analysed(program)
    first = TracingMachine(program, item.partition, RecordedInputs(seed))
    first.run(1500)
    before = after = 0
    for location in Random(seed).choices([edge.src for edge in first.trace], k=count):
        if isinstance(first.program.functions[location.function].outgoing[location][0].op, Error):
            continue
        item = analysed(with_error_at(program, location))
        original = TracingMachine(item.program, item.partition, RecordedInputs(seed))
        original.run(3000)
        assert original.error is not None
        cut = sliced(item)
        guided = Guided(cut, seed, original.trace)
        guided.run(3000)
        assert guided.error is not None, location
        assert cut.origin[guided.error] is original.error
        before += sum(len(f.edges) for f in item.program.functions.values())
        after += sum(len(f.edges) for f in cut.program.functions.values())
    return before, after


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_errors_stay(file: Path) -> None:
    program = from_file(file, DataModel.ILP32).program
    for seed in range(3):
        check(program, seed, 3)


def test_errors_stay_in_random_programs(tmp_path: Path) -> None:
    before = after = 0
    for seed in range(200, 205):
        file = tmp_path / f"random{seed}.c"
        file.write_text(random_program(seed))
        large, small = check(load([str(file)], DataModel.LP64), seed, 3)
        before, after = before + large, after + small
    assert after < before


def kept_lines(
    text: str, folder: Path, extern_pointers: ExternPointers = ExternPointers.FRESH
) -> set[int]:
    """The lines (the first of the text is line 1) of which something is left."""
    cut = sliced(from_text(text, folder, extern_pointers=extern_pointers))
    return {
        edge.coord.line
        for function in cut.program.functions.values()
        for edge in function.edges
        if not isinstance(edge.op, Skip | Return)
    }


def test_what_cannot_matter_is_gone(tmp_path: Path) -> None:
    text = """\
    extern int input(void);
    extern void reach_error(void);
    int lock, noise, table[8];
    void log(int n) { for (int i = 0; i < n; i++) { noise += i; table[i & 7] = noise; } }
    int take(int quiet) {
        if (lock) reach_error();
        lock = 1;
        log(quiet);
        return quiet;
    }
    int main(void) {
        int x = input(), y = input();
        if (y > 3) log(y); else noise = 2;
        while (noise < 10) noise++;
        int z = take(y);
        if (x == 5) lock = 0;
        z = z + noise;
        take(z);
    }
    """
    assert kept_lines(text, tmp_path) == {6, 7, 12, 15, 16, 18}


def test_an_end_before_the_error_matters(tmp_path: Path) -> None:
    text = """\
    extern int input(void);
    extern void reach_error(void);
    extern void abort(void);
    void __VERIFIER_assume(int);
    void need(int c) { if (!c) abort(); }
    int main(void) {
        int x = input(), y = input(), z = input(), after = input();
        need(x > 3);
        __VERIFIER_assume(y > 4);
        if (z > 5) return 0;
        if (x + y < z) reach_error();
        need(after);
        __VERIFIER_assume(after > 1);
    }
    """
    # what ends the run after the error is not needed, only that it may end in `need` is not told
    # apart by call
    assert kept_lines(text, tmp_path) == {5, 7, 8, 9, 10, 11, 12}


def test_a_loop_without_a_way_out_is_an_end(tmp_path: Path) -> None:
    text = """\
    extern int input(void);
    extern void reach_error(void);
    int main(void) {
        int x = input(), y = input(), noise = 0;
        if (x) for (;;) noise++;
        while (noise > 3) noise++;
        if (y) reach_error();
    }
    """
    # the second loop has an exit, and is taken to end
    assert kept_lines(text, tmp_path) == {4, 5, 7}


def test_a_function_that_never_returns_is_an_end(tmp_path: Path) -> None:
    text = """\
    extern int input(void);
    extern void reach_error(void);
    static void stop(void) { int noise = 0; for (;;) noise++; }
    static void need(int c) { if (!c) { int n = 1;
        L: n++; if (n > 5) goto M; n--; M: if (n) goto L; else goto L; } }
    static void log(int c) { for (int n = c; n; n--) if (n == c) break; }
    int main(void) {
        int x = input(), y = input();
        for (;;) {
            if (x) stop();
            need(y);
            log(x);
            if (y) reach_error();
        }
    }
    """
    # of the loops only that they are come to; the first has no place in `main` to go on
    assert kept_lines(text, tmp_path) == {3, 4, 8, 10, 11, 13}


def test_the_way_out_of_a_loop_is_kept_if_nothing_else_is_for_it(tmp_path: Path) -> None:
    text = """\
    extern int input(void);
    extern void reach_error(void);
    int main(void) {
        int x = input(), y = input(), noise = 0;
        for (;;) {
            while (x > 3) { noise++; if (noise > 5) x > 4; }
            while (y > 3) noise++;
            if (x > 3) reach_error();
            if (x == 1) noise++;
            x = input();
        }
    }
    """
    cut = sliced(from_text(text, tmp_path))
    assert kept_lines(text, tmp_path) == {4, 6, 8, 10}
    inner = [edge for edge in cut.program.functions["main"].edges if edge.coord.line == 6]
    assert len(inner) == 1  # an assumption: who stays in the loop stays for ever


def goto_program(seed: int) -> str:
    """Functions of jumps: loops with several entries and exits, or none; calls that may not
    return."""
    random = Random(seed)

    def statement(labels: int, callees: list[str]) -> str:
        a, b, c = random.choices("abcd", k=3)
        label = random.randrange(labels)
        kind = random.randrange(12)
        if kind < 3:
            return f"{a} = ({b} + {c} + {random.randrange(4)}) & 3;"
        if kind < 4:
            return f"{a} = input() & 3;"
        if kind < 9:
            return f"if ({a} {random.choice(['==', '!=', '<'])} {b}) goto L{label};"
        if kind < 10:
            return f"goto L{label};"
        if kind < 11 and callees:
            return f"{random.choice(callees)}();"
        return random.choice([f"if ({a} == 3) exit(0);", f"if ({a} == {b}) return 0;", ";"])

    text = "extern int input(void); extern void exit(int); int a, b, c, d;\n"
    names: list[str] = []
    for name in ("f", "g", "main"):
        labels = random.randint(4, 12)
        body = "\n".join(f"L{number}: {statement(labels, names)}" for number in range(labels))
        text += f"int {name}(void) {{\n{body}\nreturn 0; }}\n"
        names.append(name)
    return text


def test_errors_stay_among_jumps(tmp_path: Path) -> None:
    before = after = 0
    for seed in range(60):
        file = tmp_path / f"jumps{seed}.c"
        file.write_text(goto_program(seed))
        large, small = check(load([str(file)], DataModel.LP64), seed, 3)
        before, after = before + large, after + small
    assert after < before


def test_memory_through_pointers_matters(tmp_path: Path) -> None:
    text = """\
    extern int input(void);
    extern void reach_error(void);
    int a, b, c;
    int *p, *q, *r;
    void set(int *at, int v) { *at = v; }
    int main(void) {
        p = &a;
        q = &b;
        r = &c;
        if (input()) p = q;
        *r = 5;
        set(p, 3);
        c = 4;
        if (b != 0) reach_error();
    }
    """
    assert kept_lines(text, tmp_path) == {5, 7, 8, 10, 12, 14}


def test_unknown_addresses_keep_what_they_may_be(tmp_path: Path) -> None:
    text = """\
    extern void *__VERIFIER_nondet_pointer(void);
    extern void reach_error(void);
    extern void publish(int *);
    int secret;
    int main(void) {
        publish(&secret);
        int *p = __VERIFIER_nondet_pointer();
        if (p) *p = 1;
        if (secret) reach_error();
    }
    """
    assert {6, 7, 8, 9} <= kept_lines(text, tmp_path, ExternPointers.ANY)
    assert kept_lines(text, tmp_path) == {9}  # memory of the environment is apart


def test_values_that_do_not_matter_are_not_computed(tmp_path: Path) -> None:
    item = from_text(
        """
        void reach_error(void); void exit(int);
        struct s { int x; union { int i; } u; } record, *q;
        int number, *p;
        void last(int unused, struct s also, int used) { if (used == 3) reach_error(); }
        int result(int used) { number = used; return *p; }
        int main(void) {
            p = &number;
            q = &record;
            int ignored = result(3);
            last(*p + ignored, *q, number);
            exit(*p);
        }
        """,
        tmp_path,
    )
    original = TracingMachine(item.program, item.partition, RecordedInputs(0))
    original.run(100)
    assert original.error is not None
    cut = sliced(item)
    guided = Guided(cut, 0, original.trace)
    guided.run(100)
    assert guided.error is not None
    # without the assignments to the pointers, which nothing needs
    done = [edge.coord.line for edge in guided.trace if not isinstance(edge.op, Skip)]
    assert {8, 9}.isdisjoint(done)


def test_functions_and_globals_that_nobody_needs_are_gone(tmp_path: Path) -> None:
    text = """\
    extern void reach_error(void);
    int state, other, more[10];
    void idle(void) { other++; more[1] = 2; }
    int main(void) { idle(); state = 1; if (state == 2) reach_error(); }
    """
    cut = sliced(from_text(text, tmp_path))
    assert set(cut.program.functions) == {"main"}
    assert {item.var.name for item in cut.program.globals} == {"state"}


def test_a_program_without_errors_is_empty(tmp_path: Path) -> None:
    assert kept_lines("int g; int main(void) { g = 1; if (g) g = 2; return g; }", tmp_path) == set()
