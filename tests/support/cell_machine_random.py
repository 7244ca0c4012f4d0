"""Random machines in C whose states lie in arrays (of numbers, of structures, in two dimensions, in
a union) and in pointers to functions. They are written by constants, by indices that are inputs,
sometimes out of bounds, through pointers, and as a whole. There are few rounds, so that unrolling
decides them."""

from __future__ import annotations

from random import Random

_HEAD = """
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *memset(void *, int, unsigned long);
struct T { int st; unsigned char pc; signed char data; };
union U { int whole[2]; unsigned bits[2]; };
struct T t[3] = { { 0, 1 }, { .pc = 2 } }, spare[2]; int a[4] = { 1, 2 }; _Bool up[2] = { 1 };
unsigned char q[4]; int g[2][2]; union U u; int head, n, mode, i, k;
static int *row(int r) { return g[r & 1]; }
typedef void (*State)(int); State now, later;
"""
_CELLS = (
    "t[{i}].st",
    "t[{i}].pc",
    "t[{i}].data",
    "spare[{i}].st",
    "a[{i}]",
    "a[{i}]",
    "q[{i}]",
    "g[{i}][{j}]",
    "up[{i}]",
    "u.whole[{i}]",
    "u.bits[{i}]",
    "p->st",
    "*e",
    "l[{i}]",
)


class _Machine:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.errors = 0
        self.cells = self.random.sample(_CELLS, self.random.randint(3, 6))
        self.pointers = self.random.random() < 0.5

    def program(self) -> str:
        pick = self.random
        count = pick.randint(1, 3)
        names = [f"step{number}" for number in range(count)]
        steps = "".join(self.step(name) for name in names)
        table = ", ".join(pick.choice(names) for _ in range(2))
        call = pick.choice(
            [
                "table[i & 1](k);",
                "if (now) now(k);",
                "if (later) later(i);",
                f"{names[0]}(i);",
                f"{names[-1]}(k); {names[0]}(1);",
            ]
        )
        rounds = pick.choice([1, 2, 2, 3])
        last = self.check() if not self.errors or pick.random() < 0.5 else ""
        return f"""{_HEAD}
{"".join(f"static void {name}(int me);" for name in names)}
static State table[2] = {{ {table} }};
{steps}
int main(void) {{
  {self.pointer()} {self.local()} now = {pick.choice([*names, "table[1]"])};
  for (int round = 0; round < {rounds}; round++) {{ {self.statement()} {call} }}
  {last}
  return 0;
}}
"""

    def jump(self) -> str:
        """A state that is a function becomes another one."""
        return self.random.choice(
            [
                "now = later;",
                "later = now;",
                "now = table[k & 1];",
                "table[i] = now;",
                f"now = {self.condition()} ? step0 : later;",
                "if (now == table[0]) later = step0;",
                "if (later == 0) mode = 1;",
            ]
        )

    def step(self, name: str) -> str:
        pick = self.random
        cases = "".join(
            f"case {value}: {self.statement()} switch (mode) {{ case 0: {self.statement()} break; "
            f"default: {self.statement()} }} break;\n"
            for value in range(pick.randint(1, 3))
        )
        on = pick.choice(["t[me].st", "a[me & 3]", "mode", "q[me & 3]", "me"])
        return f"""static void {name}(int me) {{ {self.pointer()} {self.local()}
  switch ({on}) {{ {cases} default: {self.statement()} }} }}
"""

    def pointer(self) -> str:
        pick = self.random
        if not self.pointers:
            return "struct T *p = &spare[1]; int *e = &mode;"
        targets = ["&t[1].st", "&a[i & 3]", "a", "row(i)", "&t[2].st", "u.whole", "&a[2]"]
        return f"struct T *p = &{pick.choice(['t[0]', 't[i & 1]', 'spare[1]'])}; int *e = " + (
            f"{pick.choice(targets)};"
        )

    def local(self) -> str:
        return self.random.choice(["int l[2];", "int l[2] = { 0 };", "int l[2] = { 3, 1 };"])

    def cell(self) -> str:
        return self.random.choice(self.cells).format(i=self.index(), j=self.index())

    def index(self) -> str:
        return self.random.choice(["0", "0", "1", "1", "i", "k", "n & 1", "i & 1", "1 - mode"])

    def value(self) -> str:
        pick = self.random
        return pick.choice(
            [self.cell(), self.cell(), "mode", "k", "i", str(pick.choice([0, 1, 2, 3, -1, 255]))]
        )

    def statement(self) -> str:
        pick = self.random
        match pick.randrange(15):
            case 14:
                return self.jump()
            case 0:
                return "i = __VERIFIER_nondet_int();"
            case 1:
                return "k = __VERIFIER_nondet_uchar() & 1;"
            case 2:
                return f"if ({self.condition()}) {{ {self.write()} }} else {{ {self.write()} }}"
            case 3:
                return self.check()
            case 4:
                return f"mode = {pick.choice(['0', '1', '!mode', 'a[1]'])};"
            case 5:
                return pick.choice(["i = 0;", "k = 1;", "i++;", "k = 1 - k;", "n = n + k;"])
            case 6:
                return pick.choice(
                    ["t[0] = t[1];", "spare[0] = t[2];", "t[k] = spare[1];", "*p = t[0];"]
                )
            case 7:
                return pick.choice(
                    ["memset(a, 0, sizeof a);", "memset(&t[1], 0, sizeof t[1]);", "row(k)[1] = 2;"]
                )
            case 8:
                return "if (n < 4 && n >= 0) { q[(head + n) & 3] = k; n++; }"
            case 9:
                return "if (n > 0) { k = q[head & 3]; head++; n--; }"
        return self.write()

    def write(self) -> str:
        pick = self.random
        return pick.choice(
            [
                f"{self.cell()} = {self.value()};",
                f"{self.cell()} = {self.value()} + {pick.choice([1, -1, 2])};",
                f"{self.cell()} = {self.condition()} ? {self.value()} : {self.value()};",
                f"mode = {self.condition()};",
                f"{self.cell()} = __VERIFIER_nondet_uchar();",
            ]
        )

    def condition(self) -> str:
        pick = self.random
        found = f"{self.value()} {pick.choice(['==', '!=', '<', '<='])} {self.value()}"
        if pick.random() < 0.3:
            more = f"{self.value()} {pick.choice(['==', '<'])} {pick.choice(['0', '1', '2'])}"
            return f"({found} {pick.choice(['&&', '||'])} {more})"
        return found

    def check(self) -> str:
        self.errors += 1
        guard = self.random.choice(["", f"{self.cell()} == {self.random.randrange(3)} && "])
        return f"if ({guard}{self.condition()}) reach_error();"


def random_cell_machine(seed: int) -> str:
    """The text of the program for a seed.

    >>> random_cell_machine(3) == random_cell_machine(3)
    True
    """
    return _Machine(seed).program()
