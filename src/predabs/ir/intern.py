"""Hash-consing: building the same term twice gives the same object.

Terms of the IR are compared and hashed millions of times, and some are thousands of levels deep.
A class that has `Interned` as its metaclass can be compared with `is` and hashed by identity, in
constant time. Soundness duty: equal arguments must mean equal terms, so a class may only take
arguments whose `==` is that equality (no floats: 0.0 == -0.0).
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

_TABLE: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
# the weak references themselves: the table's own `get` is written in Python, and most terms that
# are built are there already
_find = vars(_TABLE)["data"].get


class Interned(type):
    """Metaclass of hash-consed classes; they take positional arguments only."""

    def __call__(cls, *args: Any) -> Any:
        key = (cls, *args)
        known = _find(key)
        found = None if known is None else known()
        if found is None:
            found = _TABLE[key] = super().__call__(*args)
        return found


class Term(metaclass=Interned):
    """Base of the interned classes: a pickled or copied term is interned again."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, name) for name in type(self).__match_args__)  # type: ignore[attr-defined]

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self
