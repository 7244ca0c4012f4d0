"""The laws of wp and sp, by the solver: they are adjoint, and agree with the formulas of paths."""

from __future__ import annotations

from hypothesis import given, reject, settings
from hypothesis import strategies as st

from predabs.analysis.memory.partition import Partition, partition
from predabs.analysis.points_to.offsets import at, overlap
from predabs.analysis.points_to.sets import points_to
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Environment, Formulas
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.errors import UnsupportedFeature
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import Expr, Lvalue, Var
from predabs.ir.types import INT, LLONG, ArrayType, PointerType
from predabs.smt import build
from predabs.smt.term import Term
from predabs.wp.aliasing import Aliasing, aliasing
from predabs.wp.weakest_precondition import Preconditions
from support.decided import refuted
from support.path_formulas import encode_expr, path_formula
from support.straight_programs import formula, middle, straight_program


def in_order(program: Program, division: Partition, known: Aliasing) -> Expr:
    """What all statements of these programs keep: pointers point where the analysis says, and
    indices lie in the array."""
    main = program.functions["main"]
    parts: list[Expr] = []
    pointers: list[tuple[Var, Lvalue]] = [
        (item.var, item.var) for item in program.globals if isinstance(item.var.type, PointerType)
    ]
    pointers += [(v, p) for v, p in known.names.made.items() if isinstance(v.type, PointerType)]
    for var, place in pointers:
        assert isinstance(var.type, PointerType)
        choices = []
        for target in division.points_to.targets(place):
            object_: Lvalue = target.object.var
            if isinstance(object_.type, ArrayType):
                inside = [n for n in range(4) if overlap(target.offsets, 1, at(4 * n), 1)]
                elements = [make.index(object_, make.const(n, LLONG)) for n in inside]
                choices += [make.equal(var, make.address_of(e, var.type)) for e in elements]
            else:
                choices.append(make.equal(var, make.address_of(object_, var.type)))
        parts.append(make.disj(choices))
    indices = [var for var in main.locals if var.short in ("i", "j")]
    stands = [v for v, place in known.names.made.items() if place in indices]
    for index in (*indices, *stands):
        parts.append(make.less_equal(make.const(0, INT), index))
        parts.append(make.less_equal(index, make.const(3, INT)))
    return make.conj(parts)


class Subject:
    """A random program, ready to be asked about."""

    def __init__(self, seed: int, encoding: str) -> None:
        # quotients of vectors are too hard for a solver to compare; runs compare them elsewhere
        self.program = straight_program(seed, 4, records=False, division=False)
        self.points_to = points_to(self.program)
        self.partition = partition(self.program, self.points_to)
        self.known = aliasing(self.points_to)
        self.edges = middle(self.program)
        chosen = BitVectorEncoding() if encoding == "bv" else IntegerEncoding()
        self.formulas = Formulas(self.partition, chosen, names=self.known.names)
        self.entry = Environment("0")
        self.solvers = ("bitwuzla", "z3") if encoding == "bv" else ("z3",)

    def term(self, expr: Expr, environment: Environment | None = None) -> Term:
        try:
            return encode_expr(self.formulas, expr, environment or self.entry).term
        except UnsupportedFeature as problem:
            # an old pointer may point into more maps than any that the program dereferences
            assert "lies in 2 maps" in str(problem)
            reject()

    def order(self) -> Term:
        return self.term(in_order(self.program, self.partition, self.known))

    def refuted(self, *conditions: Term) -> bool:
        return refuted(self.formulas.closed(*conditions), self.solvers)

    def follows(self, left: Expr, right: Expr) -> bool:
        """In all states that are in order."""
        return self.refuted(self.order(), self.term(left), build.not_(self.term(right)))


ENCODINGS = st.sampled_from(["bv", "int"])


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 2**32), ENCODINGS)
def test_wp_is_what_the_path_formula_says(seed: int, other: int, encoding: str) -> None:
    subject = Subject(seed, encoding)
    after = formula(other, subject.program)
    before = Preconditions(subject.known).wp_path(subject.edges, after)
    path = path_formula(subject.formulas, subject.edges, subject.entry)
    assert path.exact
    differ = build.xor(subject.term(before), subject.term(after, path.environment))
    assert subject.refuted(subject.order(), path.formula, differ)
    # and where the path cannot be taken, everything holds after it
    possible = subject.term(Preconditions(subject.known).pre_path(subject.edges, make.truth(True)))
    assert subject.refuted(subject.order(), build.not_(possible), build.not_(subject.term(before)))
