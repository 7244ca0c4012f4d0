"""Formulas with the limits of variables at locations against those without, and against runs."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.memory.partition import Scalar
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ExecutedStep
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.environment import Environment, Formulas
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.ir.cfa import Program
from predabs.ir.expr import Binary
from predabs.ir.ops import Assign, Call, Halt, Return
from predabs.ir.types import INT, IntType
from predabs.smt import build
from predabs.smt.solver import Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Op, Term, is_app, postorder, symbols
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.path_formulas import path_formula


class Maker:
    """Random programs with numbers of several types, branches and loops that end."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.loops = 0

    def name(self) -> str:
        return self.pick.choice(["i", "j", "g", "u", "s", "c"])

    def number(self) -> str:
        pick = self.pick
        match pick.randrange(5):
            case 0:
                return str(pick.choice([0, 1, 2, 7, 100, 255, 2147483647, -1, -2147483647]))
            case 1:
                return f"{self.name()} {pick.choice('+-')} {self.name()}"
            case 2:
                return f"{self.name()} * {pick.randint(2, 9)}"
            case 3:
                return f"{self.name()} {pick.choice(['/', '%'])} {pick.randint(2, 9)}"
            case _:
                return f"{self.name()} {pick.choice('+-')} {pick.randint(1, 9)}"

    def test(self) -> str:
        return f"{self.name()} {self.pick.choice(['<', '>', '<=', '=='])} {self.number()}"

    def statement(self, depth: int) -> str:
        pick = self.pick
        match pick.randrange(9 if depth else 6):
            case 0:
                kind = pick.choice(["int", "uint"])
                return f"{pick.choice('iju')} = __VERIFIER_nondet_{kind}();"
            case 1:
                low, high = pick.randint(-5, 5), pick.randint(6, 90)
                name = self.name()
                return f"if ({name} < {low} || {name} > {high}) {name} = {high};"
            case 6:
                return (
                    f"if ({self.test()}) {{ {self.block(depth)} }} else {{ {self.block(depth)} }}"
                )
            case 7 | 8:
                self.loops += 1
                count = f"k{self.loops}"
                head = f"for (int {count} = 0; {count} < {pick.randint(1, 3)}; {count}++)"
                return f"{head} {{ {self.block(depth)} }}"
            case _:
                return f"{self.name()} = {self.number()};"

    def block(self, depth: int) -> str:
        return " ".join(self.statement(depth - 1) for _ in range(self.pick.randint(1, 3)))

    def program(self) -> Program:
        body = " ".join(self.statement(2) for _ in range(6))
        return program_of_c(
            f"int g = 3; int main(void) {{ int i = 1, j = 2; unsigned u = 3; short s = 4;"
            f"unsigned char c = 5; {body} g = i + j; return s + c + u; }}"
        )


def formulas_of(program: Program, encoding: Encoding, *, limited: bool) -> Formulas:
    facts = ProgramFacts(program)
    return Formulas(facts.partition, encoding, facts.interval if limited else None)


def path_of(program: Program, seed: int) -> list[ExecutedStep]:
    steps: list[ExecutedStep] = []
    execute(program, RandomInputs(seed), trace=steps.append, max_steps=80)
    return [s for s in steps if not isinstance(s.edge.op, Return | Halt | Call)]


def observed(formulas: Formulas, steps: Sequence[ExecutedStep]) -> tuple[list[Term], list[Term]]:
    """What the formula of a path says, and that each value is the one that was seen."""
    environment, exact = initial_environment(formulas)
    assert exact
    said, seen = [], []
    for step in steps:
        block = path_formula(formulas, [step.edge], environment)
        assert block.exact
        said.append(block.formula)
        environment = block.environment
        for place, value in step.values:
            storage = formulas.storage(place)
            assert isinstance(storage, Scalar) and isinstance(place.type, IntType)
            assert isinstance(value, int)
            known = formulas.get(environment, storage.var)
            if formulas.encoding.name == "int":
                assert known.low <= value <= known.high
            number = formulas.encoding.constant(value, place.type)
            seen.append(build.eq(known.term, number.term))
    return said, seen


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_runs_satisfy_formulas_with_limits(seed: int) -> None:
    program = Maker(seed).program()
    for encoding, solver in ((IntegerEncoding(), "z3"), (BitVectorEncoding(), "bitwuzla")):
        formulas = formulas_of(program, encoding, limited=True)
        said, seen = observed(formulas, path_of(program, seed))
        answer = create(solver, Statistics())
        answer.add(formulas.closed(*said, *seen))
        assert isinstance(answer.check(timeout=PLENTY), Sat)


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_paths_mean_the_same_with_and_without_limits(seed: int) -> None:
    program = Maker(seed).program()
    steps = path_of(program, seed)
    whole = []
    for limited in (False, True):
        formulas = formulas_of(program, IntegerEncoding(), limited=limited)
        said, seen = observed(formulas, steps)
        # the last value is enough: it depends on those before it
        whole.append((formulas.closed(*said, *seen[-1:]), build.and_(*said, *seen[-1:])))
    (facts, one), (more, two) = whole
    for known, term in ((facts, two), (more, one)):
        solver = create("z3", Statistics())
        solver.add(build.and_(known, build.not_(term)))
        assert isinstance(solver.check(timeout=PLENTY), Unsat)


COUNTER = """
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) { i = i + 1; }
  return i;
}
"""


def test_a_counter_needs_no_wrap_around() -> None:
    program = program_of_c(COUNTER)
    (step,) = [
        edge
        for edge in program.functions["main"].edges
        if isinstance(edge.op, Assign) and isinstance(edge.op.value, Binary)
    ]
    wraps = {}
    for limited in (False, True):
        formulas = formulas_of(program, IntegerEncoding(), limited=limited)
        after = path_formula(formulas, [step], Environment("0")).environment
        terms = [value.term for value in after.changed.values()]
        wraps[limited] = any(is_app(part, Op.ITE) for part in postorder(terms))
    assert wraps == {False: True, True: False}


def test_limits_are_no_facts_about_symbols() -> None:
    """At another location the same symbol may lie elsewhere."""
    program = program_of_c(COUNTER)
    formulas = formulas_of(program, IntegerEncoding(), limited=True)
    edges = program.functions["main"].edges
    terms = [path_formula(formulas, [edge], Environment("0")).formula for edge in edges[:-1]]
    for symbol in symbols(terms):
        for end in (INT.low, INT.high):
            solver = create("z3", Statistics())
            solver.add(formulas.closed(build.eq(symbol, build.integer(end))))
            assert isinstance(solver.check(), Sat)
