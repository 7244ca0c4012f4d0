"""Random C programs that reduce arrays, change them in between, and fill them step by step.

A program reduces a small array (a sum, a maximum, a count, a fold that depends on the order ...) in
a function or a loop, changes it by something that often is a permutation and often nearly one, and
reduces it again; or elements are made from other ones, or sorted. The assertion is one of several
random ones, as in `cell_programs`.
"""

from __future__ import annotations

from random import Random

_HEAD = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);
"""
_ELEMENTS = ("int", "int", "int", "unsigned char", "short", "unsigned", "signed char", "long long")
_RESULTS = ("int", "long long", "unsigned", "unsigned char", "short")


def reducer_program(random: Random, asserted: int) -> str:
    """A program; `asserted` chooses among its assertions."""
    return _Reducers(random).text(asserted)


class _Reducers:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._type = random.choice(_ELEMENTS)
        self._result = random.choice(_RESULTS)
        self._symbolic = random.random() < 0.5
        self._length = random.randint(2, 4)
        self._n = "n" if self._symbolic else str(self._length)

    def text(self, asserted: int) -> str:
        random, type_, n = self._random, self._type, self._n
        outside, inside = [], []
        if self._symbolic:
            least = random.choice((1, 1, 2, 0))
            if random.random() < 0.3:
                outside.append("int n;")
                inside.append("n = __VERIFIER_nondet_int();")
            else:
                inside.append("int n = __VERIFIER_nondet_int();")
            inside.append(f"if (n < {least} || n > 4) return 0;")
        where = random.choice(("named", "global", "heap"))
        if where == "global" and not self._symbolic:
            outside.append(f"{type_} a[{n}];")
        elif where == "heap":
            inside.append(f"{type_} *a = malloc({n} * sizeof({type_}));")
        else:
            inside.append(f"{type_} a[{n}];")
        one, two = self._reducer(), self._reducer()
        passed = "int n, " if self._symbolic and "int n;" not in outside else ""
        given = "n, " if passed else ""
        outside.append(f"{self._result} f({passed}{type_} *x) {{ {one} }}")
        outside.append(f"{self._result} g({passed}{type_} *x) {{ {two} }}")
        inside.append(f"int i, j, m; {type_} t = 0, u = 0; {self._result} r = 0, s = 0, q = 0;")
        inside.append(self._fill())
        call = random.choice(("f", "f", "f", "g"))
        body = [f"r = f({given}a);"]
        if random.random() < 0.2:
            body.insert(0, self._change())
        for _ in range(random.randint(1, 2)):
            body.append(self._change())
        body.append(f"s = {call}({given}a);")
        if random.random() < 0.4:
            body += [self._change(), f"q = f({given}a);"]
        if random.random() < 0.2:
            body = [self._inline(), *body]
        checks = [self._check() for _ in range(8)]
        if random.random() < 0.5:
            checks = ["if (r != s) __VERIFIER_error();", *checks]
        lines = [*inside, *body, checks[asserted % len(checks)], "return 0;"]
        return "\n".join([_HEAD, *outside, "int main(void) {", *lines, "}", ""])

    def _fill(self) -> str:
        value = self._random.choice(
            ("__VERIFIER_nondet_int()", "__VERIFIER_nondet_int()", "1", "i", "i & 1", "3 - i")
        )
        first = "i == 0 ? 2 : a[i - 1] + 1" if self._random.random() < 0.2 else value
        return f"for (i = 0; i < {self._n}; i++) a[i] = {first};"

    def _step(self, element: str) -> str:
        random = self._random
        return random.choice(
            (
                f"s = s + {element};",
                f"s += {element};",
                f"s = s - {element};",
                f"s = {element} - s;",
                f"s = s | {element};",
                f"s = s & {element};",
                f"s = s ^ {element};",
                f"s = s < {element} ? {element} : s;",
                f"if ({element} > s) s = {element};",
                f"if ({element} < s) s = {element};",
                f"if (s <= {element}) s = {element};",
                f"if ({element} > 1) s++; else s--;",
                f"if ({element} > 1) s = s + 2;",
                f"if (s > 1) s = s + {element};",
                f"if (s < {element}) s = {element} + 1;",
                f"s = {element};",
                f"s = 2 * s + {element};",
                f"s = s + ({element} == 1);",
                f"if (i > 1) s = s + {element};",
                f"s = s + {element} * {element};",
                f"if ({element} > 0) s += {element}; else s = s;",
            )
        )

    def _reducer(self) -> str:
        random, n = self._random, self._n
        start = random.choice(("0", "0", "0", "1", "x[0]", "x[0]"))
        first = "1" if start == "x[0]" else random.choice(("0", "0", "0", "1"))
        step = self._step("x[i]")
        back = random.choice(("s", "s", "s", "s / 2", "s + 1", f"s / {n}"))
        if back.endswith("n"):
            back = "s"
        guard = random.choice((f"i < {n}",) * 4 + (f"i <= {n} - 1", f"i != {n}", f"i < {n} - 1"))
        loop = f"for (i = {first}; {guard}; i++) {{ {step} }}"
        return f"int i; {self._result} s = {start}; {loop} return {back};"

    def _inline(self) -> str:
        step = self._step("a[i]")
        return f"for (i = 0; i < {self._n}; i++) {{ {step} }}"

    def _change(self) -> str:
        random, n = self._random, self._n
        shift = f"for (i = 0; i < {n} - 1; i++) a[i] = a[i + 1];"
        return random.choice(
            (
                "t = a[0]; a[0] = a[1]; a[1] = t;",
                "t = a[0]; a[0] = a[1]; a[1] = t;",
                f"t = a[0]; {shift} a[{n} - 1] = t;",
                f"t = a[0]; {shift} a[{n} - 1] = t;",
                f"t = a[0]; {shift}",
                f"t = a[1]; {shift} a[{n} - 1] = t;",
                f"for (i = 0, j = {n} - 1; i < j; i++, j--) {{ t = a[i]; a[i] = a[j]; a[j] = t; }}",
                f"for (i = 0; i < {n} - 1; i++) if (a[i] > a[i + 1])"
                " { t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }",
                f"for (j = 0; j < {n}; j++) for (i = 0; i < {n} - 1; i++) if (a[i] > a[i + 1])"
                " { t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }",
                f"for (i = 0; i < {n}; i++) {{ m = i; for (j = i + 1; j < {n}; j++)"
                " if (a[j] < a[m]) m = j; t = a[m]; a[m] = a[i]; a[i] = t; }",
                "t = a[0]; u = a[1]; a[0] = u; a[1] = t;",
                "t = a[0]; a[0] = a[1]; a[1] = a[0];",
                "a[0] = a[0];",
                "t = a[1]; a[1] = a[0]; a[0] = t; if (__VERIFIER_nondet_int()) a[0] = t;",
                "i = __VERIFIER_nondet_int() & 1; j = __VERIFIER_nondet_int() & 1;"
                " t = a[i]; a[i] = a[j]; a[j] = t;",
                "i = __VERIFIER_nondet_int() & 1; t = a[i]; a[i] = 1; a[i] = t;",
                f"for (i = 0; i < {n}; i++) a[i] = a[i] + 1;",
                f"for (i = 1; i < {n}; i++) a[i] = a[i - 1];",
                f"for (i = 1; i < {n}; i++) {{ t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; }}",
                f"for (i = {n} - 1; i > 0; i--) {{ t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; }}",
            )
        )

    def _check(self) -> str:
        random, n = self._random, self._n
        sign = random.choice(("==", "==", "<=", ">=", "!="))
        one, two = random.choice("rrsqt"), random.choice(("r", "s", "q", n, "0", "t", "a[0]"))
        plain = f"if (!({one} {sign} {two})) __VERIFIER_error();"
        each = f"for (i = 1; i < {n}; i++) if (!(a[i - 1] {sign} a[i])) __VERIFIER_error();"
        value = random.choice(("i", "1", "i + 2", "r", "t"))
        other = f"for (i = 0; i < {n}; i++) if (!(a[i] {sign} {value})) __VERIFIER_error();"
        return random.choice((plain, plain, plain, each, other))
