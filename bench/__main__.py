"""`python -m bench WHAT ...`: one measurement; without a word, the list of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from predabs.errors import InputError

# the word, its module (with a function main(words)), and what it measures
BENCHES = {
    "frontend": ("frontend", "read all tasks as control flow automata"),
    "growth": ("growth", "how the phases before an engine starts grow with the lines"),
    "revisions": ("revisions", "a check after a small change, with the store and without it"),
    "startup": ("startup", "CPU seconds of a check of ten lines, beside the start of Python"),
    "check": ("verdicts", "run `predabs check` on the tasks and compare the verdicts"),
    "witnesses": ("witnesses", "own witnesses: how many are confirmed, and in which time"),
    "certificates": ("certificates", "how many TRUEs are certified, and in which time"),
    "table": ("tables", "the tables of answers that `check` has written"),
    "configurations": ("configurations", "several configurations side by side on the tasks"),
    "compare": ("compare", "the tables of answers that `configurations` has written"),
    "solvers": ("solvers", "the solvers beside each other, on path formulas and predicates"),
    "domains": ("domains", "microseconds per operation of the numeric domains"),
    "numpred": ("numpred", "how the structures of predicates and numbers grow"),
    "abstract": ("abstract", "from C to a Boolean program, with more and more predicates"),
    "direct": ("direct", "the direct method of predicate abstraction: questions spared"),
    "bebop": ("bebop_families", "how bebop grows on families of Boolean programs"),
    "bebop-random": ("bebop_random", "bebop against an explicit search on random programs"),
    "bebop-shared": ("bebop_shared", "bebop on a folder of Boolean programs"),
}


def main(words: Sequence[str]) -> int:
    if not words or words[0] not in BENCHES:
        if words and words[0] not in ("-h", "--help"):
            print(f"bench: no measurement is called {words[0]}", file=sys.stderr)
        print("measurements (python -m bench WHAT):")
        for name, (_, summary) in BENCHES.items():
            print(f"  {name:14} {summary}")
        return 0 if not words or words[0].startswith("-") else 2
    os.environ["PREDABS_STORE"] = "off"  # a measurement is of the work, not of what is known
    module = import_module(f".{BENCHES[words[0]][0]}", __package__)
    try:
        code: int = module.main(list(words[1:]))
    except InputError as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
