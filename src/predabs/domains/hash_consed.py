"""A numeric domain in which equal values are one object and nothing is computed twice.

The structures over predicates and numbers ask the same of the same numbers again and again: for
each pair of a NEX, each node of a BDD, each round of a fixpoint. Values of this domain are compared
and hashed as objects, and its results are remembered. Soundness duty: every operation gives what
the domain below gives for the same arguments.

>>> from .box import BoxDomain
>>> from .linear import at_most, variable
>>> domain = SharedDomain(BoxDomain())
>>> value = domain.alpha([at_most(variable("x"), 3)])
>>> print(value, domain.assume(domain.top(), at_most(variable("x"), 3)) is value)
{x <= 3} True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from ..records import dataclass
from .linear import Constraint, Linear, Variable
from .memo import MemoTable
from .numeric_domain import Bounds, NumericDomain

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Shared(Generic[V]):
    """The one object for a value, as long as anybody has it."""

    value: V

    def __str__(self) -> str:
        return str(self.value)


class SharedDomain(Generic[V]):
    """Any domain as a `numeric_domain.NumericDomain` of shared values."""

    def __init__(self, below: NumericDomain[V]) -> None:
        self._below = below
        self._objects: WeakValueDictionary[V, Shared[V]] = WeakValueDictionary()
        self._top = self._share(below.top())
        self._bottom = self._share(below.bottom())
        self._meets = self._binary(below.meet)
        self._joins = self._binary(below.join)
        self._widenings = self._binary(below.widen)
        self._narrowings = self._binary(below.narrow)
        self._orders: MemoTable[tuple[Shared[V], Shared[V]], bool] = MemoTable(
            lambda both: below.leq(both[0].value, both[1].value)
        )
        self._assumptions: MemoTable[Constraint, MemoTable[Shared[V], Shared[V]]] = MemoTable(
            lambda constraint: MemoTable(
                lambda shared: self._share(below.assume(shared.value, constraint))
            )
        )
        self._gammas: MemoTable[Shared[V], tuple[Constraint, ...]] = MemoTable(
            lambda shared: below.gamma(shared.value)
        )

    def _share(self, value: V) -> Shared[V]:
        known = self._objects.get(value)
        if known is None:
            known = self._objects[value] = Shared(value)
        return known

    def _binary(
        self, operation: Callable[[V, V], V]
    ) -> MemoTable[tuple[Shared[V], Shared[V]], Shared[V]]:
        return MemoTable(lambda both: self._share(operation(both[0].value, both[1].value)))

    @property
    def name(self) -> str:
        return self._below.name

    def top(self) -> Shared[V]:
        return self._top

    def bottom(self) -> Shared[V]:
        return self._bottom

    def alpha(self, constraints: Iterable[Constraint]) -> Shared[V]:
        return self._share(self._below.alpha(constraints))

    def gamma(self, value: Shared[V]) -> tuple[Constraint, ...]:
        return self._gammas[value]

    def exact(self, constraint: Constraint) -> bool:
        return self._below.exact(constraint)

    def is_top(self, value: Shared[V]) -> bool:
        return self._below.is_top(value.value)

    def is_bot(self, value: Shared[V]) -> bool:
        return value is self._bottom or self._below.is_bot(value.value)

    def leq(self, left: Shared[V], right: Shared[V]) -> bool:
        return left is right or self._orders[left, right]

    def meet(self, left: Shared[V], right: Shared[V]) -> Shared[V]:
        return left if left is right else self._meets[left, right]

    def join(self, left: Shared[V], right: Shared[V]) -> Shared[V]:
        return left if left is right else self._joins[left, right]

    def widen(self, old: Shared[V], new: Shared[V]) -> Shared[V]:
        return self._widenings[old, new]

    def narrow(self, old: Shared[V], new: Shared[V]) -> Shared[V]:
        return self._narrowings[old, new]

    def assume(self, value: Shared[V], constraint: Constraint) -> Shared[V]:
        return self._assumptions[constraint][value]

    def assign(self, value: Shared[V], target: Variable, source: Linear | None) -> Shared[V]:
        return self._share(self._below.assign(value.value, target, source))

    def assume_all(self, value: Shared[V], constraints: Iterable[Constraint]) -> Shared[V]:
        return self._share(self._below.assume_all(value.value, constraints))

    def assign_all(self, value: Shared[V], updates: Mapping[Variable, Linear | None]) -> Shared[V]:
        return self._share(self._below.assign_all(value.value, updates))

    def forget(self, value: Shared[V], variables: Iterable[Variable]) -> Shared[V]:
        return self._share(self._below.forget(value.value, variables))

    def rename(self, value: Shared[V], names: Mapping[Variable, Variable]) -> Shared[V]:
        return self._share(self._below.rename(value.value, names))

    def bounds(self, value: Shared[V], linear: Linear) -> Bounds:
        return self._below.bounds(value.value, linear)

    def variables(self, value: Shared[V]) -> frozenset[Variable]:
        return self._below.variables(value.value)
