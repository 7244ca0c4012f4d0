"""Witnesses are confirmed if they are right, and only then: own ones and those of others."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

from predabs.cli import main
from support.annotated import Annotated, programs
from support.selection import mostly_long
from support.witness_files import (
    correctness,
    invariant,
    position,
    schema_problems,
    segment,
    violation,
    waypoint,
)

LOOP = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {}
struct pair { int first; int cells[4]; };
int total;
int main(void) {
  unsigned int i = 0, n = (unsigned)__VERIFIER_nondet_int();
  struct pair p = {0};
  int a[3] = {5, 6, 7};
  if (n > 100000) abort();
  while (i < n) {
    i++;
    p.first = (int)i;
    total = a[1];
  }
  if (i != n || p.first < 0) { reach_error(); }
  return 0;
}
"""

BUG = """extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static int twice(int x) { return 2 * x; }
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 20)
    return 0;
  for (int i = 0; i < n; i++) {
    s = s + twice(1);
  }
  switch (n) { case 3: s = s + 0; break; default: s = s + 1; }
  if (s == 6 || s == 11) {
    reach_error();
  }
  return 0;
}
"""


def written(folder: Path, text: str, name: str = "p.c") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def answer(
    witness: str, file: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, str]:
    """The exit code, and the last line of the output or the message."""
    path = written(file.parent, witness, "w.yml")
    code = main(["validate", str(path), str(file), *more])
    out = capsys.readouterr()
    return code, (out.out.splitlines() or out.err.splitlines())[-1]


# --- correctness ----------------------------------------------------------------------------------


def test_a_32_bit_machine_and_a_formula_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tools write `__int128` where the compiler has none, and specifications without the entry."""
    file = written(tmp_path, LOOP)
    wide = "(__int128)n - (unsigned __int128)i <= (__int128)100000 * 3"
    text = correctness(file, invariant(file, position(file, "while ("), wide))
    whole = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    assert whole in text and "LP64" in text
    text = text.replace("LP64", "ILP32").replace(whole, "G ! call(reach_error())")
    assert answer(text, file, capsys) == (0, "VERDICT: TRUE")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("i <= n", 0),
        ("(i <= n) && (n <= 100000U) && !(p.cells[2] != 0)", 0),
        ("(long long)i - (long long)n <= 0LL && p.first == (int)i", 0),
        ("(__int128)n - i >= (__int128)0", 0),
        ("a[1] == 6 && (total == 0 || total == a[1])", 0),
        ("i < n", 3),
        ("i <= n && n <= 99999", 3),
        ("p.first > 0", 3),
        ("a[i] == 5 || 1", 3),
        ("1 / i >= 0 || 1", 3),
    ],
)
def test_loop_invariants(
    value: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, LOOP)
    at = position(file, "while (")
    got, last = answer(correctness(file, invariant(file, at, value)), file, capsys)
    assert got == code, last
    if code == 3:
        fails = "cannot be evaluated" if "a[i]" in value or "/" in value else "does not hold"
        assert f"w.yml:19: wrong loop invariant: `{value}` {fails} at" in last
        assert re.search(r", where .*(i|n|p\.first|a\[i\]) = ", last), last
    else:
        assert last == "VERDICT: TRUE"


def test_location_invariants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, LOOP)
    inside = invariant(file, position(file, "i++"), "i < n", "location_invariant")
    behind = invariant(file, position(file, "if (i != n"), "i == n", "location_invariant")
    assert answer(correctness(file, inside, behind), file, capsys) == (0, "VERDICT: TRUE")
    wrong = invariant(file, position(file, "p.first = "), "i < n", "location_invariant")
    code, last = answer(correctness(file, inside, wrong, behind), file, capsys)
    assert code == 3 and "w.yml:24: wrong location invariant: `i < n`" in last


def test_a_right_invariant_proves_nothing_about_a_wrong_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, BUG)
    given = invariant(file, position(file, "for ("), "i <= n")
    code, last = answer(correctness(file, given), file, capsys)
    assert code == 3 and "the program violates the specification at" in last


def test_names_mean_what_they_mean_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An inner variable hides an outer one; what is not in scope is bad input."""
    text = """void reach_error(void) {}
int main(void) {
  int x = 1;
  { int x = 2; x = x + 0; }
  { int y = 3; y++; }
  if (x != 1) reach_error();
  return 0;
}
"""
    file = written(tmp_path, text)
    inner = invariant(file, position(file, "x = x + 0"), "x == 2", "location_invariant")
    outer = invariant(file, position(file, "if (x"), "x == 1", "location_invariant")
    assert answer(correctness(file, inner, outer), file, capsys)[0] == 0
    hidden = invariant(file, position(file, "if (x"), "y == 4", "location_invariant")
    code, message = answer(correctness(file, hidden), file, capsys)
    assert (
        code == 2 and message == f"predabs: {tmp_path}/w.yml:19: use of undeclared identifier 'y'"
    )


