"""Spurious paths of small C programs, as producers of predicates get them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from c_programs import program_of_c
from predabs.analysis.flow import Flow
from predabs.analysis.liveness import liveness
from predabs.analysis.modref import modref
from predabs.analysis.partition import partition
from predabs.analysis.points_to import points_to
from predabs.engines.cuts import cuts
from predabs.ir.show import show_expr
from predabs.ir.stack import Kind
from predabs.logic.blocks import Block, Blocks, Exit, carry_out
from predabs.logic.chain import chain
from predabs.logic.core import minimise
from predabs.logic.encode_int import Integers
from predabs.logic.encoding import Vectors
from predabs.logic.environment import Formulas
from predabs.logic.evaluate import Evaluator
from predabs.logic.factory import create
from predabs.logic.initial import initial
from predabs.logic.solver import Sat, Statistics, Unsat
from predabs.logic.term import TRUE, Term
from predabs.refine.problem import Found, Problem


@dataclass(frozen=True, slots=True)
class Subject:
    """A program in blocks, with the one where it starts."""

    blocks: Blocks
    root: Block


def subject(text: str, encoding: str = "int") -> Subject:
    program = program_of_c(text)
    pointers = points_to(program)
    split = partition(program, pointers)
    flow = Flow(program, pointers)
    formulas = Formulas(split, Vectors() if encoding == "bv" else Integers())
    live = liveness(program, modref(program, split))
    blocks = Blocks(formulas, flow, live, cuts(flow, "loop"), lambda: None)
    return Subject(blocks, blocks.make(flow.start, initial(formulas)[0]))


def ways(blocks: Blocks, block: Block, length: int) -> Iterator[tuple[Exit, ...]]:
    """So many exits one after the other, the last one an error."""
    for exit_ in block.exits:
        if length == 1 and exit_.kind is Kind.ERROR:
            yield (exit_,)
        elif length > 1 and exit_.target is not None:
            for rest in ways(blocks, blocks.at(exit_.target), length - 1):
                yield (exit_, *rest)


def problem_of(where: Subject, length: int, region: Term = TRUE) -> Problem:
    """The first spurious path of this length."""
    statistics = Statistics()
    formulas = where.blocks.formulas
    solver = create("z3", statistics)
    for exits in ways(where.blocks, where.root, length):
        whole = chain(formulas, exits, ())
        if not isinstance(solver.check(whole.parts), Unsat):
            continue
        moves = []
        guards: dict[Term, tuple[int, int]] = {}
        environment = where.root.before
        for number, exit_ in enumerate(exits):
            answer = solver.check([exit_.formula])
            assert isinstance(answer, Sat)
            moves.append(exit_.block.path(exit_, Evaluator(answer.model).holds))
            for place, move in enumerate(moves[-1]):
                guard, environment, _ = carry_out(formulas, move, environment)
                guards.setdefault(guard, (number, place))
        facts = solver.fresh()
        for fact in formulas.facts(list(guards)):
            facts.add(fact)
        answer = minimise(facts, list(guards))
        assert isinstance(answer, Unsat)
        core = frozenset(guards[term] for term in answer.core)
        return Problem(where.blocks, exits, region, tuple(moves), core, frozenset(), statistics)
    raise AssertionError("all paths of this length are feasible")


def shown(found: Found | None) -> list[str]:
    """The predicates, each once."""
    assert found is not None
    return list(dict.fromkeys(show_expr(predicate) for _, predicate in found.predicates))
