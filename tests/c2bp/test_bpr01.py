"""[BPR01]: figure 1, the examples of sections 8 and 9.3, and proposition 1."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.boolprog import CheckLimits, Program, Proved, check, parse
from predabs.boolprog.bebop import model_of, reach
from predabs.boolprog.invariant import states_now
from predabs.boolprog.syntax import Assert, DoWhile, Expr, If, Var
from predabs.boolprog.trivectors import Focus, Trivector, TrivectorDomain, explore, kleene
from predabs.c2bp.abstraction_context import abstraction_context
from predabs.c2bp.boolean_variables import some_holds
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.file_predicates import predicates_of_file
from predabs.ir.ops import Assign
from predabs.predicates.syntax.file import read_predicates
from predabs.smt.solver import Statistics
from support.c2bp_examples import assigned, boolean_program, expression
from support.c_programs import program_of_c


def test_figure_1() -> None:
    """`foo` is abstracted for whoever calls it."""
    source = """int x, y, z, w; void foo(void) {
      do { z = 0; x = y; if (w) { x++; z = 1; } } while (x != y); if (z) reach_error(); }"""
    program = boolean_program(source, "global:\nz == 0\nx == y\n", "foo")
    assert program.globals == ("{z == 0}", "{x == y}")
    foo = program.procedure("foo")
    [loop] = [s.action for s in foo.body if isinstance(s.action, DoWhile)]
    assert loop.condition == expression("!{x == y}")
    assert assigned(foo, "{x == y}") == [
        expression("T"),
        expression("choose(F, {x == y})"),
    ]
    assert assigned(foo, "{z == 0}") == [expression("T"), expression("F")]
    [test] = [s.action for s in loop.body if isinstance(s.action, If)]
    assert test.cases[0][0] == expression("*")
    assert Assert(expression("{z == 0}")) in [s.action for s in foo.body]
    assert isinstance(check(program), Proved)


# --- [BPR01, section 8]: what Cartesian abstraction loses -----------------------------------------


def trivectors(
    program: Program, label: str, domain: TrivectorDomain, focus: Focus
) -> set[Trivector]:
    """What bebop's `--states` and `--focus` reach at a label."""
    table = explore(program, domain, focus, CheckLimits())
    [(name, node)] = labelled(program, label)
    return set(table.states[name, node])


def labelled(program: Program, label: str) -> list[tuple[str, int]]:
    graphs = model_of(program, CheckLimits()).graphs
    return [(name, node) for name, graph in graphs.items() for node in graph.labelled(label)]


def bitvectors(program: Program, label: str) -> set[tuple[bool, ...]]:
    """The states that the BDDs have at a label, of the global variables."""
    reached = reach(model_of(program, CheckLimits(), True), CheckLimits())
    [node] = labelled(program, label)
    states = states_now(reached, node)
    cells = reached.model.layout.scopes[node[0]].cells
    found = set()
    for values in product((False, True), repeat=len(program.globals)):
        cube = {cells[name].now: v for name, v in zip(program.globals, values, strict=True)}
        if (states & reached.model.manager.cube(cube)).satisfiable():
            found.add(values)
    return found


EXAMPLE_1 = "int x = 5, y = 6; int main(void) { x = y; L: return 0; }"
PREDICATES_1 = "global:\nx > 5\nx < 5\ny == 5\n"


@pytest.mark.parametrize("domain", TrivectorDomain)
@pytest.mark.parametrize("focus", Focus)
def test_example_1(domain: TrivectorDomain, focus: Focus) -> None:
    """From 0, 0, 0, which means x = 5 and y != 5, the assignment x = y leads to *, *, 0."""
    program = boolean_program(EXAMPLE_1, PREDICATES_1)
    assert trivectors(program, "L", domain, Focus.NONE) == {(None, None, False)}
    # a focus before the assignment is of no use: the vector has no unknown value
    found = trivectors(program, "L", domain, focus)
    assert all(vector[2] is False for vector in found)
    assert (False, False, False) in expanded(found)


def expanded(found: set[Trivector]) -> set[tuple[bool, ...]]:
    """The bit-vectors that trivectors mean."""
    return {
        bits
        for vector in found
        for bits in product(*((v,) if v is not None else (False, True) for v in vector))
    }


