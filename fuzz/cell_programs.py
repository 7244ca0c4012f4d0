"""Random C programs with arrays and lists, and assertions about their cells.

The programs fill, copy, turn, shift, compare and update small arrays (with names, on the heap, of
variable length, rows of matrices, members of records) and build and change lists; some go through
other pointers, look at an array as bytes, or leave it. The assertion of a program is one of several
random ones: the one that fails in the fewest of a few runs, so that proofs are tried, and wrong
ones would be seen.
"""

from __future__ import annotations

from random import Random

INPUTS = 12
_HEAD = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
"""
_ELEMENTS = ("int", "int", "int", "unsigned char", "short", "unsigned", "long long", "signed char")


def array_program(random: Random, asserted: int) -> str:
    """A program with arrays; `asserted` chooses among its assertions."""
    return _Arrays(random).text(asserted)


def list_program(random: Random, asserted: int) -> str:
    """A program with a list; `asserted` chooses among its assertions."""
    return _Lists(random).text(asserted)


class _Arrays:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._type = random.choice(_ELEMENTS)
        self._length = random.randint(1, 4)
        self._kind = random.choice(
            ("named", "named", "global", "variable", "heap", "zeroed", "rows", "record")
        )
        self._symbolic = self._kind in ("variable", "heap", "zeroed") and random.random() < 0.7

    def text(self, asserted: int) -> str:
        random, type_ = self._random, self._type
        n = "n" if self._symbolic else str(self._length)
        outside, inside = [], []
        if self._symbolic:
            inside.append("int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0;")
        for name in ("a", "b"):
            match self._kind:
                case "named":
                    inside.append(f"{type_} {name}[{n}];")
                case "global":
                    first = random.choice(("", " = {1}", " = {3, 2}" if self._length > 1 else ""))
                    outside.append(f"{type_} {name}[{n}]{first};")
                case "variable":
                    inside.append(f"{type_} {name}[{n}];")
                case "heap":
                    inside.append(f"{type_} *{name} = malloc({n} * sizeof({type_}));")
                case "zeroed":
                    inside.append(f"{type_} *{name} = calloc({n}, sizeof({type_}));")
                case "rows":
                    outside.append(f"{type_} {name}[2][{n}];")
                case "record":
                    outside.append(f"struct {name}s {{ {type_} v; int w; }} {name}[{n}];")
        outside.append(f"void put({type_} *p, int i, {type_} v) {{ p[i] = v; }}")
        outside.append(f"{type_} get({type_} *p, int i) {{ return p[i]; }}")
        inside.append(f"int i, j, x = __VERIFIER_nondet_int(); {type_} t = 0, *p;")
        body = [self._part(n) for _ in range(random.randint(1, 4))]
        checks = [self._check(n) for _ in range(8)]
        lines = [*inside, *body, checks[asserted % len(checks)], "return 0;"]
        return "\n".join([_HEAD, *outside, "int main(void) {", *lines, "}", ""])

    def _cell(self, name: str, index: str) -> str:
        match self._kind:
            case "rows":
                row = self._random.choice(("0", "1", "j", "i & 1"))
                return f"{name}[{row}][{index}]"
            case "record":
                member = "v" if self._random.random() < 0.8 else "w"
                return f"{name}[{index}].{member}"
        if self._random.random() < 0.05:
            return f"*({name} + {index})"
        return f"{name}[{index}]"

    def _index(self, n: str) -> str:
        last = f"{n} - 1 - i"
        return self._random.choice(
            ("i", "i", "i", "i", "i", last, "0", f"(i + 1) % {n}", "i / 2", f"{n} - 1", "i + 1")
        )

    def _value(self, n: str) -> str:
        random = self._random
        name = random.choice("ab")
        return random.choice(
            (
                str(random.randint(-1, 3)),
                "i",
                "x",
                "t",
                "__VERIFIER_nondet_int()",
                self._cell(name, self._index(n)),
                self._cell(name, "i"),
                f"{self._cell(name, 'i')} + 1",
                f"{self._cell('a', 'i')} - {self._cell('b', 'i')}",
                "i * i",
                "x + i",
            )
        )

    def _condition(self, n: str) -> str:
        random = self._random
        left = random.choice((self._cell("a", self._index(n)), self._cell("b", "i"), "x", "i"))
        return f"{left} {random.choice(('<', '<=', '==', '!=', '>'))} {self._value(n)}"

    def _statement(self, n: str, depth: int = 0) -> str:
        random = self._random
        name = random.choice("ab")
        plain = self._kind not in ("rows", "record")
        target = self._cell(name, self._index(n))
        choice = random.randint(0, 19 if plain else 13)
        if choice <= 7:
            return f"{target} = {self._value(n)};"
        if choice <= 9 and depth < 2:
            one, two = self._statement(n, depth + 1), self._statement(n, depth + 1)
            other = f" else {{ {two} }}" if random.random() < 0.5 else ""
            return f"if ({self._condition(n)}) {{ {one} }}{other}"
        if choice == 10:
            cell = self._cell(name, "i")
            return f"if ({cell} < t) t = {cell};"
        if choice == 11:
            one, two = self._cell(name, "i"), self._cell(name, self._index(n))
            return f"t = {one}; {one} = {two}; {two} = t;"
        if choice == 12:
            return f"t = {self._value(n)};"
        if choice == 13:
            return f"{target} += {random.randint(1, 2)};"
        whole = f"{n} * sizeof({self._type})"
        return (
            f"p = {name}; p[i] = {self._value(n)};",
            f"p = &{name}[{self._index(n)}]; *p = {self._value(n)};",
            f"put({name}, {self._index(n)}, {self._value(n)});",
            f"if (get({name}, i) == {self._value(n)}) {{ {self._cell('a', 'i')} = t; }}",
            random.choice(
                (f"memset({name}, {random.randint(0, 1)}, {whole});", f"memcpy(a, b, {whole});")
            ),
            random.choice(
                (
                    f"((unsigned char *){name})[i] = 1;",
                    f"p = {name}; p[x] = {self._value(n)};",
                    f"p = {name} + x; *p = 2;",
                )
            ),
        )[choice - 14]

    def _part(self, n: str) -> str:
        random = self._random
        head = random.choice(
            (
                f"for (i = 0; i < {n}; i++)",
                f"for (i = 0; i < {n}; i++)",
                f"for (i = 0; i < {n}; i++)",
                f"for (i = {n} - 1; i >= 0; i--)",
                f"for (i = 0; i < {n} - 1; i++)",
                f"for (i = 1; i < {n}; i++)",
                f"for (i = 0; i < {n}; i += 2)",
                f"for (i = 0; i <= {n}; i++)",
                "i = 0;",
            )
        )
        inner = " ".join(self._statement(n) for _ in range(random.randint(1, 2)))
        if self._kind == "rows":
            return f"for (j = 0; j < 2; j++) {{ {head} {{ {inner} }} }}"
        return f"{head} {{ {inner} }}"

    def _check(self, n: str) -> str:
        random = self._random
        head = random.choice((f"for (i = 0; i < {n}; i++)",) * 3 + (f"for (i = 1; i < {n}; i++)",))
        cell = self._cell(random.choice("ab"), random.choice(("i", "i", "i", self._index(n))))
        operator = random.choice(("==", "==", "!=", "<=", ">="))
        test = f"if (!({cell} {operator} {self._value(n)})) __VERIFIER_error();"
        if random.random() < 0.2:
            test = f"if ({self._condition(n)}) {{ {test} }}"
        if self._kind == "rows":
            return f"for (j = 0; j < 2; j++) {{ {head} {{ {test} }} }}"
        return f"{head} {{ {test} }}"


class _Lists:
    def __init__(self, random: Random) -> None:
        self._random = random

    def _value(self, name: str) -> str:
        return self._random.choice(
            (
                "0",
                "1",
                "2",
                "x",
                "y",
                f"{name}->v",
                f"{name}->w",
                f"{name}->v + 1",
                "__VERIFIER_nondet_int()",
            )
        )

    def _assign(self, name: str) -> str:
        return f"{name}->{self._random.choice('vvw')} = {self._value(name)};"

    def _condition(self, name: str) -> str:
        sign = self._random.choice(("<", "<=", "==", "!="))
        return f"{name}->{self._random.choice('vw')} {sign} {self._value(name)}"

    def text(self, asserted: int) -> str:
        random = self._random
        checks = [self._check() for _ in range(8)]
        lines = [
            "struct node *l = 0, *p = 0, *q = 0, *tail = 0;",
            "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();",
        ]
        if random.random() < 0.3:
            lines.append("p = malloc(sizeof(struct node)); p->v = 1; p->w = x; p->next = 0;")
            lines.append("l = tail = p;")
        for _ in range(random.randint(1, 2)):
            lines.append(self._build())
        for _ in range(random.randint(0, 2)):
            lines.append(self._change())
        lines += [checks[asserted % len(checks)], "return 0;"]
        kind = "struct node { int v; struct node *next; int w; };"
        return "\n".join([_HEAD, kind, "int main(void) {", *lines, "}", ""])

    def _build(self) -> str:
        random = self._random
        made = random.choice(("malloc(sizeof(struct node))",) * 3 + ("calloc(1, sizeof(*p))",))
        fields = [
            f"p->v = {random.choice(('0', '1', 'x', 'y', 'x & 3'))};",
            f"p->w = {random.choice(('0', '1', 'x', 'p->v', 'y'))};",
        ]
        if random.random() < 0.15:
            fields.pop()
        if random.random() < 0.7:
            link = ["p->next = l;", "l = p;"]
        else:
            link = ["p->next = 0;", "if (tail) tail->next = p; else l = p;", "tail = p;"]
        steps = [*fields, *link]
        if random.random() < 0.3:
            steps = [*link, *fields]
        if random.random() < 0.3:
            steps.append(f"if ({self._condition('p')}) {{ {self._assign('p')} }}")
        if random.random() < 0.3:
            steps.append("y++;")
        if random.random() < 0.2:
            steps.append("if (p->v < x) x = p->v;")
        return f"while (__VERIFIER_nondet_int()) {{ p = {made}; {' '.join(steps)} }}"

    def _change(self) -> str:
        random = self._random
        inner = random.choice(
            (
                self._assign("p"),
                f"if ({self._condition('p')}) {{ {self._assign('p')} }}",
                "p->v = p->w; p->w = x;",
                "if (p->v < y) y = p->v;",
                "if (p->next) p->next->v = p->v;",
                "q = p;",
            )
        )
        walk = f"for (p = l; p; p = p->next) {{ {inner} }}"
        if random.random() < 0.2:
            walk += " if (l) { p = l; l = l->next; free(p); tail = 0; if (!l) tail = 0; }"
            if random.random() < 0.5:
                walk += " p = malloc(sizeof(struct node)); p->v = 2; p->w = 2; p->next = l; l = p;"
        if random.random() < 0.1:
            walk += " if (l && l->next) { *l = *l->next; }"
        return walk

    def _check(self) -> str:
        random = self._random
        sign = random.choice(("==", "==", "!=", "<=", ">="))
        test = f"if (!(p->{random.choice('vvw')} {sign} {self._value('p')})) __VERIFIER_error();"
        if random.random() < 0.3:
            test = f"if ({self._condition('p')}) {{ {test} }}"
        return f"for (p = l; p; p = p->next) {{ {test} }}"
