"""Compilation databases: which flags a file is read with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from predabs.cli import main
from predabs.errors import InputError
from predabs.frontend.compile_commands import sources_of
from predabs.frontend.compiler_flags import CompilerFlags
from predabs.frontend.load import load
from predabs.options.table import ModuleOptions


def database(folder: Path, *rows: dict[str, Any]) -> str:
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(rows))
    return str(path)


def words(folder: Path, command: str | list[str]) -> tuple[str, ...]:
    """The flags that an entry with this command gives its file."""
    key = "command" if isinstance(command, str) else "arguments"
    found = database(folder, {"directory": str(folder), "file": "a.c", key: command})
    sources = sources_of([], ModuleOptions(compile_commands=found))
    return sources.flags.of(sources.files[0]).words


def test_both_forms_of_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected = ("-I", "inc", "-DTEXT=a b", "-std=gnu99")
    assert words(tmp_path, "cc -Iinc '-DTEXT=a b' -std=gnu99 -O2 -c a.c -o a.o") == expected
    assert words(tmp_path, ["cc", "-I", "inc", "-DTEXT=a b", "-std=gnu99", "a.c"]) == expected


def test_flags_that_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.h").write_text("")
    given = "cc -isystem /sys -iquote q -D A -U B -DB=2 -include first.h -ansi -Wall -g -MF x.d"
    found = " ".join(words(tmp_path, given))
    assert found == "-isystem /sys -iquote q -DA -UB -DB=2 -include first.h -std=c90"
    clangs = "clang -Xclang -include-pch -Xclang x.pch -Xclang -include -Xclang first.h"
    assert words(tmp_path, clangs) == ("-include", "first.h")
    assert words(tmp_path, "cc -include elsewhere.h") == ("-include", "elsewhere.h")


def test_paths_are_those_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    found = database(
        tmp_path / "build",
        {"directory": ".", "file": "../src/a.c", "command": "cc -I../inc -I/other ../src/a.c"},
    )
    sources = sources_of([], ModuleOptions(compile_commands=found))
    assert sources.files == (os.path.join("src", "a.c"),)
    assert sources.flags.common.words == ("-I", "inc", "-I", "/other")


def test_what_is_given_comes_on_top() -> None:
    flags = CompilerFlags(("mine",), ("X=2",), ("Y",), ("f.h",), "c99", ("-DX=1", "-std=gnu89"))
    assert flags.words[:3] == ("-Imine", "-DX=1", "-std=gnu89")
    assert flags.words[3:] == ("-DX=2", "-UY", "-include", "f.h", "-std=c99")
    assert not flags.gnu_inline
    assert CompilerFlags(entry=("-DX=1", "-std=gnu89")).gnu_inline
    assert CompilerFlags(entry=("-fgnu89-inline", "-std=gnu11")).gnu_inline


def test_each_file_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int size_a(void) { return SIZE; }\n")
    (tmp_path / "b.c").write_text("int size_b(void) { return SIZE; }\n")
    (tmp_path / "main.c").write_text(
        "int size_a(void); int size_b(void);\n"
        "int main(void) { return SIZE * 100 + size_a() * 10 + size_b(); }\n"
    )
    rows = [
        {"directory": str(tmp_path), "file": f"{name}.c", "command": f"cc -DSIZE={size}"}
        for name, size in (("a", 1), ("b", 2))
    ]
    found = database(tmp_path, *rows, {**rows[0], "file": "c.cpp"})
    files = [str(tmp_path / name) for name in ("main.c", "b.c", "a.c")]
    assert main(["run", *files, "--compile-commands", found]) == 0
    sources = sources_of(files, ModuleOptions(compile_commands=found))
    assert sources.flags.differ
    # a file without an entry is read like the first one that has one
    assert [sources.flags.of(file).macros for file in files] == [["SIZE=2"], ["SIZE=2"], ["SIZE=1"]]
    assert load(sources.files, flags=sources.flags).entry == "main"
    alone = sources_of([], ModuleOptions(compile_commands=found))
    assert [Path(file).name for file in alone.files] == ["a.c", "b.c"]


def test_a_file_that_is_compiled_twice(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return X; }")
    row = {"directory": str(tmp_path), "file": "a.c"}
    found = database(tmp_path, {**row, "command": "cc -DX=1"}, {**row, "command": "cc -DX=2"})
    sources = sources_of([], ModuleOptions(compile_commands=found))
    program = load(sources.files, flags=sources.flags)
    assert sources.flags.common.macros == ["X=1"]
    assert any("compiled in 2 ways" in text for text in program.assumptions)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is no JSON"),
        ("{}", "not a list of entries"),
        ('[{"file": "a.c"}]', "entry 1 is no compilation"),
        ('[{"directory": ".", "file": "a.c", "arguments": [1]}]', "entry 1 is no compilation"),
        ('[{"directory": ".", "file": "a.c", "command": "\'"}]', "entry 1 is no compilation"),
        ("[]", "there is no C file in it"),
    ],
)
def test_what_is_no_database(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        sources_of([], ModuleOptions(compile_commands=str(path)))


def test_what_does_not_fit(tmp_path: Path) -> None:
    row = {"directory": str(tmp_path), "file": "a.c", "command": "cc -m32 a.c"}
    found = database(tmp_path, row)
    with pytest.raises(InputError, match=r"none of the files is in it: b\.c"):
        sources_of(["b.c"], ModuleOptions(compile_commands=found))
    with pytest.raises(InputError, match="compiled with -m32; give --data-model ILP32"):
        sources_of([], ModuleOptions(compile_commands=found))
    assert sources_of([], ModuleOptions(compile_commands=found, data_model="ILP32")).files
    with pytest.raises(InputError, match="cannot be read"):
        sources_of([], ModuleOptions(compile_commands=str(tmp_path / "none.json")))
    with pytest.raises(InputError, match="no FILE was given"):
        sources_of([], ModuleOptions())
    with pytest.raises(InputError, match=r"c\+\+17 is no version of C"):
        sources_of(["a.c"], ModuleOptions(std="c++17"))


# --- the command line -----------------------------------------------------------------------------


def test_words_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "first.h").write_text("#define FIRST 7\n")
    path = tmp_path / "a.c"
    path.write_text(
        "#ifdef GONE\n#error no\n#endif\n"
        "int typeof_is_a_name(void) { int typeof = FIRST; return typeof; }\n"
        "int main(void) { return typeof_is_a_name(); }\n"
    )
    flags = ["-DGONE", "-UGONE", "-include", str(tmp_path / "first.h"), "-std=c89"]
    assert main(["run", str(path), *flags]) == 0
    assert "status 7" in capsys.readouterr().err
    for left_out in ("-UGONE", "-std=c89"):
        assert main(["run", str(path), *(word for word in flags if word != left_out)]) == 2


def test_a_test_is_compiled_with_the_flags_of_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text("int size(void) { return SIZE; }\n")
    (tmp_path / "b.c").write_text(
        "void __assert_fail(const char *, const char *, unsigned, const char *);\n"
        "int size(void); int __VERIFIER_nondet_int(void);\n"
        "int main(void) { if (__VERIFIER_nondet_int() == size() * SIZE) "
        '__assert_fail("x", "b.c", 1, "main"); }\n'
    )
    rows = [
        {"directory": str(tmp_path), "file": f"{name}.c", "command": f"cc -DSIZE={size}"}
        for name, size in (("a", 3), ("b", 5))
    ]
    found = database(tmp_path, *rows)
    out = str(tmp_path / "test.c")
    assert main(["check", "--compile-commands", found, "--test", out]) == 1
    printed = capsys.readouterr().out
    assert f"test: {out}: reached" in printed or "not run: no C compiler" in printed
    assert "cc -c" in Path(out).read_text()
