"""How many characters a format makes of its arguments (C17, 7.21.6.1).

What integers, characters and strings become has an exact length, as an expression of the program;
of other conversions, bounds are known, or nothing.

Soundness duty: the exact part is exact, and the rest lies within its bounds, whatever the locale.

>>> from ..ir.types import INT, DataModel
>>> from ..ir.expr import Var
>>> x = Var("x", INT)
>>> found = length_of("x = %x, %6.1f", {0: x, 1: x}, {}, DataModel.LP64)
>>> found.least, found.most
(6, 315)
>>> found = length_of("%d", {0: make.const(-200, INT)}, {}, DataModel.LP64)
>>> found.exact is make.const(4, DataModel.LP64.size_type), found.most
(True, 0)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..ir import make
from ..ir.expr import Expr, Op
from ..ir.types import DataModel, IntType
from ..records import dataclass

_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0'I]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|-?\d*))?"
    r"(?P<length>hh|ll|[hljztLq])?(?P<kind>.)",
    re.DOTALL,
)
_WITHOUT = "%m"  # kinds that take no argument
_BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "X": 16, "o": 8}
_INT_DIGITS = 22  # of 64 bits in base 8; fewer in others
_WHOLE = 309  # digits before the point of the largest double
_POINT = 4  # bytes, in some locales
_LOCAL = "'I"  # flags: digits are in groups, or other ones, as the locale says


@dataclass(frozen=True, slots=True)
class Length:
    """The length is the `exact` number and something from `least` to `most` (None: no limit)."""

    exact: Expr
    least: int
    most: int | None


def _places(format_: str) -> Iterator[tuple[re.Match[str], int | None]]:
    """The conversions, each with the place of its argument, if it has one."""
    place = 0
    for one in _CONVERSION.finditer(format_):
        if one["kind"] in _WITHOUT:
            yield one, None
            continue
        place += (one["width"] == "*") + (one["precision"] == "*")
        yield one, place
        place += 1


def _is_numbered(format_: str) -> bool:
    """Does it say by numbers which arguments it takes? POSIX has that."""
    return any(one["kind"] == "$" for one in _CONVERSION.finditer(format_))


def strings_of(format_: str) -> list[int]:
    """The places of the strings among the arguments of a format, of which all is printed.

    >>> strings_of("%d %-9s%% %.3s%*s%ls")
    [1, 4]
    """
    if _is_numbered(format_):
        return []
    return [
        place
        for one, place in _places(format_)
        if place is not None
        and one["kind"] == "s"
        and one["precision"] is None
        and not one["length"]
    ]


def length_of(
    format_: str, args: Mapping[int, Expr], strings: Mapping[int, Expr], model: DataModel
) -> Length:
    """The length for these arguments, by their places; `strings` are the lengths of those that are
    printed as a whole."""
    counted = _Counted(model)
    if _is_numbered(format_):
        counted.between(0, None)
    else:
        counted.add(counted.number(len(_CONVERSION.sub("", format_))))
        for one, place in _places(format_):
            counted.convert(one, args, strings, place)
    return Length(counted.exact, counted.least, counted.most)


class _Counted:
    """What has been counted so far."""

    def __init__(self, model: DataModel) -> None:
        self._model = model
        self._type = model.size_type
        self.exact: Expr = self.number(0)
        self.least = 0
        self.most: int | None = 0

    def number(self, value: int) -> Expr:
        return make.const(value, self._type)

    def add(self, exact: Expr) -> None:
        self.exact = make.binary(Op.ADD, self.exact, exact)

    def between(self, least: int, most: int | None) -> None:
        self.least += least
        self.most = None if most is None or self.most is None else self.most + most

    def convert(
        self,
        one: re.Match[str],
        args: Mapping[int, Expr],
        strings: Mapping[int, Expr],
        place: int | None,
    ) -> None:
        if one["width"] == "*" or one["precision"] == "*":
            self.between(0, None)
            return
        width = int(one["width"] or 0)
        exact = self.number(1) if one["kind"] == "%" else None
        if place is not None:
            exact = self._exact(one, args.get(place), strings.get(place))
        if exact is not None:
            padded = make.less(exact, self.number(width))
            self.add(make.ite(padded, self.number(width), exact) if width else exact)
            return
        most = _most(one)
        self.between(width, None if most is None else max(most, width))

    def _exact(self, one: re.Match[str], arg: Expr | None, string: Expr | None) -> Expr | None:
        kind = one["kind"]
        if kind == "s":
            return string
        if kind == "c" and not one["length"]:
            return self.number(1)
        if kind not in _BASES or arg is None or one["precision"] is not None:
            return None
        if any(flag in one["flags"] for flag in f"#{_LOCAL}"):
            return None
        type_ = self._taken(one["length"] or "", signed=kind in "di")
        passed = arg.type
        if type_ is None or not isinstance(passed, IntType) or passed.bits != max(type_.bits, 32):
            return None
        signed = type_.signed and any(flag in one["flags"] for flag in "+ ")
        return self._digits(make.cast(arg, type_), type_, _BASES[kind], signed)

    def _taken(self, length: str, signed: bool) -> IntType | None:
        """The type that a conversion takes a number for."""
        widths = {"": 32, "hh": 8, "h": 16, "l": self._type.bits, "ll": 64, "q": 64, "j": 64}
        bits = widths.get(length, self._type.bits if length in ("z", "t") else None)
        return None if bits is None else IntType(bits, signed)

    def _digits(self, value: Expr, type_: IntType, base: int, sign: bool) -> Expr:
        """How many digits a number has, and its sign."""
        found = self.number(1 + sign)
        powers = 1
        while base**powers <= type_.high:
            fewer = make.less(value, make.const(base**powers, type_))
            found = make.ite(fewer, found, self.number(powers + 1 + sign))
            powers += 1
        if not type_.signed:
            return found
        negative, powers = self.number(2), 1
        while -(base**powers) >= type_.low:
            fewer = make.less(make.const(-(base**powers), type_), value)
            negative = make.ite(fewer, negative, self.number(powers + 2))
            powers += 1
        return make.ite(make.less(value, make.const(0, type_)), negative, found)


def _most(one: re.Match[str]) -> int | None:
    """The most characters of a conversion without its width."""
    kind, flags, length = one["kind"], one["flags"], one["length"] or ""
    given = one["precision"]
    if given is not None and given.startswith("-"):
        given = None  # as if there were none
    precision = int(given or 0) if given is not None else None
    if any(flag in flags for flag in _LOCAL):
        return None
    if kind in _BASES:
        return max(_INT_DIGITS, precision or 0) + 3
    if kind == "s" and not length:
        return precision
    if kind == "p":
        return 2 + 16 + 1
    if length == "L":
        return None
    digits = 6 if precision is None else precision
    point = _POINT if digits or "#" in flags else 0
    match kind:
        case "f" | "F":
            return 1 + _WHOLE + point + digits
        case "e" | "E":
            return 1 + 1 + point + digits + len("e+308")
        case "g" | "G":
            return 1 + 1 + _POINT + max(digits, 1) + len("e+308")
    return None
