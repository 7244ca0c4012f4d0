"""Random C programs about memory: pointers into arrays, records and the heap, some of it wrong."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

_HEAD = """
void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long);
void free(void *); void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
struct S { int a; int b[3]; struct S *next; };
union U { int *p; char *c; int n; };
int ga[5]; int *gp; char *gc = "text"; struct S gs; struct S *gn; int **gpp; char gt[4] = "abc";
"""
_LOCALS = """
  int i, k, la[4] = {1, 2, 3, 4}; struct S ls = {0}; int *p = la, *q = 0, *u; char *c = (char *)la;
  struct S *n = &ls, *m = 0; union U v; v.p = la;
  char lc[4] = "ab"; char *t = lc;
"""
_INTS = ("la", "ga", "ls.b", "p", "q", "gp", "(int *)c", "n->b", "&n->a", "v.p", "u", "*gpp", "0")
_CHARS = ("(char *)p", "c", "gc", '"abc"', "(char *)&ls", "(char *)n", "c + 1")
_NODES = ("n", "m", "&ls", "&gs", "gn", "n->next", "m", "0")


class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._functions = [("int *", "f"), ("char *", "g"), ("struct S *", "h")]
        self._callable: list[str] = []
        self._depth = 0

    def program(self) -> str:
        parts = [_HEAD]
        for type_, name in self._functions:
            if self._random.random() < 0.2:
                self._callable.append(name)  # it may call itself
            result = {"f": self._ints(), "g": self._one(_CHARS), "h": self._one(_NODES)}[name]
            parts.append(
                f"{type_}{name}(int *p0, char *c0, struct S *n0, int x) {{\n{_LOCALS}"
                "  k = x; if (x > 3) return 0;\n"
                f"  if ({self._condition()}) p = p0; if ({self._condition()}) c = c0;\n"
                f"  if ({self._condition()}) n = n0;\n{self._block(5)}  return {result};\n}}"
            )
            self._callable.append(name)
        body = self._block(9)
        parts.append(f"int main(void) {{\n{_LOCALS}  k = nondet();\n{body}  return 0;\n}}\n")
        return "\n".join(parts)

    def _one(self, choices: tuple[str, ...]) -> str:
        return self._random.choice(choices)

    def _ints(self) -> str:
        base = self._one(_INTS)
        return f"{base} + {self._number()}" if self._random.random() < 0.3 else base

    def _number(self) -> str:
        return self._one(("0", "1", "2", "3", "k", "i", "nondet()", "k + 1", "-1"))

    def _condition(self) -> str:
        return self._one(("nondet()", "p", "n", "k > 1", "q != p", "m == n", "gp", "c", "i < 2"))

    def _block(self, count: int) -> str:
        self._depth += 1
        text = "".join(f"  {self._statement()}\n" for _ in range(self._random.randint(2, count)))
        self._depth -= 1
        return text

    def _statement(self) -> str:
        number, pick = self._number, self._random.random()
        if self._depth < 3 and pick < 0.12:
            return (
                f"if ({self._condition()}) {{\n{self._block(4)}  }} else {{\n{self._block(2)}  }}"
            )
        if self._depth < 3 and pick < 0.2:
            return f"for (i = 0; i < {self._one(('2', '3', 'k'))}; i++) {{\n{self._block(4)}  }}"
        if pick < 0.3 and self._callable:
            name = self._random.choice(self._callable)
            targets = {"f": ("p", "q", "gp", "u", "v.p"), "g": ("c", "gc"), "h": ("n", "gn")}[name]
            args = f"{self._ints()}, {self._one(_CHARS)}, {self._one(_NODES)}, k + 1"
            return f"{self._one(targets)} = {name}({args});"
        return self._random.choice(self._simple)(number)

    @property
    def _simple(self) -> list[Callable[[Callable[[], str]], str]]:
        one, ints = self._one, self._ints
        return [
            lambda n: f"{one(('p', 'q', 'gp', 'u', 'v.p'))} = {ints()};",
            lambda n: f"{one(('p', 'q', 'gp'))} = {one(('p', 'q', 'gp'))} + {n()};",
            lambda n: f"{one(('p', 'q', 'u'))}{one(('++', '--'))};",
            lambda n: f"{one(('p', 'q', 'gp'))} = malloc({n()} * sizeof(int));",
            lambda n: f"{one(('p', 'q'))} = malloc({one(('4', '8', '10', 'k'))});",
            lambda n: f"p = {one(('calloc(k, 4)', 'realloc(p, 8)', 'realloc(q, k * 4)'))};",
            lambda n: f"p = __builtin_alloca({one(('8', 'k * sizeof(int)'))});",
            lambda n: f"{one(('c', 'gc'))} = {one(_CHARS)};",
            lambda n: f"{one(('n', 'm', 'gn'))} = malloc(sizeof(struct S));",
            lambda n: f"{one(('n', 'm', 'gn', 'n->next', 'gs.next'))} = {one(_NODES)};",
            lambda n: f"free({one(('p', 'q', 'gp', 'n', 'm', 'gn', 'c', 'n->next'))});",
            lambda n: f"*{one(('p', 'q', 'gp', 'u', 'v.p'))} = {n()};",
            lambda n: f"{one(('p', 'q', 'gp', 'la', 'ga'))}[{n()}] = {n()};",
            lambda n: f"if ({one(('p', 'q', 'c'))}) k = {one(('*p', 'p[1]', '*q', '*c'))} & 3;",
            lambda n: f"if (k >= 0 && k < 4) {one(('p', 'q', 'la'))}[k] = 7;",
            lambda n: f"{one(('n', 'm', 'gn'))}->a = {n()};",
            lambda n: f"k = {one(('n->b', 'm->b', 'ls.b'))}[{n()}] & 3;",
            lambda n: f"*{one(('c', 'gc'))} = {one(('0', '1'))};",
            lambda n: f"memset({one(('p', 'n', 'c'))}, 0, {one(('4', '8', 'k', 'k * 4'))});",
            lambda n: (
                f"memcpy({one(('p', 'n'))}, {one(('q', '&gs', 'la'))}, {one(('8', 'k * 4'))});"
            ),
            lambda n: (
                f"p = {self._condition()} ? {one(('p', 'q', 'la'))} : {one(('gp', 'p', 'q'))};"
            ),
            lambda n: f"gpp = {one(('&p', '&gp', '&v.p'))};",
            lambda n: f"*gpp = {one(('q', 'la', 'ga'))};",
            lambda n: f"k = {n()};",
            lambda n: f"{one(('lc', 'gt', 't', 'lc', 't'))}[{n()}] = {one(('0', '1', 'k', '*t'))};",
            lambda n: f"for ({one(('t = lc', 't = gt', 'k = 0'))}; *t; t++) k = *t & 3;",
            lambda n: f"for (t = {one(('lc', 'gt'))}; (k = *t) != 0; t++) gt[0] = k;",
            lambda n: (
                f"memset({one(('lc', 'gt', 't'))}, {one(('0', '1'))}, {one(('2', '4', 'k'))});"
            ),
            lambda n: f"c = (char *)((unsigned long)c + {n()});",
        ]


def pointer_program(seed: int) -> str:
    """A program that takes its inputs from `nondet`."""
    text = _Writer(seed).program()
    return text.replace("nondet()", "__VERIFIER_nondet_int()")
