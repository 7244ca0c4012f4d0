"""The structures by the words that users have for them.

>>> from ...domains.box import BoxDomain
>>> from ...domains.linear import at_most, variable
>>> from .formula import Predicate, compare
>>> domain = make("ndd", BoxDomain(), [Predicate("p", None)], ["x"])
>>> print(domain.gamma(domain.alpha(compare(at_most(variable("x"), 3)))))
x <= 3
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

from ...bdd import Manager
from ...domains.hash_consed import SharedDomain
from ...domains.linear import Variable
from ...domains.numeric_domain import NumericDomain
from .counters import Counters
from .formula import Predicate
from .mtndd import MtnddStructure
from .ndd import NddStructure
from .nex import NexStructure
from .nexpoint import NexPointStructure
from .numeric import NumericStructure
from .numpred_domain import NumPredDom
from .predicate import PredicateStructure
from .vocabulary import Vocabulary

N = TypeVar("N", bound=Hashable)
Maker: TypeAlias = Callable[[Vocabulary, NumericDomain[N], Counters | None], NumPredDom[Any]]

# in the order of what they can tell apart
STRUCTURES: Mapping[str, Maker[Any]] = {
    "numeric": NumericStructure,
    "predicate": PredicateStructure,
    "nexpoint": NexPointStructure,
    "nex": NexStructure,
    "mtndd": MtnddStructure,
    "ndd": NddStructure,
}


def make(
    structure: str,
    numeric_domain: NumericDomain[N],
    predicates: Iterable[Predicate],
    variables: Iterable[Variable],
    *,
    manager: Manager | None = None,
    counters: Counters | None = None,
) -> NumPredDom[Any]:
    """A domain over these predicates and numeric variables; run its operations inside
    `with domain.vocabulary.manager.bounded()`."""
    vocabulary = Vocabulary(predicates, variables, manager)
    return STRUCTURES[structure](vocabulary, SharedDomain(numeric_domain), counters)
