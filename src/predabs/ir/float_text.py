"""Floating-point numbers as text: what `FloatConst` holds, and the constants of C.

Soundness duty: a number is read back as it was written, bit by bit, and a constant rounded once.
"""

from __future__ import annotations

from functools import lru_cache

from .ieee754 import RNE, Format, from_ratio, parts, rounded


@lru_cache(1 << 12)
def parse(text: str, form: Format) -> int:
    """The number that `show` wrote, or a C constant without its suffix, rounded once.

    >>> from .ieee754 import DOUBLE, SINGLE, from_float
    >>> parse("0x1.8p1", DOUBLE) == parse("3.0", DOUBLE) == from_float(3.0)
    True
    >>> parse("1e400", DOUBLE) == DOUBLE.infinity, parse("-0.0", SINGLE) == SINGLE.sign
    (True, True)
    """
    minus, body = text.startswith("-"), text.lstrip("+-")
    if body == "inf":
        bits = form.infinity
    elif body == "nan":
        bits = form.infinity | form.quiet
    elif body.startswith("nan:"):
        bits = int(body[4:], 16)
    elif body[:2].lower() == "0x":
        digits, _, power = body[2:].lower().partition("p")
        whole, _, part = digits.partition(".")
        exponent = int(power or "0") - 4 * len(part)
        bits = rounded(form, RNE, 0, int(whole + part or "0", 16), exponent)
    else:
        bits = from_ratio(form, *_decimal(body))
    return bits | form.sign if minus else bits


def _decimal(text: str) -> tuple[int, int]:
    """A decimal constant as a quotient; beyond all formats a quotient that is, too."""
    digits, _, power = text.lower().partition("e")
    whole, _, part = digits.partition(".")
    exponent = int(power or "0") - len(part)
    number = int(whole + part or "0")
    if exponent >= 0:
        return number * 10 ** min(exponent, 20_000), 1
    if exponent < -20_000 - len(digits):
        return min(number, 1), 1 << 40_000
    return number, 10**-exponent


def show(form: Format, a: int) -> str:
    """The number as `parse` reads it: hexadecimal, as `float.hex` writes it.

    >>> from .ieee754 import DOUBLE, SINGLE, from_float
    >>> show(DOUBLE, from_float(0.1)), show(SINGLE, SINGLE.nan)
    ('0x1.999999999999ap-4', '-nan')
    """
    minus, rest = "-" if a & form.sign else "", a & ~form.sign
    if rest == form.infinity:
        return minus + "inf"
    if rest > form.infinity:
        return minus + ("nan" if rest == form.infinity | form.quiet else f"nan:{rest:x}")
    _, significand, exponent = parts(form, a)
    if significand == 0:
        return f"{minus}0x0.0p+0"
    digits = -(-(form.precision - 1) // 4)
    shift = 4 * digits - (form.precision - 1)
    shown = f"{significand << shift:x}"
    first, fraction_ = shown[:-digits] or "0", shown[-digits:].rjust(digits, "0")
    return f"{minus}0x{first}.{fraction_}p{exponent + form.precision - 1:+d}"
