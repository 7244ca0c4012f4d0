"""Small changes of a program: where they are made, and the checks of both versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.revisions import Checked, Compared, changed_texts, main, table

from predabs.bench.task_files import read_tasks

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int lock = 0;
void acquire(void)
{
  if (lock == 1) {
    __VERIFIER_error();
  } else {
  }
  lock = 1;
}
void release(void)
{
  lock = 0;
}
void work(int n)
{
  int i;
  {
  i = 0;
  while (i < n) {
    acquire();
    i = i + 1;
    release();
  }
  }
}
void unrelated(void)
{
  {
  __VERIFIER_nondet_int();
  }
}
int main(void)
{
  int n;
  {
  n = __VERIFIER_nondet_int();
  work(n);
  unrelated();
  }
  return 0;
}
"""


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "locks.i").write_text(PROGRAM)
    (tmp_path / "tasks.csv").write_text(
        "task,file,property,expected,subproperty,data_model,lines\n"
        "locks/locks.yml,locks/locks.i,unreach-call.prp,true,,64,45\n"
    )
    return tmp_path / "tasks.csv"


def test_changes_are_made_where_errors_depend_on_them(tasks: Path) -> None:
    [task] = read_tasks([str(tasks)])
    texts = changed_texts(task, PROGRAM)
    assert texts["same"] == PROGRAM
    assert texts["moved"] == PROGRAM.replace("    acquire", "  ;\n    acquire")
    added = "  if (lock == 4711) { lock = 4711; }\n    acquire"
    assert texts["state"] == PROGRAM.replace("    acquire", added)
    assert texts["cut"] == PROGRAM.replace("    acquire();", "  ;")


def test_both_versions_are_checked(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tasks", str(tasks), "--kind", "same", "--kind", "state"]) == 0
    told = capsys.readouterr()
    assert [line.split()[:2] for line in told.out.splitlines()[2:] if line] == [
        ["locks/locks.yml", "same"],
        ["locks/locks.yml", "state"],
        ["all", "same"],
        ["all", "state"],
    ]
    assert [line.split()[2::2][:2] for line in told.err.splitlines()] == [["TRUE", "TRUE"]] * 2


def test_a_contradiction_is_told() -> None:
    wrong = Compared("a", "cut", Checked("TRUE", 1.0), Checked("FALSE", 2.0))
    slow = Compared("a", "same", Checked("UNKNOWN", 60.0), Checked("TRUE", 6.0))
    assert wrong.contradicts and not slow.contradicts
    notes = table([wrong, slow]).notes
    assert notes == [
        "a, cut: TRUE with the store, FALSE without",
        "a, same: UNKNOWN with the store, TRUE without",
    ]
