"""Concrete runs beside the Boolean program: whatever a run does, the program must allow.

A run is followed step by step. At each control point the predicates in scope are evaluated in the
concrete state; the states that bebop reaches at the same place must have one with these values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.bdd import Function as States
from predabs.boolprog.bebop import Node, Reached, model_of, reach
from predabs.boolprog.invariant import states_now
from predabs.boolprog.limits import CheckLimits
from predabs.boolprog.parse import parse
from predabs.c2bp.boolean_code import (
    BooleanProgram,
    Code,
    CodeBranch,
    CodeDoWhile,
    CodeIf,
    CodeLabel,
    CodeStep,
    CodeWhile,
    text,
)
from predabs.c2bp.boolean_code import program as tree
from predabs.c2bp.boolean_variables import Boolean
from predabs.c2bp.program import ProgramPredicates
from predabs.errors import InternalError
from predabs.ir import make
from predabs.ir.cfa import Edge, Function, Location, Program
from predabs.ir.def_use import op_reads, op_values, op_writes
from predabs.ir.expr import Expr, Lvalue, Op, Var
from predabs.ir.ops import Assume, Call
from predabs.ir.types import IntType, PointerType
from predabs.ir.walk import subterms, variables
from support.analysis_machine import End, Inputs, Machine

# what evaluating a predicate ends with if it has no value, or the program has no such place
NO_VALUE = (End, AssertionError, ArithmeticError, KeyError, InternalError)


def marked(code: Code) -> Code:
    """The code with all labels, so that each control point can be found again."""
    found: list[Any] = []
    for node in code:
        match node:
            case CodeLabel(label, _):
                found.append(CodeLabel(label, True))
            case CodeIf():
                found.append(
                    replace(node, then=marked(node.then), otherwise=marked(node.otherwise))
                )
            case CodeWhile() | CodeDoWhile():
                found.append(replace(node, body=marked(node.body)))
            case CodeBranch():
                found.append(replace(node, bodies=tuple(map(marked, node.bodies))))
            case CodeStep():
                found.append(node)
    return tuple(found)


def reached(coded: BooleanProgram) -> Reached:
    """All states of the Boolean program, which is read back from its text."""
    coded = replace(
        coded, procedures=tuple(replace(p, code=marked(p.code)) for p in coded.procedures)
    )
    assert parse(text(coded)) == tree(coded)
    limits = CheckLimits()
    return reach(model_of(tree(coded), limits, True), limits)


class Follower(Machine):
    """A run that looks up each of its states in the Boolean program, save those at `hidden`
    locations, which it does not have."""

    def __init__(
        self,
        program: Program,
        predicates: ProgramPredicates,
        states: Reached,
        known: dict[Node, States],
        seed: int,
        hidden: frozenset[Location] = frozenset(),
    ) -> None:
        self.predicates = predicates
        self.states = states
        self.known = known
        self.hidden = hidden
        self.visits = 0
        self.constants: dict[tuple[int, Var], Any] = {}
        super().__init__(program, partition(program, points_to(program)), _Inputs(seed))

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        if not edges:
            raise End("nothing follows")
        function = self.frame.function
        assert function is not None
        if edges[0].src is function.entry:
            self._remember(function)
        if edges[0].src not in self.hidden:
            self._compare(function, edges[0])
        return super().choose(edges)

    def _remember(self, function: Function) -> None:
        """The values of symbolic constants, when their function has just been entered."""
        for constant, value in self.predicates.constants.get(function.name, {}).items():
            key = self.frame.number, constant
            if key not in self.constants:
                try:
                    self.constants[key] = self.value(value)
                except NO_VALUE:
                    self.constants[key] = None

    def read(self, lvalue: Lvalue) -> Any:
        key = self.frame.number, lvalue
        if key in self.constants:
            if self.constants[key] is None:
                raise End("it has no value")
            return self.constants[key]
        return super().read(lvalue)

    def _compare(self, function: Function, edge: Edge) -> None:
        held = self._held([*self.predicates.shared, *self.predicates.own.get(function.name, ())])
        model = self.states.model
        label = f"L{edge.src.index}"
        nodes = [(function.name, n) for n in model.graphs[function.name].labelled(label)]
        if not nodes:
            return  # a test and the error behind it are one statement
        cells = model.layout.scopes[function.name].cells
        cube = {cells[name].now: value for name, value in held.items()}
        self.visits += 1
        wanted = model.manager.cube(cube)
        assert any((self._at(node) & wanted).satisfiable() for node in nodes), (
            f"{edge.coord}: no state at {edge.src} has {held}"
        )

    def _at(self, node: Node) -> States:
        if node not in self.known:
            self.known[node] = states_now(self.states, node)
        return self.known[node]

    def _held(self, booleans: list[Boolean]) -> Mapping[str, bool]:
        """The predicates that have a value."""
        found = {}
        for boolean in booleans:
            try:
                found[boolean.name] = bool(self.value(boolean.expr))
            except NO_VALUE:
                continue
        return found


class _Inputs(Inputs):
    """Small numbers, for the most part."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, addresses=0)

    def number(self, edge: Edge | None, type_: Any, known: list[int]) -> int:
        random = self.random
        return random.choice([0, 0, 1, 1, 2, 3, -1, random.getrandbits(32)])


