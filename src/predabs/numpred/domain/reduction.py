"""The reduction of predicates and numbers: `reduce(v) = alpha(gamma(v))` [GC10, section 5.1].

A pair of a BDD and a numeric element is walked path by path, with what the path's predicates say
about numbers as context. A path whose context is empty goes away, and at the end of a path each
predicate whose truth follows from the context is added. Soundness duty: the result has the states
of the pair that exist, those where each interpreted predicate is true exactly if its meaning holds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from ...bdd import Function
from ...domains.numeric_domain import NumericDomain, entails
from .diagram_walk import Steps, remember, run
from .path_contexts import Context, Contexts
from .vocabulary import Vocabulary

N = TypeVar("N", bound=Hashable)


class Reducer(Generic[N]):
    """Reduces pairs, and remembers what it saw."""

    def __init__(
        self, vocabulary: Vocabulary, numeric_domain: NumericDomain[N], look: Callable[[], None]
    ) -> None:
        self._vocabulary = vocabulary
        self._numeric_domain = numeric_domain
        self._look = look
        self._contexts = Contexts(numeric_domain)
        self._pieces: dict[tuple[Function, Context[N]], Mapping[N, Function]] = {}
        self._implied: dict[N, Function] = {}

    def pieces(self, guard: Function, element: N) -> Mapping[N, Function]:
        """The pair as a union of pairs, each numeric element with its predicates, all disjoint."""
        return run(self._reduced(guard, self._contexts.begin(element)), self._look)

    def _reduced(self, guard: Function, context: Context[N]) -> Steps[Mapping[N, Function]]:
        if not guard.satisfiable() or self._contexts.is_empty(context):
            return {}
        if guard.valid():
            final = self._contexts.final(context)
            return {} if self._numeric_domain.is_bot(final) else {final: self._imply(final)}
        key = guard, context
        known = self._pieces.get(key)
        if known is not None:
            return known
        manager = self._vocabulary.manager
        variable = guard.node_var()
        found: dict[N, Function] = {}
        for value, branch in zip((True, False), guard.cofactors(), strict=True):
            meant = self._vocabulary.numeric_of(variable, value)
            inside = yield self._reduced(branch, self._contexts.narrowed(context, meant))
            here = manager.literal(variable, value)
            for element, rest in inside.items():
                found[element] = found.get(element, manager.false) | (here & rest)
        return remember(self._pieces, key, found)

    def _imply(self, element: N) -> Function:
        """The predicates whose truth follows from a numeric element."""
        known = self._implied.get(element)
        if known is None:
            cube: dict[int, bool] = {}
            for variable in self._vocabulary.interpreted:
                (meaning,) = self._vocabulary.numeric_of(variable, True) or ()
                if entails(self._numeric_domain, element, meaning):
                    cube[variable] = True
                elif self._numeric_domain.is_bot(self._numeric_domain.assume(element, meaning)):
                    cube[variable] = False
            known = remember(self._implied, element, self._vocabulary.manager.cube(cube))
        return known