def test_example_1_in_the_boolean_abstraction() -> None:
    """What is lost is 0, 0, 0; 1, 1, 0 is impossible, which `enforce` says. The direct method is
    the Boolean abstraction, and loses nothing."""
    cartesian = boolean_program(EXAMPLE_1, PREDICATES_1)
    exact = {(True, False, False), (False, True, False)}
    assert bitvectors(cartesian, "L") == exact | {(False, False, False)}
    assert bitvectors(boolean_program(EXAMPLE_1, PREDICATES_1, method=DirectMethod()), "L") == exact


EXAMPLE_2 = "decl x, y; void main() begin x, y := *, * constrain 'x != 'y; L: skip; end"


@pytest.mark.parametrize("focus", Focus)
@pytest.mark.parametrize("domain", TrivectorDomain)
def test_example_2(domain: TrivectorDomain, focus: Focus) -> None:
    """A nondeterministic step: x' = !y'. No focus before it helps."""
    program = parse(EXAMPLE_2)
    assert expanded(trivectors(program, "L", domain, Focus.NONE)) == expanded({(None, None)})
    assert (None, None) in trivectors(program, "L", domain, focus)
    assert bitvectors(program, "L") == {(False, True), (True, False)}


def example_3(count: int) -> Program:
    """assume(x1 = x2), from C, for any state before."""
    names = [f"x{n}" for n in range(1, count + 1)]
    source = f"_Bool {', '.join(names)};"
    used = " ".join(f"{name} = 0;" for name in names)
    source += f" void f(void) {{ __VERIFIER_assume(x1 == x2); L: {used} }}"
    return boolean_program(source, "global:\n" + "\n".join(names) + "\n", "f")


@pytest.mark.parametrize("count", [2, 3, 5])
def test_example_3_and_the_focus_of_section_9_3(count: int) -> None:
    program = example_3(count)
    unknown: Trivector = (None,) * count
    rest = unknown[2:]
    assert trivectors(program, "L", TrivectorDomain.ONE, Focus.NONE) == {unknown}
    assert trivectors(program, "L", TrivectorDomain.SET, Focus.NONE) == {unknown}
    equal = {bits for bits in expanded({unknown}) if bits[0] == bits[1]}
    assert bitvectors(program, "L") == equal
    # focus[1, 2] splits the two variables of the condition, and no other one
    focused = trivectors(program, "L", TrivectorDomain.SET, Focus.CONDITIONS)
    assert focused == {(False, False, *rest), (True, True, *rest)}
    assert expanded(trivectors(program, "L", TrivectorDomain.SET, Focus.ALL)) == equal
    # a single trivector cannot keep what the focus gained
    assert trivectors(program, "L", TrivectorDomain.ONE, Focus.CONDITIONS) == {unknown}


# --- [BPR01, section 7]: proposition 1 ------------------------------------------------------------

Numbers = tuple[int, int, int]  # the values of s.x, s.y and s.z, two bits each
STATES = list(product(range(4), repeat=3))
MEMBERS = "xyz"


class Maker:
    """Random statements and predicates over three bit-fields, as C and as Python."""

    def __init__(self, seed: int) -> None:
        self.pick = Random(seed)

    def value(self, depth: int = 2) -> tuple[str, Callable[[Numbers], int]]:
        kind = self.pick.random()
        if depth == 0 or kind < 0.45:
            place = self.pick.randrange(3)
            return f"s.{MEMBERS[place]}", lambda state: state[place]
        if kind < 0.6:
            constant = self.pick.randrange(4)
            return str(constant), lambda state: constant
        left, f = self.value(depth - 1)
        right, g = self.value(depth - 1)
        op = self.pick.choice("+-&|^*")
        compute: dict[str, Callable[[int, int], int]] = {
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "&": lambda a, b: a & b,
            "|": lambda a, b: a | b,
            "^": lambda a, b: a ^ b,
            "*": lambda a, b: a * b,
        }
        return f"({left} {op} {right})", lambda state: compute[op](f(state), g(state))

    def predicate(self) -> tuple[str, Callable[[Numbers], bool]]:
        left, f = self.value(1)
        right, g = self.value(1)
        if self.pick.random() < 0.5:
            constant = self.pick.randrange(4)
            right, g = str(constant), lambda state: constant
        op = self.pick.choice(["==", "<", "<=", "!="])
        compare: dict[str, Callable[[int, int], bool]] = {
            "==": lambda a, b: a == b,
            "!=": lambda a, b: a != b,
            "<": lambda a, b: a < b,
            "<=": lambda a, b: a <= b,
        }
        return f"{left} {op} {right}", lambda state: compare[op](f(state), g(state))

    def assignment(self) -> tuple[str, Callable[[Numbers], Numbers]]:
        place = self.pick.randrange(3)
        text, f = self.value()

        def post(state: Numbers) -> Numbers:
            new = list(state)
            new[place] = f(state) & 3
            return new[0], new[1], new[2]

        return f"s.{MEMBERS[place]} = {text};", post


