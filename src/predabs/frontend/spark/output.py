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
from ...records import dataclass
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


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text with a format for a value, or the image of a value of an enumeration."""

    text: str
    args: tuple[Expr, ...]
    images: Scalar | None
    coord: Coord


def put(
    low: LowerCalls, strings: Strings, name: str, args: tuple[syntax.Expr, ...], coord: Coord
) -> None:
    """A call of one of the procedures: all of the string is evaluated, then it is printed."""
    pieces: list[_Piece] = []
    if name != "new_line":
        if len(args) != 1:
            raise UnsupportedFeature(f"{coord}: {name.title()} with more than one argument")
        pieces = _pieces(low, args[0])
    if name != "put":
        pieces.append(_Piece("\n", (), None, coord))
    for piece in pieces:
        if piece.images is None:
            _print(low, strings, piece.text, piece.args, piece.coord)
        else:
            _print_literal(low, strings, piece.args[0], piece.images, piece.coord)


def _pieces(low: LowerCalls, expr: syntax.Expr) -> list[_Piece]:
    coord = expr.coord
    match expr:
        case syntax.Binary(_, "&", left, right):
            return _pieces(low, left) + _pieces(low, right)
        case syntax.String(_, value):
            return [_Piece(value.replace("%", "%%"), (), None, coord)]
        case syntax.Attribute(_, prefix, "image", args):
            type_ = low.names.wanted_type(prefix) if args else low.names.type(prefix)
            if not isinstance(type_, Scalar):
                raise InputError(f"{coord}: {type_.name} has no image here")
            return [_image(low, args[0] if args else prefix, type_, coord)]
    type_ = low.names.type(expr)
    if type_ == CHARACTER:
        character = make.cast(low.value(expr, CHARACTER).expr, INTEGER.ir)
        return [_Piece("%c", (character,), None, coord)]
    if isinstance(type_, Scalar) and type_.base is INTEGER.base:
        return [_Piece(f"%{_WIDTH}d", (low.value(expr, type_).expr,), None, coord)]
    raise UnsupportedFeature(f"{coord}: {show(expr)} cannot be printed here")


def _image(low: LowerCalls, arg: syntax.Expr, type_: Scalar, coord: Coord) -> _Piece:
    value = low.value(arg, type_).expr
    match type_.base.kind:
        case Class.SIGNED:
            return _Piece("% lld", (make.cast(value, LLONG),), None, coord)
        case Class.MODULAR:
            return _Piece(" %llu", (make.cast(value, ULLONG),), None, coord)
    return _Piece("", (low.frame.saved(value, coord),), type_, coord)


def _print_literal(
    low: LowerCalls, strings: Strings, value: Expr, type_: Scalar, coord: Coord
) -> None:
    graph = low.frame.graph
    after = graph.fresh()
    for position, literal in enumerate(type_.base.literals):
        yes, no = graph.fresh(), graph.fresh()
        same = make.equal(value, make.const(position, type_.ir))
        low.frame.branch(same, yes, no, coord)
        graph.here = yes
        _print(low, strings, literal.upper().replace("%", "%%"), (), coord)
        graph.jump(after, coord)
        graph.here = no
    graph.jump(after, coord)
    graph.here = after


def _print(
    low: LowerCalls, strings: Strings, text: str, args: tuple[Expr, ...], coord: Coord
) -> None:
    low.frame.graph.emit(Print(None, "printf", (strings.pointer(text), *args)), coord)
