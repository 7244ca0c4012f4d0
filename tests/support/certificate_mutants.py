"""Certificates, made small, and changed a little: who rejects what is no proof any more?

`minimal` leaves out conjuncts, one after the other, until each is needed. `mutants` changes one
conjunct at a time. A changed certificate may still be a proof: `is_proof` is a second opinion, with
the blocks of the engines for formulas, and the engines' solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from predabs.analysis.facts import ProgramFacts
from predabs.encode.block_graph import block_graph, root_block
from predabs.encode.blocks import Blocks, Exit
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.environment import Environment, Formulas, Key
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.evidence.certificate_file import (
    Heading,
    ProofData,
    certificate_text,
    conjuncts,
    parsed,
    read_proof,
)
from predabs.evidence.obligations import Certificate, Certified
from predabs.evidence.proof_check import ProofCheck
from predabs.evidence.proof_program import ProofPrograms
from predabs.ir import make
from predabs.ir.configuration import CallStack, Configuration
from predabs.ir.expr import TRUE, Binary, Const, Expr, Op, Var
from predabs.ir.order import loop_heads
from predabs.ir.types import IntType
from predabs.ir.walk import substitute, subterms, variables
from predabs.records import replace
from predabs.smt import build
from predabs.smt.solver import Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Term
from predabs.verdict import Invariant, Proof
from support.counted_time import PLENTY

Invariants = tuple[Invariant, ...]


def checked(
    facts: ProgramFacts, proof: Proof, invariants: Invariants, pieces: int | None = None
) -> Certificate:
    """What the checker says about a certificate, after it was written and read."""
    data = ProofData(proof, invariants, pieces, None)
    heading = Heading((("a.c", ""),), {}, "")
    text = certificate_text(facts.program, heading, data, (), ())
    found = read_proof(facts.program, parsed(text))
    return ProofCheck(
        ProofPrograms(facts), found.proof, found.invariants, found.pieces, found.recursion
    ).run(PLENTY)


def minimal(facts: ProgramFacts, proof: Proof, invariants: Invariants) -> Invariants:
    """Without conjuncts that it is a proof without: none can be left out alone."""
    number = tried = 0
    while tried < _size(invariants):
        number %= _size(invariants)
        fewer = _changed(invariants, number, TRUE)
        if isinstance(checked(facts, proof, fewer), Certified):
            # what needed it, and was kept for that, may be left out too
            invariants, tried = fewer, 0
        else:
            number, tried = number + 1, tried + 1
    return invariants


def dropped(invariants: Invariants) -> Iterator[Invariants]:
    """With one conjunct left out."""
    for number in range(_size(invariants)):
        yield _changed(invariants, number, TRUE)


def mutants(invariants: Invariants) -> Iterator[Invariants]:
    """With one conjunct changed: negated, another number, comparison or variable, elsewhere."""
    parts = [part for item in invariants for part in conjuncts(item.expr)]
    names = dict.fromkeys(var for part in parts for var in variables(part))
    for number, part in enumerate(parts):
        others = dict.fromkeys((make.negate(part), *_near(part, tuple(names))))
        for other in others:
            if other is not part:
                yield _changed(invariants, number, other)
    for one, item in enumerate(invariants):
        for two, target in enumerate(invariants):
            if one < two:
                moved = [*invariants]
                moved[one] = replace(item, expr=target.expr)
                moved[two] = replace(target, expr=item.expr)
                yield tuple(moved)


def _near(part: Expr, names: Sequence[Var]) -> Iterator[Expr]:
    for term in subterms(part):
        match term:
            case Const(value, IntType() as type_):
                for near in (value - 1, value + 1, value + 10, -value - 1):
                    yield substitute(part, {term: make.const(near, type_)})
            case Binary(Op.LE, left, right, _):
                yield substitute(part, {term: make.less(left, right)})
                yield substitute(part, {term: make.less_equal(right, left)})
                yield substitute(part, {term: make.equal(left, right)})
            case Binary(Op.EQ, left, right, _) if isinstance(left.type, IntType):
                yield substitute(part, {term: make.less_equal(left, right)})
            case Var():
                for other in names:
                    if other is not term and other.type is term.type:
                        yield substitute(part, {term: other})


def _size(invariants: Invariants) -> int:
    return sum(len(conjuncts(item.expr)) for item in invariants if item.expr is not TRUE)


def _changed(invariants: Invariants, number: int, new: Expr) -> Invariants:
    """With another condition for one conjunct."""
    made = []
    for item in invariants:
        parts = list(conjuncts(item.expr)) if item.expr is not TRUE else []
        if 0 <= number < len(parts):
            parts[number] = new
        number -= len(parts)
        made.append(replace(item, expr=make.conj(parts)))
    return tuple(made)


# --- the second opinion ---------------------------------------------------------------------------


class _AllLive(Blocks):
    """Blocks that keep all storage: an invariant may speak of any."""

    def is_dead(self, configuration: Configuration, key: Key) -> bool:
        return False


def is_proof(facts: ProgramFacts, invariants: Invariants) -> bool:
    """Are the invariants inductive, and do they exclude all errors?"""
    claims = {_configuration(item): item.expr for item in invariants}
    encodings: tuple[tuple[Encoding, str], ...] = (
        (IntegerEncoding(), "z3"),
        (BitVectorEncoding(), "bitwuzla"),
    )
    for encoding, solver in encodings:
        try:
            return _inductive(facts, claims, Formulas(facts.partition, encoding), solver)
        except NeedsBitVectors:
            continue
    raise AssertionError("no encoding")


def _inductive(
    facts: ProgramFacts, claims: dict[Configuration, Expr], formulas: Formulas, name: str
) -> bool:
    heads = {head for f in facts.program.functions.values() for head in loop_heads(f)}
    blocks = _AllLive(
        formulas,
        facts.flow,
        facts.liveness,
        lambda point: point.location in heads or point in claims,
        lambda: None,
    )
    root = root_block(blocks)
    graph = block_graph(blocks, root)

    def said(point: Configuration, environment: Environment) -> Term:
        return formulas.encoder(environment).condition(claims.get(point, TRUE))

    def excluded(*terms: Term) -> bool:
        solver = create(name, Statistics())
        solver.add(formulas.closed(*terms))
        return isinstance(solver.check(timeout=PLENTY), Unsat)

    def right(exit_: Exit, known: Term) -> bool:
        if exit_.target is None:
            return excluded(known, exit_.formula)
        after = said(exit_.target, exit_.environment)
        return excluded(known, exit_.formula, build.not_(after))

    return all(right(exit_, build.and_()) for exit_ in root.exits) and all(
        right(exit_, said(point, Environment("")))
        for point, block in graph.blocks.items()
        for exit_ in block.exits
    )


def _configuration(item: Invariant) -> Configuration:
    stack: CallStack | None = None
    for call in item.stack:
        stack = CallStack(call, stack)
    return Configuration(item.location, stack)
