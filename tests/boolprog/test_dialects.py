"""Programs for other checkers: what is read again means the same."""

from __future__ import annotations

import re

import pytest

from predabs.boolprog import CheckLimits, Violated, check, parse, parse_file
from predabs.boolprog.dialects import boom, getafix, moped
from predabs.boolprog.dialects.core import core
from predabs.boolprog.dialects.names import readable, with_legal_names
from predabs.boolprog.syntax import Program, statements
from predabs.errors import InputError
from support.boolprog_random import random_program
from support.places import BOOLEAN_PROGRAMS
from support.remopla import Remopla

BLOCKS = range(10)
SIZE = 30


def fails(program: Program, label: str | None = None) -> bool:
    return isinstance(check(program, label, CheckLimits(memory_mb=8)), Violated)


def verdicts(program: Program, label: str | None) -> dict[str, bool]:
    """Whether the error is reached, in the program and in what is written and read again."""
    return {
        "program": fails(program, label),
        "core": fails(core(program, label)),
        "boom": fails(parse(boom.write(program, label))),
        "getafix": fails(parse(getafix.write(program, label)), getafix.LABEL),
        "moped": fails(Remopla(moped.write(program, label)).program(), moped.LABEL),
    }


@pytest.mark.parametrize(
    "block", [*BLOCKS[:5], *(pytest.param(block, marks=pytest.mark.long) for block in BLOCKS[5:])]
)
def test_random_programs_mean_the_same(block: int) -> None:
    seen = set()
    for seed in range(block * SIZE, (block + 1) * SIZE):
        program = random_program(seed)
        labels = sorted({x for p in program.procedures for s in statements(p.body)
                         for x in s.labels})  # fmt: skip
        for label in (None, *(labels[:1] if seed % 4 == 0 else ())):
            found = verdicts(program, label)
            assert len(set(found.values())) == 1, f"seed {seed}, {label}: {found}"
            seen.add(found["program"])
    assert seen == {False, True}


@pytest.mark.parametrize("path", sorted(BOOLEAN_PROGRAMS.glob("*.bp")), ids=lambda p: p.stem)
def test_annotated_programs_mean_the_same(path: object) -> None:
    found = verdicts(parse_file(str(path)), None)
    assert len(set(found.values())) == 1, found


def test_what_getafix_cannot_read_is_not_there() -> None:
    """No assertion, no `;` behind `fi` and `od`, conditions in parentheses, one label each, `!`
    only before what is in parentheses or a name, `*` nowhere."""
    for seed in range(60):
        text = getafix.write(random_program(seed), None)
        assert "assert" not in text
        assert "*" not in text
        assert not re.search(r"\b(fi|od)\s*;", text)
        assert not re.search(r"\b(if|elsif|while) [^(]", text)
        assert not re.search(r"\w+: *\w+: ", text)
        assert "!!" not in text


def test_names_are_legal_and_different() -> None:
    text = "decl {x = 2}, x_eq_2, A; void main() begin decl A; A := {x = 2} = x_eq_2; end"
    program = with_legal_names(core(parse(text)), {"A"})
    (main,) = program.procedures
    assert program.globals == ("x_eq_2", "x_eq_2_2", "A_2")
    assert main.locals == ("A_3",)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("{x = 2}", "x_eq_2"),
        ("{*p -> n != 0}", "at_p_at_n_ne_0"),
        ("{3 <= x * y}", "b_3_le_x_times_y"),
        ("{Y mod 2 = 0}", "Y_mod_2_eq_0"),
        ("{a[i] + 'x > -1}", "a_i_plus_old_x_gt_minus_1"),
        ("$", "b_"),
    ],
)
def test_readable_names(name: str, wanted: str) -> None:
    assert readable(name) == wanted


def test_an_unknown_label_is_told() -> None:
    with pytest.raises(InputError, match="no label `nowhere`"):
        boom.write(parse("void main() begin skip; end"), "nowhere")


def test_a_choice_of_many_labels() -> None:
    labels = [f"L{i}" for i in range(300)]
    body = "".join(f"{x}: assert(g); " for x in labels)
    program = parse(f"decl g; void main() begin g := T; goto {', '.join(labels)}; {body} end")
    assert set(verdicts(program, None).values()) == {False}
