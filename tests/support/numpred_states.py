"""Concrete states of predicates and numbers, random formulas and transformers over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import product
from operator import and_, or_
from typing import Any, assert_never

from hypothesis import strategies as st

from predabs.bdd import Manager
from predabs.domains.box import BoxDomain
from predabs.domains.factory import installed
from predabs.domains.linear import Constraint, at_most, combination, equal, variable
from predabs.domains.numeric_domain import NumericDomain
from predabs.domains.octagon import OctagonDomain
from predabs.domains.polyhedra import PolyhedraDomain
from predabs.numpred.domain.formula import (
    FALSE,
    TRUE,
    And,
    Compare,
    Formula,
    Literal,
    Or,
    Predicate,
    children_first,
    compare,
    conj,
    disj,
    literal,
)
from predabs.numpred.domain.formula import constraints as conjunction
from predabs.numpred.domain.numpred_domain import NumPredDom
from predabs.numpred.domain.structures import make
from predabs.numpred.domain.transformers import (
    AssumeTransformer,
    Both,
    Choices,
    ChoiceTransformer,
    Conditional,
    Either,
    Numeric,
    Sequence,
    Transformer,
)

NUMBERS: dict[str, NumericDomain[Any]] = {
    "box": BoxDomain(),
    "octagon": OctagonDomain(),
    "polyhedra": PolyhedraDomain(),
}
COMBINED = ("nexpoint", "nex", "mtndd", "ndd")

x, y = variable("x"), variable("y")
RANGE = range(-3, 4)

# one without a meaning, one inequality, its complement, one equation, one that relates both
P = Predicate("p", None)
Q = Predicate("q", at_most(x, 0))
NOT_Q = Predicate("not q", at_most(1, x))
R = Predicate("r", equal(y, 1))
S = Predicate("s", at_most(x, y))
PREDICATES = (P, Q, NOT_Q, R, S)

Dom = NumPredDom[Any]
Values = dict[Predicate, bool]
Places = dict[str, int]


def small(structure: str, numbers: str, predicates: Any, variables: Any) -> Dom:
    """A domain with little memory, so that many can be made."""
    manager = Manager(memory_mb=4)
    return make(structure, NUMBERS[numbers], predicates, variables, manager=manager)


class World:
    """All states with numbers in the small range; a set of states is an integer, a bit for each.

    Only states that exist: each predicate with a meaning is true exactly if that holds.
    """

    def __init__(self, tracked: tuple[Predicate, ...], xs: range = RANGE) -> None:
        self.states: list[tuple[Values, Places]] = []
        self._places: dict[tuple[object, ...], int] = {}
        for point in ({"x": here, "y": there} for here, there in product(xs, RANGE)):
            options = [
                (False, True) if p.meaning is None else (p.meaning.holds(point),) for p in tracked
            ]
            for values in product(*options):
                truth = dict(zip(tracked, values, strict=True))
                self._places[self._key(truth, point)] = len(self.states)
                self.states.append((truth, point))
        self.all = (1 << len(self.states)) - 1
        self._sets: dict[Formula, int] = {TRUE: self.all, FALSE: 0}

    @staticmethod
    def _key(truth: Values, point: Places) -> tuple[object, ...]:
        return (*truth.values(), point["x"], point["y"])

    def where(self, formula: Formula) -> int:
        """The states in which a formula without primes holds."""
        for node in children_first(formula):
            if node not in self._sets:
                self._sets[node] = self._where(node)
        return self._sets[formula]

    def _where(self, node: Formula) -> int:
        match node:
            case Literal(predicate, value, False):
                return self._pick(lambda truth, _: truth[predicate] == value)
            case Compare(constraint):
                return self._pick(lambda _, point: constraint.holds(point))
            case And(parts):
                return reduce(and_, (self._sets[part] for part in parts), self.all)
            case Or(parts):
                return reduce(or_, (self._sets[part] for part in parts), 0)
        raise AssertionError(f"a primed predicate is left in {node}")

    def _pick(self, test: Callable[[Values, Places], bool]) -> int:
        return sum(1 << i for i, state in enumerate(self.states) if test(*state))

    def members(self, states: int) -> Iterator[int]:
        return (i for i in range(len(self.states)) if states >> i & 1)

    def image(self, states: int, transformer: Transformer) -> int:
        """The successors in the small range, as [GC10, section 4.3] defines them."""
        match transformer:
            case Numeric():
                return self._moved(states, transformer, Choices(()))
            case AssumeTransformer(condition):
                return states & self.where(condition)
            case Conditional(condition, numeric):
                return self._moved(states & self.where(condition), numeric, Choices(()))
            case Choices():
                return self._moved(states, Numeric(()), transformer)
            case Both(condition, numeric, choices):
                return self._moved(states & self.where(condition), numeric, choices)
            case Sequence(steps):
                return reduce(self.image, steps, states)
            case Either(options):
                return reduce(or_, (self.image(states, option) for option in options), 0)
            case _:
                assert_never(transformer)

    def _moved(self, states: int, numeric: Numeric, choices: Choices) -> int:
        found = 0
        tests = [
            (c.predicate, self.where(c.true_if), self.where(c.false_if)) for c in choices.choices
        ]
        for i in self.members(states):
            truth, point = self.states[i]
            options: list[list[tuple[Any, Any]]] = []
            for predicate, true, false in tests:
                allowed = [(predicate, True)] if not false >> i & 1 else []
                options.append(allowed + ([(predicate, False)] if not true >> i & 1 else []))
            for target, source in numeric.updates:
                values = RANGE if source is None else [source.at(point)]
                options.append([(target, value) for value in values])
            for picked in product(*options):
                after, there = dict(truth), dict(point)
                for what, value in picked:
                    if isinstance(what, Predicate):
                        after[what] = value
                    else:
                        there[what] = value
                place = self._places.get(self._key(after, there))
                if place is not None:  # in the range, and a state that exists
                    found |= 1 << place
        return found


@cache
def world(tracked: tuple[Predicate, ...], xs: range = RANGE) -> World:
    return World(tracked, xs)


# -- random ones -------------------------------------------------------------------------------

linears = st.builds(
    lambda a, b, c: combination([("x", a), ("y", b)], c),
    st.sampled_from([0, 1, -1, 1, -1, 2]),
    st.sampled_from([0, 1, -1, 1, -1, -2]),
    st.integers(-2, 2),
)


@cache
def constraints() -> st.SearchStrategy[Constraint]:
    return st.one_of(st.builds(at_most, linears, st.just(0)), st.builds(equal, linears, st.just(0)))


@cache
def formulas(tracked: tuple[Predicate, ...]) -> st.SearchStrategy[Formula]:
    leaves: st.SearchStrategy[Formula] = st.one_of(
        st.sampled_from([TRUE, FALSE]), st.builds(compare, constraints())
    )
    if tracked:
        literals = st.builds(literal, st.sampled_from(tracked), st.booleans())
        leaves = st.one_of(literals, literals, st.builds(compare, constraints()), leaves)
    anything = st.recursive(
        leaves,
        lambda inner: st.builds(
            lambda combine, parts: combine(*parts),
            st.sampled_from([conj, disj]),
            st.lists(inner, min_size=2, max_size=3),
        ),
        max_leaves=5,
    )
    if not tracked:
        return anything
    # other numbers for other predicates: what the structures are for
    bounds = st.lists(constraints(), min_size=1, max_size=2).map(conjunction)
    split = st.builds(
        lambda p, q, yes, no: disj(conj(literal(p), yes), conj(literal(q, False), no)),
        st.sampled_from(tracked),
        st.sampled_from(tracked),
        bounds,
        bounds,
    )
    return st.one_of(anything, split)


@cache
def numerics() -> st.SearchStrategy[Numeric]:
    sources = st.one_of(linears, linears, st.none())
    targets = st.dictionaries(st.sampled_from(["x", "y"]), sources, min_size=1, max_size=2)
    return st.builds(lambda updates: Numeric(tuple(updates.items())), targets)


@cache
def choices(tracked: tuple[Predicate, ...]) -> st.SearchStrategy[Choices]:
    def one(predicate: Predicate) -> st.SearchStrategy[ChoiceTransformer]:
        return st.builds(
            ChoiceTransformer, st.just(predicate), formulas(tracked), formulas(tracked)
        )

    names = st.lists(st.sampled_from(tracked), min_size=1, max_size=2, unique=True)
    return names.flatmap(lambda some: st.tuples(*map(one, some))).map(Choices)


@cache
def basic(tracked: tuple[Predicate, ...]) -> dict[type, st.SearchStrategy[Any]]:
    """The transformers of [GC10, figure 6] that are made of no others, by their classes."""
    conditions = formulas(tracked)
    found: dict[type, st.SearchStrategy[Any]] = {
        Numeric: numerics(),
        AssumeTransformer: st.builds(AssumeTransformer, conditions),
        Conditional: st.builds(Conditional, conditions, numerics()),
    }
    if tracked:
        found[Choices] = choices(tracked)
        found[Both] = st.builds(Both, conditions, numerics(), choices(tracked))
    return found


def combined(inner: st.SearchStrategy[Transformer]) -> dict[type, st.SearchStrategy[Any]]:
    """The transformers that are made of others."""
    return {
        Sequence: st.builds(lambda parts: Sequence(tuple(parts)), st.lists(inner, max_size=3)),
        Either: st.builds(lambda parts: Either(tuple(parts)), st.lists(inner, max_size=3)),
    }


@cache
def transformers(tracked: tuple[Predicate, ...]) -> st.SearchStrategy[Transformer]:
    return st.recursive(
        st.one_of(*basic(tracked).values()),
        lambda inner: st.one_of(*combined(inner).values()),
        max_leaves=3,
    )


some_predicates = st.lists(st.sampled_from(PREDICATES), min_size=1, max_size=3, unique=True)
some_variables = st.sampled_from([("x", "y"), ("x", "y"), ("x",)])
vocabularies = st.tuples(
    st.one_of(some_predicates.map(tuple), some_predicates.map(tuple), st.just(())), some_variables
)


numeric_domains = st.sampled_from([name for name in sorted(NUMBERS) if installed(name)])


def draw_domain(data: st.DataObject, structure: str) -> Dom:
    predicates, variables = data.draw(vocabularies, label="vocabulary")
    return small(structure, data.draw(numeric_domains), predicates, variables)


def draw_value(data: st.DataObject, domain: Dom, label: str) -> Any:
    """A value that came about by abstraction, a join or a transformer."""
    tracked = domain.vocabulary.predicates
    value = domain.alpha(data.draw(formulas(tracked), label=label))
    how = data.draw(st.sampled_from(["alpha", "join", "post"]))
    if how == "join":
        value = domain.join(value, domain.alpha(data.draw(formulas(tracked))))
    elif how == "post":
        value = domain.post(value, data.draw(transformers(tracked)))
    return value


def members(domain: Dom, value: Any) -> int:
    return world(domain.vocabulary.predicates).where(domain.gamma(value))


def inside(part: int, whole: int) -> bool:
    return not part & ~whole


def means(domain: Dom, value: Any, formula: Formula) -> bool:
    """Whether the value has exactly the states of the formula."""
    here = world(domain.vocabulary.predicates, range(-3, 8))
    return here.where(domain.gamma(value)) == here.where(formula)
