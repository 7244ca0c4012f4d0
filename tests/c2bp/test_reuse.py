"""`--store`: a procedure that did not change is not asked about again, one that did is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from predabs.c2bp.boolean_code import text
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.file_predicates import predicates_of_file
from predabs.c2bp.program import abstract
from predabs.c2bp.store.answers import Answers
from predabs.c2bp.store.kept_procedures import KeptProcedures
from predabs.cli import main
from predabs.ir.types import DataModel
from predabs.predicates.syntax.file import read_predicates
from predabs.smt.solver import Answer, Reason, Solver, Statistics, Unknown
from predabs.smt.solvers import create
from predabs.smt.term import Term
from predabs.store.database import Store
from support.c2bp_random import random_calls
from support.c2bp_runs import random_predicates
from support.c_programs import program_of_c, write_c

SOURCE = """
int g;
int inc(int x) { if (g == 7) x = x + 2; x = x + 1; return x; }
void swap(int *p, int *q) { int t; t = *p; *p = *q; *q = t; }
int main(void) { int a = 2, b = 5; a = inc(a); swap(&a, &b); if (a == 3) reach_error(); return 0; }
"""
PREDICATES = """
global:
g == 7
inc:
x == 'x
x == 'x + 1
swap:
*p == 5
*q == 5
t == 3
main:
a == 3
b == 5
"""


def made(
    folder: Path,
    source: str = SOURCE,
    predicates: str = PREDICATES,
    max_cube: int = 3,
    model: DataModel = DataModel.LP64,
) -> tuple[dict[str, int], int, str]:
    """How many questions were new for each procedure, how many went to a solver, and the result."""
    program = program_of_c(source, data_model=model)
    kept = KeptProcedures(str(folder / "s.sqlite"))
    statistics = Statistics()
    found = predicates_of_file(read_predicates(predicates, program))
    code = abstract(program, found, max_cube, statistics=statistics, store=kept).code
    kept.save()
    assert not kept.messages
    plain = abstract(program, found, max_cube).code
    assert code == plain  # whatever is reused, the result is the same
    new = {name: kept.answers(name).new for name in program.functions}
    return new, statistics.calls, text(code)


def changed(new: dict[str, int]) -> set[str]:
    return {name for name, count in new.items() if count}


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    new, calls, _ = made(tmp_path)
    assert changed(new) == {"inc", "swap", "main"} and calls > 10
    new, calls, _ = made(tmp_path)
    assert not changed(new) and calls == 0


@pytest.mark.parametrize(
    "old, changed_to, expected",
    [
        ("x = x + 1;", "x = x + 3;", {"inc"}),
        ("a = inc(a);", "a = inc(b);", {"main"}),
        ("if (a == 3)", "if (a == 3 && b == 5)", {"main"}),
        # a change that no question shows, and what stands elsewhere
        ("a = 2, b = 5", "a = 1, b = 5", set()),
        ("int g;", "int g; // a comment\n\n", set()),
        ("int g;", "int g; int unused(void) { return g + 1; }", set()),
    ],
)
def test_a_changed_body_is_asked_about_again(
    old: str, changed_to: str, expected: set[str], tmp_path: Path
) -> None:
    made(tmp_path)
    new, calls, _ = made(tmp_path, SOURCE.replace(old, changed_to))
    assert changed(new) == expected and bool(calls) == bool(expected)


@pytest.mark.parametrize(
    "old, changed_to, expected",
    [
        ("x == 'x + 1", "x == 'x + 2", {"inc", "main"}),
        ("t == 3", "t == 4", {"swap"}),
        ("b == 5", "b == 6", {"main"}),
    ],
)
def test_a_changed_predicate_is_asked_about_again(
    old: str, changed_to: str, expected: set[str], tmp_path: Path
) -> None:
    """What a procedure returns matters to its callers too."""
    made(tmp_path)
    new, _, _ = made(tmp_path, predicates=PREDICATES.replace(old, changed_to))
    assert changed(new) == expected


def test_what_pointers_may_point_to_counts(tmp_path: Path) -> None:
    """The body of `swap` is the same, but now its two places may be one."""
    _, _, apart = made(tmp_path)
    new, _, same = made(tmp_path, SOURCE.replace("swap(&a, &b)", "swap(&a, &b); swap(&a, &a)"))
    assert "swap" in changed(new)
    assert code_of(apart, "swap") != code_of(same, "swap")
    # and back again: the old answers are still there
    new, calls, again = made(tmp_path)
    assert calls == 0 and code_of(again, "swap") == code_of(apart, "swap")


def code_of(program: str, name: str) -> list[str]:
    """The code of one procedure, without comments."""
    lines = program.splitlines()
    start = next(n for n, line in enumerate(lines) if f" {name}(" in line and "begin" in line)
    end = lines.index("end", start)
    return [line for line in lines[start:end] if "//" not in line]


def test_options_count(tmp_path: Path) -> None:
    made(tmp_path)
    new, _, _ = made(tmp_path, max_cube=2)
    assert changed(new) == {"inc", "swap", "main"}


@pytest.mark.parametrize("joint", [0, 2])
def test_the_direct_method(joint: int, tmp_path: Path) -> None:
    """Its tables are not asked about again either."""
    program = program_of_c(SOURCE)
    found = predicates_of_file(read_predicates(PREDICATES, program))
    plain = abstract(program, found, method=DirectMethod(joint)).code
    calls = []
    for _ in range(2):
        kept, statistics = KeptProcedures(str(tmp_path / "s.sqlite")), Statistics()
        code = abstract(
            program, found, statistics=statistics, store=kept, method=DirectMethod(joint)
        ).code
        kept.save()
        calls.append(statistics.calls)
        assert code == plain
    assert calls[0] > 0 and calls[1] == 0


def test_another_program_with_the_same_procedure(tmp_path: Path) -> None:
    made(tmp_path)
    other = """int g; int h;
    int inc(int y) { if (g == 7) y = y + 2; y = y + 1; return y; }
    int main(void) { h = 4; h = inc(h); if (h != 5) reach_error(); return 0; }"""
    predicates = "global:\ng == 7\ninc:\ny == 'y\ny == 'y + 1\nmain:\nh == 4\nh == 5\n"
    new, _, _ = made(tmp_path, other, predicates)
    assert changed(new) == {"main"}


class Tired:
    """A solver that has no answer to every third question."""

    asked = 0

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.statistics = solver.statistics

    def add(self, term: Term) -> None:
        self.solver.add(term)

    def fresh(self) -> Tired:
        return Tired(self.solver.fresh())

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        Tired.asked += 1
        if Tired.asked % 3 == 0:
            return Unknown(Reason.TIMEOUT)
        return self.solver.check(assumptions, timeout)


def test_a_solver_without_an_answer_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept that was only not found out in time."""
    program = program_of_c(SOURCE)
    found = predicates_of_file(read_predicates(PREDICATES, program))
    kept = KeptProcedures(str(tmp_path / "s.sqlite"))
    with monkeypatch.context() as patch:
        patch.setattr(
            "predabs.c2bp.abstraction_context.create", lambda *words: Tired(create(*words))
        )
        assert abstract(program, found, store=kept).open_questions
    kept.save()
    assert any(kept.answers(name).new for name in program.functions)
    new, calls, _ = made(tmp_path)  # also compares the result with one from nothing
    assert changed(new) and calls


