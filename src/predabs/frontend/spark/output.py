"""Output: `Ada.Text_IO`'s Put_Line, Put and New_Line, of strings that are put together at once.

What is printed decides nothing; it is there for `predabs run`, and to compare with a compiler.
"""

from __future__ import annotations

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord, Global
from ...ir.expr import Expr, Var
from ...ir.ops import Assign, Print
from ...ir.types import CHAR, LLONG, ULLONG, ArrayType
from . import syntax
from .calls import LowerCalls
from .composites import MODEL
from .text import show
from .types import CHARACTER, INTEGER, Class, Scalar

PROCEDURES = frozenset(["put_line", "put", "new_line"])
_WIDTH = 11  # of Integer'Image without its blank, and of Integer_Text_IO.Put


class Strings:
    """The string literals of a program, as globals of the IR."""

    def __init__(self) -> None:
        self._known: dict[str, Var] = {}

    def pointer(self, text: str) -> Expr:
        var = self._known.get(text)
        if var is None:
            type_ = ArrayType(CHAR, len(text.encode("latin-1", "replace")) + 1)
            var = self._known[text] = Var(f"str.{len(self._known) + 1}", type_)
        return make.decay(var, MODEL.pointer_bits)

    def globals(self, coord: Coord) -> list[Global]:
        found = []
        for text, var in self._known.items():
            data = text.encode("latin-1", "replace")
            init = tuple(
                Assign(make.index(var, make.const(at, LLONG)), make.const(code, CHAR))
                for at, code in enumerate(data)
            )
            found.append(Global(var, init, False, coord))
        return found


def put(low: LowerCalls, strings: Strings, name: str, args: tuple[syntax.Expr, ...], coord: Coord) -> None:
    """A call of one of the procedures."""
    if name == "new_line":
        _print(low, strings, "\n", (), coord)
        return
    if len(args) != 1:
        raise UnsupportedFeature(f"{coord}: {name.title()} with more than one argument")
    _put_string(low, strings, args[0])
    if name == "put_line":
        _print(low, strings, "\n", (), coord)


def _put_string(low: LowerCalls, strings: Strings, expr: syntax.Expr) -> None:
    coord = expr.coord
    match expr:
        case syntax.Binary(_, "&", left, right):
            _put_string(low, strings, left)
            _put_string(low, strings, right)
        case syntax.String(_, value):
            _print(low, strings, value.replace("%", "%%"), (), coord)
        case syntax.Attribute(_, prefix, "image", args):
            if args:
                type_ = low.names.wanted_type(prefix)
                arg = args[0]
            else:
                type_, arg = low.names.type(prefix), prefix
            if not isinstance(type_, Scalar):
                raise InputError(f"{coord}: {type_.name} has no image here")
            _image(low, strings, arg, type_, coord)
        case _:
            type_ = low.names.type(expr)
            if type_ == CHARACTER:
                value_ = low.value(expr, CHARACTER).expr
                _print(low, strings, "%c", (make.cast(value_, INTEGER.ir),), coord)
            elif isinstance(type_, Scalar) and type_.base is INTEGER.base:
                number = low.value(expr, type_).expr
                _print(low, strings, f"%{_WIDTH}d", (number,), coord)
            else:
                raise UnsupportedFeature(f"{coord}: {show(expr)} cannot be printed here")


def _image(low: LowerCalls, strings: Strings, arg: syntax.Expr, type_: Scalar, coord: Coord) -> None:
    value = low.value(arg, type_)
    match type_.base.kind:
        case Class.SIGNED:
            _print(low, strings, "% lld", (make.cast(value.expr, LLONG),), coord)
        case Class.MODULAR:
            _print(low, strings, " %llu", (make.cast(value.expr, ULLONG),), coord)
        case Class.ENUMERATION:
            graph = low.frame.graph
            after = graph.fresh()
            kept = low.frame.saved(value.expr, coord)
            for position, literal in enumerate(type_.base.literals):
                yes, no = graph.fresh(), graph.fresh()
                same = make.equal(kept, make.const(position, type_.ir))
                low.frame.branch(same, yes, no, coord)
                graph.here = yes
                _print(low, strings, literal.upper().replace("%", "%%"), (), coord)
                graph.jump(after, coord)
                graph.here = no
            graph.jump(after, coord)
            graph.here = after


def _print(low: LowerCalls, strings: Strings, text: str, args: tuple[Expr, ...], coord: Coord) -> None:
    low.frame.graph.emit(Print(None, "printf", (strings.pointer(text), *args)), coord)
