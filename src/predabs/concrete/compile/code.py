"""Pieces of generated Python: the text of a value, and bounds of its value.

Expressions become Python source, because compiled Python is many times faster than walking terms.
The range saves most of the wrapping around: `(int)c + 1` for a char c cannot leave the type int.
Soundness duty: the range of a text contains every value it can have, and `fit` never gives a text
whose value lies outside the type.
"""

from __future__ import annotations

from ...ir.types import IntType, PointerType, Type
from ...records import dataclass, replace


@dataclass(frozen=True, slots=True)
class PythonCode:
    """A Python expression. `low` and `high` bound it if it is an integer; `constant` says that it
    is the numeral `low`; `depth` is how deep its text is nested."""

    text: str
    low: int = 0
    high: int = 0
    constant: bool = False
    depth: int = 0


class Constants:
    """Objects that generated code refers to by name: `K0`, `K1` ..."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self.objects: dict[str, object] = {}

    def name(self, item: object) -> str:
        """The name of this object (by identity; it is kept alive)."""
        found = self._names.get(id(item))
        if found is None:
            found = self._names[id(item)] = f"K{len(self._names)}"
            self.objects[found] = item
        return found


def numeral(value: int) -> PythonCode:
    return PythonCode(str(value) if value >= 0 else f"({value})", value, value, True)


def type_range(type_: IntType | PointerType) -> tuple[int, int]:
    """The least and the greatest value of the type."""
    if isinstance(type_, IntType):
        return type_.low, type_.high
    return 0, (1 << type_.bits) - 1


def of_type(text: str, type_: Type, depth: int = 0) -> PythonCode:
    """A text of which only the type is known."""
    if isinstance(type_, IntType | PointerType):
        return PythonCode(text, *type_range(type_), depth=depth)
    return PythonCode(text, depth=depth)


def fit(type_: IntType | PointerType, code: PythonCode) -> PythonCode:
    """The value wrapped into the type, as C's conversion does it.

    `w` is a scratch variable: it is used up before anything else can be evaluated.

    >>> from ...ir.types import INT, UCHAR
    >>> fit(UCHAR, PythonCode("x", 0, 300)).text
    '(x & 255)'
    >>> fit(INT, PythonCode("x", 0, 300)).text
    'x'
    """
    low, high = type_range(type_)
    if code.constant:
        return numeral(type_.wrap(code.low))
    if low <= code.low and code.high <= high:
        return code
    if low == 0:
        text = f"({code.text} & {high})"
    else:
        text = f"(w if {low} <= (w := {code.text}) <= {high} else signed(w, {type_.bits}))"
    return PythonCode(text, low, high, depth=code.depth + 1)


def named(code: PythonCode, text: str) -> PythonCode:
    """The same value under a name."""
    return replace(code, text=text, depth=0)
