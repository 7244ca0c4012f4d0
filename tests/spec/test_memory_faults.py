"""Memory checks: each kind of fault is found where it happens, and nowhere else."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.engines.engine import EngineTask, decide
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.ir.ops import Error
from predabs.options import Budget, Options
from predabs.pipeline.preparation import sliced
from predabs.spec.checks import add_checks
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c

HEAD = """
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void *memcpy(void *, const void *, unsigned long); char *strcpy(char *, const char *);
void exit(int); void *realloc(void *, unsigned long);
int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int *kept; struct node *head;
"""

# the body of main, the check that finds the fault, and a part of what it says
FAULTS = {
    "null": ("int *p = 0; return *p;", "deref", "read of 4 bytes at"),
    "a member of null": ("struct node *n = 0; return n->value;", "deref", "n->value"),
    "freed": ("int *p = malloc(8); free(p); return *p;", "deref", "which was freed"),
    "one too far": ("int *p = malloc(8); p[2] = 1; return 0;", "deref", "offset 8, size 8"),
    "before": ("int *p = malloc(8); p[-1] = 1; return 0;", "deref", "before the start"),
    "a local": ("int a[2], *p = a; p[2] = 1; return 0;", "deref", "past the end of 'a'"),
    "an index": ("int a[2], i = 2; a[i] = 1; return 0;", "deref", "out of the bounds"),
    "memcpy": ("char a[2], b[4] = {0}; memcpy(a, b, 3); return 0;", "deref", "write to 3 bytes"),
    "strcpy": ('char a[2]; strcpy(a, "abc"); return 0;', "deref", "past the end of 'a'"),
    "a literal": ('char *s = "abc"; *s = 1; return 0;', "deref", "string literal"),
    "twice": ("int *p = malloc(8); free(p); free(p); return 0;", "free", "second free"),
    "inside": ("char *p = malloc(8); free(p + 1); return 0;", "free", "1 byte inside"),
    "not the heap": ("int x; free(&x); return 0;", "free", "not on the heap"),
    "freed, then resized": (
        "char *p = malloc(4); free(p); p = realloc(p, 8); free(p); return 0;",
        "free",
        "invalid realloc",
    ),
    "resized inside": ("char *p = malloc(4); p = realloc(p + 1, 8); return 0;", "free", "realloc"),
    "lost": ("int *p = malloc(8); p = 0; return 0;", "leak", "8 bytes allocated"),
    "lost at the end": ("int *p = malloc(8); return 0;", "leak", "8 bytes allocated"),
    "a lost list": (
        "struct node *n = malloc(16); n->next = malloc(16); n->next->next = n; return 0;",
        "leak",
        "16 bytes allocated",
    ),
    "overwritten": ("kept = malloc(8); kept = malloc(4); return 0;", "leak", "8 bytes allocated"),
    "kept": ("kept = malloc(8); return 0;", "cleanup", "not freed"),
    "kept at exit": ("int *p = malloc(8); exit(0);", "cleanup", "not freed"),
}

FINE = {
    "resized": "char *p = malloc(4); p = realloc(p, 8); p[7] = 1; free(p); return 0;",
    "null is resized": "char *p = realloc((void *)0, 8); p[7] = 1; free(p); return 0;",
    "the last element": "int *p = malloc(8); p[1] = 1; free(p); return 0;",
    "a null that is freed": "free((void *)0); return 0;",
    "no bytes": "char a[1]; memcpy(a + 1, a, 0); return 0;",
    "a local of a caller": "int a[2] = {1, 2}, *p = a; kept = p + 1; return *kept;",
    "one behind, unused": "int *p = malloc(8), *q = p + 2; free(q - 2); return 0;",
    "a pointer into it": "char *p = malloc(8); kept = (int *)(p + 4);"
    " free((char *)kept - 4); return 0;",
    "a list": "head = malloc(16); head->next = malloc(16); head->next->next = 0;"
    " free(head->next); free(head); return 0;",
    "freed on both ways": "int *p = malloc(8); if (__VERIFIER_nondet_int()) free(p); else free(p);"
    " return 0;",
    "made on one way": "int *p = 0; if (__VERIFIER_nondet_int()) p = malloc(4); free(p); return 0;",
}

ALL = frozenset(["deref", "free", "leak"])


def program(body: str, *checks: str) -> Program:
    text = f"{HEAD}int main(void) {{ {body} }}"
    return add_checks(program_of_c(text), frozenset(checks) or ALL)


def bounded(checked: Program) -> Safe | Unsafe:
    """What the bounded engine says, about the program and about its slice."""
    answers = []
    whole = ProgramFacts(checked)
    for facts in (whole, sliced(whole)):
        task = EngineTask(facts, Options(), EngineStatistics(), lambda text: None)
        answers.append(decide("bounded", task, Budget()))
    verdict, of_slice = answers
    assert type(verdict) is type(of_slice)
    assert isinstance(verdict, Safe | Unsafe)
    return verdict


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_an_error(name: str) -> None:
    body, check, text = FAULTS[name]
    checked = program(body, check)
    outcome = execute(checked, ListInputs([1, 1, 1, 1]))
    assert isinstance(outcome, ErrorReached)
    assert isinstance(outcome.edge.op, Error) and outcome.edge.op.check == check
    assert text in outcome.text
    assert isinstance(bounded(checked), Unsafe)


@pytest.mark.parametrize("name", FINE)
def test_what_is_allowed_is_no_error(name: str) -> None:
    checked = program(FINE[name])
    for number in (0, 1):
        assert isinstance(execute(checked, ListInputs([number])), Exited)
    assert isinstance(bounded(checked), Safe)


NEVER_WRITTEN = {
    "freed from an array": "int *a[3]; a[0] = 0; free(a[0]); free(a[1]); return 0;",
    "followed from a variable": "struct node s; if (s.next) s.next->value = 1; return 0;",
    "freed": "struct node *n = malloc(16); free(n->next); free(n); return 0;",
    "followed": "struct node *n = malloc(16), *p = n->next; if (p) p->value = 1; return 0;",
    "written on one way": "struct node *n = malloc(16); if (__VERIFIER_nondet_int()) n->next = 0;"
    " if (n->next) n->next->value = 1; free(n); return 0;",
    "the end of a list": "struct node *l = 0; while (__VERIFIER_nondet_int()) { struct node *n ="
    " malloc(16); n->value = 1; if (l) n->next = l; l = n; } while (l) { struct node *n = l->next;"
    " free(l); l = n; } return 0;",
}


@pytest.mark.parametrize("name", NEVER_WRITTEN)
def test_what_was_never_written_on_the_heap_is_no_good_pointer(name: str) -> None:
    checked = program(NEVER_WRITTEN[name], "deref", "free")
    found = decide("bounded", EngineTask(ProgramFacts(checked)), Budget.of(60))
    assert isinstance(found, Unsafe)
    assert not isinstance(replay(checked, found.inputs), NotReplayed)


def test_what_was_never_written_may_come_from_outside_if_nobody_asks() -> None:
    """Models of environments pass it on."""
    body = "struct node *n = malloc(16); if (n->next) n->next->value = 1; return 0;"
    unchecked = program_of_c(f"{HEAD}int main(void) {{ {body} }}")
    assert decide("bounded", EngineTask(ProgramFacts(unchecked)), Budget.of(60)) == Safe()


def test_what_is_reachable_at_exit_is_not_lost() -> None:
    checked = program("int *p = malloc(8); *p = 1; exit(0);", "leak")
    assert isinstance(execute(checked, ListInputs([])), Exited)
    assert isinstance(bounded(checked), Safe)


def test_a_caller_still_has_the_pointer_when_the_run_ends_in_a_callee() -> None:
    text = f"""{HEAD}
void stop(void) {{ exit(1); }}
int main(void) {{ int *p = malloc(8); stop(); free(p); return 0; }}
"""
    checked = add_checks(program_of_c(text), frozenset(["leak"]))
    assert isinstance(execute(checked, ListInputs([])), Exited)
    assert isinstance(bounded(checked), Safe)


def test_an_object_that_was_made_on_the_other_way_is_not_lost() -> None:
    checked = program(
        "if (__VERIFIER_nondet_int()) { int *p = malloc(4); free(p); } return 0;", "cleanup"
    )
    assert isinstance(bounded(checked), Safe)


def test_without_a_heap_nothing_can_be_lost() -> None:
    checked = program("return 0;", "leak", "cleanup")
    edges = [edge for function in checked.functions.values() for edge in function.edges]
    assert not any(isinstance(edge.op, Error) for edge in edges)
