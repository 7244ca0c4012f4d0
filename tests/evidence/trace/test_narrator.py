"""Traces: what is told of a run, and what is left out."""

from __future__ import annotations

import pytest

from predabs.evidence import replay as replay_module
from predabs.evidence.replay import Confirmed, replay
from predabs.evidence.trace.steps import StepKind
from predabs.evidence.trace.trace import Trace
from predabs.spec.checks import add_checks
from support.c_programs import program_of_c


def trace_of(text: str, checks: frozenset[str] = frozenset()) -> Trace:
    found = replay(add_checks(program_of_c(text), checks), [])
    assert isinstance(found, Confirmed)
    return found.trace


def told(trace: Trace) -> list[tuple[int, str, dict[str, object]]]:
    return [(s.line, s.statement, {v.name: v.value for v in s.values}) for s in trace.steps]


def statements(trace: Trace) -> list[str]:
    return [step.statement for step in trace.steps]


def test_a_small_run_line_by_line() -> None:
    trace = trace_of(
        """int g;
        int add(int a, int b) { return a + b; }
        int main(void) {
          int x = __VERIFIER_nondet_int();
          g = add(x, 2);
          if (g == 2)
            __VERIFIER_error();
          return 0;
        }"""
    )
    assert told(trace) == [
        (4, "x = __VERIFIER_nondet_int();", {"x": 0}),
        (5, "g = add(x, 2);", {"a": 0, "b": 2}),
        (2, "return a + b;", {"add()": 2, "g": 2, "a": 0, "b": 2}),
        (6, "[g == 2]", {"g": 2}),
        (7, "__VERIFIER_error() is called", {"g": 2}),
    ]
    assert trace.omitted == 0
    assert [step.depth for step in trace.steps] == [0, 0, 1, 0, 0]
    assert trace.steps[1].function == "main" and trace.steps[2].function == "add"
    assert [step.kind for step in trace.steps] == [
        StepKind.INPUT, StepKind.CALL, StepKind.RETURN, StepKind.BRANCH, StepKind.ERROR,
    ]  # fmt: skip
    assert trace.error is trace.steps[-1]
    (taken,) = trace.inputs
    assert taken.statement == "__VERIFIER_nondet_int()" and taken.values[0].value == 0


def test_temporaries_are_shown_as_what_they_stand_for() -> None:
    trace = trace_of(
        """int f(void) { return 3; }
        int main(void) {
          int i = 0, t[2], c;
          t[i++] = 5;
          while ((c = f()) != 3) i++;
          if (f() + f() == 6 && __VERIFIER_nondet_int() == 0)
            __VERIFIER_error();
          return 0;
        }"""
    )
    lines = told(trace)
    assert not any("tmp" in statement for _, statement, _ in lines)
    assert (4, "t[0] = 5;", {"t[0]": 5}) in lines  # what i was, not what it is
    assert any(statement == "[c == 3]" for _, statement, _ in lines)
    assert any(statement == "[f() + f() == 6]" for _, statement, _ in lines)
    assert any(statement == "[__VERIFIER_nondet_int() == 0]" for _, statement, _ in lines)


def test_values_in_recursive_calls_are_those_of_the_call() -> None:
    trace = trace_of(
        """int down(int n) {
          int r = 0;
          if (n > 0)
            r = down(n - 1);
          if (n == 2)
            __VERIFIER_error();
          return r;
        }
        int main(void) { return down(2); }"""
    )
    branches = [(step.depth, step.values[0].value) for step in trace.steps if step.line == 5]
    assert branches == [(3, 0), (2, 1), (1, 2)]


def test_what_a_pointer_has_written_is_seen() -> None:
    trace = trace_of(
        """struct pair { int a, b; };
        static void set(int *p) { *p = 5; }
        int main(void) {
          int x = 0; struct pair s = {1, 2}, t = s;
          set(&x);
          if (x == 5) t.b = 9;
          if (t.b == 9) reach_error();
          return 0;
        }"""
    )
    values = {statement: values for _, statement, values in told(trace)}
    assert values["set(&x);"] == {"p": "&x"}
    assert values["[x == 5]"] == {"x": 5}
    assert values["[t.b == 9]"] == {"t.b": 9}


