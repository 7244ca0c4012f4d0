"""What C leaves undefined and no access shows: unreachable code, sizes of arrays, conversions of
floating-point numbers to integers."""

from __future__ import annotations

import subprocess
from math import inf, nan, nextafter
from pathlib import Path
from struct import pack, unpack

import pytest

import predabs
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.ir.types import DataModel
from predabs.spec.checks import add_checks
from support.c_programs import program_of_c, write_c
from support.compilers import needs_compiler

_INTEGERS = {
    "signed char": (8, True),
    "unsigned char": (8, False),
    "short": (16, True),
    "unsigned": (32, False),
    "int": (32, True),
    "long": (64, True),
    "unsigned long": (64, False),
}


@pytest.mark.parametrize("type_", _INTEGERS)
@pytest.mark.parametrize("from_", ["float", "double", "long double"])
def test_a_conversion_is_a_fault_exactly_where_the_value_is_missing(from_: str, type_: str) -> None:
    bits, signed = _INTEGERS[type_]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    text = f"double __VERIFIER_nondet_double(void); {type_} to;"
    text += f"int main(void) {{ {from_} x = __VERIFIER_nondet_double(); to = x; return 0; }}"
    program = add_checks(program_of_c(text), frozenset(["float-cast-overflow"]))
    for value in _around(low - 1, low, high, high + 1):
        if from_ == "float" and value == value and abs(value) < inf:
            value = float.fromhex(float(_single(value)).hex())
        fits = value == value and abs(value) < inf and low <= int(value) <= high
        assert isinstance(execute(program, ListInputs([value])), ErrorReached) != fits, value


def _around(*bounds: int) -> list[float]:
    near = [float(bound) for bound in bounds]
    near += [bound + part for bound in bounds for part in (-0.5, 0.5)]
    steps = [nextafter(value, towards) for value in near for towards in (-inf, inf)]
    return [*near, *steps, 0.0, -0.0, -0.99, inf, -inf, nan]


def _single(value: float) -> float:
    return float(unpack("<f", pack("<f", value))[0])


FAULTS = {
    "unreachable": "if (__VERIFIER_nondet_int() == 7) __builtin_unreachable();",
    "vla-bound": "int n = __VERIFIER_nondet_int(); if (n < 5 && n != 0) { int a[n]; a[0] = n; }",
    "float-cast-overflow": "int n = __VERIFIER_nondet_int(); double d = n; char c = d;",
}
FINE = {
    "unreachable": "switch (__VERIFIER_nondet_uint() & 1) { case 0: case 1: break;"
    " default: __builtin_unreachable(); }",
    "vla-bound": "unsigned char n = __VERIFIER_nondet_int(); int a[n + 1]; a[n] = n;",
    "float-cast-overflow": "char n = __VERIFIER_nondet_int(); double d = n; char c = d + .5;",
}


@pytest.mark.parametrize("check", FAULTS)
def test_faults_and_proofs(check: str, tmp_path: Path) -> None:
    for body, verdict in ((FAULTS, predabs.Answer.FALSE), (FINE, predabs.Answer.TRUE)):
        file = write_c(tmp_path, f"int main(void) {{ {body[check]} return 0; }}")
        found = predabs.check([file], checks=[check], jobs=1)
        assert found.verdict is verdict


@needs_compiler
@pytest.mark.parametrize("check", FAULTS)
def test_the_sanitizer_of_gcc_agrees(check: str, tmp_path: Path) -> None:
    """The program whose inputs are those of the violation fails natively."""
    text = f"int main(void) {{ {FAULTS[check]} return 0; }}"
    found = predabs.check([write_c(tmp_path, text)], checks=[check], jobs=1).violation
    assert found is not None
    value = found.inputs[0].value
    binary, source = tmp_path / "a", tmp_path / "n.c"
    source.write_text(f"int __VERIFIER_nondet_int(void) {{ return {value}; }} {text}")
    options = [f"-fsanitize={check}", "-fno-sanitize-recover=all", "-w"]
    subprocess.run(["gcc", *options, str(source), "-o", str(binary)], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "runtime error" in done.stderr


def test_without_the_check_the_output_says_what_is_assumed(tmp_path: Path) -> None:
    for body, named in ((FAULTS["unreachable"], True), ("__builtin_trap();", False)):
        result = predabs.check([write_c(tmp_path, f"int main(void) {{ {body} return 0; }}")])
        assert result.verdict is predabs.Answer.TRUE
        assert any("--check unreachable" in line for line in result.assumptions) == named


def test_an_assumption_of_the_compiler_is_a_promise_of_the_program(tmp_path: Path) -> None:
    body = "int x = __VERIFIER_nondet_int(); __builtin_assume(x > 3); if (x < 4) reach_error();"
    file = write_c(tmp_path, f"int main(void) {{ {body} return 0; }}")
    assert predabs.check([file]).verdict is predabs.Answer.TRUE
    checked = predabs.check([file], checks=["unreachable"])
    assert checked.verdict is predabs.Answer.FALSE


def test_an_end_that_is_undefined_frees_nothing(tmp_path: Path) -> None:
    """It is no end of a run, so that nothing is lost there."""
    body = "char *p = malloc(3); if (!p) return 0; p = 0; __builtin_unreachable();"
    file = write_c(tmp_path, f"int main(void) {{ {body} }}")
    assert predabs.check([file], checks=["leak"]).verdict is predabs.Answer.TRUE


def test_the_number_of_zeros_of_zero_is_open(tmp_path: Path) -> None:
    for name, expected in (("ctz", 3), ("clz", 28), ("clzl", 60), ("ctzll", 3)):
        text = (
            f"int main(void) {{ if (__builtin_{name}(8) != {expected}) reach_error(); return 0; }}"
        )
        assert predabs.check([write_c(tmp_path, text)]).verdict is predabs.Answer.TRUE
        text = f"int main(void) {{ if (__builtin_{name}(0) != 63) reach_error(); return 0; }}"
        assert predabs.check([write_c(tmp_path, text)]).verdict is predabs.Answer.UNKNOWN


def test_both_data_models_have_their_own_largest_size() -> None:
    text = (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); char a[n]; a[0] = 1; return 0; }"
    )
    for model, wrong in ((DataModel.ILP32, True), (DataModel.LP64, False)):
        program = add_checks(program_of_c(text, data_model=model), frozenset(["vla-bound"]))
        texts = [edge.op for edge in program.functions["main"].edges]
        assert any(getattr(op, "check", None) == "vla-bound" for op in texts) == wrong
