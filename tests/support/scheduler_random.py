"""Random schedulers in C: threads with a program counter and a state each, which wait for events
and pass data to each other. The data are inputs, of several widths, with sums, conversions,
conditional expressions and comparisons between them. There are few rounds, so that unrolling
decides them."""

from __future__ import annotations

from random import Random

_HEAD = """
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
int token, local, turn; unsigned u = 7; char c, d = -1; unsigned char b = 250; _Bool flag;
static int either(void) { int result; if (flag) { result = 1; goto end; } result = 0;
  end: return result; }
"""
_DATA = ("token", "local", "u", "c", "d", "b")
_INPUTS = {
    "token": "int",
    "local": "int",
    "u": "uint",
    "c": "char",
    "d": "char",
    "b": "uchar",
}


class _Scheduler:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = self.random.randint(1, 3)
        self.errors = 0

    def program(self) -> str:
        pick = self.random
        threads = "".join(self.thread(n) for n in range(self.count))
        states = "".join(f"int pc{n}, st{n}, ev{n} = 2;\n" for n in range(self.count))
        calls = "".join(
            f"if (st{n} == 0) {{ int go = __VERIFIER_nondet_int(); if (go) "
            f"{{ st{n} = 1; thread{n}(); }} }} if (ev{n} == 1) st{n} = 0;\n"
            for n in range(self.count)
        )
        rounds = pick.choice(["i < 2", "i < 3", "i < 4"])
        last = self.check() if not self.errors or pick.random() < 0.5 else ""
        start = " ".join(self.data() for _ in range(pick.randint(0, 2)))
        return f"""{_HEAD}{states}{threads}
int main(void) {{
  {start}
  for (int i = 0; {rounds}; i++) {{ {calls} }}
  {last}
  return 0;
}}
"""

    def thread(self, n: int) -> str:
        pick = self.random
        steps = pick.randint(1, 3)
        cases = " else ".join(
            f"if (pc{n} == {step}) {{ {self.body(n)} pc{n} = {pick.randrange(steps + 1)}; }}"
            for step in range(steps)
        )
        return f"static void thread{n}(void) {{ {cases} st{n} = 2; }}\n"

    def body(self, n: int) -> str:
        return " ".join(self.statement(n) for _ in range(self.random.randint(1, 3)))

    def statement(self, n: int) -> str:
        pick, other = self.random, self.random.randrange(self.count)
        match pick.randrange(8):
            case 0:
                return f"ev{other} = {pick.choice([0, 1, 2])};"
            case 1:
                return f"if (ev{other} == {pick.randrange(3)}) st{other} = 0; else ev{n} = 1;"
            case 2:
                return f"if ({self.condition()}) {{ {self.data()} }} else {{ {self.data()} }}"
            case 3:
                return self.check()
            case 4:
                return f"flag = {pick.choice(['1', '0', '!flag', '__VERIFIER_nondet_bool()'])};"
            case 5:
                return f"if (either()) turn = {pick.randrange(3)};"
        return self.data()

    def data(self) -> str:
        pick = self.random
        one, two, three = (pick.choice(_DATA) for _ in range(3))
        match pick.randrange(9):
            case 0 | 1:
                return f"{one} = __VERIFIER_nondet_{_INPUTS[one]}();"
            case 2 | 3:
                return f"{one} = {two};"
            case 4:
                return f"{one} = {two} + {pick.choice([1, 1, 2, -1, 200])};"
            case 5:
                return f"{one} = {two} {pick.choice('+-')} {three};"
            case 6:
                return f"{one} = {self.condition()} ? {two} : {three};"
            case 7:
                return f"{one} = {pick.choice([0, 1, -1, 127, 255])};"
        pattern = pick.choice(["-{}", "~{}", "2 * {}", "3 & {}", "100 / (1 | {})"])
        return f"{one} = {pattern.format(two)};"

    def condition(self) -> str:
        pick = self.random
        one, two = pick.choice(_DATA), pick.choice([*_DATA, "0", "1", "5", "-1", "255"])
        found = f"{one} {pick.choice(['==', '!=', '<', '<=', '>'])} {two}"
        if pick.random() < 0.3:
            more = f"{pick.choice(_DATA)} {pick.choice(['==', '<'])} {pick.choice(_DATA)}"
            return f"{found} {pick.choice(['&&', '||'])} {more}"
        return "flag" if pick.random() < 0.1 else found

    def check(self) -> str:
        self.errors += 1
        pick, n = self.random, self.random.randrange(self.count)
        state = pick.choice([f"pc{n} == {pick.randrange(3)} && ", f"st{n} == 2 && ", ""])
        return f"if ({state}({self.condition()})) reach_error();"


def random_scheduler(seed: int) -> str:
    """The text of the program for a seed.

    >>> random_scheduler(3) == random_scheduler(3)
    True
    """
    return _Scheduler(seed).program()
