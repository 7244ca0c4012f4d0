"""Cells of arrays, and pointers to functions, as states of machines."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.engines.explicit.array_cells import ArrayCells
from predabs.evidence.certificate import Certified, certify
from predabs.ir.expr import Const
from predabs.ir.show import show_expr
from predabs.spec.checks import add_checks
from predabs.verdict import Safe, Unknown, Unsafe
from support.c_programs import program_of_c
from support.cell_machine_random import random_cell_machine
from support.explicit_runs import agree, decide
from support.selection import mostly_long

_PETERSON = """
int flag[2], turn, pc[2], in;
static void step(int me) {
  int other = 1 - me;
  switch (pc[me]) {
  case 0: flag[me] = 1; pc[me] = 1; break;
  case 1: turn = other; pc[me] = 2; break;
  case 2: if (!flag[other] || turn == me) { pc[me] = 3; in++; } break;
  case 3: if (in != 1) reach_error(); in--; pc[me] = 4; break;
  case 4: flag[me] = 0; pc[me] = 0; break;
  }
}
int main(void) { while (1) if (__VERIFIER_nondet_int()) step(0); else step(1); }
"""

_QUEUE = """
enum { IDLE, BUSY };
struct T { int st; int got; } t[3];
int q[4], head, tail, n;
static void push(int x) { q[tail] = x; tail = (tail + 1) % 4; n++; }
static int pop(void) { int x = q[head]; head = (head + 1) % 4; n--; return x; }
int main(void) {
  while (1) {
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 2) continue;
    if (t[k].st == IDLE) { t[k].st = BUSY; if (n >= MOST) reach_error(); push(k); }
    else if (n > 0) { int y = pop(); if (t[y].st != BUSY) reach_error(); t[y].st = IDLE; }
  }
}
"""


_FUNCTIONS = """
typedef void (*State)(int);
static void idle(int), busy(int), closing(int);
static State now = idle, saved; static int locked;
static State table[3] = { idle, busy, closing };
static void idle(int e) {
  if (e == 1) { now = busy; locked = 1; } else if (e == 2 && saved) now = saved;
}
static void busy(int e) {
  if (!locked) reach_error();
  if (e == 0) { saved = NEXT; now = table[e + 2]; }
}
static void closing(int e) { locked = 0; now = e ? idle : closing; }
int main(void) { while (1) now(__VERIFIER_nondet_int()); }
"""


def cells_of(text: str) -> ArrayCells:
    return ArrayCells(ProgramFacts(program_of_c(text)))


def names(cells: ArrayCells) -> list[str]:
    return [cell.name for cell in cells.lvalues]


def test_states_in_arrays() -> None:
    assert isinstance(decide("explicit", program_of_c(_PETERSON)), Safe)
    wrong = _PETERSON.replace("turn = other", "turn = me")
    assert isinstance(decide("explicit", program_of_c(wrong)), Unsafe)


def test_event_queue_in_an_array() -> None:
    assert isinstance(decide("explicit", program_of_c(_QUEUE.replace("MOST", "3"))), Safe)
    assert isinstance(decide("explicit", program_of_c(_QUEUE.replace("MOST", "2"))), Unsafe)


def test_functions_are_states() -> None:
    assert isinstance(decide("explicit", program_of_c(_FUNCTIONS.replace("NEXT", "0"))), Safe)
    assert isinstance(decide("explicit", program_of_c(_FUNCTIONS.replace("NEXT", "busy"))), Unsafe)


_TABLE = """
enum { IDLE, OPENING, UP, STATES };
struct Link { int state, tries; _Bool timer; };
typedef void (*Handler)(struct Link *);
static void begin(struct Link *l) { l->state = OPENING; l->tries = 0; l->timer = 1; }
static void ack(struct Link *l) { l->state = UP; l->timer = 0; }
static void late(struct Link *l) { if (++l->tries > 3) { l->state = IDLE; l->timer = LEFT; } }
static void end(struct Link *l) { l->state = IDLE; l->timer = 0; }
static void ignore(struct Link *l) {}
static const Handler table[STATES][3] = {
  [IDLE] = { begin, ignore, ignore },
  [OPENING] = { ignore, ack, late },
  [UP] = { end, ignore, NULL_ },
};
int main(void) {
  struct Link link = { IDLE, 0, 0 };
  for (;;) {
    int e = __VERIFIER_nondet_int();
    if (e < 0 || e > 2) break;
    table[link.state][e](&link);
    if (link.timer != (link.state == OPENING)) reach_error();
  }
  return 0;
}
"""


def test_a_table_of_functions() -> None:
    """The row is a state, and the column an input that two comparisons bound."""
    text = _TABLE.replace("LEFT", "0").replace("NULL_", "ignore")
    program = program_of_c(text)
    verdict = decide("explicit", program, 40.0)
    assert isinstance(verdict, Safe)
    [invariant] = verdict.invariants
    assert "link.state == 1" in show_expr(invariant.expr)
    assert isinstance(certify(program, verdict.invariants), Certified)
    wrong = text.replace("l->timer = 0; } }", "l->timer = 1; } }")
    assert isinstance(decide("explicit", program_of_c(wrong), 40.0), Unsafe)
    checked = add_checks(program, frozenset(["deref"]))
    assert isinstance(decide("explicit", checked, 40.0), Safe)
    null = program_of_c(_TABLE.replace("LEFT", "0").replace("NULL_", "0"))
    assert isinstance(decide("explicit", add_checks(null, frozenset(["deref"])), 40.0), Unsafe)


_EVENTS = """
typedef void (*Handler)(int);
struct Event { Handler run; int left; } queue[3];
int head, n, state;
static void post(Handler run, int left) {
  if (n < 3) { int at = (head + n) % 3; queue[at].run = run; queue[at].left = left; n++; }
}
static void start(int), work(int), stop(int);
static void start(int left) { if (state != 0) reach_error(); state = 1; post(work, 2); }
static void work(int left) {
  if (state != 1) reach_error();
  if (left > 0) post(work, left - 1); else post(stop, 0);
}
static void stop(int left) { state = 0; }
int main(void) {
  while (1) {
    if (n <= MOST && __VERIFIER_nondet_int()) post(start, 0);
    if (n == 0) continue;
    struct Event event = queue[head];
    head = (head + 1) % 3; n--; event.run(event.left);
  }
}
"""


def test_events_are_copied() -> None:
    assert isinstance(decide("explicit", program_of_c(_EVENTS.replace("MOST", "0"))), Safe)
    assert isinstance(decide("explicit", program_of_c(_EVENTS.replace("MOST", "1"))), Unsafe)


def test_cells_and_their_initial_values() -> None:
    cells = cells_of("""
        int i; int a[3] = { 4, 5 }; struct { int c; int b[2]; } s[2] = { { 1, { 2 } } };
        extern int e[2];
        int main(void) { return a[i] + s[i].c + s[i].b[i] + e[i]; }""")
    assert names(cells)[:3] == ["a[0]", "a[1]", "a[2]"]
    initial = {cell.name: value for cell, value in cells.initial().items()}
    numbers = {name: value.value for name, value in initial.items() if isinstance(value, Const)}
    assert [numbers[f"a[{n}]"] for n in range(3)] == [4, 5, 0]
    assert (numbers["s[0].c"], numbers["s[0].b[0]"], numbers["s[1].b[1]"]) == (1, 2, 0)
    assert not any(name.startswith("e[") for name in numbers)


def test_members_of_a_union_are_one_cell() -> None:
    cells = cells_of("""
        int i; union { int x[2]; int y[2]; } u;
        int main(void) { u.x[i] = 1; return u.y[i]; }""")
    assert len(cells.lvalues) == 2


def test_bytes_of_numbers_are_no_cells() -> None:
    cells = cells_of("""
        int i; union { int x[2]; char c[8]; } u;
        int main(void) { u.x[i] = 1; return u.c[i]; }""")
    assert not cells.lvalues


def test_long_arrays_have_no_cells() -> None:
    assert not cells_of("int i, a[1000]; int main(void) { return a[i]; }").lvalues


# each ends in an error that some run reaches; what is written lies in a cell that is followed
_WRITTEN = {
    "through a pointer": "int *p = a; p += __VERIFIER_nondet_int() & 1; *p = 7;",
    "in a function": "set(a);",
    "at an input": "int k = __VERIFIER_nondet_int(); a[k] = 7;",
    "as a whole": "memset(a, 1, sizeof a);",
    "in another structure": "s[0] = s[1];",
    "through a structure": "struct T *p = &s[0]; p->x = 9;",
    "in the next row": "int k = __VERIFIER_nondet_int(); g[0][k] = 7;",
}


@pytest.mark.parametrize("how", _WRITTEN)
def test_cells_that_are_written(how: str) -> None:
    text = f"""
        extern void *memset(void *, int, unsigned long);
        struct T {{ int x, y; }} s[2] = {{ {{ 0, 0 }}, {{ 4, 5 }} }};
        int a[2], g[2][2], i, st;
        static void set(int *p) {{ p[1] = 3; }}
        int main(void) {{
          while (__VERIFIER_nondet_int()) {{
            st = a[i] + g[i][0] + s[0].x;
            if (st == 0) {{ {_WRITTEN[how]} i = 1 - i; }} else break;
          }}
          if (a[0] != 0 || a[1] != 0 || g[0][0] != 0 || s[0].x != 0) reach_error();
        }}"""
    assert isinstance(decide("explicit", program_of_c(text)), Unsafe | Unknown)


def test_local_arrays_end_with_their_call() -> None:
    text = """
        int z;
        static void f(int k) { int l[2]; if (k) l[z] = 5; else if (l[z] != 5) reach_error(); }
        int main(void) { f(1); f(0); }"""
    assert isinstance(decide("explicit", program_of_c(text)), Unsafe)


@pytest.mark.parametrize("seed", mostly_long(range(120), 12))
def test_random_machines_in_arrays(seed: int) -> None:
    agree(random_cell_machine(seed))
