"""What the temporaries of the front end stand for, at one point of a run.

A temporary stands for the term it was computed from as long as no variable in that has changed, or
for what it was assigned to; after that, for its value. The result of a call is the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir.expr import Deref, Expr, Lvalue, Var
from ...ir.walk import root_of, subterms, variables
from ...records import dataclass
from .steps import ShownValue

_LONGEST = 100  # characters that may stand for a temporary
_MOST_FRAGILE = 32


def is_temporary(lvalue: Lvalue) -> bool:
    """Is it a variable that the front end made up? Names in C have no dot."""
    return isinstance(lvalue, Var) and bool(lvalue.function) and "." in lvalue.short


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A text, and what must not change for it to stay true; `value` is for when it does. `seen` are
    the values that the term was computed from."""

    text: str
    variables: frozenset[Var]
    in_memory: bool
    value: str
    seen: tuple[ShownValue, ...] = ()


class Temporaries:
    """The temporaries of the calls that are open, by their names: a recursive call forgets those
    of the call around it."""

    def __init__(self, is_register: Callable[[Var], bool]) -> None:
        self._meanings: dict[Var, _Meaning] = {}
        self._fragile: dict[Var, _Meaning] = {}  # those that may become untrue, the oldest first
        self._is_register = is_register

    def text(self, var: Var) -> str | None:
        found = self._meanings.get(var)
        return None if found is None else found.text

    def seen(self, var: Var) -> tuple[ShownValue, ...]:
        found = self._meanings.get(var)
        return () if found is None else found.seen

    def computed(
        self, var: Var, text: str, terms: Iterable[Expr], value: str, seen: tuple[ShownValue, ...]
    ) -> None:
        """The temporary was computed from terms, and has this value."""
        used = [part for term in terms for part in subterms(term)]
        read = frozenset(part for part in used if isinstance(part, Var))
        in_memory = any(isinstance(part, Deref) for part in used) or not all(
            self._is_register(item) for item in read
        )
        if len(text) > _LONGEST:
            text = value
        self._keep(var, _Meaning(text, read, in_memory, value, seen))

    def constant(self, var: Var, text: str) -> None:
        """The temporary is the result of something that needs no other variable."""
        self._keep(var, _Meaning(text, frozenset(), False, text))

    def _keep(self, var: Var, meaning: _Meaning) -> None:
        self._meanings[var] = meaning
        self._fragile.pop(var, None)
        if meaning.variables or meaning.in_memory:
            self._fragile[var] = meaning
            if len(self._fragile) > _MOST_FRAGILE:
                self._settle(next(iter(self._fragile)))

    def _settle(self, var: Var) -> None:
        """From now on the temporary stands for its value."""
        old = self._fragile.pop(var)
        self._meanings[var] = _Meaning(old.value, frozenset(), False, old.value, old.seen)

    def written(self, target: Lvalue | None, keep: Var | None = None) -> None:
        """A variable, or memory (no target), has changed; what `keep` stands for is told
        elsewhere."""
        root = None if target is None else root_of(target)
        changed = root if isinstance(root, Var) else None
        memory = changed is None or not self._is_register(changed)
        for var, meaning in list(self._fragile.items()):
            if var is not keep and (changed in meaning.variables or (memory and meaning.in_memory)):
                self._settle(var)

    def assigned(self, var: Var, target: Lvalue, text: str, value: str) -> None:
        """The temporary was assigned to a variable that the source knows."""
        if (old := self._meanings.get(var)) is not None:
            value, seen = old.value, old.seen
        else:
            seen = ()
        kept = frozenset(variables(target))
        in_memory = isinstance(root_of(target), Deref) or not all(map(self._is_register, kept))
        self._keep(var, _Meaning(text, kept, in_memory, value, seen))
