"""Random C programs for the lazy engine: loops, calls, arrays, pointers, inputs and errors.

Nothing is recursive, most loops have few rounds, and most arithmetic is linear, so that both
engines have a chance. Indices stay inside their arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

_HEAD = """int x, y = 3, z; unsigned u = 2; int a[4]; int *p = &x; unsigned char c;
"""
_HEAP = """struct s { int f; int g; } s, t, *q = &s; int *h = &x;
static void set(int *where, int what) { int old = *where; *where = what; if (old > what) z = old; }
"""
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_GLOBALS = ("x", "y", "z", "x", "y", "u", "c")
_DEPTH = 3


@dataclass
class _Scope:
    """What a statement may use; `calls` are functions with their numbers of arguments."""

    names: list[str]
    calls: list[tuple[str, int]]
    loop: bool = False
    kept: list[str] = field(default_factory=list)  # counters, which only their loops change


class Maker:
    """Writes one program. `memory` adds arrays and pointers, `heap` records, allocated memory and
    addresses of locals, `bits` operations that integers cannot express."""

    def __init__(
        self, seed: int, *, memory: bool = True, heap: bool = False, bits: bool = False
    ) -> None:
        self.random = Random(seed)
        self.memory = memory
        self.heap = heap
        self.bits = bits
        self.count = 0
        self.left = 0  # statements that may still be written

    def program(self, size: int = 6) -> str:
        text = _HEAD + (_HEAP if self.heap else "")
        calls: list[tuple[str, int]] = []
        for name, params in (("f", ["m", "n"]), ("g", ["k"])):
            self.left = max(2, size // 3)
            scope = _Scope([*params, "r"], list(calls))
            body = self.block(scope, 2)
            args = ", ".join(f"int {param}" for param in params)
            text += f"static int {name}({args}) {{ int r = {params[0]}; {body} return r; }}\n"
            calls.append((name, len(params)))
        self.left = size
        scope = _Scope(["i", "j"], calls)
        body = self.block(scope, _DEPTH)
        last = f"if ({self.condition(scope)}) reach_error();"
        return f"""{text}int main(void) {{
  int i = 0, j = __VERIFIER_nondet_int();
  {body}
  {last}
  return 0;
}}
"""

    # --- expressions ------------------------------------------------------------------------------

    def place(self, scope: _Scope) -> str:
        pick = self.random
        if self.heap and pick.random() < 0.25:
            return pick.choice(["q->f", "q->g", "s.f", "t.g", "*h", "h[0]"])
        if self.memory and pick.random() < 0.25:
            index = pick.choice([str(pick.randrange(4)), f"({pick.choice(scope.names)} & 3)"])
            return pick.choice(["*p", f"a[{index}]"])
        return pick.choice([*_GLOBALS, *scope.names, *scope.names])

    def value(self, scope: _Scope, depth: int = 1) -> str:
        pick = self.random
        match pick.randrange(6 if depth else 3):
            case 0:
                return str(pick.randint(-2, 5))
            case 1 | 2:
                return pick.choice([self.place(scope), *scope.kept])
            case 3:
                return f"({self.value(scope, 0)} {pick.choice('+-')} {pick.randint(0, 3)})"
            case 4 if self.bits:
                operator = pick.choice(["&", "|", "^", "*", "/ 3 +", "% 4 -", "<< 1 ^"])
                return f"({self.value(scope, 0)} {operator} {self.value(scope, 0)})"
            case _:
                return f"({self.value(scope, 0)} {pick.choice('+-')} {self.value(scope, 0)})"

    def condition(self, scope: _Scope) -> str:
        pick = self.random
        test = f"{self.value(scope)} {pick.choice(_COMPARISONS)} {self.value(scope)}"
        if pick.random() < 0.2:
            joint = pick.choice(["&&", "||"])
            return f"{test} {joint} {self.place(scope)} {pick.choice(_COMPARISONS)} 1"
        return test

    # --- statements -------------------------------------------------------------------------------

    def block(self, scope: _Scope, depth: int) -> str:
        return " ".join(self.statement(scope, depth) for _ in range(self.random.randint(1, 4)))

    def statement(self, scope: _Scope, depth: int) -> str:
        pick = self.random
        self.left -= 1
        if self.heap and pick.random() < 0.2:
            return self.heap_statement(scope)
        kind = pick.random()
        if depth == 0 or self.left <= 0 or kind < 0.35:
            return f"{self.place(scope)} = {self.value(scope)};"
        if kind < 0.42:
            return f"{self.place(scope)} = __VERIFIER_nondet_int();"
        if kind < 0.47 and self.memory:
            return f"p = {pick.choice(['&x', '&y', '&a[1]', '&a[x & 3]'])};"
        if kind < 0.52:
            return f"__VERIFIER_assume({self.condition(scope)});"
        if kind < 0.57:
            return f"if ({self.condition(scope)}) reach_error();"
        if kind < 0.62 and scope.loop:
            return f"if ({self.condition(scope)}) {pick.choice(['break', 'continue'])};"
        if kind < 0.72 and scope.calls:
            name, count = pick.choice(scope.calls)
            args = ", ".join(self.value(scope) for _ in range(count))
            return f"{self.place(scope)} = {name}({args});"
        if kind < 0.86:
            test = pick.choice([self.condition(scope), "__VERIFIER_nondet_int()"])
            then, other = self.block(scope, depth - 1), self.block(scope, depth - 1)
            return f"if ({test}) {{ {then} }} else {{ {other} }}"
        return self.loop(scope, depth)

    def heap_statement(self, scope: _Scope) -> str:
        pick = self.random
        match pick.randrange(5):
            case 0:
                return f"q = {pick.choice(['&s', '&t', 'q'])};"
            case 1:
                return pick.choice(["s = t;", "t = *q;", "*q = s;"])
            case 2:
                return f"h = malloc(8); h[0] = {self.value(scope)}; h[1] = {self.value(scope)};"
            case 3:
                where = pick.choice(["&x", "h", "p", "&q->f", *(f"&{n}" for n in scope.names)])
                return f"set({where}, {self.value(scope)});"
            case _:
                return f"h = {pick.choice(['p', '&a[2]', '&x', '&s.g'])};"

    def loop(self, scope: _Scope, depth: int) -> str:
        pick = self.random
        self.count += 1
        counter = f"l{self.count}"
        inner = _Scope(scope.names, scope.calls, True, [*scope.kept, counter])
        match pick.randrange(4):
            case 0:
                inner.kept.pop()
                return f"while (__VERIFIER_nondet_int()) {{ {self.block(inner, depth - 1)} }}"
            case 1:
                inner.kept.pop()
                test = self.condition(scope)
                return f"while ({test}) {{ {self.block(inner, depth - 1)} }}"
            case _:
                rounds = pick.choice([str(pick.randint(1, 3)), f"({self.place(scope)} & 3)"])
                body = self.block(inner, depth - 1)
                return f"for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{ {body} }}"


def random_program(
    seed: int, *, memory: bool = True, heap: bool = False, bits: bool = False, size: int = 6
) -> str:
    """The text of the program for a seed.

    >>> random_program(3) == random_program(3)
    True
    """
    return Maker(seed, memory=memory, heap=heap, bits=bits).program(size)
