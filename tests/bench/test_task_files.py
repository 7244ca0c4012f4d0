"""Tasks: definitions of SV-COMP, sets, tables, C files; what is wrong with them is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from predabs.bench.task import STANDARD, Task, property_named
from predabs.bench.task_files import read_tasks
from predabs.errors import InputError

DEFINITION = """format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/coverage-branches.prp
options:
  language: C
  data_model: LP64
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two categories with a task each."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.c").write_text(f"int main(void) {{ return 0; }} /* {name} */\n")
        (tmp_path / name / "a.yml").write_text(DEFINITION)
    (tmp_path / "properties").mkdir()
    (tmp_path / "properties" / "unreach-call.prp").write_text("mine")
    return tmp_path


def test_a_definition_has_a_task_for_each_verdict(folder: Path) -> None:
    reach, memory = read_tasks([str(folder / "one" / "a.yml")])
    assert (reach.name, reach.category, reach.expected) == ("one/a.yml", "one", True)
    assert (reach.files, reach.data_model) == ((folder / "one" / "a.c",), "LP64")
    assert reach.wanted.text == "mine"  # the file that it names
    assert (memory.expected, memory.subproperty) == (False, "valid-deref")
    assert memory.wanted.text == STANDARD["valid-memsafety"]  # there is no such file


def test_properties_are_chosen(folder: Path) -> None:
    word = str(folder / "one" / "a.yml")
    (task,) = read_tasks([word], ["valid-memsafety"])
    assert task.wanted.name == "valid-memsafety"
    with pytest.raises(InputError, match="no task with the property no-overflow"):
        read_tasks([word], ["no-overflow"])


def test_old_definitions_have_32_bits(folder: Path) -> None:
    path = folder / "one" / "old.yml"
    path.write_text(DEFINITION.partition("options:")[0].replace("2.0", "1.0"))
    assert {task.data_model for task in read_tasks([str(path)])} == {"ILP32"}


def test_a_set(folder: Path) -> None:
    path = folder / "Some.set"
    path.write_text("# all of them\n\n*/a.yml\n")
    tasks = read_tasks([str(path)], ["unreach-call"])
    assert [(task.name, task.category) for task in tasks] == [
        ("one/a.yml", "Some"),
        ("two/a.yml", "Some"),
    ]
    path.write_text("none/*.yml\n")
    with pytest.raises(InputError, match=r"Some\.set: none/\*\.yml: there is no such file"):
        read_tasks([str(path)])


def test_a_table(folder: Path) -> None:
    path = folder / "tasks.csv"
    path.write_text(
        "task,files,options,property,expected,subproperty,data_model\n"
        "one,one/a.c two/a.c,-I one -D X=1,no-overflow.prp,false,,32\n"
        "two,two/a.c,,assert,,,LP64\n"
        "three,two/a.c,-D Y --check signed-overflow,overflow,true,,LP64\n"
    )
    one, two, three = read_tasks([str(path)])
    assert (three.wanted.name, three.flags) == ("signed-overflow", ("-D", "Y"))
    assert one.files == (folder / "one" / "a.c", folder / "two" / "a.c")
    assert one.flags == ("-I", str(folder / "one"), "-D", "X=1")
    assert (one.wanted.name, one.expected, one.data_model) == ("no-overflow", False, "ILP32")
    assert (two.wanted.name, two.wanted.text, two.expected) == ("assert", "", None)


def test_a_table_beside_its_programs_with_a_mark_of_its_encoding(folder: Path) -> None:
    path = folder / "one" / "tasks.csv"
    path.write_text("task,file,expected,data_model\n,a.c,true,32\n", "utf-8-sig")
    (task,) = read_tasks([str(path)])
    assert (task.name, task.category) == ("a.c", "one")


def test_odd_names_of_files(folder: Path) -> None:
    """A name with signs of a pattern is a name; what is no UTF-8 can be shown and kept."""
    odd = folder / "[o]dd"
    odd.mkdir()
    (odd / "[x]*.c").write_text("int main(void) { return 0; }\n")
    (odd / "a.yml").write_text(DEFINITION.replace("a.c", "[x]*.c"))
    (odd / "all.set").write_text("*.yml\n")
    (task, *_) = read_tasks([str(odd / "all.set")], ["unreach-call"])
    assert task.file.name == "[x]*.c"
    bytes_only = os.fsdecode(os.fsencode(folder) + b"/new\nline\xff.c")
    Path(bytes_only).write_text("int main(void) { return 0; }\n")
    (task,) = read_tasks([bytes_only])
    assert task.name.endswith("/new\\nline\\udcff.c") and task.file == Path(bytes_only)


