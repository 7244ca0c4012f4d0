"""Random C programs that use data structures as people do: right by construction, half of them with
one mistake planted.

Lists, trees, queues, buffers, tables and strings of lengths that the inputs choose are built,
walked, changed and freed. The templates in `fuzz/templates` have two kinds of holes: `<(a~b)>` are
variants that are all right, and in `<!right^^wrong^^wrong!>` all but the first are mistakes. `@`
is the number of the template in its program.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

INPUTS = 4  # that a run takes, each from 0 to 3; those that follow are zero

_HEAD = """\
typedef unsigned long size_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
extern int __VERIFIER_nondet_int(void);
extern void *calloc(size_t, size_t);
extern void *malloc(size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void abort(void);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern char *strcpy(char *, const char *);
extern char *strcat(char *, const char *);
extern size_t strlen(const char *);
extern int strcmp(const char *, const char *);
"""
_FEW = (
    "int {0} = __VERIFIER_nondet_int() & 3;",
    "int {0} = __VERIFIER_nondet_int();\n  if ({0} < 0 || {0} > 3) return 0;",
)
_MANY = (*_FEW, "int {0} = __VERIFIER_nondet_int();")
_VARIANT = re.compile(r"<\(((?:(?!<\().)*?)\)>", re.DOTALL)  # the innermost
_MISTAKE = re.compile(r"<!((?:(?!<!).)*?)!>", re.DOTALL)
_DECLARATION = re.compile(
    r"\s*(struct|int|char|long|unsigned|const|static|return|goto|if|else|for)\b"
)


def program(seed: int, *, right: bool = False) -> str:
    """The text of a program; that without its mistake, if it must be right.

    >>> program(1) == program(1)
    True
    """
    random = Random(seed)
    parts = random.sample(templates(), random.choice([1, 1, 2]))
    text = "--- next\n".join(
        _with_inputs(random, _varied(random, part)).replace("@", str(number))
        for number, part in enumerate(parts)
    )
    places = len(_MISTAKE.findall(text))
    mistake = random.randrange(places + places // 8 + 1) if random.random() < 0.5 else None
    return _whole(_with_mistake(random, text, None if right else mistake))


@cache
def templates() -> tuple[str, ...]:
    folder = Path(__file__).parent / "templates"
    return tuple(file.read_text() for file in sorted(folder.glob("*.c")))


def _varied(random: Random, text: str) -> str:
    """One of the variants, in each place that has some."""
    while found := list(_VARIANT.finditer(text)):
        for hole in reversed(found):
            chosen = random.choice(hole[1].split("~"))
            text = text[: hole.start()] + chosen + text[hole.end() :]
    return text


def _with_inputs(random: Random, text: str) -> str:
    """Each way to take an input: a small one, or any number."""
    for word, ways in (("INPUT", _FEW), ("COUNT", _MANY)):
        for found in reversed(list(re.finditer(rf"\b{word} (\w+)", text))):
            way = random.choice(ways).format(found[1])
            text = text[: found.start()] + way + text[found.end() :]
    return text


def _with_mistake(random: Random, text: str, mistake: int | None) -> str:
    """What is right in each place but that of this number; if there is no such place, two
    statements are swapped."""
    number = 0
    while found := _MISTAKE.search(text):
        right, *wrong = found[1].split("^^")
        chosen = random.choice(wrong) if number == mistake and wrong else right
        text = text[: found.start()] + chosen + text[found.end() :]
        number += 1
    return _swapped(random, text) if mistake is not None and mistake >= number else text


def _swapped(random: Random, text: str) -> str:
    """Two statements of one block in the other order."""
    lines = text.split("\n")
    plain = [line.endswith(";") and not _DECLARATION.match(line) for line in lines]
    pairs = [
        at
        for at in range(len(lines) - 1)
        if plain[at] and plain[at + 1] and _indent(lines[at]) == _indent(lines[at + 1])
    ]
    if pairs:
        at = random.choice(pairs)
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _whole(text: str) -> str:
    """The program that uses one data structure after the other."""
    made = [_HEAD]
    calls = ""
    for number, part in enumerate(text.split("--- next\n")):
        helpers, body = part.split("--- main\n")
        made.append(f"{helpers}static int use{number}(void) {{\n{body}  return 0;\n}}\n")
        calls += f"  use{number}();\n"
    return "".join(made) + f"int main(void) {{\n{calls}  return 0;\n}}\n"
