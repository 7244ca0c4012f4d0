"""Spurious paths of small C programs, as interpolators get them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from predabs.analysis.control_flow import ControlFlow
from predabs.analysis.liveness import liveness
from predabs.analysis.memory.partition import partition
from predabs.analysis.modref import modref
from predabs.analysis.points_to.sets import points_to
from predabs.encode.block_sequences import block_sequence
from predabs.encode.blocks import Block, Blocks, Exit, execute
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Formulas
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.engines.cut_points import cut_points
from predabs.ir.configuration import TransitionKind
from predabs.ir.show import show_expr
from predabs.refine.interpolators.interpolation_problem import FoundPredicates, InterpolationProblem
from predabs.smt.cores import minimise
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.solver import Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import TRUE, Term
from support.c_programs import program_of_c


@dataclass(frozen=True, slots=True)
class Subject:
    """A program in blocks, with the one where it starts."""

    blocks: Blocks
    root: Block


def subject(text: str, encoding: str = "int") -> Subject:
    program = program_of_c(text)
    pointers = points_to(program)
    split = partition(program, pointers)
    flow = ControlFlow(program, pointers)
    formulas = Formulas(split, BitVectorEncoding() if encoding == "bv" else IntegerEncoding())
    live = liveness(program, modref(program, split))
    blocks = Blocks(formulas, flow, live, cut_points(flow, "loop"), lambda: None)
    return Subject(blocks, blocks.make(flow.entry, initial_environment(formulas)[0]))


def ways(blocks: Blocks, block: Block, length: int) -> Iterator[tuple[Exit, ...]]:
    """So many exits one after the other, the last one an error."""
    for exit_ in block.exits:
        if length == 1 and exit_.kind is TransitionKind.ERROR:
            yield (exit_,)
        elif length > 1 and exit_.target is not None:
            for rest in ways(blocks, blocks.at(exit_.target), length - 1):
                yield (exit_, *rest)


def problem_of(where: Subject, length: int, region: Term = TRUE) -> InterpolationProblem:
    """The first spurious path of this length."""
    statistics = Statistics()
    formulas = where.blocks.formulas
    solver = create("z3", statistics)
    for exits in ways(where.blocks, where.root, length):
        whole = block_sequence(formulas, exits, ())
        if not isinstance(solver.check(whole.parts), Unsat):
            continue
        transitions = []
        guards: dict[Term, tuple[int, int]] = {}
        environment = where.root.before
        for number, exit_ in enumerate(exits):
            answer = solver.check([exit_.formula])
            assert isinstance(answer, Sat)
            transitions.append(exit_.block.path(exit_, TermEvaluator(answer.model).holds))
            for place, transition in enumerate(transitions[-1]):
                guard, environment, _ = execute(formulas, transition, environment)
                guards.setdefault(guard, (number, place))
        facts = solver.fresh()
        for fact in formulas.facts(list(guards)):
            facts.add(fact)
        answer = minimise(facts, list(guards))
        assert isinstance(answer, Unsat)
        core = frozenset(guards[term] for term in answer.core)
        return InterpolationProblem(
            where.blocks, exits, region, tuple(transitions), core, frozenset(), statistics
        )
    raise AssertionError("all paths of this length are feasible")


def shown(found: FoundPredicates | None) -> list[str]:
    """The predicates, each once."""
    assert found is not None
    return list(dict.fromkeys(show_expr(predicate) for _, predicate in found.predicates))
