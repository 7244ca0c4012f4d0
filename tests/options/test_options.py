"""The table of options: what the command line, the Python function and the page make of it."""

from __future__ import annotations

import argparse
import ast
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import predabs
from predabs import api, cli
from predabs.boolprog.trivectors import Focus, TrivectorDomain
from predabs.commands.arguments import add_options, chosen
from predabs.engines import engine
from predabs.errors import InputError
from predabs.ir.types import DataModel
from predabs.options import ENGINES, Options
from predabs.options.command_options import BebopOptions
from predabs.options.option import Row, rows
from predabs.options.page import page
from predabs.options.table import COMMANDS, CheckOutput, SourceOptions
from support.places import ROOT


def all_rows() -> Iterator[tuple[str, Row]]:
    for command, tables in COMMANDS.items():
        for table in tables:
            for row in rows(table):
                yield command, row


def row_of(table: type, name: str) -> Row:
    (found,) = [row for row in rows(table) if row.name == name]
    return found


def parsed(command: str, *words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_options(parser, command)
    return parser.parse_args(words)


# --- the page -------------------------------------------------------------------------------------


def test_the_page_is_current() -> None:
    """If not: python -m predabs.options > docs/options.md"""
    assert (ROOT / "docs" / "options.md").read_text("utf-8") == page()


def test_the_page_has_every_option() -> None:
    for section in page().split("\n## ")[1:]:
        command = section.removeprefix("`predabs ").split()[0]
        for row in (row for name, row in all_rows() if name == command):
            assert all(f"`{word}`" in section for word in row.words), row
            assert row.words or command != "check" or f"`{row.keyword}`" in section, row


# --- the table ------------------------------------------------------------------------------------


def test_every_command_has_its_options() -> None:
    assert set(COMMANDS) == set(cli.COMMANDS)


def test_a_word_means_the_same_in_all_commands() -> None:
    """One meaning and one kind for each word; the defaults may differ. `bench` speaks of runs of
    tools, of which it has many, where the others speak of themselves."""
    meant: dict[str, set[tuple[Any, ...]]] = {}
    for command, row in all_rows():
        if command == "bench":
            continue
        for word in row.words:
            meant.setdefault(word, set()).add((row.name, row.option.kind, row.option.help))
    assert not {word: found for word, found in meant.items() if len(found) > 1}


def test_no_command_has_a_word_twice() -> None:
    for command in COMMANDS:
        words = [word for name, row in all_rows() if name == command for word in row.words]
        assert len(words) == len(set(words))


def test_the_choices_are_those_of_the_code() -> None:
    assert set(row_of(SourceOptions, "data_model").option.choices) == set(DataModel.__members__)
    assert row_of(BebopOptions, "states").option.choices == (
        "bdd",
        *(d.value for d in TrivectorDomain),
    )
    assert row_of(BebopOptions, "focus").option.choices == tuple(f.value for f in Focus)
    assert engine.ENGINES.keys() == ENGINES.keys()


def test_every_option_of_a_check_is_used() -> None:
    """Some module outside of the table reads it."""
    read = {
        node.attr
        for path in (ROOT / "src").rglob("*.py")
        if path.parent.name != "options"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name | ast.Attribute)
        and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr)
        in ("options", "_options", "args")
    }
    assert {row.name for _, row in all_rows()} <= read


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"engine": "magic"}, "no such engine: magic; there is auto, lazy"),
        ({"data_model": "LP65"}, "no such data model: LP65; there is ILP32, LP64"),
        ({"checks": ["null", "nul"]}, "no such check: nul; there is deref"),
        ({"checks": "null"}, "checks: 'null' is one word; give a list of words"),
        ({"provers": ("bounded",)}, "no such prover: bounded; there is lazy, slam, smg, numpred"),
        ({"predicates_at": "home"}, "no such scope of predicates: home; there is location"),
        ({"numeric": "cubes"}, "no such numeric domain: cubes; there is box"),
        ({"timeout": 0}, "timeout: 0 must be greater than 0"),
        ({"timeout": float("nan")}, "timeout: nan must be greater than 0"),
        ({"memory": 1 << 31}, "memory: 2147483648 must not be greater than"),
        ({"block": None}, "no such block: None"),
    ],
)
def test_values_that_there_are_not(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Options(**given)


def test_options_have_names() -> None:
    with pytest.raises(TypeError, match="positional"):
        Options("lazy")


# --- the command line -----------------------------------------------------------------------------


def test_without_words_all_is_as_in_the_table() -> None:
    args = parsed("check")
    found = chosen(Options, args)
    assert {name: list(value) for name, value in vars(args).items() if isinstance(value, list)} == {
        "include": [],
        "define": [],
        "undefine": [],
        "force_include": [],
    }
    for row in rows(Options):
        if row.name not in ("include", "define", "undefine", "force_include"):
            assert getattr(found, row.name) == row.default
    assert chosen(CheckOutput, args) == CheckOutput()


def test_words_become_options() -> None:
    words = "--no-slice --check null,bounds --provers slam --timeout 1.5 --memory 64 --keep-subtree"
    more = "--predicates-at global --numeric box -I a -I b -D X=1 --domain nex"
    flags = "-UY -std=gnu89 -include f.h"
    found = chosen(Options, parsed("check", *words.split(), *more.split(), *flags.split()))
    assert found == Options(
        slice=False,
        checks=("null", "bounds"),
        provers=("slam",),
        timeout=1.5,
        memory=64,
        keep_subtree=True,
        predicates_at="global",
        numeric="box",
        include=["a", "b"],
        define=["X=1"],
        undefine=["Y"],
        force_include=["f.h"],
        std="gnu89",
        domain="nex",
    )


@pytest.mark.parametrize("word", ["", " , "])
def test_an_empty_list(word: str) -> None:
    assert chosen(Options, parsed("check", "--provers", word)).provers == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--timeout", "x"], "argument --timeout: 'x' is not a number"),
        (["--memory", "1.5"], "argument --memory: '1.5' is not a number"),
        (["--memory", "0"], "argument --memory: must be greater than 0"),
        (["--block", "line"], "argument --block: invalid choice: 'line'"),
        (["--invariants", "box"], "unrecognized arguments: --invariants box"),
    ],
)
def test_wrong_words(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parsed("check", *words)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_help_is_grouped_by_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--help"]) == 0
    text = capsys.readouterr().out
    places = [text.index(f"\n{name}:\n") for name in ("general", "lazy engine", "slam engine")]
    assert places == sorted(places)
    assert places[1] < text.index("  --block") < places[2] < text.index("  --keep DIR")


# --- Python ---------------------------------------------------------------------------------------


def test_the_function_has_the_options_as_keywords() -> None:
    keywords = inspect.signature(predabs.check).parameters
    assert list(keywords) == ["files", *(row.name for row in rows(Options)), "progress"]
    for row in rows(Options):
        assert keywords[row.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert keywords[row.name].default == row.default
        assert f"    {row.keyword}: {row.option.help}" in (predabs.check.__doc__ or "")


def test_unknown_keywords() -> None:
    with pytest.raises(TypeError, match=r"check\(\): got an unexpected keyword argument 'magic'"):
        predabs.check([], magic=1)


def test_the_function_hands_all_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(api, "check_with", lambda *given: seen.append(given))
    predabs.check(["a.c"], numeric="box", progress=print)
    ((files, options, progress),) = seen
    assert files == ["a.c"] and progress is print
    assert (options.numeric, options.engine) == ("box", "auto")
