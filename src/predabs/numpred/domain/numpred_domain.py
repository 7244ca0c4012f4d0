"""The interface of [GC10, figure 4]: one abstract domain for predicates and numbers.

`[v]` is the set of states of a value v: pairs of a truth value for each predicate and an integer
for each numeric variable where `gamma(v)` holds. Predicates that are constraints on the numeric
variables are true where these hold: other states do not exist, so a value may say anything there.
Soundness is inclusion: what can be reached concretely is in the result. Values are immutable,
hashable, and belong to the domain object that made them.

The duties of `bot`, `leq`, `join`, `widen`, `narrow` and `post` are those that `domains/fixpoint`
relies on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol, TypeVar

from ...bdd import Function
from ...domains.linear import Constraint
from .counters import Counters
from .formula import Formula, Predicate
from .transformers import Numeric, Transformer
from .vocabulary import Vocabulary

V = TypeVar("V")


class NumPredDom(Protocol[V]):
    """A domain with values of type V over a fixed vocabulary."""

    @property
    def name(self) -> str:
        """The word by which a user asks for it: nexpoint, nex, mtndd, ndd, numeric, predicate."""
        ...

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates and the numeric variables that values speak of."""
        ...

    @property
    def counters(self) -> Counters:
        """Calls and time by operation so far."""
        ...

    # values

    @property
    def top(self) -> V:
        """All states."""
        ...

    @property
    def bot(self) -> V:
        """No state."""
        ...

    def alpha(self, formula: Formula) -> V:
        """[GC10, section 4.2]. Soundness duty: each state where the formula holds is in
        [alpha(formula)]."""
        ...

    def alpha_p(self, formula: Formula) -> V:
        """`alpha` with predicates only: nothing is said about numbers."""
        ...

    def alpha_n(self, constraints: Iterable[Constraint]) -> V:
        """`alpha` of a conjunction with numbers only: nothing is said about predicates, save that
        in NDD a predicate and its meaning are the same."""
        ...

    def gamma(self, value: V) -> Formula:
        """A formula for the value. Soundness duty: it holds in every state that the value was made
        for."""
        ...

    def pieces(self, value: V) -> Iterable[tuple[Function, Hashable]]:
        """BDDs over predicates, each with a value of the numeric domain. Soundness duty: each state
        of [value] is in one of the pairs. NDD alone may say more than they do."""
        ...

    # order and lattice

    def is_top(self, value: V) -> bool:
        """Soundness duty: only if every state is in [value]."""
        ...

    def is_bot(self, value: V) -> bool:
        """Soundness duty: only if no state is in [value]."""
        ...

    def leq(self, left: V, right: V) -> bool:
        """Soundness duty: only if [left] is part of [right]. It is true of equal values."""
        ...

    def meet(self, left: V, right: V) -> V:
        """Soundness duty: every state that is in both is in the result."""
        ...

    def join(self, left: V, right: V) -> V:
        """Soundness duty: every state of either is in the result."""
        ...

    def widen(self, old: V, new: V) -> V:
        """Soundness duty: every state of either is in the result, and from any v, the values
        `v = widen(v, w)` are the same from some step on, whatever each w is."""
        ...

    def narrow(self, old: V, new: V) -> V:
        """Soundness duty: if leq(new, old), every state of `new` is in the result, the result is
        below `old`, and `v = narrow(v, w)` with any w below v is the same from some step on."""
        ...

    # predicates and numbers

    def exists(self, predicates: Iterable[Predicate], value: V) -> V:
        """Soundness duty: each state of [value], with any truth for these predicates, is in the
        result."""
        ...

    def unprime(self, value: V) -> V:
        """Each primed predicate becomes the predicate itself, about which the value must not
        speak any more (see `exists`)."""
        ...

    def reduce(self, value: V) -> V:
        """The reduction of predicates and numbers. Soundness duty: each state of [value]
        is in the result. The result is below the value, but it may cost a look at every path of a
        BDD."""
        ...

    # transformers

    def alpha_post_n(self, value: V, transformer: Numeric) -> V:
        """Numeric assignments. Soundness duty: each successor of a state of [value] is in the
        result."""
        ...

    def assume(self, value: V, condition: Formula) -> V:
        """Soundness duty: each state of [value] where the condition holds is in the result."""
        ...

    def post(self, value: V, transformer: Transformer) -> V:
        """Any transformer [GC10, section 4.3]. Soundness duty: each successor of a state of [value]
        is in the result."""
        ...
