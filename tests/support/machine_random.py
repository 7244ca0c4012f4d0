"""Random state machines in C: a `switch` in a loop, with a state that lies in a variable, in a
global that pointers reach, or in an object on the heap. They have few rounds, so that unrolling
decides them."""

from __future__ import annotations

from random import Random

_HEAD = """struct machine { int state; int next; int flag; int count; };
void *memset(void *, int, unsigned long);
struct machine global, saved; int state, next, flag, count;
"""
_PLACES = {
    "scalar": ("", "{}"),
    "global": ("struct machine *m = &global;", "m->{}"),
    "heap": ("struct machine *m = malloc(sizeof *m);", "m->{}"),
    "zeroed": ("struct machine *m = calloc(1, sizeof *m);", "m->{}"),
    "local": ("struct machine own; struct machine *m = &own;", "m->{}"),
    "either": ("struct machine *m = malloc(sizeof *m); if (in) m = &global;", "m->{}"),
}


class _Machine:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.states = self.random.sample(range(-2, 40), self.random.randint(3, 5))
        self.place = self.random.choice(list(_PLACES))
        self.pattern = _PLACES[self.place][1]
        self.errors = 0

    def at(self, name: str) -> str:
        return self.pattern.format(name)

    def program(self) -> str:
        pick = self.random
        cases = "\n".join(self.case(state) for state in self.states)
        before = "" if self.place in ("scalar", "global", "zeroed") else self.set("next")
        step = f"""
        switch ({self.at("state")}) {{
        {cases}
        default: return;
        }}"""
        function = "" if self.place == "scalar" else "struct machine *m"
        argument = "" if self.place == "scalar" else "m"
        rounds = pick.choice(["i < 3", "i < 4", "i < 5 && in > 0"])
        errors = "" if self.errors else f"if ({self.at('flag')} == 2) reach_error();"
        return f"""{_HEAD}
static void run({function}) {{
  int *alias = &{self.at("state")}; int in = 1;
  for (int i = 0; {rounds}; i++) {{ {step} }}
  {errors}
}}
int main(void) {{
  int in = __VERIFIER_nondet_int();
  {_PLACES[self.place][0]}
  {self.at("state")} = {self.states[0]}; {self.at("flag")} = 0; {self.at("count")} = in; {before}
  run({argument});
  return 0;
}}
"""

    def set(self, name: str) -> str:
        return f"{self.at(name)} = {self.random.choice(self.states)};"

    def case(self, state: int) -> str:
        body = " ".join(self.statement() for _ in range(self.random.randint(1, 3)))
        return f"case {state}: in = __VERIFIER_nondet_int(); {body} {self.step()} break;"

    def step(self) -> str:
        """What comes next."""
        pick = self.random
        match pick.randrange(8):
            case 0:
                return f"{self.at('state')} = {self.at('next')};"
            case 1:
                return f"if (in > 0) {self.set('state')} else {self.set('state')}"
            case 2:
                return f"*alias = {pick.choice(self.states)};"
            case 3:
                return f"if ({self.at('flag')} == {pick.randrange(3)}) return; {self.set('state')}"
            case 4:
                return f"{self.at('state')} = in;"
        return self.set("state")

    def statement(self) -> str:
        pick, record = self.random, self.place != "scalar"
        one, two = pick.randrange(3), pick.randrange(3)
        match pick.randrange(9):
            case 0 | 1:
                return f"if ({self.at('flag')} == {one}) {self.at('flag')} = {two};"
            case 2:
                return self.set("next")
            case 3:
                self.errors += 1
                return f"if ({self.at('flag')} == {two} && in != {one}) reach_error();"
            case 4:
                self.errors += 1
                return f"if ({self.at('count')} == {one}) reach_error();"
            case 5:
                return f"{self.at('count')} = {self.at('count')} + {one};"
            case 6 if record:
                return pick.choice(["saved = *m;", "*m = saved;", "memset(m, 0, sizeof *m);"])
            case 7:
                return f"alias = &{self.at(pick.choice(['state', 'flag', 'next']))};"
        return f"if (in < {one}) {self.set('next')}"


def random_machine(seed: int) -> str:
    """The text of the program for a seed.

    >>> random_machine(3) == random_machine(3)
    True
    """
    return "void *calloc(unsigned long, unsigned long);\n" + _Machine(seed).program()