# --- violations -----------------------------------------------------------------------------------


def points(file: Path) -> dict[str, tuple[int, int]]:
    return {
        "nondet": position(file, "nondet_int(),", len("nondet_int()") - 1),
        "if": position(file, "if (n < 0"),
        "for": position(file, "for ("),
        "twice": position(file, "twice(1)", len("twice(1)") - 1),
        "switch": position(file, "switch ("),
        "body": position(file, "s = s + twice"),
        "target": position(file, "reach_error();"),
    }


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([], 1),
        ([("function_return", "nondet", "\\result == 3")], 1),
        (
            [
                ("function_return", "nondet", "\\result > 3 && \\result != 4"),
                ("branching", "if", "false"),
            ],
            1,
        ),
        ([("function_return", "nondet", "\\result == 4")], 3),
        ([("branching", "if", "true")], 3),
        ([("branching", "switch", "3")], 1),
        (
            [
                ("branching", "switch", "default"),
            ],
            1,
        ),
        ([("branching", "switch", "4")], 3),
        ([("assumption", "body", "i == 2"), ("function_enter", "twice", None)], 1),
        (
            [
                ("assumption", "body", "i == 2 && n == 3"),
                ("function_return", "twice", "\\result == 2"),
            ],
            1,
        ),
        ([("assumption", "body", "i == 3 && n == 3")], 3),
        ([("function_return", "twice", "\\result == 3")], 3),
        ([("branching", "for", "true")] * 3 + [("branching", "for", "false")], 1),
        ([("branching", "for", "true")] * 6 + [("branching", "for", "false")], 3),
        ([("branching", "for", "false"), ("branching", "for", "true")], 3),
    ],
)
def test_waypoints(
    steps: list[tuple[str, str, str | None]],
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = written(tmp_path, BUG)
    at = points(file)
    segments = [segment(waypoint(file, kind, at[place], value)) for kind, place, value in steps]
    segments.append(segment(waypoint(file, "target", at["target"])))
    got, last = answer(violation(file, *segments), file, capsys)
    assert got == code, last
    if code == 1:
        assert last == "VERDICT: FALSE"
    else:
        assert re.search(r"w\.yml(:\d+)?: no run", last), last


def test_avoided_waypoints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, BUG)
    at = points(file)
    target = waypoint(file, "target", at["target"])
    avoided = waypoint(file, "branching", at["switch"], "default", action="avoid")
    assert answer(violation(file, segment(avoided, target)), file, capsys)[0] == 1
    both = waypoint(file, "branching", at["switch"], "3", action="avoid")
    code, last = answer(violation(file, segment(avoided, both, target)), file, capsys)
    assert code == 3 and "no run" in last


def test_a_target_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, BUG)
    wrong = segment(waypoint(file, "target", position(file, "s = s + 0")))
    code, last = answer(violation(file, wrong), file, capsys)
    assert code == 3 and "no run violates the specification at" in last


def test_a_safe_program_has_no_violation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, LOOP)
    claimed = segment(waypoint(file, "target", position(file, "reach_error(); }")))
    assert answer(violation(file, claimed), file, capsys)[0] == 3


