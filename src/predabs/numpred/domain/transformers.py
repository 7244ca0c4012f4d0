"""The abstract transformers of [GC10, figure 6]: what an edge of an abstract program does.

A transformer is a relation between states, each with a truth value for each predicate and an
integer for each numeric variable. What it does not assign keeps its value. Whoever builds one has
the duty to assign each predicate whose truth may change with the numbers or the memory; where a
predicate's meaning speaks of assigned numeric variables only, that is a `Both`.

>>> from ...domains.linear import at_most, constant, variable
>>> from .formula import TRUE, Predicate, compare
>>> x = variable("x")
>>> p = Predicate("x > 3", at_most(4, x))
>>> print(Both(TRUE, numeric(x=x + 1), Choices((exactly(p, compare(at_most(3, x))),))))
true? x := x + 1, x > 3 := choice(-x <= -3, x <= 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ...domains.linear import Linear, Variable
from ...records import dataclass
from .formula import FALSE, Formula, Predicate, conj, disj, literal, negate
from .image import Image


@dataclass(frozen=True, slots=True)
class Numeric:
    """`x1 := e1` and `x2 := e2` ... at once; no expression stands for any integer. An image says
    more of the state after."""

    updates: tuple[tuple[Variable, Linear | None], ...]
    image: Image | None = None

    def __str__(self) -> str:
        parts = [f"{x} := {'*' if e is None else e}" for x, e in self.updates]
        if self.image is not None:
            parts.append(f"[{self.image}]")
        return ", ".join(parts) or "skip"


@dataclass(frozen=True, slots=True)
class AssumeTransformer:
    """The states where the condition holds, unchanged."""

    condition: Formula

    def __str__(self) -> str:
        return f"assume({self.condition})"


@dataclass(frozen=True, slots=True)
class Conditional:
    """Numeric assignments for the states where the condition holds; the others end here."""

    condition: Formula
    numeric: Numeric

    def __str__(self) -> str:
        return f"{self.condition}? {self.numeric}"


@dataclass(frozen=True, slots=True)
class ChoiceTransformer:
    """`p := choice(t, f)`: true where t holds, false where f holds, anything where neither does.

    Where both hold, there is no successor. Both may speak of predicates and numbers.
    """

    predicate: Predicate
    true_if: Formula
    false_if: Formula

    @property
    def relation(self) -> Formula:
        """Between the state before and the primed predicate [GC10, section 3.3]."""
        after = literal(self.predicate, True, True)
        return disj(conj(after, negate(self.false_if)), conj(negate(after), negate(self.true_if)))

    def __str__(self) -> str:
        return f"{self.predicate} := choice({self.true_if}, {self.false_if})"


@dataclass(frozen=True, slots=True)
class Choices:
    """Assignments to different predicates at once: the predicate transformer."""

    choices: tuple[ChoiceTransformer, ...]

    @property
    def predicates(self) -> frozenset[Predicate]:
        return frozenset(choice.predicate for choice in self.choices)

    def __str__(self) -> str:
        return ", ".join(map(str, self.choices)) or "skip"


@dataclass(frozen=True, slots=True)
class Both:
    """Numeric and predicate assignments at once, all of which read the state before."""

    condition: Formula
    numeric: Numeric
    choices: Choices

    def __str__(self) -> str:
        return f"{self.condition}? {self.numeric}, {self.choices}"


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; none at all changes nothing."""

    steps: tuple[Transformer, ...]

    def __str__(self) -> str:
        return "; ".join(map(_inner, self.steps)) or "skip"


@dataclass(frozen=True, slots=True)
class Either:
    """Any one of them; none at all has no successor."""

    options: tuple[Transformer, ...]

    def __str__(self) -> str:
        return " or ".join(map(_inner, self.options)) or "stop"


Transformer: TypeAlias = (
    Numeric | AssumeTransformer | Conditional | Choices | Both | Sequence | Either
)

SKIP: Transformer = Sequence(())


def numeric(
    updates: Mapping[Variable, Linear | None] | None = None, /, **named: Linear | None
) -> Numeric:
    """Numeric assignments at once, in the order given."""
    return Numeric(tuple({**(updates or {}), **named}.items()))


def sequence(steps: Iterable[Transformer]) -> Transformer:
    """Steps without nested sequences."""
    flat: list[Transformer] = []
    for step in steps:
        flat.extend(step.steps if isinstance(step, Sequence) else (step,))
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def either(options: Iterable[Transformer]) -> Transformer:
    """Options without nested choices and repetitions."""
    flat: dict[Transformer, None] = {}
    for option in options:
        flat.update(dict.fromkeys(option.options if isinstance(option, Either) else (option,)))
    return next(iter(flat)) if len(flat) == 1 else Either(tuple(flat))


def exactly(predicate: Predicate, condition: Formula) -> ChoiceTransformer:
    """`p := condition`"""
    return ChoiceTransformer(predicate, condition, negate(condition))


def unknown(predicate: Predicate) -> ChoiceTransformer:
    """`p := choice(false, false)`: any value."""
    return ChoiceTransformer(predicate, FALSE, FALSE)


def _inner(transformer: Transformer) -> str:
    nested = isinstance(transformer, Sequence | Either)
    return f"({transformer})" if nested else str(transformer)
