"""One check on a cluster: its engines run on real workers, one of which is killed."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from predabs.bench.answer import Answer as Told
from predabs.errors import InternalError
from predabs.ir.cfa import Coord
from predabs.options import Options
from predabs.pipeline.result import Answer, Result
from predabs.remote.engine_run import _Writer, with_names
from predabs.remote.engine_tool import encoded
from support.bench_runs import own_environment, predabs_words
from support.dask_cluster import address, scheduler, worker
from support.processes import soon

cluster_check = pytest.importorskip(
    "predabs.remote.check", reason="Dask distributed is not installed"
)

BUG = """
#include "limit.h"
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (x == LIMIT)
    reach_error();
  return 0;
}
"""
SLOW = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  unsigned x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > 1 && y > 1 && x < 65536 && y < 65536 && x * y == 2147483647u)
    reach_error();
  return 0;
}
"""


def result(verdict: Answer, text: str = "") -> Result:
    return Result(verdict, text, None, "assert", "lazy", 0.0, (), (("f", Coord(text, 1, 1)),))


def written(found: Result, root: str) -> bytes:
    file = io.BytesIO()
    _Writer(file, root).dump(found)
    return file.getvalue()


def test_files_have_the_names_that_they_have_here() -> None:
    data = written(result(Answer.UNKNOWN, "/w/p/src/a.c"), "/w/p/")
    found = with_names(data, {"src/a.c": "a.c"}, "/home/me/")
    assert found.reason == "a.c" and found.externals[0][1].file == "a.c"
    data = written(result(Answer.UNKNOWN, "/w/p/inc/b.h"), "/w/p/")
    assert with_names(data, {"src/a.c": "a.c"}, "/home/me/").reason == "/home/me/inc/b.h"


def check_of(tmp_path: Path) -> Any:
    file = tmp_path / "a.c"
    file.write_text(SLOW)
    options = Options()
    sources = cluster_check.sources_of([str(file)], options)
    return cluster_check._Check(sources, options, cluster_check.groups(options, 2))


def told(verdict: Answer) -> Told:
    data = encoded(written(result(verdict), "/nowhere/"))
    return Told("", "", "", None, "", "UNKNOWN", details={"result": data})


def test_workers_that_contradict_each_other_are_a_bug(tmp_path: Path) -> None:
    check = check_of(tmp_path)
    name = SimpleNamespace(configuration=SimpleNamespace(name="slam"))
    check._compare("lazy", result(Answer.TRUE), iter([(name, told(Answer.UNKNOWN))]))
    with pytest.raises(InternalError, match="contradict each other: lazy and slam"):
        check._compare("lazy", result(Answer.TRUE), iter([(name, told(Answer.FALSE))]))


def test_engines_on_workers_of_which_one_is_killed(tmp_path: Path) -> None:
    """The first verdict counts, with its evidence; what a dead worker had is run again."""
    (tmp_path / "bug.c").write_text(BUG)
    (tmp_path / "limit.h").write_text("#define LIMIT 4711\n")
    (tmp_path / "slow.c").write_text(SLOW)

    def runs_an_engine(process: subprocess.Popen[bytes]) -> bool:
        found = Path(f"/proc/{process.pid}/task").glob("*/children")
        pids = " ".join(one.read_text() for one in found).split()
        return any(b"engine_run" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)

    def check(*words: str) -> Iterator[Any]:
        line = predabs_words("check", *words, "--json", "-")
        process = subprocess.Popen(
            line, cwd=tmp_path, env=own_environment(), stdout=subprocess.PIPE, text=True
        )
        yield process
        yield json.loads(process.communicate()[0].splitlines()[0])

    with scheduler(tmp_path) as file:
        _, alone = check("bug.c", "--cluster", address(file))
        assert alone["verdict"] == "FALSE"  # no worker is there: the check is made here
        workers = [worker(file) for _ in range(2)]
        try:
            _, bug = check("bug.c", "--cluster", address(file))
            assert bug["verdict"] == "FALSE" and bug["error"]["place"] == "bug.c:9:5"
            running = check("slow.c", "--cluster", address(file), "--engine", "lazy")
            next(running)
            assert soon(lambda: any(map(runs_an_engine, workers)))
            next(filter(runs_an_engine, workers)).kill()
            assert next(running)["verdict"] == "TRUE"
        finally:
            for process in workers:
                process.kill()
                process.wait()
