"""Properties: what is accepted, what is refused and by which name, and what counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Stopped
from predabs.errors import InputError, UnsupportedFeature
from predabs.ir.ops import ErrorKind
from predabs.options import CHECKS
from predabs.spec.properties import ASSERT, parse, property_of, restrict
from support.c_programs import program_of_c

CALLS = frozenset([ErrorKind.ERROR_CALL])


@pytest.mark.parametrize(
    "text",
    [
        "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "CHECK(init(main()),LTL(G!call(reach_error())))",
        "\n CHECK (\tinit ( main ( ) ) ,\n LTL ( G ! call ( reach_error ( ) ) ) )\n\n",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )"
        "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )",
    ],
)
def test_error_calls_in_any_layout(text: str) -> None:
    found = parse(text, "p.prp")
    assert (found.kinds, found.entry) == (CALLS, "main")


def test_the_entry_is_taken_from_init() -> None:
    found = parse("CHECK( init(start()), LTL(G ! call(reach_error())) )", "p.prp")
    assert found.entry == "start"


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        ("G ! data-race", "data-race"),
        ("F end", "termination"),
        ("G ! call(foo())", "calls of foo"),
    ],
)
def test_other_properties_are_refused_by_name(formula: str, name: str) -> None:
    with pytest.raises(UnsupportedFeature, match=rf"p\.prp: .*{name}"):
        parse(f"CHECK( init(main()), LTL({formula}) )", "p.prp")


def test_one_unsupported_check_among_several_is_enough() -> None:
    good = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    with pytest.raises(UnsupportedFeature, match="data-race"):
        parse(f"{good}\nCHECK( init(main()), LTL(G ! data-race) )", "p.prp")


@pytest.mark.parametrize(
    ("formulas", "subproperties"),
    [
        (["G ! overflow"], {"signed-overflow": "no-overflow"}),
        (["G  valid-deref"], {"deref": "valid-deref"}),
        (
            ["G valid-free", "G valid-deref", "G valid-memtrack"],
            {"free": "valid-free", "deref": "valid-deref", "leak": "valid-memtrack"},
        ),
        (["G valid-memcleanup"], {"cleanup": "valid-memcleanup"}),
        (
            ["G def-behavior"],
            dict.fromkeys(
                [
                    *("deref", "free", "uninit", "div-by-zero", "signed-overflow", "shift"),
                    *("float-cast-overflow", "unreachable", "vla-bound"),
                ],
                "def-behavior",
            ),
        ),
    ],
)
def test_properties_that_checks_decide(formulas: list[str], subproperties: dict[str, str]) -> None:
    text = "\n".join(f"CHECK( init(main()), LTL({formula}) )" for formula in formulas)
    found = parse(text, "p.prp")
    assert not found.kinds  # error calls end the run
    assert found.checks == subproperties.keys()
    assert found.subproperties == subproperties
    assert subproperties.keys() <= CHECKS.keys()


def test_error_calls_count_beside_checks_if_both_are_asked_for() -> None:
    call = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    found = parse(f"{call}\nCHECK( init(main()), LTL(G ! overflow) )", "p.prp")
    assert (found.kinds, found.checks) == (CALLS, {"signed-overflow"})
    assert found.violated("signed-overflow") == "no-overflow"
    assert found.violated("null") == "null"
    assert found.violated(None) is None


def test_coverage_is_refused() -> None:
    with pytest.raises(UnsupportedFeature, match="COVER"):
        parse("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", "p.prp")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "hello",
        "CHECK",
        "CHECK( )",
        "CHECK( init(main()), LTL(G ! call(reach_error()) )",
        "CHECK( init(main()), LTL(G call(reach_error())) )",
        "CHECK( init(main()), CTL(G ! call(reach_error())) )",
        "x CHECK( init(main()), LTL(G ! call(reach_error())) )",
        "CHECK( init(main()), LTL(G ! call(reach_error())) ) x",
        "CHECK( init(a()), LTL(G ! call(reach_error())) )"
        "CHECK( init(b()), LTL(G ! call(reach_error())) )",
    ],
)
def test_garbage_is_the_users_mistake(text: str) -> None:
    with pytest.raises(InputError, match=r"p\.prp"):
        parse(text, "p.prp")


def test_properties_by_name_and_file(tmp_path: Path) -> None:
    assert property_of("assert") is ASSERT
    file = tmp_path / "u.prp"
    file.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )")
    assert property_of(str(file)).kinds == CALLS
    with pytest.raises(InputError, match="cannot read"):
        property_of(str(tmp_path / "none.prp"))
    with pytest.raises(InputError, match="no such property"):
        property_of("asert")
    with pytest.raises(InputError, match="cannot read"):
        property_of(str(tmp_path / "none.rule"))
    (tmp_path / "binary.prp").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not text"):
        property_of(str(tmp_path / "binary.prp"))


def test_an_error_that_does_not_count_ends_the_run() -> None:
    program = program_of_c(
        'int main(void) { __assert_fail("x", "a.c", 1, "main"); __VERIFIER_error(); }'
    )
    assert isinstance(execute(program, ZeroInputs()), ErrorReached)
    only_calls = parse("CHECK( init(main()), LTL(G ! call(reach_error())) )", "p.prp")
    assert isinstance(execute(restrict(program, only_calls), ZeroInputs()), Stopped)


def test_nothing_is_rebuilt_if_all_errors_count() -> None:
    program = program_of_c("int main(void) { __VERIFIER_error(); }")
    assert restrict(program, ASSERT).functions["main"] is program.functions["main"]
