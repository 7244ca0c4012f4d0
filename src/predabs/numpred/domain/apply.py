"""[GC10, section 4] on top of a few operations: `alpha`, `assume` and `post` for structures.

`assume` does not take the meet with `alpha(e)`, as [GC10] writes, but restricts the value by one
option of a disjunction after the other and joins the results. That is at least as precise: with
`x >= 0` known, `x < 0 || x > 0` leaves `x > 0`, while its abstraction as a convex set says nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar, assert_never

from ...bdd import Function
from ...domains.linear import Constraint, Linear, Variable
from ...domains.memo import MemoTable
from ...domains.numeric_domain import NumericDomain
from .counters import Counters, Operation, timed
from .diagram_walk import Steps, run
from .formula import Formula, Predicate, conj, constraints, disj
from .transformers import (
    AssumeTransformer,
    Both,
    Choices,
    Conditional,
    Either,
    Numeric,
    Sequence,
    Transformer,
)
from .vocabulary import Guarded, Vocabulary

V = TypeVar("V", bound=Hashable)
N = TypeVar("N", bound=Hashable)


class Structure(ABC, Generic[V, N]):
    """What the structures share; the abstract methods have the duties of
    `numpred_domain.NumPredDom`."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        numeric_domain: NumericDomain[N],
        counters: Counters | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.numeric_domain = numeric_domain
        self.counters = Counters() if counters is None else counters
        self._relations: dict[Choices, Formula] = {}
        self._updates: dict[Numeric, dict[Variable, Linear | None]] = {}
        self._assumed: dict[tuple[Constraint, ...], MemoTable[N, N]] = {}
        self._assigned: dict[Numeric, MemoTable[N, N]] = {}

    @property
    @abstractmethod
    def top(self) -> V: ...

    @property
    @abstractmethod
    def bot(self) -> V: ...

    @abstractmethod
    def is_bot(self, value: V) -> bool: ...

    @abstractmethod
    def join(self, left: V, right: V) -> V: ...

    @abstractmethod
    def restrict(self, value: V, guard: Function, parts: tuple[Constraint, ...]) -> V:
        """The meet with `alpha_p` of a BDD over predicates and `alpha_n` of constraints."""

    @abstractmethod
    def exists(self, predicates: Iterable[Predicate], value: V) -> V: ...

    @abstractmethod
    def unprime(self, value: V) -> V: ...

    @abstractmethod
    def alpha_post_n(self, value: V, transformer: Numeric) -> V: ...

    @abstractmethod
    def pieces(self, value: V) -> Iterable[tuple[Function, N]]:
        """Pairs of a BDD over predicates and a numeric element; the value is their union."""

    # -- abstraction and concretization ---------------------------------------------------------

    @timed(Operation.ALPHA)
    def alpha(self, formula: Formula) -> V:
        return self._restricted(self.top, formula)

    @timed(Operation.ALPHA)
    def alpha_p(self, formula: Formula) -> V:
        return self.restrict(self.top, self.vocabulary.guarded(formula).guard, ())

    @timed(Operation.ALPHA)
    def alpha_n(self, constraints: Iterable[Constraint]) -> V:
        numeric = tuple(c for c in constraints if self.vocabulary.is_numeric(c))
        return self.restrict(self.top, self.vocabulary.manager.true, numeric)

    @timed(Operation.GAMMA)
    def gamma(self, value: V) -> Formula:
        return disj(
            *(
                conj(self._reading(guard), constraints(self.numeric_domain.gamma(element)))
                for guard, element in self.pieces(value)
            )
        )

    def _reading(self, guard: Function) -> Formula:
        reading = self.vocabulary.reading
        cubes = self.vocabulary.manager.cover(guard)
        return disj(*(conj(*(reading(*item) for item in cube.items())) for cube in cubes))

    # -- transformers ---------------------------------------------------------------------------

    @timed(Operation.APPLY)
    def assume(self, value: V, condition: Formula) -> V:
        return self._restricted(value, condition)

    @timed(Operation.APPLY)
    def post(self, value: V, transformer: Transformer) -> V:
        return run(self._post(value, transformer))

    def _restricted(self, value: V, condition: Formula) -> V:
        return run(self._assume(value, self.vocabulary.guarded(condition)))

    def _assume(self, value: V, condition: Guarded) -> Steps[V]:
        value = self.restrict(value, condition.guard, condition.constraints)
        for options in condition.splits:
            if value == self.bot:
                break
            union = self.bot
            for option in options:
                union = self.join(union, (yield self._assume(value, option)))
            value = union
        return value

    def _post(self, value: V, transformer: Transformer) -> Steps[V]:
        if value == self.bot:
            return value
        match transformer:
            case Numeric():
                return self.alpha_post_n(value, transformer)
            case AssumeTransformer(condition):
                return self._restricted(value, condition)
            case Conditional(condition, numeric):
                return self.alpha_post_n(self._restricted(value, condition), numeric)
            case Choices():
                return self._choose(value, transformer)
            case Both(condition, numeric, choices):
                return self._both(self._restricted(value, condition), numeric, choices)
            case Sequence(steps):
                for step in steps:
                    value = yield self._post(value, step)
                return value
            case Either(options):
                union = self.bot
                for option in options:
                    union = self.join(union, (yield self._post(value, option)))
                return union
            case _:
                assert_never(transformer)

    def _choose(self, value: V, choices: Choices) -> V:
        """Predicates after, from the state before: the predicate transformer."""
        related = self._restricted(value, self._relation(choices))
        return self.unprime(self.exists(choices.predicates, related))

    def _both(self, value: V, numeric: Numeric, choices: Choices) -> V:
        """The predicates first: here the numeric assignments do not depend on them."""
        return self.alpha_post_n(self._choose(value, choices), numeric)

    def _relation(self, choices: Choices) -> Formula:
        known = self._relations.get(choices)
        if known is None:
            known = conj(*(choice.relation for choice in choices.choices))
            self._relations[choices] = known
        return known

    def updates(self, transformer: Numeric) -> dict[Variable, Linear | None]:
        """The assignments to variables that are tracked; what reads others gives any integer."""
        known = self._updates.get(transformer)
        if known is None:
            tracked = self.vocabulary.variables
            known = self._updates[transformer] = {
                target: None
                if source is None or not tracked.issuperset(source.variables)
                else source
                for target, source in transformer.updates
                if target in tracked
            }
        return known

    def assumed(self, constraints: tuple[Constraint, ...]) -> MemoTable[N, N]:
        """Number values with all constraints assumed, remembered."""
        known = self._assumed.get(constraints)
        if known is None:
            known = MemoTable(lambda element: self.numeric_domain.assume_all(element, constraints))
            self._assumed[constraints] = known
        return known

    def assigned(self, transformer: Numeric) -> MemoTable[N, N]:
        """The numeric domain's own transformer for the assignments, remembered."""
        known = self._assigned.get(transformer)
        if known is None:
            domain, image = self.numeric_domain, transformer.image
            tracked = self.vocabulary.variables
            updates = self.updates(transformer)

            def assign(element: N) -> N:
                after = domain.assign_all(element, updates) if updates else element
                return after if image is None else image.applied(domain, tracked, element, after)

            known = self._assigned[transformer] = MemoTable(assign)
        return known
