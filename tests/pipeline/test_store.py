"""Checks with a store: the same verdict at once, checked again; and never a wrong one, whatever the
store says."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

import predabs
from predabs.analysis.facts import ProgramFacts
from predabs.cli import main
from predabs.engines.auto import engine as auto_engine
from predabs.engines.auto.plan import Slice, learned_slices
from predabs.engines.learned import Learned
from predabs.options import Options
from predabs.pipeline import check_pipeline, store_session
from predabs.pipeline.result import Answer, Result, StoreUse
from predabs.records import replace
from predabs.store.database import Store
from predabs.verdict import Safe
from support.c_programs import program_of_c, write_c
from support.lazy_random import random_program
from support.selection import mostly_long

SUM = """int sum(int n) {
  int i = 0, s = 0;
  while (i < n && __VERIFIER_nondet_int()) { i++; s += 2; }
  return s - 2 * i;
}
int unrelated(int k) { while (k > 3) k--; return k; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  unrelated(n);
  if (sum(n) != 0) reach_error();
  return 0;
}"""
WRONG = SUM.replace("s += 2", "s += 2; if (i == 3) s++")
LOCKS = """int lock;
void acquire(void) { if (lock != 0) reach_error(); lock = 1; }
void release(void) { if (lock != 1) reach_error(); lock = 0; }
int other(int k) { int a = 1; if (k == 5) a = 2; return a; }
int work(int k) {
  int s = 0;
  while (k > 0 && __VERIFIER_nondet_int()) {
    acquire(); s++; if (s > 1) s = 0; release(); k--;
  }
  return s;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (work(n) > 1 || other(n) == 0) reach_error();
  return 0;
}"""
COUNTERS = """int main(void) {
  int used = 0;
  for (int step = 0, round = 0; step < 6; step++) {
    if (__VERIFIER_nondet_int() && used < 4) used++;
    else if (used > 0) used--;
    round = round < 5 ? round + 1 : 0;
    if (used > 4) reach_error();
  }
  return 0;
}"""
BUG = """int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), i = 0;
  while (i < 5) { if (a * 3 + b == 1234567 + i && b > 77) reach_error(); i++; }
  return 0;
}"""


@pytest.fixture(autouse=True)
def keep_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_session, "_WORTH_KEEPING", 0.0)
    monkeypatch.setattr(store_session, "_WORTH_REPLAYING", 0.0)


class Shop:
    """A folder with a store and a program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "s.sqlite"

    def check(self, text: str, name: str = "a.c", **options: Any) -> Result:
        path = write_c(self.folder, text, name)
        return predabs.check([path], **{"store": str(self.file), "timeout": 100, **options})

    def used(self, text: str, **options: Any) -> tuple[Answer, StoreUse]:
        found = self.check(text, **options)
        assert found.store is not None and found.store.notes == ()
        return found.verdict, found.store


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_a_proof_is_checked_again(shop: Shop) -> None:
    first = shop.check(SUM)
    assert first.verdict is Answer.TRUE and first.store is not None
    assert (first.store.had, first.store.given, first.store.kept) == ("", False, True)
    again = shop.check(SUM)
    assert again.verdict is Answer.TRUE and again.store is not None
    assert (again.store.had, again.store.given, again.store.kept) == ("same", True, False)
    assert again.tried[0].startswith("recheck") and again.tried[0].endswith("proved")
    assert [item.text for item in again.invariants] == [item.text for item in first.invariants]


@pytest.mark.parametrize(
    "old, new",
    [
        ("int main", "/* another line */\n\nint main"),
        ("while (k > 3) k--;", "while (k > 4) k -= 2;"),  # no error depends on it
    ],
)
def test_a_change_that_no_error_depends_on(old: str, new: str, shop: Shop) -> None:
    shop.check(SUM)
    verdict, use = shop.used(SUM.replace(old, new))
    assert verdict is Answer.TRUE and use.had == "same" and use.given


