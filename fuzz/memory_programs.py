"""Random C programs with pointers, arrays, a heap and frees, some of which go wrong.

Each takes a few inputs of two bits, so that all its runs can be made natively. What C leaves open
is avoided as far as it is not the fault in question: memory is zero at first, pointers are compared
with null only, and offsets are small, so that a sanitizer sees every access that misses its object.
"""

from __future__ import annotations

from random import Random

INPUTS = 2

_HEAD = """\
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern void *calloc(size_t, size_t);
extern void *malloc(size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern char *strcpy(char *, const char *);
struct node { int value; char name[4]; struct node *next; };
static int table[4];
static int *kept;
static struct node *head;
static void put(int *at, int index, int value) { at[index] = value; }
static int take(int *at, int index) { return at[index]; }
static int *ended(int n) { int here[2] = {n, n}; int *there = here; return there + (n & 1); }
static int *chosen(int *a, int *b, int n) { return n > 1 ? a : b; }
static struct node *made(int value, struct node *next) {
  struct node *n = calloc(1, sizeof(struct node));
  n->value = value; n->next = next; return n;
}
static void drop(struct node *n) { while (n) { struct node *next = n->next; free(n); n = next; } }
"""


def program(seed: int) -> str:
    """The text of a program.

    >>> program(1) == program(1)
    True
    """
    return _Writer(Random(seed)).text()


class _Writer:
    """A program while it is written: its numbers, pointers to int, to char and to nodes."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._lines: list[str] = []
        self._depth = 1

    def text(self) -> str:
        random = self._random
        for number in range(INPUTS):
            self._add(f"int i{number} = __VERIFIER_nondet_int() & 3;")
        self._add("int x = 0, y = 1, k1, k2;")
        self._add("int local[4] = {1, 2, 3, 4}; char text[6] = {0};")
        self._add("int *p = 0, *q = local, *r = calloc(3, sizeof(int));")
        self._add("char *s = text, *t = calloc(4, 1);")
        self._add("struct node *n = made(1, 0), *m = 0;")
        for _ in range(random.randint(4, 12)):
            self._statement()
        for _ in range(random.randint(0, 4)):  # most of what was allocated is freed
            self._add(
                random.choice(["free(r);", "free(t);", "drop(n);", "free(p);", "free(kept);"])
            )
        self._add("return 0;")
        body = "\n".join(self._lines)
        return f"{_HEAD}int main(void) {{\n{body}\n}}\n"

    def _add(self, line: str) -> None:
        self._lines.append("  " * self._depth + line)

    def _statement(self) -> None:
        random = self._random
        if self._depth < 3 and random.random() < 0.3:
            self._nested()
            return
        kind = random.choice([self._pointer, self._access, self._node, self._bytes, self._heap])
        kind()

    def _nested(self) -> None:
        random = self._random
        if random.random() < 0.6:
            self._add(f"if ({self._condition()}) {{")
        else:
            k, most = f"k{self._depth}", random.choice(["2", "3", "i0", "i1 + 1"])
            self._add(f"for ({k} = 0; {k} < {most}; {k}++) {{")
        self._depth += 1
        for _ in range(random.randint(1, 3)):
            self._statement()
        self._depth -= 1
        self._add("}")

    def _condition(self) -> str:
        random = self._random
        return random.choice(
            [
                f"i0 == {random.randint(0, 3)}",
                f"i1 > {random.randint(0, 2)}",
                "i0 < i1",
                "p != 0",
                "r",
                "m",
                "n && n->next",
                "x > y",
            ]
        )

    def _number(self) -> str:
        return self._random.choice(["0", "1", "2", "3", "i0", "i1", "i0 - 1", "(x & 3)", "i0 + i1"])

    def _ints(self) -> str:
        return self._random.choice(["p", "q", "r", "r", "local", "table", "kept"])

    def _chars(self) -> str:
        return self._random.choice(["s", "t", "text"])

    def _nodes(self) -> str:
        return self._random.choice(["n", "n", "m", "head"])

    def _pointer(self) -> None:
        number, a, b = self._number(), self._ints(), self._ints()
        self._add(
            self._random.choice(
                [
                    f"p = {a} + {number};",
                    f"q = {a};",
                    f"q = &table[{self._random.randint(0, 3)}];",
                    f"p = chosen({a}, {b}, {number});",
                    f"kept = {a};",
                    f"p = ended({number});",
                    f"s = {self._chars()} + {number};",
                    "p = (int *)t;",
                    "q = &n->value;" if self._random.random() < 0.5 else "p = 0;",
                ]
            )
        )

    def _access(self) -> None:
        number, a = self._number(), self._ints()
        self._add(
            self._random.choice(
                [
                    f"{a}[{number}] = {self._number()};",
                    f"x = {a}[{number}];",
                    f"if ({self._condition()}) *{a} = x;",
                    f"put({a}, {number}, y);",
                    f"y = take({a}, {number});",
                    f"{self._chars()}[{number}] = 'a';",
                    f"x = {self._chars()}[{number}];",
                ]
            )
        )

    def _node(self) -> None:
        a, b = self._nodes(), self._nodes()
        self._add(
            self._random.choice(
                [
                    f"{a}->value = {self._number()};",
                    f"x = {a}->value;",
                    f"if ({a}) {a}->next = {b};",
                    f"if ({a}) {b} = {a}->next;" if b not in ("n",) else f"x = {a} != 0;",
                    f"n = made({self._number()}, {self._random.choice(['n', 'n', 'm', '0'])});",
                    "m = n;",
                    "head = n;",
                    f"if ({a}) {a}->name[{self._number()}] = 'b';",
                    "while (m && m->next && x < 5) { m = m->next; x++; }",
                ]
            )
        )

    def _bytes(self) -> None:
        a, b = self._ints(), self._ints()
        self._add(
            self._random.choice(
                [
                    f"memset({a}, 0, {self._random.randint(1, 4)} * sizeof(int));",
                    f"if ({a} != {b}) memcpy({a}, {b}, (i0 + 1) * sizeof(int));"
                    if a != b and {a, b} <= {"local", "table"}
                    else f"memset({a}, 1, (i0 & 1) * sizeof(int));",
                    f'strcpy({self._chars()}, "{"abcdef"[: self._random.randint(0, 6)]}");',
                ]
            )
        )

    def _heap(self) -> None:
        self._add(
            self._random.choice(
                [
                    f"r = calloc({self._random.choice(['2', '3', 'i0 + 1', 'i0'])}, sizeof(int));",
                    f"free({self._random.choice(['r', 'r', 'p', 't', 'q', 'kept', 's'])});",
                    "free(r); r = 0;",
                    "if (r) { free(r); r = 0; }",
                    "free(m);",
                    "drop(n); n = 0;",
                    "p = malloc(8); p[0] = 1; p[1] = 2;",
                    f"t = calloc({self._random.randint(1, 4)}, 1);",
                ]
            )
        )
