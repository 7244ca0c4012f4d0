"""Random programs for the slam engine: recursion, several procedures that call each other, globals,
pointers to the variables of callers, and calls through pointers.

Runs end soon: whoever calls another one counts down. The inputs are few, so what a program can end
with is found by trying all of them; the last condition asks for that, or for something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited
from predabs.ir.cfa import Program
from support.c_programs import program_of_c

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_INPUTS = range(-1, 3)
_STEPS = 3000
_HEAD = """int g, h = 1; int *p = &g; struct s { int k; int l; } s; int (*fun)(int, int, int *);
"""


@dataclass(frozen=True)
class Features:
    """What a program has besides calls, branches and globals."""

    recursion: bool = True
    pointers: bool = False
    through: bool = False  # calls through pointers
    loops: bool = False


class Maker:
    """Writes one program."""

    def __init__(self, seed: int, features: Features) -> None:
        self.random = Random(seed)
        self.has = features
        self.functions = ["f1", "f2", "f3"][: self.random.randint(1, 3)]

    def program(self, last: str) -> str:
        """`last` is what `main` does before it returns."""
        pick = self.random
        text = _HEAD
        text += "".join(f"static int {name}(int n, int a, int *q);\n" for name in self.functions)
        for number, name in enumerate(self.functions):
            callees = self.functions if self.has.recursion else self.functions[:number]
            names = ["a", "r", "a", "r", *(["*q", "x"] if self.has.pointers else [])]
            body = " ".join(self.statement(names, callees, 2) for _ in range(pick.randint(2, 4)))
            base = pick.choice(
                ["return a;", "return 0;", f"{self.place(['a'])} = 1; return a + 1;"]
            )
            result = pick.choice(["r", "r", "a", "r + 1", "a + r"])
            text += (
                f"static int {name}(int n, int a, int *q) {{ int r = {self.value(['a'])}, x = 0; "
                f"if (n <= 0) {{ {base} }} {body} return {result}; }}\n"
            )
        names = ["i", "j", "i", "j"]
        body = " ".join(self.statement(names, self.functions, 2) for _ in range(pick.randint(2, 4)))
        first = ""
        if self.has.pointers:
            first += pick.choice(["", "p = &i;", "p = &h;"])
        if self.has.through:
            first += f"fun = &{pick.choice(self.functions)};"
            first += f"if (j > 0) fun = &{pick.choice(self.functions)};"
        return (
            f"{text}int main(void) {{ int i = 0, j = __VERIFIER_nondet_int(), n = "
            f"{pick.randint(1, 2)}; {first} {body} {last} return 0; }}\n"
        )

    def place(self, names: list[str]) -> str:
        places = [*names, "g", "h", *(["*p", "s.k"] if self.has.pointers else [])]
        return self.random.choice(places)

    def value(self, names: list[str]) -> str:
        pick = self.random
        kind = pick.random()
        if kind < 0.3:
            return str(pick.randint(-1, 2))
        place = self.place(names)
        if kind < 0.7:
            return place
        return f"{place} {pick.choice('+-')} {pick.choice(['1', '1', self.place(names)])}"

    def statement(self, names: list[str], callees: list[str], depth: int) -> str:
        pick = self.random
        kind = pick.random()
        if kind < 0.3 or depth == 0:
            return f"{self.place(names)} = {self.value(names)};"
        if kind < 0.7 and callees:
            return self.call(names, callees)
        if kind < 0.75 and self.has.pointers:
            return f"p = {pick.choice(['&g', '&h', '&s.k'])};"
        if kind < 0.8 and self.has.loops:
            body = self.statement(names, [], depth - 1)
            return (
                f"while ({self.condition(names)}) {{ {body} if ({self.condition(names)}) break; }}"
            )
        then = self.statement(names, callees, depth - 1)
        other = self.statement(names, callees, depth - 1)
        return f"if ({self.condition(names)}) {{ {then} }} else {{ {other} }}"

    def condition(self, names: list[str]) -> str:
        pick = self.random
        if self.has.pointers and pick.random() < 0.15:
            own = ["&x", "q"] if "a" in names else ["&i"]
            return f"p {pick.choice(['==', '!='])} {pick.choice(['&g', '&h', *own])}"
        return f"{self.place(names)} {pick.choice(_COMPARISONS)} {self.value(names)}"

    def call(self, names: list[str], callees: list[str]) -> str:
        pick = self.random
        outer = ["&g", "&h"]
        if self.has.pointers:
            outer += [f"&{n}" for n in names if n[0] != "*"] + ["&s.k", "p"]
        if "a" in names:
            outer += ["q", "q"]
        through = self.has.through and self.has.recursion and pick.random() < 0.4
        name = "fun" if through else pick.choice(callees)
        count = "n - 1" if "a" in names else "n"
        call = f"{name}({count}, {self.value(names)}, {pick.choice(outer)});"
        return f"{self.place(names)} = {call}" if pick.random() < 0.8 else call


@dataclass(frozen=True)
class Subject:
    """A program; `reachable` says whether a run of those that were tried reaches the error."""

    text: str
    program: Program
    reachable: bool


def random_subject(seed: int, features: Features) -> Subject | None:
    """The program for a seed: every second one has an error that a run reaches. None if what it
    ends with is not known soon."""
    random = Random(seed)
    watched = random.choice(["g", "h", "i", "g", "i"])
    shown = Maker(seed, features).program(f"return {watched} & 127;")
    program = program_of_c(shown)
    ends: set[int] = set()
    for values in product(_INPUTS, repeat=1):
        end = execute(program, ListInputs(values), max_steps=_STEPS)
        if not isinstance(end, Exited):
            return None
        ends.add(end.status)
    wanted = random.choice(sorted(ends))
    if seed % 2:
        wanted = random.choice([n for n in range(wanted - 2, wanted + 3) if n & 127 not in ends])
    test = f"if (({watched} & 127) == {wanted & 127}) reach_error();"
    if random.random() < 0.7 and wanted < 100:
        test = f"if ({watched} == {wanted}) reach_error();"
    text = Maker(seed, features).program(test)
    return Subject(text, program_of_c(text), seed % 2 == 0)
