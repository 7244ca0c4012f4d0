"""Leave out bounds of variables that a proof does not need, for readers of its invariants.

Engines conjoin interval facts to their invariants, of all variables that their formulas read: in a
loop `for (i = 0; i < n; i++)` also those of `i`, if the property has nothing to do with it. Here
the bounds of one variable after the other are left out of all invariants together, and what is left
is checked: if it is still inductive and excludes every error, by itself, the bounds were not
needed.

Soundness duty: a conjunct is left out, nothing else is changed; so the result holds wherever the
invariants do. The checks are counted, and without an answer the bounds stay. Proofs and
certificates use the exact invariants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

from ..analysis.facts import ProgramFacts
from ..errors import PredabsError
from ..ir import make
from ..ir.expr import And, Binary, Cast, Const, Expr, Lvalue, Not, Op
from ..records import replace
from ..verdict import Invariant
from .certificate import QUICK_SOLVERS, Effort, is_inductive

_CALLS = 40  # of solvers, for all invariants of a proof
_CONFIGURATIONS = 1500  # that are encoded, in all checks together
_SECONDS = 0.2  # of one solver call
_LONG = 60.0  # seconds, if there is no limit


def with_needed_bounds(
    facts: ProgramFacts,
    invariants: Sequence[Invariant],
    calls: int = _CALLS,
    until: float | None = None,
    tried: Sequence[Lvalue] | None = None,
) -> tuple[Invariant, ...]:
    """The invariants of the program without bounds that are not needed, as far as so many solver
    calls tell; none is made after `until` (a time of `time.monotonic`). If it was `tried` before
    which lvalues need no bounds, those of others stay, and theirs are left out together at first.
    """
    kept = tuple(invariants)
    deadline = monotonic() + _LONG if until is None else until
    effort = Effort(deadline, _SECONDS, calls, _CONFIGURATIONS, QUICK_SOLVERS)
    if not _in_entry_context(facts, kept):
        return kept
    every = bounded(kept)
    if tried is not None:
        every = tuple(lvalue for lvalue in every if lvalue in tried)
    attempts: list[tuple[Lvalue, ...]] = [(lvalue,) for lvalue in every]
    if tried is not None and len(every) > 1:
        attempts.insert(0, every)
    for lvalues in attempts:
        if effort.is_spent or not any(lvalue in bounded(kept) for lvalue in lvalues):
            continue
        fewer = tuple(replace(item, expr=_without(item.expr, lvalues)) for item in kept)
        try:
            if is_inductive(facts, fewer, effort):
                kept = fewer
        except PredabsError:  # the text of an invariant is no reason to fail
            break
    return kept


def bounded(invariants: Sequence[Invariant]) -> tuple[Lvalue, ...]:
    """The lvalues that conjuncts of the invariants compare with constants."""
    found = (lvalue for item in invariants for lvalue in _bounded(item.expr))
    return tuple(dict.fromkeys(found))


def _in_entry_context(facts: ProgramFacts, invariants: Sequence[Invariant]) -> bool:
    """Is each invariant one of a configuration? Those of procedures hold for all calls, and are not
    checked here."""
    entry = facts.program.entry
    return all(item.stack or item.location.function == entry for item in invariants)


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    return condition.args if isinstance(condition, And) else (condition,)


def _bounded(condition: Expr) -> Iterator[Lvalue]:
    """The lvalues that conjuncts compare with constants."""
    for part in _conjuncts(condition):
        lvalue = _bound_of(part)
        if lvalue is not None:
            yield lvalue


def _without(condition: Expr, lvalues: tuple[Lvalue, ...]) -> Expr:
    """The condition without the bounds of these lvalues."""
    return make.conj(part for part in _conjuncts(condition) if _bound_of(part) not in lvalues)


def _bound_of(condition: Expr) -> Lvalue | None:
    """The x of `x == c`, `x <= c`, `c < x` and their like."""
    if isinstance(condition, Not):
        condition = condition.arg
    match condition:
        case Binary(Op.EQ | Op.LT | Op.LE, left, Const(), _):
            return _lvalue(left)
        case Binary(Op.EQ | Op.LT | Op.LE, Const(), right, _):
            return _lvalue(right)
    return None


def _lvalue(value: Expr) -> Lvalue | None:
    while isinstance(value, Cast):
        value = value.arg
    return value if isinstance(value, Lvalue) else None
