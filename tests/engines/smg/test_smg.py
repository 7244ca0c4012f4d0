"""The smg engine: proofs about lists of any length, and no proof where there is a fault."""

from __future__ import annotations

import pytest
from fuzz.memory_programs import program as random_program

from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import EngineTask, decide
from predabs.options import Budget
from predabs.spec.checks import add_checks
from predabs.verdict import Safe, Unknown, Verdict
from support.c_programs import program_of_c

HEAD = """
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void exit(int);
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int value; struct node *next; struct node *prev; };
struct node *head;
struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value; n->next = list; n->prev = 0;
  if (list) list->prev = n;
  return n;
}
void drop(struct node *n) { while (n) { struct node *next = n->next; free(n); n = next; } }
"""
BUILT = "struct node *l = 0; while (__VERIFIER_nondet_int()) l = push(l, 1);"

SAFE = {
    "built and freed": f"{BUILT} drop(l);",
    "walked": f"{BUILT} for (struct node *p = l; p; p = p->next) p->value = 2; drop(l);",
    "ones": f"{BUILT} for (struct node *p = l; p; p = p->next) if (p->value != 1) reach_error();"
    " drop(l);",
    "back to front": f"{BUILT} struct node *p = l; while (p && p->next) p = p->next;"
    " while (p) { struct node *before = p->prev; free(p); p = before; }",
    "reversed": f"{BUILT} struct node *r = 0; while (l) {{ struct node *n = l->next; l->next = r;"
    " l->prev = 0; r = l; l = n; } drop(r);",
    "the first is taken out": f"{BUILT} if (l) {{ struct node *n = l->next; free(l); l = n; }}"
    " drop(l);",
    "at the end": "head = push(0, 0); struct node *p = head; while (__VERIFIER_nondet_int())"
    " { p->next = push(0, 1); p = p->next; } drop(head);",
    "zeroed": "struct node *l = 0; while (__VERIFIER_nondet_int()) { struct node *n ="
    " calloc(1, sizeof *n); n->next = l; l = n; } while (l) { if (l->value) reach_error();"
    " struct node *n = l->next; free(l); l = n; }",
}

DEEP = """
struct leaf { struct leaf *next; char *text; };
struct list { struct leaf *leaves; struct list *next; };
struct index { struct index *next; struct list *lists; };
void grow(struct leaf **at) {
  struct leaf *f = malloc(sizeof *f);
  f->text = malloc(8); f->next = *at; *at = f;
}
void more(struct list **at) {
  struct list *l = malloc(sizeof *l);
  l->leaves = 0; while (__VERIFIER_nondet_int()) grow(&l->leaves);
  l->next = *at; *at = l;
}
struct index *built(void) {
  struct index *all = 0;
  while (__VERIFIER_nondet_int()) {
    struct index *i = malloc(sizeof *i);
    i->lists = 0; while (__VERIFIER_nondet_int()) more(&i->lists);
    i->next = all; all = i;
  }
  return all;
}
"""
GONE = """
  while (all) {
    while (all->lists) {
      struct list *l = all->lists;
      while (l->leaves) {
        struct leaf *f = l->leaves;
        l->leaves = f->next; TEXT; free(f);
      }
      all->lists = l->next; free(l);
    }
    struct index *next = all->next; free(all); all = next;
  }"""

WRONG = {
    "used after free": f"{BUILT} drop(l); if (l) l->value = 1;",
    "freed twice": f"{BUILT} drop(l); drop(l);",
    "lost": f"{BUILT}",
    "the rest is lost": f"{BUILT} if (l) free(l);",
    "one step too far": f"{BUILT} struct node *p = l; while (p) p = p->next; drop(l);"
    " p->value = 1;",
    "not all are ones": "struct node *l = push(0, 2); while (__VERIFIER_nondet_int())"
    " l = push(l, 1); for (struct node *p = l; p; p = p->next) if (p->value != 1) reach_error();"
    " drop(l);",
    "cut in the middle": f"{BUILT} if (l && l->next) l->next = l->next->next; drop(l);",
}


def verdict(text: str, *checks: str) -> Verdict:
    checked = add_checks(program_of_c(text), frozenset(checks or ("deref", "free", "leak")))
    return decide("smg", EngineTask(ProgramFacts(checked)), Budget.of(60))


@pytest.mark.parametrize("name", SAFE)
def test_proofs(name: str) -> None:
    assert verdict(f"{HEAD}int main(void) {{ {SAFE[name]} return 0; }}") == Safe()


