"""Runs that travel: the texts that a program includes go with it, and it is the same there."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from predabs.bench.configuration import Configuration
from predabs.bench.parcel import delivered, pack, unpack
from predabs.bench.perform import Run
from predabs.bench.task import Task, property_named
from predabs.errors import InputError
from predabs.frontend.compile_commands import sources_of
from predabs.frontend.load import load
from predabs.ir.types import DataModel
from predabs.options import Options
from support.bench_runs import LIMITS, answer


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A program of two files with headers beside it, in a folder of -I, and of the system."""
    for name, text in {
        "src/main.c": '#include "own.h"\n#include <shared.h>\n#include <stddef.h>\n'
        "int main(void) { return own(SHARED); }\n",
        "src/own.c": '  #  include "../src/own.h"\nint own(int x) { return x; }\n',
        "src/own.h": "int own(int x);\n",
        "src/unused.h": "not C\n",
        "inc/shared.h": '#include "deep/more.h"\n',
        "inc/deep/more.h": "#define SHARED 3\n",
        "force/first.h": "typedef int first;\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    files = tmp_path / "src" / "main.c", tmp_path / "src" / "own.c"
    flags = (f"-I{tmp_path / 'inc'}", "-include", str(tmp_path / "force" / "first.h"), "-DX=1")
    task = Task("t", "c", files, property_named("unreach-call"), True, flags=flags)
    return Run(task, Configuration("a"), LIMITS)


def test_what_travels(run: Run, tmp_path: Path) -> None:
    parcel = pickle.loads(pickle.dumps(pack(run)))
    assert sorted(name for name, _ in parcel.files) == [
        "force/first.h",
        "inc/deep/more.h",
        "inc/shared.h",
        "src/main.c",
        "src/own.c",
        "src/own.h",
    ]
    assert str(tmp_path) not in str(parcel.task)
    assert parcel.size() == sum(len(text) for _, text in parcel.files) > 100


def test_it_is_the_same_program_there(run: Run, tmp_path: Path) -> None:
    there = unpack(pack(run), tmp_path / "there")
    (tmp_path / "src").rename(tmp_path / "gone")
    (tmp_path / "inc").rename(tmp_path / "gone too")
    include = [flag[2:] for flag in there.task.flags if flag.startswith("-I")]
    forced = [there.task.flags[2]]
    read = sources_of(
        list(map(str, there.task.files)), Options(include=include, force_include=forced)
    )
    program = load(read.files, DataModel.LP64, flags=read.flags)
    assert sorted(program.functions) == ["main", "own"]


def test_the_answer_is_to_the_task_as_it_is_here(run: Run) -> None:
    parcel = pack(run)
    assert delivered(parcel, answer("t", "TRUE", digest="x")).digest == run.task.digest()
    assert delivered(parcel, answer("t", "ERROR")).digest == ""


def test_an_include_that_is_a_macro_takes_all_headers_along(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text('#define H "b.h"\n#include H\nint main(void) { return 0; }\n')
    (tmp_path / "b.h").write_text("int b;\n")
    task = Task("t", "c", (tmp_path / "a.c",), property_named("assert"))
    parcel = pack(Run(task, Configuration("a"), LIMITS))
    assert sorted(name for name, _ in parcel.files) == ["a.c", "b.h"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    task = Task("t", "c", (tmp_path / "none.c",), property_named("assert"))
    with pytest.raises(InputError, match=r"none\.c: cannot read"):
        pack(Run(task, Configuration("a"), LIMITS))
