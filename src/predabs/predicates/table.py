"""The predicates of one analysis, each with a BDD variable.

A region is a set of states, described by a BDD over these variables [HJMS02, section 6.1]. A
predicate and its negation are the same variable. Here a predicate is a variable and has no name;
`engines/slam/tracked_predicates` (names and scopes in Boolean programs) and
`numpred/program/predicate_meanings` (names and meanings as constraints) number theirs by what they
are used for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..bdd import Function, Manager
from ..encode.environment import Environment, Formulas, Key
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.expr import Expr, Not
from ..smt import build
from ..smt.substitution import substitute
from ..smt.term import FALSE, TRUE, App, Op, Symbol, Term, apply, symbols


class PredicateTable:
    """Numbers predicates, with their terms."""

    def __init__(self, formulas: Formulas, manager: Manager) -> None:
        self.formulas = formulas
        self.manager = manager
        self._numbers: dict[Expr, int] = {}
        self._exprs: list[Expr] = []
        self._terms: list[Term] = []
        self._symbols: list[dict[Symbol, None]] = []
        self._keys: list[frozenset[Key]] = []
        self._by_term: dict[Term, int] = {}

    def __len__(self) -> int:
        return len(self._exprs)

    def number(self, predicate: Expr) -> int | None:
        """The variable of a predicate; None if it is no predicate but always true or false."""
        if isinstance(predicate, Not):
            predicate = predicate.arg
        known = self._numbers.get(predicate)
        if known is not None:
            return known
        term = self.formulas.encoder(Environment("")).condition(predicate)
        if term is TRUE or term is FALSE:
            return None
        if not self.formulas.instances.isdisjoint(symbols([term])):
            raise UnsupportedFeature("a predicate names a variable of one call among several")
        term = _normal(term)
        same = (term, _normal(build.not_(term)), _swapped(term))
        known = next((self._by_term[one] for one in same if one in self._by_term), None)
        if known is None:
            known = self._by_term[term] = len(self._exprs)
            [variable] = self.manager.add_variables(1)
            assert variable == known
            self._exprs.append(predicate)
            self._terms.append(term)
            self._symbols.append(symbols([term]))
            origins = self.formulas.origins
            keys = [origins[symbol][1] for symbol in self._symbols[-1] if symbol in origins]
            self._keys.append(frozenset(key for key in keys if key is not None))
        self._numbers[predicate] = known
        return known

    def expr(self, number: int) -> Expr:
        return self._exprs[number]

    def term(self, number: int) -> Term:
        """The predicate over the symbols at the start of a block."""
        return self._terms[number]

    def keys(self, number: int) -> frozenset[Key]:
        """The storage that a predicate speaks of."""
        return self._keys[number]

    def after(self, number: int, environment: Environment) -> Term:
        """The predicate when the storage is as the environment says."""
        values: dict[Symbol, Term] = {}
        for symbol in self._symbols[number]:
            origin = self.formulas.origins.get(symbol)
            if origin is not None:
                values[symbol] = self.formulas.get(environment, _key(origin[1])).term
        return substitute([self._terms[number]], values)[0]

    # --- regions ----------------------------------------------------------------------------------

    def region_term(self, region: Function, literal: Callable[[int], Term]) -> Term:
        """A region as a condition; `literal` gives the term of a variable."""
        manager = self.manager
        made: dict[Function, Term] = {manager.true: TRUE, manager.false: FALSE}
        stack = [region]
        while stack:
            f = stack[-1]
            if f in made:
                stack.pop()
                continue
            high, low = f.cofactors()
            missing = [child for child in (high, low) if child not in made]
            if missing:
                stack += missing
                continue
            made[f] = build.ite(literal(f.node_var()), made[high], made[low])
            stack.pop()
        return made[region]

    def region_expr(self, region: Function) -> Expr:
        """A region as an expression of the program: a disjunction of cubes."""
        cubes = self.manager.cover(region)
        return make.disj(
            make.conj(self._literal(number, value) for number, value in cube.items())
            for cube in cubes
        )

    def _literal(self, number: int, value: bool) -> Expr:
        return self._exprs[number] if value else make.negate(self._exprs[number])

    def observed(self, numbers: Iterable[int]) -> frozenset[Key]:
        """The storage that predicates speak of."""
        return frozenset(key for number in numbers for key in self._keys[number])


def _normal(term: Term) -> Term:
    """`x < y + 1` of integers as `x <= y`."""
    if isinstance(term, App) and term.op is Op.LT:
        return build.le(build.add(term.args[0], build.integer(1)), term.args[1])
    return term


def _swapped(term: Term) -> Term:
    """The same equation with its sides swapped."""
    if isinstance(term, App) and term.op is Op.EQ:
        return apply(Op.EQ, (term.args[1], term.args[0]))
    return term


def _key(key: Key | None) -> Key:
    assert key is not None  # no predicate speaks of the heap's end
    return key