def test_a_call_without_a_body_opens_nothing() -> None:
    trace = trace_of(
        """int get(void);
        int main(void) {
          int x = 4, y = get();
          if (x == 4)
            reach_error();
          return y;
        }"""
    )
    assert (4, "[x == 4]", {"x": 4}) in told(trace)
    assert {step.depth for step in trace.steps} == {0}


def test_an_initialiser_is_one_step() -> None:
    trace = trace_of(
        """struct node { int v; struct node *next; char name[4]; };
        int main(void) {
          struct node b = {1, 0, "ab"}, a = {2, &b};
          int big[1000] = {1, 2}; char text[] = "hello";
          a.v = 3;
          reach_error();
        }"""
    )
    lines = told(trace)
    assert lines[0][1:] == ("b = {...};", {"b": '{v = 1, next = NULL, name = "ab"}'})
    assert lines[1][1:] == ("a = {...};", {"a": '{v = 2, next = &b, name = ""}'})
    assert lines[2][1:] == ("big = {...};", {"big": "{1, 2, 0 (998 times)}"})
    assert lines[3][1:] == ("text = {...};", {"text": '"hello"'})
    assert lines[4][1:] == ("a.v = 3;", {"a.v": 3})
    assert len(lines) == 6


def test_a_library_function_is_one_step_with_what_it_wrote() -> None:
    trace = trace_of(
        """char *strcpy(char *, const char *); int strcmp(const char *, const char *);
        char *strchr(const char *, int);
        struct item { int n; char name[8]; };
        int main(void) {
          struct item x;
          strcpy(x.name, "abc");
          char *c = strchr(x.name, 'b');
          *c = 'B';
          if (strcmp(x.name, "aBc") == 0) reach_error();
        }"""
    )
    assert told(trace) == [
        (6, 'strcpy(x.name, "abc");', {"x.name": '"abc"'}),
        (7, "c = strchr(x.name, 98);", {"c": "&x.name[1]"}),
        (8, "*c = 'B';", {"*c": 66}),
        (9, 'strcmp(x.name, "aBc");', {"strcmp()": 0}),
        (9, '[strcmp(x.name, "aBc") == 0]', {'strcmp(x.name, "aBc")': 0}),
        (9, "reach_error() is called", {'strcmp(x.name, "aBc")': 0}),
    ]
    assert str(trace.steps[1].values[0]) == 'c = &x.name[1] "bc"'
    assert str(trace.steps[2].values[0]) == "*c = 66 'B'"


def test_an_error_in_a_callback_of_a_library_function_is_told() -> None:
    trace = trace_of(
        """void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        int compare(const void *a, const void *b) {
          if (*(const int *)a == 2) reach_error();
          return *(const int *)a - *(const int *)b;
        }
        int main(void) { int t[3] = {3, 2, 1}; qsort(t, 3, sizeof t[0], compare); }"""
    )
    lines = statements(trace)
    assert lines[1] == "qsort(t, 3, 4, compare);"
    assert "[*(int *)a == 2]" in lines
    assert not [step for step in trace.steps if "models" in step.file and step.depth == 0]


def test_a_fault_inside_a_library_function_is_where_it_is_called() -> None:
    trace = trace_of(
        """unsigned long strlen(const char *);
        int main(void) { char *s = 0;
          return strlen(s); }""",
        frozenset(["null"]),
    )
    assert trace.error is not None
    assert trace.error.line == 3 and trace.error.statement.startswith("in strlen: ")
    assert "s" in [item.name for item in trace.error.values]


def test_blocks_of_the_heap_have_numbers_and_the_types_of_their_pointers() -> None:
    trace = trace_of(
        """struct node { int v; struct node *next; };
        void free(void *);
        int main(void) {
          struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
          struct node **last = &b->next;
          int *t = malloc(3 * sizeof *t), *u = t + 2;
          a->next = b;
          *last = 0;
          free(b);
          reach_error();
        }"""
    )
    lines = told(trace)
    values = {name: value for _, _, v in lines for name, value in v.items()}
    assert values["a"] == "malloc#1" and values["a->next"] == "malloc#2"
    assert values["last"] == "&malloc#2->next" and values["*last"] == "NULL"
    assert values["u"] == "&malloc#3[2]"
    assert str(trace.steps[0].values[0]) == "a = malloc#1 (16 bytes, line 4)"
    assert lines[-2][1:] == ("free(b);", {"b": "malloc#2"})