def test_c_files(folder: Path) -> None:
    words = [str(folder / "one" / "a.c")]
    (task,) = read_tasks(words, data_model="ILP32")
    assert (task.wanted.name, task.expected, task.data_model) == ("assert", None, "ILP32")
    asked = read_tasks(words, ["unreach-call", "no-overflow"])
    assert [task.wanted.name for task in asked] == ["unreach-call", "no-overflow"]
    rule = folder / "lock.rule"
    rule.write_text("state { int locked = 0; }")
    (task,) = read_tasks(words, [str(rule)])
    assert (task.wanted.file_name, task.wanted.text[:5]) == ("lock.rule", "state")


def test_the_same_task_is_there_once_and_names_differ(folder: Path) -> None:
    word = str(folder / "one" / "a.yml")
    assert len(read_tasks([word, word], ["unreach-call"])) == 1
    other = folder / "more" / "one"
    other.mkdir(parents=True)
    (other / "a.c").write_text("int main(void) { return 1; }\n")
    (other / "a.yml").write_text(DEFINITION)
    tasks = read_tasks([word, str(other / "a.yml")], ["unreach-call"])
    assert len({task.key for task in tasks}) == 2
    for name in ("A", "B"):
        (folder / f"{name}.set").write_text("one/a.yml\n")
    (task,) = read_tasks([str(folder / "A.set"), str(folder / "B.set")], ["unreach-call"])
    assert task.category == "A"
    file = folder / "one" / "a.c"
    assert len(read_tasks([str(file), f"{folder}/two/../one/a.c", os.path.relpath(file)])) == 1


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("x.yml", "a: [", "x.yml:1:5: this is no YAML"),
        ("x.yml", "- 1\n", "no task definition"),
        ("x.yml", "format_version: '9'\n", "its format_version is 9"),
        ("x.yml", "format_version: '2.0'\n", "it has no input_files"),
        ("x.yml", "format_version: '2.0'\ninput_files: b.c\n", "b.c: there is no such file"),
        (
            "x.yml",
            DEFINITION.replace("LP64", "LP128"),
            "data_model: LP128 is neither ILP32 nor LP64",
        ),
        ("x.yml", DEFINITION.replace("  - property_file", "  - file"), "needs a property_file"),
        ("x.csv", "task,verdict\n", "not a table of tasks: no column expected"),
        ("x.csv", "task,file,expected,data_model\na,a.c,maybe,32\n", "x.csv:2: expected: maybe is"),
        ("x.csv", "task,file,expected,data_model\na,a.c,true,16\n", "x.csv:2: data_model: 16 is"),
        ("x.csv", "task,file,expected,data_model\na,,true,32\n", "x.csv:2: the task has no file"),
        (
            "x.csv",
            "task,file,expected,data_model\na,b.c,true,32\n",
            "x.csv:2: b.c: there is no such",
        ),
        (
            "x.csv",
            "task,file,expected,data_model,options\na,a.c,true,32,-I 'b\n",
            "x.csv:2: -I 'b: No closing quotation",
        ),
        ("x.yml", DEFINITION.replace("unreach-call.prp", "lost.prp"), "x.yml: ../properties/lost"),
        ("x.txt", "", "these are no tasks"),
        ("none/x.c", None, "no such file"),
        ("none/x.yml", None, "cannot read the task"),
        ("none/x.csv", None, "cannot read the tasks"),
        ("none/x.set", None, "cannot read the set of tasks"),
    ],
)
def test_what_is_no_task(name: str, text: str | None, told: str, folder: Path) -> None:
    path = folder / "one" / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError) as problem:
        read_tasks([str(path)])
    assert told in str(problem.value)


def test_no_such_property() -> None:
    with pytest.raises(InputError, match="nonsense: no such property; there is assert, unreach"):
        property_named("nonsense")


def test_the_digest_changes_with_what_is_checked(folder: Path) -> None:
    def digest(**more: object) -> str:
        values = {"files": (folder / "one" / "a.c",), "wanted": property_named("unreach-call")}
        return Task("n", "c", **{**values, **more}).digest()  # type: ignore[arg-type]

    found = [
        digest(),
        digest(files=(folder / "two" / "a.c",)),
        digest(wanted=property_named("no-overflow")),
        digest(data_model="ILP32"),
        digest(flags=("-DX",)),
    ]
    assert len(set(found)) == 5 and digest() == digest(expected=True)
    (folder / "two" / "a.c").write_text('#include "a.h"\n#include <b.h>\n#include <stdio.h>\n')
    (folder / "two" / "a.h").write_text("int a;\n")
    (folder / "b.h").write_text("int b;\n")
    two = {"files": (folder / "two" / "a.c",), "flags": ("-I", str(folder))}
    before = digest(**two)
    (folder / "b.h").write_text("int c;\n")
    between = digest(**two)
    (folder / "two" / "a.h").write_text("int d;\n")
    assert len({before, between, digest(**two)}) == 3
    with pytest.raises(InputError, match="cannot read this file"):
        digest(files=(folder / "none.c",))
