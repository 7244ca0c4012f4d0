"""Formulas about one state without quantifiers: a witness for each, and instances [FQ02].

In each state, `forall k: body` has the value of `body` at some k, its *witness*: one where the body
is false if there is any, else any. So a quantifier is replaced by its body at a variable for the
witness. What is lost, that the body holds everywhere if it holds there, comes back by instances: at
the witnesses of other quantifiers, and where the array accesses of the body are those of the
formula (matched modulo sums).

Soundness duty: each state that satisfies a formula satisfies, with some values of the witnesses,
what `exposed` gives for it, and all `instances`. A witness belongs to one state: formulas about
several states of a run must not share it.

>>> from ..ir.expr import Op
>>> from ..ir.show import show_expr
>>> from ..ir.types import INT
>>> k, n, x = Bound("k", INT), Var("n", INT), Var("x", INT)
>>> quantifiers = Quantifiers()
>>> show_expr(quantifiers.exposed(Forall((k,), make.less(x, make.binary(Op.ADD, k, n)))))
'x < witness.1 + n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from ..ir import make
from ..ir.expr import Bound, Cast, Expr, Forall, Index, PointerAdd, Var
from ..ir.linear_forms import solved
from ..ir.types import IntType
from ..ir.walk import fold, rebuild, substitute, subterms
from ..records import dataclass, field

_MOST_VALUES = 16  # of one bound variable
_MOST_INSTANCES = 48  # of one quantifier


@dataclass(slots=True)
class Quantifiers:
    """The witnesses of the quantifiers that there ever were."""

    _witnesses: dict[Forall, dict[Expr, Expr]] = field(default_factory=dict)
    _count: int = 0

    def exposed(self, e: Expr) -> Expr:
        """The formula with each quantifier at its witness."""
        return fold(e, self._step)

    def _step(self, term: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(term, Forall):
            return self._at_witness(term)
        return rebuild(term, parts)

    def _at_witness(self, quantifier: Forall) -> Expr:
        return substitute(quantifier.body, self.witness(quantifier))

    def witness(self, quantifier: Forall) -> dict[Expr, Expr]:
        """The variables for the values of what it binds."""
        if quantifier not in self._witnesses:
            found: dict[Expr, Expr] = {}
            for bound in quantifier.bound:
                self._count += 1
                found[bound] = Var(f"witness.{self._count}", bound.type)
            self._witnesses[quantifier] = found
        return self._witnesses[quantifier]

    def names(self, e: Expr) -> frozenset[str]:
        """The names of the variables for witnesses in the formula."""
        return frozenset(
            var.name
            for quantifier in quantifiers_of(e)
            for var in self.witness(quantifier).values()
            if isinstance(var, Var)
        )

    def instances(self, formulas: Iterable[Expr]) -> list[Expr]:
        """What quantifiers in the formulas say elsewhere: their bodies hold there, too, if they
        hold at the witness."""
        formulas = list(formulas)
        quantifiers = dict.fromkeys(q for e in formulas for q in quantifiers_of(e))
        if not quantifiers:
            return []
        found: dict[Expr, None] = {}
        ground = self._ground(formulas)
        for quantifier in quantifiers:
            whole = self._at_witness(quantifier)
            for values in islice(self._values(quantifier, ground), _MOST_INSTANCES):
                elsewhere = substitute(quantifier.body, values)
                if elsewhere is not whole:
                    found[make.disj((make.negate(whole), elsewhere))] = None
        return list(found)

    def _ground(self, formulas: list[Expr]) -> list[Expr]:
        """Indices of the formulas, and witnesses."""
        found: dict[Expr, None] = {}
        for formula in formulas:
            for quantifier in quantifiers_of(formula):
                found.update(dict.fromkeys(self.witness(quantifier).values()))
        for formula in formulas:
            found.update(dict.fromkeys(_indices(self.exposed(formula))))
        return list(found)

    def _values(self, quantifier: Forall, ground: list[Expr]) -> Iterator[dict[Expr, Expr]]:
        """Values of the bound variables at which an access of the body is one of the formulas'."""
        patterns = _indices(quantifier.body)
        choices = []
        for bound in quantifier.bound:
            mine = [
                p for p in patterns if [t for t in subterms(p) if isinstance(t, Bound)] == [bound]
            ]
            found: dict[Expr, None] = {}
            for pattern in mine or (bound,):
                for index in ground:
                    value = solved(pattern, bound, make.cast(index, pattern.type))
                    if value is not None:
                        found[value] = None
            choices.append(list(islice(found, _MOST_VALUES)))
        for values in product(*choices):
            yield dict(zip(quantifier.bound, values, strict=True))


def _bound_in(e: Expr) -> list[Bound]:
    return [term for term in subterms(e) if isinstance(term, Bound)]


def is_quantified(e: Expr) -> bool:
    return any(True for _ in quantifiers_of(e))


def quantifiers_of(e: Expr) -> Iterator[Forall]:
    return (term for term in subterms(e) if isinstance(term, Forall))


def _indices(e: Expr) -> list[Expr]:
    """The indices of all accesses, as they were before they were converted."""
    found: dict[Expr, None] = {}
    for term in subterms(e):
        if isinstance(term, Index | PointerAdd):
            index = term.index
            while isinstance(index, Cast) and isinstance(index.arg.type, IntType):
                index = index.arg
            found[index] = None
    return list(found)
