"""Random C programs that read a short text from outside, and what all their runs do.

They compare bytes, move positions and pointers, copy to buffers on the stack and on the heap, end
strings, and call functions that do: what parsers consist of. Loops end, and no run goes wrong.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.ir.cfa import Program

LETTERS = (0, 32, 91, 200)
LENGTH = 3

_HEAD = """#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
static char text[{room}], out[{room}];
static int count, kind;
struct item {{ int start; int end; struct item *next; }};
static struct item *items;
static int skip(int at, char c) {{ while (at < {length} && text[at] == c) at++; return at; }}
static char *find(char *s, int c) {{ for (; *s; s++) if (*s == (char)c) return s; return 0; }}
static void put(char c) {{ if (count < {length}) out[count++] = c; out[count] = 0; }}
static void note(int at) {{
    struct item *made = malloc(sizeof *made);
    made->start = at; made->end = -1; made->next = items; items = made;
}}
"""


def text_program(seed: int) -> str:
    """A program; the error at its end is called where a random condition holds."""
    draw = random.Random(seed)
    body = [_statement(draw, 2) for _ in range(draw.randint(3, 5))]
    inputs = "".join(
        f"    text[{n}] = __VERIFIER_nondet_char(); __VERIFIER_assume("
        + " || ".join(f"text[{n}] == (char){letter}" for letter in LETTERS)
        + ");\n"
        for n in range(LENGTH)
    )
    lines = "\n".join(body)
    return (
        _HEAD.format(room=LENGTH + 1, length=LENGTH)
        + "int main(void) {\n    int at = 0, other = 0; char *p = text;\n"
        + inputs
        + f"    for (; at < {LENGTH}; at++) {{\n{lines}\n    }}\n"
        + f"    if ({_end(draw)}) __VERIFIER_error();\n    return 0;\n}}\n"
    )


def _letter(draw: random.Random) -> str:
    return f"(char){draw.choice(LETTERS)}"


def _condition(draw: random.Random) -> str:
    return draw.choice(
        [
            f"text[at] == {_letter(draw)}",
            f"text[at] != {_letter(draw)}",
            "text[at] < 33",
            f"*p == {_letter(draw)}",
            f"text[other] == {_letter(draw)}",
            f"kind == {draw.randint(0, 2)}",
            "at > other",
            "items && items->end < 0",
            f"out[0] == {_letter(draw)}",
            f"strlen(text) > {draw.randint(0, 2)}",
        ]
    )


def _statement(draw: random.Random, depth: int) -> str:
    if depth and draw.random() < 0.5:
        then = _statement(draw, depth - 1)
        other = f" else {{ {_statement(draw, depth - 1)} }}" if draw.random() < 0.5 else ""
        return f"if ({_condition(draw)}) {{ {then} }}{other}"
    return draw.choice(
        [
            "put(text[at]);",
            f"put({_letter(draw)});",
            f"kind = {draw.randint(0, 2)};",
            "kind++;",
            "other = at;",
            f"other = skip(at, {_letter(draw)}) % {LENGTH};",
            f"{{ char *q = find(text, {draw.choice(LETTERS)}); if (q) p = q; }}",
            f"if (p < text + {LENGTH - 1}) p++;",
            "text[other] = 0;",
            "note(at);",
            "if (items) items->end = at;",
            "{ struct item *i = items; if (i) { items = i->next; free(i); } }",
            "if (kind == 1) continue;",
        ]
    )


def _end(draw: random.Random) -> str:
    return " && ".join(
        draw.choice(
            [
                f"count == {draw.randint(0, LENGTH)}",
                f"kind == {draw.randint(0, 4)}",
                f"other == {draw.randint(0, LENGTH - 1)}",
                f"p == text + {draw.randint(0, LENGTH - 1)}",
                f"out[{draw.randint(0, LENGTH - 1)}] == {_letter(draw)}",
                f"text[{draw.randint(0, LENGTH - 1)}] == {_letter(draw)}",
                "items",
                f"items && items->start == {draw.randint(0, LENGTH - 1)}",
                "items && items->next && items->next->end > items->start",
            ]
        )
        for _ in range(draw.randint(1, 2))
    )


def texts() -> Sequence[tuple[int, ...]]:
    """All inputs that the programs go on with."""
    return list(product(LETTERS, repeat=LENGTH))


def has_error(program: Program) -> bool:
    """Does a run of the program reach its error?"""
    return any(isinstance(execute(program, ListInputs(text)), ErrorReached) for text in texts())
