"""Random programs that are mostly calls: globals, pointers to the caller's variables, recursion.

Numbers are small and mostly known, so that the Boolean program says a lot about them and a mistake
in it shows.
"""

from __future__ import annotations

from random import Random

_FUNCTIONS = ("f", "g", "h")


class Maker:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def program(self) -> str:
        pick = self.random
        text = "int x, y = 1; int *p = &x; struct s { int k; int l; } s; int (*fun)(int, int *);\n"
        text += "".join(f"static int {name}(int a, int *q);\n" for name in _FUNCTIONS)
        for name in _FUNCTIONS:
            names = ["a", "*q", "r", "a"]
            body = " ".join(self.statement(names, 1) for _ in range(pick.randint(2, 4)))
            result = pick.choice(["r", "r", "a", "r + 1"])
            text += f"static int {name}(int a, int *q) {{ int r = 0; {body} return {result}; }}\n"
        names = ["i", "j", "i", "j"]
        body = " ".join(self.statement(names, 2) for _ in range(pick.randint(4, 7)))
        address = pick.choice(["", "p = &i;"])
        start = f"fun = &{pick.choice(_FUNCTIONS)}; if (x) fun = &{pick.choice(_FUNCTIONS)};"
        return f"{text}int main(void) {{ int i = 0, j = 2; {start} {address} {body} return 0; }}\n"

    def place(self, names: list[str]) -> str:
        return self.random.choice([*names, "x", "y", "*p", "s.k", "s.l"])

    def value(self, names: list[str]) -> str:
        pick = self.random
        kind = pick.random()
        if kind < 0.4:
            return str(pick.randint(0, 2))
        place = self.place(names)
        return place if kind < 0.8 else f"{place} {pick.choice('+-')} 1"

    def statement(self, names: list[str], depth: int) -> str:
        pick = self.random
        kind = pick.random()
        if kind < 0.4 or depth == 0:
            return f"{self.place(names)} = {self.value(names)};"
        if kind < 0.75:
            outer = [f"&{n}" for n in names if n[0] != "*"] + ["&x", "&s.k", "p"]
            call = f"({self.value(names)}, {pick.choice(outer)})"
            name = pick.choice([*_FUNCTIONS, "fun"])
            call = f"{name}{call}"
            guarded = f"if ({self.place(names)} == 1) " if pick.random() < 0.3 else ""
            target = f"{self.place(names)} = " if pick.random() < 0.8 else ""
            return f"{guarded}{target}{call};"
        if kind < 0.8:
            return f"p = {pick.choice(['&x', '&y', '&s.l'])};"
        if kind < 0.84:
            return f"{self.place(names)} = __VERIFIER_nondet_int();"
        then, other = self.statement(names, depth - 1), self.statement(names, depth - 1)
        test = f"{self.place(names)} {pick.choice(['==', '!=', '<'])} {self.value(names)}"
        word = pick.choice(["if", "if", "while"])
        if word == "if":
            return f"if ({test}) {{ {then} }} else {{ {other} }}"
        return f"while ({test}) {{ {then} if (__VERIFIER_nondet_int()) break; }}"


def random_calls(seed: int) -> str:
    """The text of the program for a seed."""
    return Maker(seed).program()