def test_a_violation_is_replayed_again(shop: Shop) -> None:
    first = shop.check(BUG)
    again = shop.check("\n\n" + BUG)
    for found in (first, again):
        assert found.verdict is Answer.FALSE and found.violation is not None
    assert first.violation is not None and again.violation is not None
    assert again.store is not None and again.store.given
    assert [i.value for i in first.violation.inputs] == [i.value for i in again.violation.inputs]
    assert again.violation.coord.line == first.violation.coord.line + 2
    assert again.solver.calls == 0
    assert again.assumptions == first.assumptions


def test_what_was_learned_helps_a_changed_program(shop: Shop) -> None:
    shop.check(SUM)
    changed = SUM.replace("i++; s += 2;", "s += 1; i++; s += 1; if (i > 9 * n) s = 7;")
    verdict, use = shop.used(changed)
    assert verdict is Answer.TRUE and use.had == "similar" and not use.given and use.kept
    verdict, use = shop.used(changed.replace("100000", "1000"), name="other.c")
    assert verdict is Answer.TRUE and use.had == "similar"


@pytest.mark.parametrize(
    "old, new",
    [
        ("i++; }", "i++; if (a < 0) a = -a; }"),
        ("  int a = ", "  int c = 3;\n  c = c + 1;\n  int a = "),
    ],
    ids=["behind its inputs", "lines before its inputs"],
)
def test_a_bug_that_stays_is_found_by_its_inputs(old: str, new: str, shop: Shop) -> None:
    shop.check(BUG)
    found = shop.check(BUG.replace(old, new))
    assert found.verdict is Answer.FALSE
    assert found.tried == ("store: an earlier violation, replayed again",)


def test_a_violation_of_the_same_files_needs_no_slice(shop: Shop) -> None:
    first = shop.check(BUG)
    assert "slice" in dict(first.work.seconds)
    for text, had in ((BUG, "same"), (BUG.replace("i < 5", "i < 7"), "similar")):
        again = shop.check(text)
        assert again.verdict is Answer.FALSE and "slice" not in dict(again.work.seconds)
        assert again.store is not None and (again.store.had, again.store.given) == (had, True)
    elsewhere = shop.check(BUG, name="b.c")
    assert elsewhere.tried == ("store: an earlier violation, replayed again",)
    assert "slice" in dict(elsewhere.work.seconds)


def test_a_violation_that_is_gone_is_tried_once(shop: Shop) -> None:
    shop.check(BUG)
    found = shop.check(BUG.replace("b > 77", "b > 77 && b < 77"))
    assert found.verdict is Answer.TRUE
    gone = "store: an earlier violation does not replay any more"
    assert [text for text in found.tried if text.startswith("store")] == [gone]


@pytest.mark.parametrize(
    "first, second, verdict",
    [(SUM, WRONG, Answer.FALSE), (WRONG, SUM, Answer.TRUE)],
    ids=["a bug comes", "a bug goes"],
)
def test_another_verdict_after_a_change(
    first: str, second: str, verdict: Answer, shop: Shop
) -> None:
    shop.check(first)
    assert shop.check(second).verdict is verdict
    assert shop.check(second).verdict is verdict


@pytest.mark.parametrize(
    "right, wrong, verdict",
    [(SUM, WRONG, Answer.FALSE), (WRONG, SUM, Answer.TRUE)],
    ids=["a proof of another program", "a run of another program"],
)
def test_a_store_that_lies_is_not_believed(
    right: str, wrong: str, verdict: Answer, shop: Shop
) -> None:
    """What is kept of one program stands under the name of the other."""
    shop.check(wrong)
    [(other,)] = _query(shop.file, "SELECT key FROM checks")
    Store(shop.file).clear()
    shop.check(right)
    _query(shop.file, f"UPDATE checks SET key = '{other}'")
    found = shop.check(wrong)
    assert found.verdict is verdict
    assert found.store is not None and found.store.had == "same" and not found.store.given


def _query(file: Path, text: str) -> list[Any]:
    with sqlite3.connect(file) as connection:
        return connection.execute(text).fetchall()


def test_options_have_checks_of_their_own(shop: Shop) -> None:
    shop.check(SUM)
    verdict, use = shop.used(SUM, engine="lazy")
    assert verdict is Answer.TRUE and use.had == ""
    verdict, use = shop.used(SUM, engine="lazy", timeout=90)  # a limit does not count
    assert verdict is Answer.TRUE and use.had == "same" and use.given