@pytest.mark.parametrize("name", WRONG)
def test_no_proof_where_something_is_wrong(name: str) -> None:
    found = verdict(f"{HEAD}int main(void) {{ {WRONG[name]} return 0; }}")
    assert isinstance(found, Unknown)


@pytest.mark.parametrize(
    ("text", "proved"),
    [("free(f->text)", True), ("", False), ("if (f->next) free(f->text)", False)],
    ids=["right", "lost", "the last is lost"],
)
def test_lists_in_lists_in_lists(text: str, proved: bool) -> None:
    body = f"struct index *all = built(); {GONE.replace('TEXT', text)} return 0;"
    found = verdict(f"{HEAD}{DEEP}int main(void) {{ {body} }}")
    assert isinstance(found, Safe if proved else Unknown)


def test_where_there_are_many_shapes_they_are_joined() -> None:
    """Five lists, each of none, of one or of more nodes: 243 shapes."""
    lists = " ".join(
        f"struct node *l{n} = push(0, 1); while (__VERIFIER_nondet_int()) l{n} = push(l{n}, 1);"
        for n in range(6)
    )
    gone = " ".join(f"drop(l{n});" for n in range(6))
    assert verdict(f"{HEAD}int main(void) {{ {lists} {gone} return 0; }}") == Safe()


def test_what_it_cannot_tell_is_no_proof() -> None:
    body = "int *p = (int *)(long)__VERIFIER_nondet_int(); *p = 1; return 0;"
    found = verdict(f"{HEAD}int main(void) {{ {body} }}", "leak", "free")
    assert isinstance(found, Safe | Unknown)
    recursive = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }"
    assert isinstance(verdict(f"{recursive} void g(void) {{}}", "deref"), Unknown)


@pytest.mark.parametrize(
    "body",
    [
        "struct node *n = push(0, 1); free(n); if (n->value == 1) reach_error(); reach_error();",
        "int *p = malloc(4); p[1] = 1; reach_error();",
        'char *s = "text"; s[0] = 1; reach_error();',
        "int x; free(&x); reach_error();",
        "int *p = 0; if (*p) reach_error(); reach_error();",
    ],
)
def test_no_proof_rests_on_a_fault_that_no_check_looks_for(body: str) -> None:
    program = program_of_c(f"{HEAD}int main(void) {{ {body} return 0; }}")
    found = decide("smg", EngineTask(ProgramFacts(program)), Budget.of(60))
    assert isinstance(found, Unknown)


VALUES = """
double __VERIFIER_nondet_double(void); unsigned long __VERIFIER_nondet_ulong(void);
void *memcpy(void *, const void *, unsigned long);
double zero;
"""


@pytest.mark.parametrize(
    "body",
    [
        "double x = __VERIFIER_nondet_double(); if (x != x) reach_error();",
        "double x = __VERIFIER_nondet_double(); unsigned long bits; if (x == zero)"
        " { memcpy(&bits, &x, 8); if (bits) reach_error(); }",
        "double x = __VERIFIER_nondet_double(); unsigned long bits; memcpy(&bits, &x, 8);"
        " if (bits && x == zero) reach_error();",
        "char *p = malloc(4), *q = p + __VERIFIER_nondet_ulong(); if (!q) reach_error();",
        "int *p = malloc(4), *q = p + (1ul << 62); if (p == q) reach_error();",
        "char *p = malloc(4), *q = p + (1ul << 63); if (p < q) reach_error();",
    ],
)
def test_values_that_compare_in_unexpected_ways(body: str) -> None:
    """NaN is not itself, -0.0 is 0.0, and sums of addresses wrap around."""
    program = program_of_c(f"{HEAD}{VALUES}int main(void) {{ {body} return 0; }}")
    found = decide("smg", EngineTask(ProgramFacts(program)), Budget.of(60))
    assert isinstance(found, Unknown)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_agree_with_all_their_runs(seed: int) -> None:
    text = random_program(seed)
    checked = add_checks(program_of_c(text), frozenset(["deref", "free"]))
    runs = [
        execute(checked, ListInputs([a, b]), max_steps=10_000) for a in range(4) for b in range(4)
    ]
    if any(isinstance(outcome, ErrorReached) for outcome in runs):
        found = decide("smg", EngineTask(ProgramFacts(checked)), Budget.of(60))
        assert isinstance(found, Unknown)