@pytest.mark.parametrize("seed", [0, 2])
def test_random_programs(seed: int, tmp_path: Path) -> None:
    program = program_of_c(random_calls(seed))
    predicates = random_predicates(program, seed)
    codes = []
    for _ in range(2):
        kept, statistics = KeptProcedures(str(tmp_path / "s.sqlite")), Statistics()
        codes.append(abstract(program, predicates, 2, statistics=statistics, store=kept).code)
        kept.save()
    assert statistics.calls == 0
    assert codes == [abstract(program, predicates, 2).code] * 2


def test_the_command(tmp_path: Path) -> None:
    path = write_c(tmp_path, SOURCE)
    (tmp_path / "a.preds").write_text(PREDICATES)
    words = ["abstract", path, "--predicates", str(tmp_path / "a.preds")]
    words += ["--store", str(tmp_path / "deep" / "s.sqlite")]
    texts = []
    for name in ("1.bp", "2.bp"):
        assert main([*words, "-o", str(tmp_path / name)]) == 0
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]
    rows = Store(tmp_path / "deep" / "s.sqlite").rows()
    assert [row[:2] for row in rows] == [("answers", name) for name in ("inc", "main", "swap")]


def test_answers_of_another_version_are_found_again(tmp_path: Path) -> None:
    made(tmp_path)
    kept = KeptProcedures(str(tmp_path / "s.sqlite"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("predabs.c2bp.store.kept_procedures.__version__", "0.0.0")
        assert kept.answers("inc").old == {}
    assert KeptProcedures(str(tmp_path / "s.sqlite")).answers("inc").old


def test_a_store_that_is_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing happens to a file with another name; the command does its work without a store."""
    path = write_c(tmp_path, SOURCE)
    (tmp_path / "a.preds").write_text(PREDICATES)
    words = ["abstract", path, "--predicates", str(tmp_path / "a.preds"), "--store", path]
    assert main(words) == 0
    assert "is no store, and not named like one" in capsys.readouterr().err
    assert SOURCE in Path(path).read_text()


def test_old_answers_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("predabs.c2bp.store.kept_procedures._MOST_ANSWERS", 3)
    kept = KeptProcedures(str(tmp_path / "s.sqlite"))
    kept.write("answers", "f", {key: [[], []] for key in "abc"})
    kept.save()
    answers: Answers = kept.answers("f")
    assert answers.get("b") == [[], []]
    answers.put("d", [[], []])
    kept.save()
    assert set(KeptProcedures(str(tmp_path / "s.sqlite")).answers("f").old) == {"b", "c", "d"}
