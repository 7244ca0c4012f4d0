"""Literals and names of types in C expressions, with the types that C gives them."""

from __future__ import annotations

from collections.abc import Sequence

from ...frontend.read.literals import string_units
from ...ir import make
from ...ir.expr import Const, FloatConst
from ...ir.types import CBOOL, CHAR, DOUBLE, FLOAT, INT, VOID, DataModel, IntType, Type

_QUALIFIERS = frozenset({"const", "volatile"})
_SIGNS = frozenset({"signed", "unsigned"})
_SIZES = frozenset({"char", "short", "int", "long"})
_OTHERS: dict[str, Type] = {"void": VOID, "_Bool": CBOOL, "float": FLOAT, "double": DOUBLE}
_SUFFIXES = frozenset({"", "u", "l", "ul", "lu", "ll", "ull", "llu"})

RECORDS = frozenset({"struct", "union"})
TYPE_KEYWORDS = _QUALIFIERS | _SIGNS | _SIZES | _OTHERS.keys() | RECORDS


def integer(text: str, model: DataModel) -> Const | None:
    """An integer literal, in the first of C's types that holds it; None if it is none.

    >>> [str(integer(text, DataModel.LP64).type) for text in ("0x80000000", "2147483648")]
    ['unsigned int', 'long long']
    """
    text = text.lower()
    digits = text.rstrip("ul")
    suffix = text[len(digits) :]
    octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
    try:
        value = int(digits, 8 if octal else 0)
    except ValueError:
        return None
    if suffix not in _SUFFIXES:
        return None
    long = model.pointer_bits
    widths = (64,) if "ll" in suffix else (long, 64) if "l" in suffix else (32, 64)
    signs = (
        (False,) if "u" in suffix else (True,) if digits.isdigit() and not octal else (True, False)
    )
    types = (IntType(width, signed) for width in widths for signed in signs)
    return next((Const(value, type_) for type_ in types if value <= type_.high), None)


def floating(text: str) -> FloatConst:
    digits = text.rstrip("fF")
    return make.float_const(float(digits), DOUBLE if digits == text else FLOAT)


def character(text: str) -> Const:
    """A character literal: an int with the value of the char.

    >>> [character(text).value for text in ("'a'", "'~'")]
    [97, 126]
    """
    inside = text[1:-1]
    [unit] = string_units('"' + ("\\" + inside if inside == '"' else inside) + '"')
    return make.const(CHAR.wrap(unit), INT)


def named_type(keywords: Sequence[str], model: DataModel) -> Type | None:
    """The type that some of C's keywords name in any order; None if there is none.

    >>> print(named_type(["long", "unsigned"], DataModel.ILP32))
    unsigned int
    """
    rest = sorted(keyword for keyword in keywords if keyword not in _QUALIFIERS)
    if len(rest) == 1 and rest[0] in _OTHERS:
        return _OTHERS[rest[0]]
    sizes = [keyword for keyword in rest if keyword not in _SIGNS]
    signs = [keyword for keyword in rest if keyword in _SIGNS]
    if not rest or len(signs) > 1 or not set(sizes) <= _SIZES:
        return None
    signed = signs != ["unsigned"]
    match [keyword for keyword in sizes if keyword != "int"], sizes.count("int"):
        case [], 0 | 1:
            return IntType(32, signed)
        case ["char"], 0:
            return IntType(8, signed)
        case ["short"], 0 | 1:
            return IntType(16, signed)
        case ["long"], 0 | 1:
            return IntType(model.pointer_bits, signed)
        case ["long", "long"], 0 | 1:
            return IntType(64, signed)
    return None
