"""Output: C's `printf` and its kin, with the text that glibc prints, or writes to memory.

Arguments come as the front end promoted them; the format decides how many of their bits count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from struct import pack, unpack
from typing import TypeAlias

from ..ir.expr import Cast, Expr, Var
from ..ir.ops import Print
from ..records import dataclass
from .memory import ByteMemory
from .numbers import signed
from .outcome import Failure, Refusal, Value

_DIRECTIVE = re.compile(
    rb"%(?P<flags>[-+ #0']*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<conversion>[^-+ #'\d*.])"
)
_STREAM_POSITION = {"fprintf": 0, "vfprintf": 0, "fputs": 1, "fputc": 1, "putc": 1}


@dataclass(frozen=True, slots=True)
class Printed:
    """What an output function prints, whether on standard output, and what it gives back; `address`
    is where it writes, if to memory."""

    data: bytes
    visible: bool
    result: int
    address: int | None = None


def print_bytes(op: Print, args: Sequence[Value], memory: ByteMemory, bits: int) -> Printed:
    """Execute an output function. What goes to another stream than `stdout` is not visible."""
    function = op.function
    stream = _STREAM_POSITION.get(function)
    visible = stream is None or _is_stdout(op.args[stream])
    match function, list(args):
        case "printf", [int(template), *rest]:
            data = formatted(memory.string(template), rest, memory, bits)
        case "fprintf", [_, int(template), *rest]:
            data = formatted(memory.string(template), rest, memory, bits)
        case "vprintf", [int(template), int(slots)]:
            data = formatted(memory.string(template), VariadicSlots(memory, slots), memory, bits)
        case "vfprintf", [_, int(template), int(slots)]:
            data = formatted(memory.string(template), VariadicSlots(memory, slots), memory, bits)
        case "sprintf", [int(address), int(template), *rest]:
            data = formatted(memory.string(template), rest, memory, bits)
            return Printed(data + b"\0", False, len(data), address)
        case "vsprintf", [int(address), int(template), int(slots)]:
            data = formatted(memory.string(template), VariadicSlots(memory, slots), memory, bits)
            return Printed(data + b"\0", False, len(data), address)
        case "snprintf", [int(address), int(size), int(template), *rest]:
            data = formatted(memory.string(template), rest, memory, bits)
            return Printed(_cut(data, size), False, len(data), address)
        case "vsnprintf", [int(address), int(size), int(template), int(slots)]:
            data = formatted(memory.string(template), VariadicSlots(memory, slots), memory, bits)
            return Printed(_cut(data, size), False, len(data), address)
        case "puts", [int(text)]:
            data = memory.string(text) + b"\n"
        case "fputs", [int(text), _]:
            return Printed(memory.string(text), visible, 1)
        case ("putchar", [int(char)]) | ("putc" | "fputc", [int(char), _]):
            return Printed(bytes((char & 255,)), visible, char & 255)
        case "perror", [_]:
            return Printed(b"", False, 0)
        case _:
            raise Refusal(f"{function} with {len(args)} arguments is not supported")
    return Printed(data, visible, len(data))


def _cut(data: bytes, size: int) -> bytes:
    """As much of a text as there is room for, with its end."""
    return data[: size - 1] + b"\0" if size else b""


def _is_stdout(stream: Expr) -> bool:
    while isinstance(stream, Cast):
        stream = stream.arg
    return isinstance(stream, Var) and stream.name == "stdout"


class VariadicSlots:
    """The arguments of a variadic function, as its caller has laid them out; the format says of
    which type the next one is."""

    def __init__(self, memory: ByteMemory, start: int) -> None:
        self._memory = memory
        self._next = start

    def take(self, size: int) -> bytes:
        data = self._memory.read(self._next, size)
        self._next += (size + 7) // 8 * 8
        return data


_Arguments: TypeAlias = Iterator[Value] | VariadicSlots


@dataclass(frozen=True, slots=True)
class _Directive:
    """One conversion of a format; a precision that is not given is None."""

    flags: frozenset[str]
    width: int
    precision: int | None
    length: str
    conversion: str
    text: str


def formatted(
    template: bytes, args: Sequence[Value] | VariadicSlots, memory: ByteMemory, bits: int
) -> bytes:
    """The text that `printf` makes of a format and its arguments; `bits` is the width of `long`.

    >>> formatted(b"%04x|%-4d|%+.2f%%", [-1, 7, 2.5], ByteMemory(64), 64)
    b'ffffffff|7   |+2.50%'
    """
    remaining = args if isinstance(args, VariadicSlots) else iter(args)
    pieces: list[bytes] = []
    position = 0
    while (start := template.find(b"%", position)) >= 0:
        pieces.append(template[position:start])
        match = _DIRECTIVE.match(template, start)
        if match is None:
            raise Failure(f"the format ends within {_shown(template[start:])}")
        pieces.append(_converted(_directive(match, remaining), remaining, memory, bits))
        position = match.end()
    return b"".join([*pieces, template[position:]])


def _shown(text: bytes) -> str:
    return repr(text.decode("latin-1"))


def _directive(match: re.Match[bytes], args: _Arguments) -> _Directive:
    """The directive with its `*` filled in: a negative width aligns to the left, and a negative
    precision is none."""
    group = {name: (value or b"").decode("latin-1") for name, value in match.groupdict().items()}
    text = match.group().decode("latin-1")
    flags = set(group["flags"])
    width = _int(args, text, 32) if group["width"] == "*" else int(group["width"] or 0)
    if width < 0:
        flags.add("-")
        width = -width
    precision: int | None = None
    if match["precision"] is not None:
        given = group["precision"]
        precision = _int(args, text, 32) if given == "*" else int(given or 0)
        precision = None if precision < 0 else precision
    conversion, length = group["conversion"], group["length"]
    return _Directive(frozenset(flags), width, precision, length, conversion, text)


def _next(args: Iterator[Value], text: str) -> Value:
    for value in args:
        return value
    raise Failure(f"the format {text!r} has no argument left")


def _int(args: _Arguments, text: str, bits: int) -> int:
    """The next argument as a signed number of that many bits."""
    if isinstance(args, VariadicSlots):
        return signed(int.from_bytes(args.take(max(bits, 32) // 8), "little"), bits)
    value = _next(args, text)
    if not isinstance(value, int):
        raise Failure(f"the format {text!r} needs an integer or pointer")
    return signed(value, bits)


def _address(args: _Arguments, text: str, bits: int) -> int:
    if isinstance(args, VariadicSlots):
        return int.from_bytes(args.take(bits // 8), "little")
    return _int(args, text, 65)


def _double(args: _Arguments, text: str, length: str) -> float:
    if isinstance(args, VariadicSlots):
        if length == "L":
            raise Refusal(f"the format {text!r} is not supported behind a va_list")
        value: Value = unpack("<d", args.take(8))[0]
    else:
        value = _next(args, text)
    if not isinstance(value, float):
        raise Failure(f"the format {text!r} needs a floating-point number")
    return value


def _converted(item: _Directive, args: _Arguments, memory: ByteMemory, bits: int) -> bytes:
    match item.conversion:
        case "%":
            return b"%"
        case "d" | "i" | "u" | "o" | "x" | "X" if item.length != "L":
            widths = {"hh": 8, "h": 16, "": 32, "l": bits, "z": bits, "t": bits, "ll": 64, "j": 64}
            width = widths[item.length]
            return _integer(item, _int(args, item.text, width), width)
        case "c" if item.length == "":
            return _padded(item, "", bytes((_int(args, item.text, 32) & 255,)), zeros=False)
        case "s" if item.length == "":
            return _padded(
                item, "", _string(item, _address(args, item.text, bits), memory), zeros=False
            )
        case "p" if item.length == "":
            return _pointer(item, _address(args, item.text, bits))
        case "e" | "E" | "f" | "F" | "g" | "G" | "a" | "A" if item.length in ("", "l", "L"):
            return _float(item, _double(args, item.text, item.length))
    raise Refusal(f"the format {item.text!r} is not supported")


def _padded(item: _Directive, prefix: str, body: bytes, *, zeros: bool) -> bytes:
    """Sign or prefix and body, filled up to the width."""
    missing = item.width - len(prefix) - len(body)
    head = prefix.encode()
    if "-" in item.flags:
        return head + body + b" " * missing
    if zeros and "0" in item.flags:
        return head + b"0" * missing + body
    return b" " * missing + head + body


def _sign(item: _Directive, negative: bool) -> str:
    if negative:
        return "-"
    return "+" if "+" in item.flags else " " if " " in item.flags else ""


def _integer(item: _Directive, value: int, bits: int) -> bytes:
    prefix = ""
    if item.conversion in "di":
        prefix = _sign(item, value < 0)
        digits = str(abs(value))
    else:
        value &= (1 << bits) - 1
        digits = format(value, {"u": "d"}.get(item.conversion, item.conversion))
        if "#" in item.flags and item.conversion in "xX" and value:
            prefix = "0" + item.conversion
    if item.precision is not None:
        digits = digits.rjust(item.precision, "0") if value or item.precision else ""
    if item.conversion == "o" and "#" in item.flags and not digits.startswith("0"):
        digits = "0" + digits
    return _padded(item, prefix, digits.encode(), zeros=item.precision is None)


def _string(item: _Directive, address: int, memory: ByteMemory) -> bytes:
    if address == 0:  # as glibc has it
        return b"(null)" if item.precision is None or item.precision >= 6 else b""
    return memory.string(address, item.precision)


def _pointer(item: _Directive, address: int) -> bytes:
    if address == 0:
        return _padded(item, "", b"(nil)", zeros=False)
    digits = format(address, "x").rjust(item.precision or 0, "0")
    prefix = _sign(item, False) + "0x"
    return _padded(item, prefix, digits.encode(), zeros=item.precision is None)


def _float(item: _Directive, value: float) -> bytes:
    conversion = item.conversion
    prefix = _sign(item, math.copysign(1.0, value) < 0)
    value = abs(value)
    if not math.isfinite(value):
        body = "nan" if math.isnan(value) else "inf"
        body = body.upper() if conversion.isupper() else body
        return _padded(item, prefix, body.encode(), zeros=False)
    if conversion in "aA":
        if item.length == "L":
            raise Refusal(f"the format {item.text!r} is not supported: long double is approximated")
        body = _hexadecimal(value, item.precision, "#" in item.flags)
        prefix += "0x"
        if conversion == "A":
            prefix, body = prefix.upper(), body.upper()
    else:
        precision = 6 if item.precision is None else item.precision
        alternative = "#" if "#" in item.flags else ""
        body = f"%{alternative}.{precision}{conversion}" % value
    return _padded(item, prefix, body.encode(), zeros=True)


def _hexadecimal(value: float, precision: int | None, point: bool) -> str:
    """The mantissa in hexadecimal and the exponent of two, without the leading 0x.

    >>> _hexadecimal(10.5, None, False), _hexadecimal(1.75, 0, False)
    ('1.5p+3', '2p+0')
    """
    (word,) = unpack("<Q", pack("<d", value))
    exponent, mantissa = word >> 52, word & ((1 << 52) - 1)
    if exponent:
        mantissa |= 1 << 52
    power = max(exponent, 1) - 1023 if value else 0
    if precision is None:
        digits = format(mantissa & ((1 << 52) - 1), "013x").rstrip("0")
    else:
        if precision < 13:
            cut = 52 - 4 * precision
            rest = mantissa & ((1 << cut) - 1)
            mantissa >>= cut
            half = 1 << (cut - 1)
            mantissa += rest > half or (rest == half and mantissa & 1)
            mantissa <<= cut
        digits = format(mantissa & ((1 << 52) - 1), "013x").ljust(precision, "0")[:precision]
    dot = "." if digits or point else ""
    return f"{mantissa >> 52:x}{dot}{digits}p{power:+d}"
