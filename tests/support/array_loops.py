"""Random programs with loops over arrays of all kinds: local, global, on the heap, behind pointers,
of structs and unions, and arrays of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_TYPES = (
    "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long",
    "unsigned long",
)  # fmt: skip
_START = """
typedef unsigned long size_t; void *memset(void *, int, size_t); void *calloc(size_t, size_t);
struct S { char c; int x; short y; unsigned char z[3]; }; union U { int i; short s; };
"""


@dataclass(frozen=True)
class ArrayLoops:
    """A program without its end; `element` is one of an array, with the index q."""

    text: str
    ends: str
    element: str
    length: int
    constant: int

    def with_checksum(self) -> str:
        """The result tells what all variables and arrays hold."""
        return (
            f"{self.text} unsigned h = 7; {self.ends}"
            " return (int)((h + i*3 + j*5 + k*7 + s + t) & 0x7fffffff); }"
        )

    def searched(self) -> str:
        """An error if some element of an array is a constant: an input says which."""
        test = f"q >= 0 && q < {self.length - 1} && {self.element} == {self.constant}"
        return (
            f"{self.text} int q = __VERIFIER_nondet_int(); if ({test}) reach_error(); return 0; }}"
        )

    def all_compared(self) -> str:
        """The same, with a loop instead of the input."""
        loop = f"int q; for (q = 0; q < {self.length - 1}; q++)"
        return (
            f"{self.text} {loop} if ({self.element} == {self.constant}) reach_error(); return 0; }}"
        )


def random_array_loops(random: Random, lengths: Sequence[int] = (3, 8, 40, 100)) -> ArrayLoops:
    """The program asks for one input, m."""
    return _Writer(random, random.choice(lengths)).program()


class _Writer:
    def __init__(self, random: Random, length: int) -> None:
        self.random = random
        self.length = length
        self.kinds: dict[str, str] = {}

    def maybe(self, share: float) -> bool:
        return self.random.random() < share

    def program(self) -> ArrayLoops:
        globals_, locals_, ends = [], [], []
        for name in "ABC":
            declared, made, start, size = self.array(name)
            globals_.append(declared)
            locals_.append(made)
            ends.append(
                f"{{ unsigned char *e = (unsigned char *){start}; unsigned q;"
                f" for (q = 0; q < {size}; q++) h = h * 31 + e[q]; }}"
            )
        n = self.length
        for name in "ijk":
            type_ = self.random.choice(_TYPES if self.maybe(0.5) else ("int", "unsigned"))
            locals_.append(
                f"{type_} {name} = {self.random.choice((0, 0, 0, 1, 2, n - 1, n // 2))};"
            )
        locals_.append("int m = __VERIFIER_nondet_int() % 7; unsigned s = 1; int t = 0;")
        loops = [self.loop() for _ in range(self.random.randint(1, 3))]
        text = f"{_START} {' '.join(globals_)} int main(void) {{ {' '.join([*locals_, *loops])}"
        name, kind = self.random.choice(list(self.kinds.items()))
        element = {"struct": f"{name}[q].x", "union": f"{name}[q].s", "two": f"{name}[1][q]"}
        constant = self.random.choice((0, 1, 2, 3, 5, 7, self.random.randint(0, 2 * n), 300))
        return ArrayLoops(text, " ".join(ends), element.get(kind, f"{name}[q]"), n, constant)

    def array(self, name: str) -> tuple[str, str, str, str]:
        """Its declarations, global and local, and where its bytes are."""
        kinds = ("local", "global", "heap", "pointer", "struct", "union", "two")
        kind = self.kinds[name] = self.random.choice(kinds)
        type_, n = self.random.choice(_TYPES), self.length
        whole = (name, f"sizeof {name}")
        match kind:
            case "local":
                byte = self.random.randint(0, 3)
                return "", f"{type_} {name}[{n}]; memset({name}, {byte}, sizeof {name});", *whole
            case "heap":
                made = f"{type_} *{name} = calloc({n}, sizeof *{name});"
                return "", made, name, f"{n} * sizeof *{name}"
            case "pointer":
                shift = self.random.choice(("", " + 1"))
                made = f"{type_} *{name} = {name}_{shift};"
                return f"{type_} {name}_[{n}];", made, f"{name}_", f"sizeof {name}_"
            case "struct":
                return f"struct S {name}[{n}];", "", *whole
            case "union":
                return f"union U {name}[{n}];", "", *whole
            case "two":
                return f"{type_} {name}[3][{n}];", "", *whole
        return f"{type_} {name}[{n}];", "", *whole

    def index(self) -> str:
        shift = self.random.choice(("", "", "", " + 1", " - 1", " + m", "*2"))
        return self.random.choice("iijk") + shift

    def place(self, index: str) -> str:
        name = self.random.choice("ABC")
        match self.kinds[name]:
            case "struct":
                return f"{name}[{index}].{self.random.choice(('c', 'x', 'x', 'y', 'z[1]'))}"
            case "union":
                return f"{name}[{index}].{self.random.choice('is')}"
            case "two":
                other = f"{name}[{self.random.choice('ij')}][2]"
                return self.random.choice((f"{name}[1][{index}]", f"{name}[m & 1][{index}]", other))
        return f"{name}[{index}]"

    def write(self, index: str) -> str:
        place = self.place(index)
        values = (
            str(self.random.randint(-3, 300)), "i * 2 + 1", "j", "k + i", "m", "s", "t * 3 + j",
            "i % 3", "(i ^ j)", "i / 2", f"{place} + 1", f"{place} + i", self.place(self.index()),
        )  # fmt: skip
        return f"{place} = {self.random.choice(values)};"

    def step(self, name: str) -> str:
        return f"{name} += {self.random.choice((1, 1, 1, 1, 2, 3, -1, -1, -2))};"

    def loop(self) -> str:
        n, index = self.length, self.index()
        body = [self.step("i")]
        optional = ((0.5, self.step("j")), (0.3, self.step("k")), (0.3, "s += 5;"), (0.2, "t = i;"))
        body += [text for share, text in optional if self.maybe(share)]
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            body.append(self.write(index if self.maybe(0.7) else self.index()))
        self.random.shuffle(body)
        text = " ".join(body)
        if self.maybe(0.25):
            test = self.random.choice(("i > m", "j < 5", "s < 100", "i == 20"))
            text += f" if ({test}) {{ {self.write(index)} }}"
        if self.maybe(0.15):
            text = f"if (i == {self.random.randint(0, n)}) break; {text}"
        test = self.random.choice(
            (
                f"i < {n}", f"i < {n} && i >= 0", f"i != {n}", "i > 0", f"i >= 0 && i < {n}",
                f"i < {n - 2} && j >= 0 && j < {n - 2}", f"i < m * {max(1, n // 7)}",
            )
        )  # fmt: skip
        starts = [
            f"{name} = {self.random.choice((0, 0, 1, n - 1))};" for name in "ij" if self.maybe(0.45)
        ]
        return f"{' '.join(starts)} while ({test}) {{ {text} }}"