def alike(truth: list[bool]) -> bool | None:
    """The value that all have in common."""
    return truth[0] if len(set(truth)) == 1 else None


def H(positive: Expr, negative: Expr, now: Callable[[str], bool | None]) -> bool | None:
    """1 if the trivector satisfies the first, 0 if it satisfies the second, else unknown."""
    one, zero = kleene(positive, now, now), kleene(negative, now, now)
    assert not (one and zero)
    return True if one else False if zero else None


def boolean_assignment(source: str, listed: str) -> tuple[list[tuple[Expr, Expr]], list[Expr]]:
    """The two arguments of H for the one statement of a program, as [BPR01] has them; and the
    expressions of the Boolean program, which are simplified for two-valued variables, and leave
    out what the statement does not touch."""
    c_program = program_of_c(source)
    own = predicates_of_file(read_predicates(listed, c_program)).shared
    here = abstraction_context(ProgramFacts(c_program), {}, 0, lambda: None, Statistics())
    names = [variable.name for variable in own]
    [edge] = [e for e in c_program.functions["main"].edges if isinstance(e.op, Assign)]
    expected = []
    for variable in own:
        before = here.before(edge.op, here.written(edge), variable.expr)
        assert before is not None
        found = here.cubes.decide(before, [v.expr for v in own])
        expected.append((some_holds(found.implied, names), some_holds(found.refuted, names)))
    main = boolean_program(source, listed, max_cube=0).procedure("main")
    written = [(assigned(main, name)[1:] or [Var(name)])[-1] for name in names]
    return expected, written


@pytest.mark.parametrize("seed", range(12))
def test_proposition_1(seed: int) -> None:
    """The Boolean assignment, evaluated on a trivector, is alpha(post(gamma(trivector)))."""
    maker = Maker(seed)
    statement, post = maker.assignment()
    found: dict[tuple[bool, ...], tuple[str, Callable[[Numbers], bool]]] = {}
    while len(found) < 3:
        text, holds = maker.predicate()
        truth = tuple(holds(state) for state in STATES)
        if True in truth and False in truth and tuple(not t for t in truth) not in found:
            found.setdefault(truth, (text, holds))
    predicates = list(found.values())
    source = "struct { unsigned x : 2, y : 2, z : 2; } s;"
    source += f" int main(void) {{ {statement} return 0; }}"
    listed = "global:\n" + "".join(f"{text}\n" for text, _ in predicates)
    exact, written = boolean_assignment(source, listed)
    names = [f"{{{text}}}" for text, _ in predicates]
    compared = 0
    for vector in product((False, True, None), repeat=len(names)):
        now = dict(zip(names, vector, strict=True))
        meant = [
            state
            for state in STATES
            if all(
                value is None or holds(state) == value
                for value, (_, holds) in zip(vector, predicates, strict=True)
            )
        ]
        if not meant:
            continue
        compared += 1
        for place, (text, holds) in enumerate(predicates):
            expected = alike([holds(post(state)) for state in meant])
            assert H(*exact[place], now.get) == expected, (statement, text, vector)
            if None not in vector:
                assert kleene(written[place], now.get, now.get) == expected
    assert compared > 3
