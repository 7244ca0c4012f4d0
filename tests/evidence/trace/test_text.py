"""The text of a trace: whole small ones, and how long ones are shortened."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

from predabs.evidence.replay import Confirmed, replay
from predabs.evidence.trace.steps import ShownValue, StepKind, TraceStep
from predabs.evidence.trace.text import step_lines
from predabs.evidence.trace.trace import Trace
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.ops import Source
from predabs.ir.types import INT, DataModel
from predabs.spec.checks import add_checks
from predabs.verdict import Input
from support.c_programs import write_c

FILES = {"a.c": "a.c"}


def text_of(tmp_path: Path, text: str, *given: int, checks: frozenset[str] = frozenset()) -> str:
    """The text, without the folder."""
    file = write_c(tmp_path, dedent(text))
    program = add_checks(load([file], DataModel.LP64, "main"), checks)
    found = replay(program, taken(program, given))
    assert isinstance(found, Confirmed), found
    return found.trace.text().replace(f"{tmp_path}/", "")


def taken(program: Program, given: tuple[int, ...]) -> list[Input]:
    """Inputs for the places that take one, in the order of the source."""
    edges = [edge for function in program.functions.values() for edge in function.edges]
    places = [e.coord for e in edges if getattr(e.op, "source", None) is Source.NONDET]
    return [
        Input(Source.NONDET, "__VERIFIER_nondet_int", INT, value, place)
        for value, place in zip(given, sorted(places), strict=True)
    ]


def test_a_list(tmp_path: Path) -> None:
    text = """
    struct node { int value; struct node *next; };
    static struct node *push(struct node *list, int value) {
      struct node *made = malloc(sizeof *made);
      made->value = value;
      made->next = list;
      return made;
    }
    int main(void) {
      struct node *list = 0;
      int sum = 0, other = 0;
      for (int i = 1; i < 4; i++)
        list = push(list, i);
      list = push(list, __VERIFIER_nondet_int());
      other = 5;
      while (list) {
        sum += list->value;
        list = list->next;
      }
      if (sum == 10) reach_error();
    }"""
    assert text_of(tmp_path, text, 4) == dedent(
        """\
        inputs:
        > a.c:14  __VERIFIER_nondet_int() = 4
        run:
          a.c:10  list = NULL;                                 list = NULL
        > a.c:11  sum = 0;                                     sum = 0
          a.c:11  other = 0;                                   other = 0
        > a.c:12  i = 1;                                       i = 1
        > a.c:12  [i < 4]                                      i = 1
        > a.c:13  list = push(list, i);                        list = NULL, value = 1
        > a.c:4     made = (struct node *)malloc(16);          made = malloc#1 (16 bytes, line 4)
        > a.c:5     made->value = value;                       made->value = 1
          a.c:6     made->next = list;                         made->next = NULL
        > a.c:7     return made;                               push() = malloc#1, list = malloc#1
        > a.c:12  i = i + 1;                                   i = 2
                  ... 1 more round ...
        > a.c:12  [i < 4]                                      i = 3
        > a.c:13  list = push(list, i);                        list = malloc#2, value = 3
        > a.c:4     made = (struct node *)malloc(16);          made = malloc#3 (16 bytes, line 4)
        > a.c:5     made->value = value;                       made->value = 3
        > a.c:6     made->next = list;                         made->next = malloc#2
        > a.c:7     return made;                               push() = malloc#3, list = malloc#3
          a.c:12  i = i + 1;                                   i = 4
          a.c:12  [i >= 4]                                     i = 4
        > a.c:14  list = push(list, __VERIFIER_nondet_int());  list = malloc#3, value = 4
        > a.c:4     made = (struct node *)malloc(16);          made = malloc#4 (16 bytes, line 4)
        > a.c:5     made->value = value;                       made->value = 4
        > a.c:6     made->next = list;                         made->next = malloc#3
        > a.c:7     return made;                               push() = malloc#4, list = malloc#4
          a.c:15  other = 5;                                   other = 5
        > a.c:16  [list != NULL]                               list = malloc#4
        > a.c:17  sum = sum + list->value;                     sum = 4
        > a.c:18  list = list->next;                           list = malloc#3
                  ... 2 more rounds ...
        > a.c:16  [list != NULL]                               list = malloc#1
        > a.c:17  sum = sum + list->value;                     sum = 10
          a.c:18  list = list->next;                           list = NULL
          a.c:16  [list == NULL]                               list = NULL
        > a.c:20  [sum == 10]                                  sum = 10
        error: a.c:20:18: reach_error() is called
               where sum = 10"""
    )


def test_a_fault_in_a_string(tmp_path: Path) -> None:
    text = """
    char *strcpy(char *, const char *);
    struct item { int id; char name[4]; };
    static void name(struct item *item, const char *text) { strcpy(item->name, text); }
    int main(void) {
      struct item item = {7, "ab"};
      item.id = 8;
      name(&item, "abcd");
    }"""
    lines = text_of(tmp_path, text, checks=frozenset(["deref"])).splitlines()
    assert lines[:4] == [
        '  a.c:6  item = {...};                item = {id = 7, name = "ab"}',
        "  a.c:7  item.id = 8;                 item.id = 8",
        '> a.c:8  name(&item, "abcd");         item = &item, text = "abcd"',
        '> a.c:4    strcpy(item->name, text);  to = &main::item.name[0] "ab", from = "abcd"',
    ]
    assert lines[4].startswith("error: a.c:4:57: in strcpy: invalid write to to[i]: ")
    assert lines[5:] == ['       where item = &main::item, text = "abcd"']


def test_an_uninitialised_member_is_told_as_such(tmp_path: Path) -> None:
    text = """
    struct node { int a, b; };
    int main(void) {
      struct node *n = malloc(sizeof *n);
      n->a = 1;
      if (n->b == 0x01010101) reach_error();
    }"""
    file = write_c(tmp_path, dedent(text))
    program = load([file], DataModel.LP64, "main")
    (place,) = [
        e.coord for f in program.functions.values() for e in f.edges if "Alloc(" in repr(e.op)
    ]
    given = Input(Source.UNINITIALIZED, "malloc", INT, b"\1" * 8, place)
    found = replay(program, [given])
    assert isinstance(found, Confirmed)
    shown = found.trace.text()
    assert "n->b = 16843009 (not initialised)" in shown


# --- long traces ----------------------------------------------------------------------------------


def step(number: int, **more: Any) -> TraceStep:
    values = (ShownValue("x", number),)
    return TraceStep("a.c", number, 1, "f", f"x = {number};", values, **more)


def shown(steps: list[TraceStep], marks: bool) -> list[str]:
    return [" ".join(str(line).split()) for line in step_lines(steps, marks, FILES)]


def test_of_a_long_trace_what_is_marked_is_shown_with_the_calls_around() -> None:
    call = TraceStep("a.c", 1, 1, "f", "g();", (), StepKind.CALL)
    inside = [step(number, depth=1, marked=number == 100) for number in range(2, 200)]
    end = [step(200, marked=True), step(201), step(202, marked=True)]
    lines = shown([step(0), step(0), call, *inside, *end], True)
    assert lines == [
        "... 2 more steps ...",
        "a.c:1 g();",
        "... 98 more steps ...",
        "> a.c:100 x = 100; x = 100",
        "... 99 more steps ...",
        "> a.c:200 x = 200; x = 200",
        "a.c:201 x = 201; x = 201",  # one step takes no more room than a line about it
        "> a.c:202 x = 202; x = 202",
    ]


def test_without_marks_calls_that_have_returned_are_closed() -> None:
    call = TraceStep("a.c", 1, 1, "f", "y = g();", (), StepKind.CALL)
    end = TraceStep("a.c", 9, 1, "g", "return 3;", (ShownValue("g()", 3),), StepKind.RETURN, 1)
    inside = [step(number, depth=1) for number in range(2, 150)]
    open_ = [step(number, depth=1) for number in range(200, 203)]
    lines = shown([call, *inside, end, step(160), call, *open_], False)
    assert lines == [
        "a.c:1 y = g(); ... 149 steps inside g() = 3",
        "a.c:160 x = 160; x = 160",
        "a.c:1 y = g();",
        *(f"a.c:{number} x = {number}; x = {number}" for number in range(200, 203)),
    ]


def test_what_cannot_be_shortened_keeps_its_beginning_and_its_end() -> None:
    lines = shown([step(number) for number in range(500)], False)
    assert len(lines) == 91 and lines[30] == "... 410 more steps ..."
    assert lines[0] == "a.c:0 x = 0; x = 0" and lines[-1] == "a.c:499 x = 499; x = 499"


def test_long_statements_are_cut() -> None:
    line = TraceStep("a.c", 1, 1, "f", "x" * 500, ())
    assert len(Trace((line,)).text()) < 120


def test_long_names_of_files_lose_their_folders_if_none_are_confused() -> None:
    far = "a/long/way/to/the/source.c"
    steps = [TraceStep(far, 3, 1, "f", "x = 1;", ()), TraceStep("b.c", 4, 1, "f", "y = 2;", ())]
    assert Trace(tuple(steps)).text() == "source.c:3  x = 1;\nb.c:4       y = 2;"
    confused = (steps[0], TraceStep("other/source.c", 4, 1, "f", "y = 2;", ()))
    assert far in Trace(confused).text()


def test_many_inputs_are_those_that_matter() -> None:
    inputs = [
        TraceStep("a.c", n, 1, "", "any()", (ShownValue("", n),), StepKind.INPUT, marked=n == 7)
        for n in range(20)
    ]
    lines = Trace((), tuple(inputs), marks=True).text().splitlines()
    assert lines == ["inputs:", "> a.c:7  any() = 7", "         ... 19 more inputs ...", "run:"]