# --- bad input ------------------------------------------------------------------------------------


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, LOOP)
    right = correctness(file, invariant(file, position(file, "while ("), "i <= n"))
    for old, new, message in [
        ("i <= n", "i = n", "`=` has no place"),
        ("i <= n", "i <= ", "expected expression"),
        ("line: 11", "line: 12", "no loop begins at"),
        ("function: main", "function: other", "no loop begins at"),
        ("file_name: some/where/p.c", "file_name: q.c", "q.c is no file of the task"),
        ("G ! call(reach_error())", "G nothing", "not a property"),
        ("G ! call(reach_error())", "F end", "termination"),
    ]:
        assert old in right
        code, last = answer(right.replace(old, new), file, capsys)
        assert code == 2 and message in last and f"{tmp_path}/w.yml:" in last, last
    file.write_text(LOOP + "\n")
    code, last = answer(right, file, capsys)
    assert code == 2 and "the witness is about another file" in last


@pytest.mark.parametrize("value", ["BAD || 1", "STOP", "a[0] == 0 && BAD"])
def test_a_macro_with_side_effects(
    value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = LOOP.replace(
        "int total;", "int total;\n#define BAD (total = 1)\n#define STOP abort(), 1"
    )
    file = written(tmp_path, text)
    given = invariant(file, position(file, "while ("), value)
    code, last = answer(correctness(file, given), file, capsys)
    assert code == 2 and last == f"predabs: {tmp_path}/w.yml:19: this expression has side effects"


# --- own witnesses --------------------------------------------------------------------------------

CHEAP = ("--cpu-time", "10")  # what is not decided by then has no witness, and is no failure
OWN = mostly_long(programs("verdicts"), 8, lambda program: program.name)


@pytest.mark.parametrize("program", OWN)
def test_own_witnesses_are_confirmed(
    program: Annotated, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each verdict about an annotated program has a witness that validates, in the right form."""
    witness = tmp_path / "w.yml"
    noted = {"check": "--check", "extern": "--extern-pointers", "volatile": "--volatile"}
    more = [
        word
        for note, option in noted.items()
        if (text := program.text(note))
        for word in (option, text.replace(" ", ","))
    ]
    common = [*program.files, *more, "--jobs", "1"]
    model = program.models[0]
    check = ["check", *common, "--witness", str(witness), "--data-model", model, *CHEAP]
    code = main(check)
    capsys.readouterr()
    if code == 3:
        assert not witness.exists()
        return
    assert schema_problems(yaml.safe_load(witness.read_text())) == []
    again = main(["validate", str(witness), *common])
    assert again == code, capsys.readouterr().out


def test_a_changed_number_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Own invariants, with one number after the other changed so that it is false."""
    text = """void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i, k = 7;
  for (i = 0; i < 12; i++) {
    if (__VERIFIER_nondet_int()) k = 9;
  }
  if (i != 12 || k > 9) reach_error();
  return 0;
}
"""
    file = written(tmp_path, text)
    witness = tmp_path / "own.yml"
    assert main(["check", str(file), "--witness", str(witness)]) == 0
    capsys.readouterr()
    whole = witness.read_text()
    (value,) = re.findall(r'value: "(.*)"', whole)
    upper = list(re.finditer(r"<= (\d+)", value))
    assert len(upper) >= 2, value
    for match in upper:
        lower = int(match[1]) - 1
        changed = f"{value[: match.start()]}<= {lower}{value[match.end() :]}"
        code, last = answer(whole.replace(value, changed), file, capsys)
        assert code == 3 and "wrong loop invariant" in last, last


def test_a_changed_run_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An own run, changed so that none of the program is like it; less of it is still right."""
    text = """void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 10) {
    if (n == 7) reach_error();
  }
  return 0;
}
"""
    file = written(tmp_path, text)
    witness = tmp_path / "own.yml"
    assert main(["check", str(file), "--witness", str(witness)]) == 1
    capsys.readouterr()
    whole = witness.read_text()
    assert answer(whole, file, capsys)[0] == 1
    for old, new in [("result == 7", "result == 8"), ('value: "true"', 'value: "false"')]:
        assert old in whole
        code, last = answer(whole.replace(old, new, 1), file, capsys)
        assert code == 3 and re.search(r"w\.yml:\d+: no run", last), last
    first, second, rest = whole.split("    - segment:\n", 2)
    assert answer(f"{first}    - segment:\n{rest}", file, capsys)[0] == 1, second


def test_witness_of_a_rule_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, LOOP)
    out = tmp_path / "w.yml"
    assert main(["check", str(file), "--property", "x.rule", "--witness", str(out)]) == 2
    assert not out.exists()


# --- random witnesses, against all runs of a program with few of them ---------------------------

FEW = """extern int __VERIFIER_nondet_int(void);
void reach_error(void) {{}}
int main(void) {{
  int i = 0, s = {start}, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 6) return 0;
  while (i < n) {{
    i = i + 1;
    s = s + {step};
    if (s > {limit}) s = s - {back};
  }}
  if (s == {goal}) {{ reach_error(); }}
  return 0;
}}
"""


def heads(numbers: dict[str, int], n: int) -> list[tuple[int, int]]:
    """The values of i and s whenever the run with this input comes to the head of the loop."""
    i, s = 0, numbers["start"]
    found = [(i, s)]
    while i < n:
        i, s = i + 1, s + numbers["step"]
        s -= numbers["back"] if s > numbers["limit"] else 0
        found.append((i, s))
    return found


RANDOM = mostly_long(range(24), 2)


@pytest.mark.parametrize("seed", RANDOM)
def test_random_invariants(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = random.Random(seed)
    numbers = {name: chosen.randint(1, 9) for name in ("start", "step", "limit", "back")}
    file = written(tmp_path, FEW.format(**numbers, goal=-1000))
    states = [(i, s, n) for n in range(7) for i, s in heads(numbers, n)]
    low, high = min(s for _, s, _ in states), max(s for _, s, _ in states)
    bound = chosen.choice([low, low + 1, high, high - 1])
    form, holds = chosen.choice(
        [
            (f"s >= {bound}", all(s >= bound for _, s, _ in states)),
            (f"s <= {bound}", all(s <= bound for _, s, _ in states)),
            (f"i < n || s <= {bound}", all(i < n or s <= bound for i, s, n in states)),
            (f"i > 0 || s == {bound}", all(i > 0 or s == bound for i, s, _ in states)),
        ]
    )
    given = invariant(file, position(file, "while ("), form)
    code, last = answer(correctness(file, given), file, capsys)
    assert code == (0 if holds else 3), f"{numbers} {form}: {last}"


@pytest.mark.parametrize("seed", RANDOM)
def test_random_waypoints(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = random.Random(seed)
    numbers = {name: chosen.randint(1, 9) for name in ("start", "step", "limit", "back")}
    runs = {n: heads(numbers, n) for n in range(7)}
    goal = runs[chosen.randrange(7)][-1][1]
    file = written(tmp_path, FEW.format(**numbers, goal=goal))
    i, s = chosen.choice(runs[chosen.randint(1, 6)][:-1])
    least = chosen.randint(0, 7)
    exists = any(
        n >= least and run[-1][1] == goal and (i, s) in run[:-1] for n, run in runs.items()
    )
    asked = position(file, "nondet_int();", len("nondet_int()") - 1, nth=1)
    inside = position(file, "i = i + 1")
    segments = [
        segment(waypoint(file, "function_return", asked, f"\\result >= {least}")),
        segment(waypoint(file, "assumption", inside, f"i == {i} && s == {s}")),
        segment(waypoint(file, "target", position(file, "reach_error();"))),
    ]
    code, last = answer(violation(file, *segments), file, capsys)
    assert code == (1 if exists else 3), f"{numbers} {goal} {i} {s} {least}: {last}"
