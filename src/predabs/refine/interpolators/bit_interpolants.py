"""Interpolants of bit-vectors, from bitwuzla: the last resort.

They speak of single bits and of the constants of one unrolling more often than not, but they exist
where no other interpolator finds predicates. Bits of one vector are joined again; interpolants that
are still large after that are not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from time import monotonic

from ...encode.environment import Environment, Formulas, Key
from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...smt import bitvectors, build
from ...smt.horn import conjuncts
from ...smt.solver import Interpolant
from ...smt.solvers import create
from ...smt.substitution import substitute
from ...smt.term import BOOL, FALSE, App, Op, Symbol, Term, Value, postorder, symbols
from .interpolation_problem import FoundPredicates, InterpolationProblem
from .phrase import atoms, phrase

_MOST_TERMS = 400  # of an interpolant
_MOST_ATOMS = 24


class Bits:
    """The atoms of one interpolant for each cut point."""

    name = "bits"

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        if problem.formulas.encoding.name != "bv":
            return None
        deadline = monotonic() + seconds
        solver = create("bitwuzla", problem.statistics)
        found: list[tuple[Configuration, Expr]] = []
        before = problem.region
        for number, configuration in enumerate(problem.configurations):
            left = (deadline - monotonic()) / (len(problem.configurations) - number)
            if left <= 0:
                break
            known = build.and_(before, problem.chain.parts[number])
            ahead = build.and_(*problem.chain.parts[number + 1 :])
            answer = solver.interpolate(known, ahead, left)
            if not isinstance(answer, Interpolant):
                before = known
                continue
            before = answer.term  # so that the next one follows from this one
            for atom in _atoms(problem, answer.term, number + 1):
                try:
                    found.append((configuration, phrase(problem.formulas, atom)))
                except UnsupportedFeature:
                    continue
        return FoundPredicates(found) if found else None


def _atoms(problem: InterpolationProblem, interpolant: Term, cut: int) -> list[Term]:
    """The atoms over the symbols at the start of a block, if they are not too many."""
    renaming = _renaming(problem.formulas, problem.chain.cuts[cut], interpolant)
    (term,) = substitute([joined_bits(interpolant)], renaming)
    if sum(1 for _ in postorder([term])) > _MOST_TERMS:
        return []
    found = atoms(term)
    return found if len(found) <= _MOST_ATOMS else []


def _renaming(formulas: Formulas, cut: Environment, term: Term) -> dict[Symbol, Term]:
    """The symbols of the storage at a cut point of a chain, by those at the start of a block."""
    start = Environment("")
    names: dict[Term, Key | None] = {value.term: key for key, value in cut.changed.items()}
    if cut.heap is not None:
        names[cut.heap.term] = None
    found: dict[Symbol, Term] = {}
    for symbol in symbols([term]):
        tag, key = formulas.origins.get(symbol, ("", None))
        if symbol not in names and (symbol not in formulas.origins or tag != cut.tag):
            continue
        key = names.get(symbol, key)
        value = formulas.heap_end(start) if key is None else formulas.get(start, key)
        found[symbol] = value.term
    return found


def joined_bits(root: Term) -> Term:
    """The same condition, with bits of one vector that are compared side by side in one.

    >>> from ...smt.term import BitVecSort
    >>> x = build.symbol("x", BitVecSort(2))
    >>> bits = [build.eq(bitvectors.extract(x, i, i), bitvectors.bits(i, 1)) for i in range(2)]
    >>> print(joined_bits(build.and_(*bits)))
    (= x (_ bv2 2))
    """
    made: dict[Term, Term] = {}
    for term in postorder([root]):
        made[term] = term
        if isinstance(term, App) and term.sort is BOOL:
            args = [made[arg] for arg in term.args]
            match term.op:
                case Op.AND:
                    made[term] = _joined(args)
                case Op.OR:
                    made[term] = build.not_(_joined([build.not_(arg) for arg in args]))
                case Op.NOT:
                    made[term] = build.not_(args[0])
                case Op.ITE:
                    made[term] = build.ite(*args)
                case Op.EQ if args[0].sort is BOOL:
                    made[term] = build.eq(*args)
                case _:
                    pass
    return made[root]


def _joined(args: Sequence[Term]) -> Term:
    """The conjunction."""
    others: list[Term] = []
    known: dict[Term, dict[int, int]] = {}  # bits by vector and position
    for part in conjuncts(build.and_(*args)):
        found = _bits(part)
        if found is None:
            others.append(part)
            continue
        vector, bits = found
        before = known.setdefault(vector, {})
        if any(before.get(position, bit) != bit for position, bit in bits.items()):
            return FALSE
        before.update(bits)
    for vector, bits in known.items():
        for low, high in _runs(sorted(bits)):
            value = sum(bits[position] << position - low for position in range(low, high + 1))
            part = bitvectors.extract(vector, high, low)
            others.append(build.eq(part, bitvectors.bits(value, high - low + 1)))
    return build.and_(*others)


def _bits(part: Term) -> tuple[Term, dict[int, int]] | None:
    """A vector and some of its bits, if that is all the condition says."""
    match part:
        case App(Op.EQ, (App(Op.EXTRACT, (vector,), (int(high), int(low)), _), Value(value, _))):
            return vector, {
                position: value >> position - low & 1 for position in range(low, high + 1)
            }
        case App(Op.NOT, (App(Op.EQ) as equal,)):
            found = _bits(equal)
            if found is not None and len(found[1]) == 1:
                vector, bits = found
                return vector, {position: 1 - bit for position, bit in bits.items()}
    return None


def _runs(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of numbers that follow each other."""
    start = positions[0]
    for position, after in pairwise([*positions, None]):
        assert position is not None
        if after != position + 1:
            yield start, position
            start = after if after is not None else start
