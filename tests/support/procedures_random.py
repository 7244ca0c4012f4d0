"""Random programs of many small procedures: a protocol on a few globals, and much besides it.

Some procedures follow a lock or a counter, some compute with other globals, through pointers, or
never return; a few are called through pointers or call themselves. In recursive programs all may
call each other, and each has a variable whose address may leave it.
"""

from __future__ import annotations

from random import Random

_HEAD = """extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct dev { int open; int count; struct dev *next; };
int locked, opened, a, b = 1, c; int t[3]; struct dev d0, d1; struct dev *cur = &d0; int *p = &a;
static void stop(void) { while (1) ; }
static int twice(int x) { if (x > 0 && x < 9) return 2 + twice(x - 1); return 0; }
static void take(void) { if (locked) reach_error(); locked = 1; }
static void drop(void) { if (!locked) reach_error(); locked = 0; }
"""
_PLACES = ("a", "b", "c", "t[1]", "*p", "d0.count", "d1.count", "cur->count", "cur->open", "opened")


class _Writer:
    def __init__(self, seed: int, recursive: bool) -> None:
        self.random = Random(seed)
        self.names: list[str] = []
        self.later: list[str] = []  # those that may be called before they are defined
        self.recursive = recursive

    def program(self) -> str:
        text = _HEAD
        count = self.random.randint(4, 9)
        own = ""
        if self.recursive:
            self.later = [f"f{number}" for number in range(count)]
            text += "".join(f"static int {name}(int);\n" for name in self.later)
            own = "int v = n; if (n & 4) p = &v; "
        for number in range(count):
            name = f"f{number}"
            body = " ".join(self.statement(2) for _ in range(self.random.randint(1, 3)))
            result = self.value()
            text += f"static int {name}(int n) {{ int r = n; {own}{body} return {result}; }}\n"
            self.names.append(name)
        self.later = []
        self.recursive = False
        text += "static int (*table)(int) = f0;\n"
        cases = " ".join(
            f"case {number}: {' '.join(self.statement(1) for _ in range(2))} break;"
            for number in range(3)
        )
        last = self.random.choice(["locked", "opened > 1", "b == 7", "d1.count != 0 && locked"])
        return f"""{text}int main(void) {{
  int n = __VERIFIER_nondet_int(), r = 0;
  {self.statement(2)}
  while (__VERIFIER_nondet_int()) {{ switch (__VERIFIER_nondet_int()) {{ {cases} }} }}
  {self.statement(1)}
  if ({last}) reach_error();
  return 0;
}}
"""

    def place(self) -> str:
        own = ("v", "v", "*p") if self.recursive else ()
        return self.random.choice((*_PLACES, "r", "r", *own))

    def value(self) -> str:
        pick = self.random
        match pick.randrange(6):
            case 0:
                return str(pick.randint(-1, 3))
            case 1:
                return f"{self.place()} + {pick.randint(1, 2)}"
            case 2:
                return f"({self.place()} & 3)"
            case 3:
                return "n"
            case _:
                return self.place()

    def condition(self) -> str:
        pick = self.random
        return f"{self.place()} {pick.choice(['==', '!=', '<', '>'])} {self.value()}"

    def call(self) -> str:
        pick = self.random
        name = pick.choice([*self.names[-4:], "twice", *self.later])
        if name == "f0" and pick.random() < 0.5 and len(self.names) > 8:
            name = "table"
        return f"{name}({self.value()})"

    def statement(self, depth: int) -> str:
        pick = self.random
        kind = pick.random()
        if depth and kind < 0.25:
            inner = self.statement(depth - 1)
            other = f" else {self.statement(depth - 1)}" if pick.random() < 0.4 else ""
            return f"if ({self.condition()}) {{ {inner} }}{other}"
        if depth and kind < 0.32:
            return f"while ({self.condition()}) {{ {self.statement(0)} {self.statement(0)} }}"
        if kind < 0.55:
            return f"{self.place()} = {self.call()};" if pick.random() < 0.7 else f"{self.call()};"
        if kind < 0.72:
            inner = self.statement(0)
            return f"take(); {inner} drop();" if pick.random() < 0.9 else f"take(); {inner}"
        if kind < 0.77:
            return f"if ({self.condition()}) stop();"
        if kind < 0.83:
            return pick.choice(
                ["p = &b;", "p = &t[2];", "cur = &d1;", "cur = cur->next ? &d0 : &d1;"]
            )
        if kind < 0.87:
            return "opened = 1; " + self.statement(0) + " opened = 0;"
        return f"{self.place()} = {self.value()};"


def many_procedures(seed: int, recursive: bool = False) -> str:
    """A C program; its error may be reachable or not."""
    return _Writer(seed, recursive).program()
