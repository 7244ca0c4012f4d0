"""`predabs run`: what goes where, and the exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.cli import main
from predabs.commands.run import parse_inputs
from predabs.errors import InputError
from predabs.ir.ops import Source
from predabs.ir.types import DOUBLE, INT


class Ran:
    """A finished run of the command line, the file's folder cut away."""

    def __init__(
        self, folder: Path, capture: pytest.CaptureFixture[bytes], text: str, *options: str
    ) -> None:
        file = folder / "t.c"
        file.write_text(text)
        self.code = main(["run", str(file), *options])
        self.out, err = capture.readouterr()
        self.err = err.decode().replace(f"{folder}/", "")


CHECK = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern int printf(const char *, ...);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x < 100);
  printf("%d %d\\n", x, y);
  if (x + y == 7)
    reach_error();
  return 100 / y;
}
"""


def test_the_ends_of_a_run(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    normal = Ran(tmp_path, capsysbinary, CHECK, "--inputs", "1,50")
    assert (normal.code, normal.out) == (0, b"1 50\n")
    assert normal.err == "the program ended with status 2\n"
    error = Ran(tmp_path, capsysbinary, CHECK, "--inputs", "-3, 0xA")
    assert (error.code, error.out) == (1, b"-3 10\n")
    assert error.err == "t.c:11:5: reach_error() is called\n"
    fault = Ran(tmp_path, capsysbinary, CHECK, "--inputs", "1")
    assert (fault.code, fault.out) == (1, b"1 0\n")
    assert fault.err.startswith("t.c:12:") and fault.err.endswith(": division by zero\n")
    assumed = Ran(tmp_path, capsysbinary, CHECK, "--inputs", "100")
    assert (assumed.code, assumed.out) == (0, b"")
    assert assumed.err.startswith("t.c:8:") and "does not hold" in assumed.err
    limited = Ran(tmp_path, capsysbinary, CHECK, "--max-steps", "2")
    assert (limited.code, limited.err) == (3, "the run was stopped after 2 steps\n")


def test_the_trace(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    ran = Ran(tmp_path, capsysbinary, CHECK, "--inputs", "1,6", "--trace")
    assert ran.code == 1 and ran.out == b"1 6\n"
    lines = [" ".join(line.split()) for line in ran.err.splitlines()]
    assert lines[0] == "t.c:6: x = __VERIFIER_nondet_int(); x = 1"
    assert lines[1] == "t.c:7: y = __VERIFIER_nondet_int(); y = 6"
    assert lines[2] == "t.c:8: [x < 100]"
    assert lines[-1] == "t.c:11:5: reach_error() is called"


def test_values_in_a_trace(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = """
    struct big { char bytes[40]; };
    int main(void) { struct big a = {{1, 2}}; struct big b; b = a; int *p = 0; double d = 0.5;
      return b.bytes[1] + !p + (int)d; }
    """
    ran = Ran(tmp_path, capsysbinary, text, "--trace")
    assert ran.code == 0 and ran.err.endswith("the program ended with status 3\n")
    assert "b = 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ... (40 bytes)" in ran.err
    assert "p = null" in ran.err and "d = 0.5" in ran.err


def test_pointers_from_outside(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = "long *__VERIFIER_nondet_pointer(void); int main(void) {"
    text += " long *p = __VERIFIER_nondet_pointer(); return p[1]; }"
    high = ("--inputs", "0x800000000000")
    ran = Ran(tmp_path, capsysbinary, text, *high, "--trace")
    assert ran.code == 0
    assert "p[1] at 0x800000000008 (memory of the environment) = 0\n" in ran.err
    for options in ((), (*high, "--extern-pointers", "any"), ("--inputs", "0xffffffffffffffff")):
        ran = Ran(tmp_path, capsysbinary, text, *options)
        assert ran.code == 1 and ": read of 8 bytes at " in ran.err
    codes = {Ran(tmp_path, capsysbinary, text, "--seed", str(seed)).code for seed in range(30)}
    assert codes == {0, 1}


def test_abort_and_exit(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = "void abort(void); int main(void) { abort(); }"
    ran = Ran(tmp_path, capsysbinary, text)
    assert (ran.code, ran.err) == (0, "t.c:1:36: the program stopped: abort\n")
    text = "void exit(int); int main(void) { exit(3); }"
    ran = Ran(tmp_path, capsysbinary, text)
    assert (ran.code, ran.err) == (0, "the program ended with status 3\n")


def test_bytes_are_printed_as_they_are(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = "int putchar(int); int main(void) { putchar(255); putchar(0); putchar(10); return 0; }"
    assert Ran(tmp_path, capsysbinary, text).out == b"\xff\0\n"


def test_random_inputs(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = CHECK.replace("return 100 / y", "return 0").replace("x < 100", "1")
    one = Ran(tmp_path, capsysbinary, text, "--seed", "1")
    assert one.out == Ran(tmp_path, capsysbinary, text, "--seed", "1").out
    others = {Ran(tmp_path, capsysbinary, text, "--seed", str(n)).out for n in range(10)}
    assert len(others) > 5
    mixed = Ran(tmp_path, capsysbinary, text, "--seed", "1", "--inputs", "77")
    assert mixed.out.startswith(b"77 ")


def test_the_data_model(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = "int main(void) { return sizeof(long); }"
    for model, size in (("ILP32", 4), ("LP64", 8)):
        ran = Ran(tmp_path, capsysbinary, text, "--data-model", model)
        assert ran.err == f"the program ended with status {size}\n"


@pytest.mark.parametrize("inputs", ["x", "1,,2", "1;2", "0x", "1,"])
def test_bad_inputs(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], inputs: str
) -> None:
    ran = Ran(tmp_path, capsysbinary, CHECK, f"--inputs={inputs}")
    assert ran.code == 2 and ran.out == b""
    assert "--inputs: " in ran.err and ran.err.count("\n") == 1


def test_a_negative_number_of_steps(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    ran = Ran(tmp_path, capsysbinary, CHECK, "--max-steps=-1")
    assert ran.code == 2 and "--max-steps: must not be negative" in ran.err


def test_an_unsupported_format(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = 'int printf(const char *, ...); int main(void) { int n; printf("a%n", &n); return n; }'
    ran = Ran(tmp_path, capsysbinary, text)
    assert ran.code == 2 and "t.c:1:56: the format '%n' is not supported" in ran.err


def test_numbers() -> None:
    inputs = parse_inputs(" 10, 0x10,-010 ,1.5, 1e3", None)
    asked = [INT, INT, INT, DOUBLE, DOUBLE, INT]
    taken = [inputs.scalar(Source.NONDET, "n", type_, None) for type_ in asked]
    assert taken == [10, 16, -10, 1.5, 1000.0, 0]
    with pytest.raises(InputError, match="'0b'"):
        parse_inputs("0b", None)