def test_functions_and_string_literals_by_name() -> None:
    trace = trace_of(
        """int f(int x) { return x; }
        int main(void) {
          int (*p)(int) = f; const char *s = "text", *t = s + 1;
          if (p(1) == 1) reach_error();
        }"""
    )
    values = {name: value for _, _, v in told(trace) for name, value in v.items()}
    assert values["p"] == "f" and values["s"] == '"text"' and values["t"] == '"text" + 1'


LOOP = "int main(void) {{ int s = 0; for (int i = 0; i < {n}; i++) s += i; reach_error(); }}"


def test_rounds_that_go_the_same_way_are_counted() -> None:
    trace = trace_of(LOOP.format(n=5000))
    assert told(trace) == [
        (1, "s = 0;", {"s": 0}),
        (1, "i = 0;", {"i": 0}),
        (1, "[i < 5000]", {"i": 0}),
        (1, "s = s + i;", {"s": 0}),
        (1, "i = i + 1;", {"i": 1}),
        (1, "... 4998 more rounds ...", {}),
        (1, "[i < 5000]", {"i": 4999}),
        (1, "s = s + i;", {"s": 12497500}),
        (1, "i = i + 1;", {"i": 5000}),
        (1, "[i >= 5000]", {"i": 5000}),
        (1, "reach_error() is called", {"i": 5000}),
    ]
    assert trace.omitted == 3 * 4998


def test_a_run_too_long_to_follow_keeps_its_beginning_and_the_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_module, "_FEW_SECONDS", 0.0)
    trace = trace_of(LOOP.format(n=5000))
    assert trace.omitted is None and trace.unfinished and not trace.marks
    assert statements(trace)[-2:] == ["... very many more steps ...", "reach_error() is called"]


def test_checks_that_are_passed_are_not_shown() -> None:
    trace = trace_of(
        """int main(void) {
          int x = __VERIFIER_nondet_int(), t[3];
          t[x] = 5;
          x = x + 1;
          return 1 / (x - 1);
        }""",
        frozenset(["bounds", "div-by-zero", "signed-overflow"]),
    )
    assert statements(trace) == [
        "x = __VERIFIER_nondet_int();",
        "t[x] = 5;",
        "x = x + 1;",
        "division by zero in 1 / (x - 1)",
    ]
    assert told(trace)[1][2] == {"t[0]": 5}


def test_the_error_shows_what_its_condition_was_computed_from() -> None:
    trace = trace_of(
        """void check(int cond) { if (!cond) reach_error(); }
        int main(void) {
          int x = 3, y = 4;
          check(x == y);
        }"""
    )
    assert told(trace)[-1][2] == {"cond": 0, "x": 3, "y": 4}


def test_an_invalid_access_names_the_object_and_its_end() -> None:
    trace = trace_of(
        """void free(void *);
        struct node { int v; struct node *next; };
        int main(void) {
          struct node *a = malloc(sizeof *a);
          free(a);
          return a->v;
        }""",
        frozenset(["deref"]),
    )
    assert trace.error is not None
    assert "which was freed in line 5" in trace.error.statement
    assert [str(value) for value in trace.error.values] == ["a = malloc#1 (freed in line 5)"]


def test_temporaries_in_a_fault_are_shown_as_what_they_stand_for() -> None:
    trace = trace_of(
        """static int *f(void) { int x = 3; int *p = &x; return p; }
        int main(void) { return *f(); }""",
        frozenset(["deref"]),
    )
    assert trace.error is not None
    assert trace.error.statement.startswith("invalid read of *f(): ")


def test_what_the_library_takes_is_taken_where_it_is_called() -> None:
    trace = trace_of(
        """int getchar(void);
        int main(void) {
          int c = getchar();
          if (c == 0) reach_error();
        }"""
    )
    assert {step.line for step in trace.inputs} == {3}
    assert all(step.marked for step in trace.inputs)