def random_predicates(program: Program, seed: int, most: int = 5) -> ProgramPredicates:
    """Conditions of the program and comparisons of its places, and symbolic constants."""
    random = Random(seed)
    globals_ = frozenset(item.var for item in program.globals)
    shared: dict[Expr, Boolean] = {}
    own: dict[str, tuple[Boolean, ...]] = {}
    constants: dict[str, dict[Var, Lvalue]] = {}
    for function in program.functions.values():
        fixed: dict[Var, Lvalue] = {}
        for param in function.params:
            if isinstance(param.type, IntType | PointerType) and random.random() < 0.5:
                fixed[Var(f"{function.name}::'{param.short}", param.type)] = param
                if isinstance(param.type, PointerType) and isinstance(param.type.target, IntType):
                    pointed = make.deref(param)
                    fixed[Var(f"{function.name}::'*{param.short}", pointed.type)] = pointed
        found: dict[Expr, None] = {}
        pool = _atoms(function, random, fixed)
        random.shuffle(pool)
        for atom in pool[:most]:
            if set(variables(atom)) <= globals_ and random.random() < 0.5:
                shared.setdefault(atom, Boolean(f"{{g{len(shared)}}}", atom))
            else:
                found[atom] = None
        used = {v for atom in found for v in variables(atom)}
        constants[function.name] = {c: v for c, v in fixed.items() if c in used}
        own[function.name] = tuple(
            Boolean(f"{{{function.name} {n}}}", atom) for n, atom in enumerate(found)
        )
    return ProgramPredicates(tuple(shared.values()), own, constants)


def _atoms(function: Function, random: Random, fixed: Mapping[Var, Lvalue]) -> list[Expr]:
    found: dict[Expr, None] = {}
    places: dict[Expr, None] = dict.fromkeys(fixed)
    for edge in function.edges:
        if isinstance(edge.op, Assume):
            found[edge.op.cond] = None
        if not isinstance(edge.op, Call):
            places.update(dict.fromkeys(op_writes(edge.op)))
        places.update(dict.fromkeys(op_reads(edge.op)))
        for value in op_values(edge.op):
            places.update(dict.fromkeys(t for t in subterms(value) if isinstance(t, Lvalue)))
    numbers = [p for p in places if isinstance(p.type, IntType)]
    pointers = [p for p in places if isinstance(p.type, PointerType)]
    for _ in range(12):
        if numbers:
            one = random.choice(numbers)
            assert isinstance(one.type, IntType)
            others = [p for p in numbers if p.type is one.type and p is not one]
            constant = make.const(random.randint(-1, 4), one.type)
            other = random.choice([constant, *others])
            if other is not constant and random.random() < 0.3:
                other = make.binary(Op.ADD, other, make.const(1, one.type))
            found[make.compare(random.choice([Op.EQ, Op.LT, Op.LE]), one, other)] = None
        if pointers and random.random() < 0.4:
            one = random.choice(pointers)
            alike = [p for p in pointers if p.type is one.type and p is not one]
            if alike:
                found[make.equal(one, random.choice(alike))] = None
    return [atom for atom in found if variables(atom)]


def follow(
    program: Program,
    predicates: ProgramPredicates,
    coded: BooleanProgram,
    runs: int = 8,
    hidden: frozenset[Location] = frozenset(),
) -> int:
    """Compare some runs; gives how many states were looked up."""
    states = reached(coded)
    visits = 0
    known: dict[Node, States] = {}
    for seed in range(runs):
        follower = Follower(program, predicates, states, known, seed, hidden)
        follower.run(150)
        visits += follower.visits
    return visits
