"""Conditions that exclude each other, brought to the steps of a Boolean program that need them.

Covers of short cubes leave out much that longer ones would say. A step of a spurious trace that no
step of the C program matches shows which of it matters: the conditions that contradict each other
there are a lemma, and every step that speaks of all of them may rely on it.

Soundness duty: whoever adds a lemma has seen that no state satisfies all its conditions; all those
of a step, before it and after it, are seen in the state before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ..boolprog.syntax import Assign, Binary, Expr, Next, Not, Var, nary
from ..ir.expr import Expr as CExpr
from ..records import dataclass, field, replace
from .boolean_code import Meaning
from .boolean_variables import Boolean

Lemma: TypeAlias = frozenset[tuple[CExpr, bool]]  # conditions, and the values they never have


@dataclass(slots=True)
class Lemmas:
    """All that were found, each by its conditions."""

    _all: set[Lemma] = field(default_factory=set)
    _by_condition: dict[CExpr, list[Lemma]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Lemma]:
        return iter(self._all)

    def add(self, lemma: Lemma) -> bool:
        """Is it new? That a condition and its opposite exclude each other is none."""
        if lemma in self._all or len({condition for condition, _ in lemma}) < len(lemma):
            return False
        self._all.add(lemma)
        for condition, _ in lemma:
            self._by_condition.setdefault(condition, []).append(lemma)
        return True

    def enforced(
        self, variables: Iterable[Boolean], mixed: Callable[[Iterable[str]], bool]
    ) -> Expr | None:
        """What the lemmas say about states: `mixed` combinations of variables are left out."""
        names = {variable.expr: variable.name for variable in variables}
        clauses = [
            _denied([(Var(names[condition]), value) for condition, value in lemma])
            for lemma in self._about(names)
            if all(condition in names for condition, _ in lemma)
            and not mixed(names[condition] for condition, _ in lemma)
        ]
        return nary("&", clauses) if clauses else None

    def tested(self, meaning: Meaning) -> list[Expr]:
        """What the lemmas say about the states in which a condition holds."""
        if meaning.holds is None:
            return []
        names = {variable.expr: variable.name for variable in meaning.now}
        found: list[Expr] = []
        for lemma in self._by_condition.get(meaning.holds, ()):
            others = lemma - {(meaning.holds, True)}
            if len(others) < len(lemma) and all(condition in names for condition, _ in others):
                found.append(_denied([(Var(names[c]), value) for c, value in others]))
        return found

    def assigned(self, assign: Assign, meaning: Meaning) -> Assign:
        """The assignment, held back from what the lemmas exclude."""
        clauses: list[Expr] = []
        terms: dict[CExpr, Expr] = {}
        for variable in meaning.now:
            term = Var(variable.name)
            if variable.expr in terms:  # a result has the value of a global predicate
                clauses.append(Binary("=", terms[variable.expr], term))
            terms[variable.expr] = term
        after = [condition for condition in meaning.after.values() if condition is not None]
        for name, condition in meaning.after.items():
            if condition is not None:
                terms[condition] = Next(name)
        for lemma in self._about(after):
            if all(condition in terms for condition, _ in lemma):
                clauses.append(_denied([(terms[c], value) for c, value in lemma]))
        if not clauses:
            return assign
        old = [] if assign.constrain is None else [assign.constrain]
        return replace(assign, constrain=nary("&", [*old, *clauses]))

    def _about(self, conditions: Iterable[CExpr]) -> Iterator[Lemma]:
        return iter(
            dict.fromkeys(lemma for c in conditions for lemma in self._by_condition.get(c, ()))
        )


def _denied(literals: Iterable[tuple[Expr, bool]]) -> Expr:
    return nary("|", [Not(variable) if value else variable for variable, value in literals])
