"""Texts of the program's own words as inputs."""

from __future__ import annotations

from predabs.concrete.text_inputs import TextInputs, reads_text, words_of
from predabs.engines.concrete_runs import ConcreteRuns
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.ops import Source
from predabs.ir.types import INT, IntType
from predabs.verdict import Unsafe
from support.c_programs import program_of_c

CHAR, UCHAR = IntType(8, True), IntType(8, False)
# `name=` and more than seven characters
CONFIG = """
extern char __VERIFIER_nondet_char(void);
char line[40], name[8];
static int same(const char *s, const char *t) {
  while (*s && *s == *t) { s++; t++; }
  return *s == *t;
}
int main(void) {
  int i, n;
  for (;;) {
    char *value = 0;
    for (n = 0; n < 39; n++) {
      char c = __VERIFIER_nondet_char();
      if (c == '\\n' || c == 0) break;
      line[n] = c;
      if (c == '=' && !value) { line[n] = 0; value = line + n + 1; }
    }
    line[n] = 0;
    if (!value) continue;
    if (same(line, "quit")) return 0;
    if (same(line, "name"))
      for (i = 0; value[i]; i++) { if (i == 8) reach_error(); name[i] = value[i]; }
  }
}
"""


def test_words_of_a_program() -> None:
    program = program_of_c(CONFIG)
    assert reads_text(program)
    assert set(words_of(program)) == {"quit", "name", "\n", "="}
    looks = 'extern char *strchr(const char *, int); int main(void) { return !strchr("a;b", %s); }'
    assert set(words_of(program_of_c(looks % "';'"))) >= {"a;b", ";"}
    assert ";" not in words_of(program_of_c(looks % "'x'"))
    assert not reads_text(program_of_c("int main(void) { return __VERIFIER_nondet_int(); }"))


def test_characters_are_a_text_and_the_same_again() -> None:
    one, other = (TextInputs(3, words=("hello", "=")) for _ in range(2))
    text = [one.scalar(Source.NONDET, "c", UCHAR, None) for _ in range(300)]
    assert text == [other.scalar(Source.NONDET, "c", UCHAR, None) for _ in range(300)]
    assert "hello" in "".join(chr(int(letter)) for letter in text)
    numbers = [TextInputs(seed).scalar(Source.NONDET, "c", CHAR, None) for seed in range(300)]
    assert all(-128 <= number <= 127 for number in numbers) and min(numbers) < 0
    assert one.scalar(Source.NONDET, "n", INT, None) is not None


def test_strings_in_memory_of_the_environment_end() -> None:
    inputs = TextInputs(1, words=("hello",))
    text = [inputs.scalar(Source.ENVIRONMENT, "0", CHAR, None) for _ in range(400)]
    assert 0 in text


def test_a_line_that_is_too_long_is_found() -> None:
    program = program_of_c(CONFIG)
    found = ConcreteRuns(program).bug(1000.0)
    assert isinstance(found, Unsafe)
    assert not isinstance(replay(program, found.inputs), NotReplayed)
    text = "".join(chr(int(item.value) % 256) for item in found.inputs if item.type is CHAR)
    assert "name=" in text