def test_the_lazy_engine_begins_with_what_was_tracked(shop: Shop) -> None:
    first = shop.check(SUM, engine="lazy")
    again = shop.check(SUM, engine="lazy")
    assert first.work.refinements > 0 and again.work.refinements == 0
    assert again.work.predicates == first.work.predicates > 0


LOCKED = """extern int __VERIFIER_nondet_int(void);
int lock, flags;
static void idle(void) {
  int i = 0;
  while (__VERIFIER_nondet_int()) i++;
  if (flags > 1) reach_error();
}
int main(void) {
  int most = __VERIFIER_nondet_int();
  if (most < 0 || most > 1) return 0;
  while (__VERIFIER_nondet_int()) {
    if (lock) reach_error();
    lock = 1; idle(); lock = 0;
    flags = most;
  }
  return 0;
}"""


def test_sparse_intervals_first_and_all_of_them_if_they_are_too_few(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof for a localized program is found again without the intervals of all variables, and
    with them if the sparse ones say nothing at all."""
    monkeypatch.setattr("predabs.engines.lazy.engine.is_vast", lambda program: True)
    monkeypatch.setattr("predabs.engines.lazy.engine.is_large", lambda program: True)
    first = shop.check(LOCKED, engine="lazy")
    with monkeypatch.context() as patch:
        patch.setattr(ProgramFacts, "intervals", property(_fail))
        again = shop.check(LOCKED, engine="lazy")
    assert first.verdict is again.verdict is Answer.TRUE
    assert again.work.refinements == 0
    monkeypatch.setattr("predabs.analysis.facts.influences", lambda *_: frozenset())
    changed = shop.check(LOCKED.replace("flags > 1", "flags > 2"), engine="lazy")
    assert changed.verdict is Answer.TRUE and changed.work.refinements == 1
    wrong = shop.check(LOCKED.replace("lock = 0", "lock = most"), engine="lazy")
    assert wrong.verdict is Answer.FALSE


def _fail(facts: ProgramFacts) -> None:
    raise AssertionError("all intervals were asked for")


def test_slam_begins_with_what_it_had(shop: Shop) -> None:
    """Predicates, lemmas and covers of the unchanged functions, and of the others what holds."""
    first = shop.check(LOCKS, engine="slam")
    again = shop.check(LOCKS, engine="slam")
    changed = shop.check(LOCKS.replace("int a = 1", "int a = 3"), engine="slam")
    assert first.work.refinements > 0
    assert again.work.refinements == changed.work.refinements == 0
    assert 2 * max(again.solver.calls, changed.solver.calls) < first.solver.calls
    wrong = shop.check(LOCKS.replace("s > 1", "s > 2"), engine="slam")
    assert wrong.verdict is Answer.FALSE


RECURSION = """int lock;
int down(int n) {
  int r;
  if (n <= 0) return 0;
  if (lock != 0) reach_error();
  lock = 1;
  if (__VERIFIER_nondet_int()) {
    lock = 0;
    r = down(n - 1);
    if (lock != 0) reach_error();
    return r;
  }
  lock = 0;
  return down(n - 2);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (down(n) != 0 || lock != 0) reach_error();
  return 0;
}"""


def test_summaries_of_recursive_functions_are_proved_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What held at the entries and exits is a candidate, also in a changed function."""

    def patient(learned: Learned | None, provers: Collection[str]) -> tuple[Slice, ...]:
        return tuple(replace(one, seconds=60.0) for one in learned_slices(learned, provers))

    monkeypatch.setattr(auto_engine, "learned_slices", patient)  # however busy the machine is
    assert shop.check(RECURSION, jobs=1).verdict is Answer.TRUE
    for text in (RECURSION, RECURSION.replace("n - 2", "n - 3")):
        again = shop.check(text, jobs=1)
        assert again.verdict is Answer.TRUE
        assert again.tried[0].startswith("recheck") and again.tried[0].endswith("proved")
    for old, new in (("lock = 0;\n  return", "return"), ("return 0;\n  if", "return 1;\n  if")):
        wrong = shop.check(RECURSION.replace(old, new), jobs=1)
        assert wrong.verdict is Answer.FALSE, wrong.reason


def test_a_run_that_is_lost_ends_soon(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that fails no more and goes on for ever is not followed for seconds."""
    text = """int main(void) {
      int a = __VERIFIER_nondet_int(), i = 0;
      while (1) { i = i < 5 ? i + 1 : 0; if (a * 3 == 1234567 + i) reach_error(); } }"""
    assert shop.check(text).verdict is Answer.FALSE
    monkeypatch.setattr(check_pipeline, "_AGAIN_SECONDS", 1000.0)
    found = shop.check(text.replace("reach_error();", "i = 0;"))
    assert found.verdict is Answer.TRUE
    assert any("does not replay any more" in line for line in found.tried)


MACHINE = """int state, turn;
int main(void) {
  int tick = 0;
  while (__VERIFIER_nondet_int()) {
    switch (state) {
      case 0: state = 3; turn = 1; break;
      case 3: state = 7; break;
      case 7: if (turn != 1) reach_error(); state = 0; turn = 2; break;
      default: reach_error();
    }
    tick++;
  }
  return 0;
}"""


def test_the_explicit_engine_begins_with_what_it_followed(shop: Shop) -> None:
    first = shop.check(MACHINE, engine="explicit")
    again = shop.check(MACHINE, engine="explicit")
    changed = shop.check(MACHINE.replace("tick++", "tick += 2"), engine="explicit")
    assert first.verdict is again.verdict is changed.verdict is Answer.TRUE
    assert first.work.refinements > again.work.refinements == changed.work.refinements == 0
    wrong = shop.check(MACHINE.replace("turn = 2", "turn = 2; state = 7"), engine="explicit")
    assert wrong.verdict is Answer.FALSE


@pytest.mark.parametrize("engine", mostly_long(["slam", "numpred", "kinduction", "bounded"], 1))
def test_all_engines(engine: str, shop: Shop) -> None:
    """Those without a proof that can be kept do their work again."""
    text = SUM.replace("100000", "3")
    for _ in range(2):
        found = shop.check(text, engine=engine)
        assert found.verdict is Answer.TRUE, found.reason


def test_memory_checks(shop: Shop) -> None:
    text = """int main(void) {
      int n = __VERIFIER_nondet_int(), i; if (n < 1 || n > 1000) return 0;
      int *p = malloc(n * sizeof(int)); for (i = 0; i < n; i++) p[i] = i; free(p); return 0; }"""
    first = shop.check(text, checks=["memory"])
    again = shop.check(text, checks=["memory"])
    assert first.verdict is again.verdict
    wrong = shop.check(text.replace("i < n;", "i <= n;"), checks=["memory"])
    assert wrong.verdict is Answer.FALSE


@pytest.mark.parametrize("harm", ["text", "none", "folder"])
def test_no_check_fails_because_of_a_store(harm: str, shop: Shop) -> None:
    match harm:
        case "text":
            shop.file.write_text("this is no store " * 100)
        case "none":
            (shop.folder / "file").write_text("")
            shop.file = shop.folder / "file" / "s.sqlite"
        case "folder":
            shop.file.mkdir()
    found = shop.check(BUG)
    assert found.verdict is Answer.FALSE and found.store is not None
    [*_, note] = found.store.notes
    assert ("was renamed to" in note) if harm == "text" else ("the store was not used" in note)
    assert found.store.kept == (harm == "text")


def test_small_checks_leave_no_trace(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_session, "_WORTH_KEEPING", 1000.0)
    monkeypatch.setattr(store_session, "_WORTH_REPLAYING", 1000.0)
    assert shop.check(BUG).verdict is Answer.FALSE
    assert not shop.file.exists()


@pytest.mark.parametrize("seed", mostly_long(range(25), 1))
def test_random_programs_in_one_store(seed: int, tmp_path: Path) -> None:
    """Each program, and a changed one, as without a store; all of them share one."""
    shop = Shop(tmp_path)
    text = random_program(seed, size=5)
    for name, version in (("a.c", text), ("a.c", text.replace("y = 3", "y = 2")), ("b.c", text)):
        path = write_c(tmp_path, version, name)
        plain = predabs.check([path], timeout=20)
        found = shop.check(version, name, timeout=20)
        assert {plain.verdict, found.verdict} != {Answer.TRUE, Answer.FALSE}
        again = shop.check(version, name, timeout=20)
        assert {found.verdict, again.verdict} != {Answer.TRUE, Answer.FALSE}
        if found.store is not None and found.store.kept:
            assert again.verdict is found.verdict


# --- the command line -----------------------------------------------------------------------------


def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_c(tmp_path, BUG)
    store = tmp_path / "cache" / "predabs" / "store.sqlite"
    monkeypatch.delenv("PREDABS_STORE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert main(["check", path, "--no-store"]) == 1
    assert not store.exists()
    assert main(["store", "info"]) == 0
    assert "there is no store yet" in capsys.readouterr().out
    assert main(["check", path]) == 1
    assert main(["check", path, "-v"]) == 1
    assert (
        f"store: {store} had this check, its verdict was checked again" in capsys.readouterr().out
    )
    assert main(["store", "info"]) == 0
    assert "checks: 1 (1 FALSE)" in capsys.readouterr().out
    assert main(["store", "export", "-o", str(tmp_path / "out.json")]) == 0
    rows = json.loads((tmp_path / "out.json").read_text())["rows"]
    assert [(row["kind"], row["content"]["verdict"]) for row in rows] == [("check", "FALSE")]
    assert main(["store", "clear"]) == 0
    assert main(["store", "info"]) == 0
    assert "checks: 0\n" in capsys.readouterr().out
    assert main(["check", path, "--json", "-"]) == 1
    report = json.loads(capsys.readouterr().out.splitlines()[0])
    assert report["store"] == {"had": None, "given": False, "kept": True, "notes": []}


def test_what_the_commands_say_about_bad_stores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_c(tmp_path, BUG)
    bad = tmp_path / "s.sqlite"
    bad.write_text("nothing" * 100)
    for action in ("info", "export"):
        assert main(["store", action, "--store", str(bad)]) == 2
        assert f"{bad}: it is no store, or damaged" in capsys.readouterr().err
    assert bad.read_text() == "nothing" * 100
    assert main(["check", path, "--store", str(bad)]) == 1
    assert f"it was renamed to {bad}.aside-1" in capsys.readouterr().err
    assert main(["check", path, "--store", path]) == 1
    assert "is no store, and not named like one" in capsys.readouterr().err
    assert main(["store", "info", "--store", path]) == 2
    assert main(["store", "info"]) == 2  # PREDABS_STORE=off
    assert "use --store FILE" in capsys.readouterr().err


def test_needless_bounds_are_known_again(shop: Shop) -> None:
    """They were found by one question for each; now all of them are one question."""
    first = shop.check(COUNTERS, engine="lazy")
    assert "step" not in str(first.invariants[0]) and "used" in str(first.invariants[0])
    [(value,)] = _query(shop.file, "select value from checks")
    assert len(json.loads(zlib.decompress(value))["needless"]) == 1
    again = shop.check(COUNTERS, engine="lazy")
    assert again.store is not None and again.store.had == "same"
    assert again.invariants == first.invariants


def test_without_readers_there_are_no_invariants(shop: Shop) -> None:
    """And what is not known then is found out when somebody wants to read them."""
    hidden = shop.check(COUNTERS, engine="lazy", keep_invariants=False)
    assert (hidden.verdict, hidden.invariants) == (Answer.TRUE, ())
    shown = shop.check(COUNTERS, engine="lazy")
    assert shown.store is not None and shown.store.had == "same" and shown.invariants


@pytest.mark.parametrize(("spent", "is_kept"), [(0.5, False), (1.5, True)])
def test_what_all_engines_have_spent_decides_what_is_kept(
    spent: float, is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_session, "_WORTH_KEEPING", 1.0)
    file = tmp_path / "s.sqlite"
    session = store_session.StoreSession(Options(store=str(file)), ["a.c"])
    facts = ProgramFacts(program_of_c("int main(void) { return 0; }"))
    session.keep_proof(facts, Safe(), "lazy", 0.1, spent, store_session.Aside(reached=True))
    assert file.exists() == is_kept
