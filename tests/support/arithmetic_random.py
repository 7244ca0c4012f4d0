"""Random statements of integer arithmetic, in which faults are likely.

A program calls one of its functions `f0`, `f1` ... whose parameters are the same variables of many
types. Nothing is unsequenced that could be noticed, so C says whether a call goes wrong.
"""

from __future__ import annotations

from random import Random

TYPES = {
    "a": "signed char",
    "b": "unsigned char",
    "c": "short",
    "d": "unsigned short",
    "e": "int",
    "f": "int",
    "g": "unsigned",
    "h": "long",
    "k": "unsigned long",
}
FIELDS = {"s.x": "int", "s.y": "unsigned"}
PARAMETERS = ", ".join(f"{type_} {name}" for name, type_ in TYPES.items())
RECORD = "struct fields { int x : 5; unsigned y : 7; };"
_LEAVES = [*TYPES, *FIELDS]
_BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "==", "&&", "||"]
_ASSIGNED = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="]
_NUMBERS = ["1", "2", "-1", "7", "31", "100", "65535", "2147483647", "3u", "1l"]


def inputs(random: Random) -> list[int]:
    """A value for each parameter, of its type; often a special one."""
    return [_input(random, type_) for type_ in TYPES.values()]


def _input(random: Random, type_: str) -> int:
    unsigned = type_.startswith("unsigned")
    base = type_.removeprefix("unsigned").removeprefix("signed").strip() or "int"
    bits = {"char": 8, "short": 16, "int": 32, "long": 64}[base]
    low, high = (0, (1 << bits) - 1) if unsigned else (-(1 << bits - 1), (1 << bits - 1) - 1)
    edges = [low, low + 1, 0, 1, 2, 3, high - 1, high] + ([] if unsigned else [-1, -2])
    return random.choice(edges) if random.random() < 0.6 else random.randint(low, high)


def function(random: Random, number: int, opaque: bool) -> str:
    """Statements in a function; what they compute goes into `sink`. With `opaque`, each value is
    put into a variable first: gcc takes `5 * x != 0` for `x != 0`, computes a sum that is cut to
    few bits without a sign, and sees no overflow in constants."""
    writer = _Writer(random, opaque)
    body = " ".join(writer.statement() for _ in range(random.randint(1, 3)))
    return (
        f"static void f{number}({PARAMETERS}) {{ struct fields s; s.x = e; s.y = g; {body} "
        f"sink = {' ^ '.join(_LEAVES)}; }}\n"
    )


class _Writer:
    def __init__(self, random: Random, opaque: bool) -> None:
        self._random = random
        self._opaque = opaque

    def statement(self) -> str:
        random = self._random
        target = random.choice(_LEAVES)
        steps = [f"{target}++;", f"--{target};", f"++{target};", f"{target}--;"]
        match random.randrange(5):
            case 0:
                return random.choice(steps)
            case 1:
                return f"if ({self._expression(2)}) {self.statement()}"
            case 2:
                return f"sink = {self._expression(3)};"
        op = random.choice(_ASSIGNED[:1] if self._opaque else _ASSIGNED)
        return f"{target} {op} {self._expression(2)};"

    def _expression(self, depth: int) -> str:
        whole = self._operation(depth)
        if self._opaque:
            return f"({{ __typeof__(+({whole})) t = {whole}; t; }})"
        return whole

    def _operation(self, depth: int) -> str:
        random = self._random
        if depth == 0 or random.random() < 0.2:
            return random.choice(_LEAVES) if random.random() < 0.8 else random.choice(_NUMBERS)
        left = self._expression(depth - 1)
        match random.randrange(10):
            case 0:
                return f"{random.choice('-~!+')}({left})"
            case 1:
                return f"({random.choice(list(TYPES.values()))})({left})"
            case 2:
                parts = [self._expression(depth - 1) for _ in range(2)]
                return f"(({left}) ? ({parts[0]}) : ({parts[1]}))"
        return f"({left}) {random.choice(_BINARY)} ({self._expression(depth - 1)})"
