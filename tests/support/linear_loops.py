"""Random loops that compute with floating-point numbers, mostly as digital filters do."""

from __future__ import annotations

from random import Random

from predabs.concrete.inputs import RandomInputs
from predabs.ir.cfa import Edge
from predabs.ir.ops import Source
from predabs.ir.types import FloatType, ScalarType

_HEAD = """\
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
int __VERIFIER_nondet_int(void);
void abort(void);
int fesetround(int);
void assume(int c) { if (!c) abort(); }
static double half(double v) { return v * 0.5; }
static float third(float v) { return v / 3.0f; }
"""


class _Writer:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._types = {
            f"x{number}": random.choice(["double", "double", "float"])
            for number in range(random.randint(1, 4))
        }
        self._inputs = [f"u{number}" for number in range(random.randint(0, 2))]

    def text(self) -> str:
        random = self._random
        start = "".join(
            f"  {type_} {name} = {random.choice(['0', '1', '-2.5', '0.1'])}, t{name} = 0;\n"
            for name, type_ in self._types.items()
        )
        body = self._read_inputs()
        for _ in range(random.randint(1, 2)):
            body += self._step()
        if random.random() < 0.3:
            body += f"    if (__VERIFIER_nondet_int()) {self._reset()}\n"
        if random.random() < 0.3:
            body += self._saturation()
        loop = random.choice(["while (__VERIFIER_nondet_int())", "for (int i = 0; i < 500; i++)"])
        if random.random() < 0.5:
            name, by = random.choice(sorted(self._types)), random.choice(["0.1", "1.0", "0.3f"])
            body += f"    {name} = {name} {random.choice('+-')} {by};\n"
            if random.random() < 0.4:
                body = f"    {name} = t{name};\n{body}    t{name} = {name};\n"
            loop = random.choice(
                ["for (int i = 300; i > 0; i -= 3)", "for (int i = 0; i < 500; i++)"]
            )
        mode = "  fesetround(0x800);\n" if random.random() < 0.15 else ""
        return f"{_HEAD}int main(void) {{\n{mode}{start}  {loop} {{\n{body}  }}\n  return 0;\n}}\n"

    def _read_inputs(self) -> str:
        random, text = self._random, ""
        for name in self._inputs:
            type_ = random.choice(["double", "float"])
            text += f"    {type_} {name} = __VERIFIER_nondet_{type_}();\n"
            within = f"{name} >= -1.0 && {name} <= {random.choice(['1.0', '0.25'])}"
            text += random.choice([f"    assume({within});\n", f"    if (!({within})) continue;\n"])
        return text

    def _step(self) -> str:
        """All variables at once, or one after the other."""
        random, text = self._random, ""
        names = list(self._types)
        if random.random() < 0.5:
            for name in names:
                text += f"    t{name} = {self._sum(len(names))};\n"
            return text + "".join(f"    {name} = t{name};\n" for name in names)
        name = random.choice(names)
        sum_ = f"    {name} = {self._sum(len(names))};\n"
        if random.random() < 0.3:
            sum_ = f"    if (__VERIFIER_nondet_int()) {{\n{sum_}    }} else {self._reset()}\n"
        for one, two in zip(names[1:], names[:-1], strict=True):
            if random.random() < 0.4:
                sum_ = f"    {one} = {two};\n" + sum_
        return sum_

    def _sum(self, count: int) -> str:
        random, total = self._random, ""
        for name in random.sample(sorted(self._types), random.randint(1, count)):
            total += f" + {self._term(name, random.choice([0.3, 0.6, 0.9]))}"
        for name in self._inputs:
            if random.random() < 0.7:
                total += f" {random.choice('+-')} {self._term(name, 2.0)}"
        if random.random() < 0.2:
            total += f" + {random.uniform(-1, 1):.3f}"
        return total[3:]

    def _term(self, name: str, size: float) -> str:
        random = self._random
        factor = random.uniform(-size, size)
        match random.randrange(6):
            case 0:
                return f"{name} / {1 / factor:.4g}"
            case 1:
                return f"half({name})"
            case 2:
                return f"third({name})"
            case 3:
                return f"({name} - {name} * {1 - factor:.4g})"
            case _:
                return f"{factor:.4g} * {name}"

    def _reset(self) -> str:
        name = self._random.choice(sorted(self._types))
        return f"{{ {name} = {self._random.choice(['0', '1', *self._inputs])}; }}"

    def _saturation(self) -> str:
        name, end = self._random.choice(sorted(self._types)), self._random.choice([0.5, 2, 30])
        return (
            f"    if ({name} > {end}) {name} = {end};\n    if ({name} < -{end}) {name} = -{end};\n"
        )


def linear_loop(seed: int) -> str:
    """The text of a program.

    >>> "while" in linear_loop(1) or "for" in linear_loop(1)
    True
    """
    return _Writer(Random(seed)).text()


class ExtremeInputs(RandomInputs):
    """Random inputs; floating-point numbers are mostly 1 or -1, many times in turn or the same."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._own = Random(seed)
        self._sign = 1.0

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        if not isinstance(type_, FloatType):
            return int(self._own.random() < 0.95)
        if self._own.random() < 0.2:
            return self._own.uniform(-1, 1)
        if self._own.random() < 0.2:
            self._sign = -self._sign
        return self._sign if self._sign < 0 or self._own.random() < 0.5 else 0.25
