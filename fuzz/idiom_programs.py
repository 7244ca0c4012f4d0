"""Random C programs as people first write them: loops over arrays one after the other, all with the
same index variable.

Arrays are filled, copied, shifted, turned around, searched, parted and filtered, in steps of one
or two; elements are found by other elements (`a[b[i]]`), nodes by an array of pointers or by
members of other nodes. What is asserted in the last loop is one of several random conditions about
what is there then, true or nearly true. Lengths are constants or inputs.
"""

from __future__ import annotations

from random import Random

_HEAD = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);
struct node { int v; struct node *next, *other; };
"""


def idiom_program(random: Random, asserted: int) -> str:
    """A program; `asserted` chooses among its assertions."""
    return _Idioms(random).text(asserted)


class _Idioms:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._symbolic = random.random() < 0.6
        self._length = random.randint(2, 5)
        self._n = "n" if self._symbolic else str(self._length)

    def text(self, asserted: int) -> str:
        random, n = self._random, self._n
        lines = []
        if self._symbolic:
            lines += ["int n = __VERIFIER_nondet_int();", "if (n < 1 || n > 5) return 0;"]
        for name in "abc":
            if random.random() < 0.3:
                lines.append(f"int *{name} = malloc({n} * sizeof(int));")
            else:
                lines.append(f"int {name}[{n}];")
        lines.append("int i = 0, j = 0, x = 0, y = 0, t = 0, f = 1, m = 0;")
        if random.random() < 0.3:
            lines += self._nodes()
            return self._whole(lines, self._node_assertion(Random(asserted)))
        lines += [self._fill("a"), self._fill("b"), self._fill("c")]
        lines += [self._idiom() for _ in range(random.randint(1, 3))]
        return self._whole(lines, self._assertion(Random(8 * random.randrange(10**6) + asserted)))

    def _whole(self, lines: list[str], assertion: str) -> str:
        inside = "\n  ".join([*lines, assertion])
        return f"{_HEAD}int main(void) {{\n  {inside}\n  return 0;\n}}\n"

    def _loop(self, body: str, low: str = "0", high: str = "") -> str:
        n = high or self._n
        kind = self._random.randrange(4)
        if kind == 0:
            return f"i = {low}; while (i < {n}) {{ {body} i++; }}"
        if kind == 1 and low == "0":
            return f"for (i = {n} - 1; i >= 0; i--) {{ {body} }}"
        return f"for (i = {low}; i < {n}; i++) {{ {body} }}"

    def _fill(self, array: str) -> str:
        value = self._random.choice(
            (
                "__VERIFIER_nondet_int()",
                "__VERIFIER_nondet_int()",
                "i",
                f"{self._n} - 1 - i",
                "i & 1",
                "7",
                "2 * i + 1",
            )
        )
        if self._random.random() < 0.2:
            one, two = self._random.randint(0, 1), self._random.randint(0, 1)
            body = f"{array}[i] = {one}; {array}[i + 1] = {two};"
            return f"for (i = 0; i + 1 < {self._n}; i += 2) {{ {body} }}"
        return self._loop(f"{array}[i] = {value};")

    def _idiom(self) -> str:
        random, n = self._random, self._n
        one, two = random.sample("abc", 2)
        c = random.randint(0, 3)
        return random.choice(
            (
                lambda: self._loop(f"{one}[i] = {two}[i];"),
                lambda: self._loop(f"{one}[i] = {two}[{n} - 1 - i];"),
                lambda: self._loop(f"{one}[i] = {two}[i] + {c};"),
                lambda: self._loop(f"if ({one}[i] < {c}) {one}[i] = {c};"),
                lambda: f"for (i = 0; i + 1 < {n}; i++) {one}[i] = {one}[i + 1];",
                lambda: f"for (i = {n} - 1; i > 0; i--) {one}[i] = {one}[i - 1];",
                lambda: (
                    f"for (i = 0, j = {n} - 1; i < j; i++, j--)"
                    f" {{ t = {one}[i]; {one}[i] = {one}[j]; {one}[j] = t; }}"
                ),
                lambda: f"m = 0; for (i = 1; i < {n}; i++) if ({one}[i] > {one}[m]) m = i;",
                lambda: f"x = {one}[0]; " + self._loop(f"if ({one}[i] < x) x = {one}[i];", "1"),
                lambda: "f = 1; " + self._loop(f"if ({one}[i] != {two}[i]) f = 0;"),
                lambda: f"f = 1; i = 0; while (i < {n} && f) {{ if ({one}[i] < {c}) f = 0; i++; }}",
                lambda: (
                    f"x = 0; y = 0; for (i = 0; i < {n}; i++)"
                    f" if ({one}[i] >= {c}) {two}[x++] = {one}[i]; else y++;"
                ),
                lambda: f"for (i = 0; i < {n} && {one}[i] != {c}; i++) ; m = i < {n} ? i : 0;",
                lambda: self._loop(f"if ({one}[i] >= 0 && {one}[i] < {n}) {two}[{one}[i]] = {c};"),
                lambda: self._loop(
                    f"if ({one}[i] >= 0 && {one}[i] < {n}) {two}[i] = {two}[{one}[i]];"
                ),
                lambda: f"x = 0; for (i = 0; i < {n}; i++) if ({one}[i] == {c}) x++;",
            )
        )()

    def _assertion(self, random: Random) -> str:
        n, c = self._n, random.randint(0, 3)
        one, two = random.sample("abc", 2)
        asserted = random.choice(
            (
                f"{one}[i] == {two}[i]",
                f"{one}[i] == {two}[{n} - 1 - i]",
                f"{one}[i] == {two}[i] + {c}",
                f"{one}[i] >= {c}",
                f"!f || {one}[i] == {two}[i]",
                f"!f || {one}[i] >= {c}",
                f"{one}[i] >= x",
                f"{one}[i] <= {one}[m]",
                f"x + y == {n}",
                f"x <= {n} && x >= 0",
                f"i >= x || {one}[i] >= {c}",
                f"i >= m || {one}[i] != {c}",
                f"i + 1 >= {n} || {one}[i] == {two}[i + 1]",
                f"i % 2 || {one}[i] == {c % 2}",
                f"{one}[i] < 0 || {one}[i] >= {n} || {two}[{one}[i]] == {c}",
                f"x || {one}[i] != {c}",
            )
        )
        return f"for (i = 0; i < {n}; i++) if (!({asserted})) __VERIFIER_error();"

    # --- nodes that are found by others -----------------------------------------------------------

    def _nodes(self) -> list[str]:
        random, n = self._random, self._n
        c = random.randint(0, 2)
        lines = [f"struct node *s[{n}], *l = 0, *p;"]
        value = random.choice((f"{c}", "i", "__VERIFIER_nondet_int() & 1"))
        link = random.choice(("", "p->next = l; l = p;", "p->other = l; p->next = l; l = p;"))
        link = link or "p->next = 0;"
        lines.append(
            f"for (i = 0; i < {n}; i++) {{ p = malloc(sizeof *p); p->other = 0; p->v = {value};"
            f" {link} s[i] = p; }}"
        )
        for _ in range(random.randint(0, 2)):
            lines.append(
                random.choice(
                    (
                        f"for (i = 0; i < {n}; i++) s[i]->v = {c};",
                        f"for (i = 0; i + 1 < {n}; i++) s[i]->other = s[i + 1];",
                        f"for (i = 0; i < {n}; i++) if (s[i]->next) s[i]->next->v = {c};",
                        f"for (i = 0; i < {n}; i++) if (s[i]->next) s[i]->next->other = s[i];",
                        f"for (p = l; p; p = p->next) p->v = {c};",
                        "if (l && l->next) l->next = l->next->next;",
                        f"for (i = 0; i + 1 < {n}; i++) s[i] = s[i + 1];",
                    )
                )
            )
        return lines

    def _node_assertion(self, random: Random) -> str:
        n, c = self._n, random.randint(0, 2)
        asserted = random.choice(
            (
                f"s[i]->v == {c}",
                "s[i]->v == i",
                f"s[i]->v <= {c}",
                f"!s[i]->next || s[i]->next->v == {c}",
                "!s[i]->other || s[i]->other->next == s[i]",
                "!s[i]->next || s[i]->next->other == s[i]",
                f"!s[i]->other || s[i]->other->v == {c}",
            )
        )
        if random.random() < 0.3:
            return f"for (p = l; p; p = p->next) if (p->v != {c}) __VERIFIER_error();"
        return f"for (i = 0; i < {n}; i++) if (!({asserted})) __VERIFIER_error();"
