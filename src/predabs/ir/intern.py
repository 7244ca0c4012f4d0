"""Hash-consing: building the same term twice gives the same object.

Terms of the IR are compared and hashed millions of times, and some are thousands of levels deep.
A class that has `Interned` as its metaclass can be compared with `is` and hashed by identity, in
constant time. Soundness duty: equal arguments must mean equal terms, so a class may only take
arguments whose `==` is that equality (no floats: 0.0 == -0.0).
"""

from __future__ import annotations

from typing import Any
from weakref import ref


class _Kept(ref[Any]):
    """A weak reference to a term that knows where in the table it is."""

    __slots__ = ("key",)
    key: tuple[Any, ...]


# as a `WeakValueDictionary`, of which too much is written in Python
_TABLE: dict[tuple[Any, ...], _Kept] = {}
_find = _TABLE.get


def _forget(kept: _Kept) -> None:
    if _find(kept.key) is kept:
        del _TABLE[kept.key]


class Interned(type):
    """Metaclass of hash-consed classes; they take positional arguments only."""

    def __call__(cls, *args: Any) -> Any:
        key = (cls, *args)
        known = _find(key)
        found = None if known is None else known()
        if found is None:
            found = super().__call__(*args)
            kept = _Kept(found, _forget)
            kept.key = key
            _TABLE[key] = kept
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
