"""Expressions and operations as Ada text, for programs in SPARK.

The IR counts the elements of an array from 0 and has numbers for the literals of enumerations;
`AdaNames` knows what the source has instead. Like `show`, the text is for people.

>>> from .make import const, index, less
>>> from .types import INT, LLONG, ArrayType
>>> a = Var("Main::A", ArrayType(INT, 5))
>>> names = AdaNames({"Main::A": 1}, {})
>>> ada_expr(less(index(a, const(0, LLONG)), const(3, INT)), names)
'A (1) < 3'
"""

from __future__ import annotations

from collections.abc import Mapping

from ..records import dataclass
from .expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Ite,
    Not,
    Op,
    Or,
    Unary,
    UnaryOp,
    Var,
)
from .ops import Assign, Assume, Call, Havoc, Operation, Return, Skip, Source
from .show import Naming, short_name, show_expr, show_op
from .types import BOOL, CBOOL
from .walk import fold

_LONGEST = 100_000  # characters
_OR, _RELATION, _SUM, _PRODUCT, _POWER, _PRIMARY = 1, 2, 3, 4, 5, 6
_SIGNS = {
    Op.ADD: (_SUM, "+"),
    Op.SUB: (_SUM, "-"),
    Op.MUL: (_PRODUCT, "*"),
    Op.DIV: (_PRODUCT, "/"),
    Op.REM: (_PRODUCT, "rem"),
    Op.AND: (_OR, "and"),
    Op.OR: (_OR, "or"),
    Op.XOR: (_OR, "xor"),
    Op.EQ: (_RELATION, "="),
    Op.LT: (_RELATION, "<"),
    Op.LE: (_RELATION, "<="),
}
_MIRRORED = {"=": "=", "<": ">", "<=": ">=", "/=": "/="}
_NEGATED = {"=": "/=", "/=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True, slots=True)
class AdaNames:
    """For objects, by `key`: the first index of an array, the literals of an enumeration."""

    lows: Mapping[str, int]
    literals: Mapping[str, tuple[str, ...]]

    def low(self, array: Expr) -> int | None:
        return self.lows.get(key(array))

    def literal(self, place: Expr, value: int) -> str | None:
        """How the source calls a value of an object."""
        found = self.literals.get(key(place))
        return found[value] if found is not None and 0 <= value < len(found) else None


def key(place: Expr) -> str:
    """The name of an object, or of a component wherever it is."""
    match place:
        case Var(name, _):
            return name
        case Deref(pointer, _):
            return key(pointer)
        case Field(base, member, _):
            return f"{base.type}.{member}"
        case Index(base, _, _):
            return f"{key(base)}[]"
        case Cast(arg, _):
            return key(arg)
    return ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text with the precedence of its outermost operator, and that of its negation, if short."""

    level: int
    text: str
    negated: str | None = None

    def at(self, least: int) -> str:
        return self.text if self.level >= least else f"({self.text})"


def ada_expr(e: Expr, names: AdaNames | None, name: Naming = short_name) -> str:
    """The expression in Ada's syntax; in C's if there are no names of Ada."""
    if names is None:
        return show_expr(e, name)

    def step(term: Expr, parts: tuple[_Text, ...]) -> _Text:
        found = _text(term, parts, names, name)
        return found if len(found.text) <= _LONGEST else _Text(_PRIMARY, "...")

    return fold(e, step).text


def _text(e: Expr, parts: tuple[_Text, ...], names: AdaNames, name: Naming) -> _Text:
    match e:
        case Var():
            return _Text(_PRIMARY, name(e))
        case Const(value, type_):
            if type_ is BOOL or type_ is CBOOL:
                return _Text(_PRIMARY, "True" if value else "False")
            return _Text(_SUM if value < 0 else _PRIMARY, str(value))
        case Deref() | AddressOf() | Cast():
            return parts[0]  # a reference is the object, a conversion keeps the value
        case Field(_, member, _):
            return _Text(_PRIMARY, f"{parts[0].at(_PRIMARY)}.{member}")
        case Index(base, position, _):
            shown = _index(position, parts[1], names.low(base))
            return _Text(_PRIMARY, f"{parts[0].at(_PRIMARY)} ({shown})")
        case Unary(UnaryOp.NEG, _, _):
            return _Text(_SUM, f"-{parts[0].at(_PRODUCT)}")
        case Binary(op, left, right, _) if op in _SIGNS:
            return _binary(op, left, right, parts, names)
        case Ite():
            texts = [part.text for part in parts]
            return _Text(_PRIMARY, f"(if {texts[0]} then {texts[1]} else {texts[2]})")
        case Not():
            inner = parts[0]
            if inner.negated is not None:
                return _Text(_RELATION, inner.negated, inner.text)
            return _Text(_POWER, f"not {inner.at(_PRIMARY)}", inner.text)
        case And() | Or():
            word = " and " if isinstance(e, And) else " or "
            return _Text(_OR, word.join(part.at(_RELATION) for part in parts))
    return _Text(_PRIMARY, show_expr(e, name))


def _index(position: Expr, shown: _Text, low: int | None) -> str:
    """An index as the source counts."""
    if not low:
        return shown.text
    match position:
        case Const(value, _):
            return str(value + low)
        case Binary(Op.SUB, _, Const(value, _), _) if value == low:
            return shown.text.removesuffix(f" - {low}")
    return f"{shown.at(_SUM)} + {low}" if low > 0 else f"{shown.at(_SUM)} - {-low}"


def _binary(op: Op, left: Expr, right: Expr, parts: tuple[_Text, ...], names: AdaNames) -> _Text:
    level, sign = _SIGNS[op]
    if op.is_comparison:
        return _relation(op, left, right, parts, names)
    if op in (Op.ADD, Op.SUB) and isinstance(right, Const) and right.value < 0:
        sign = "-" if op is Op.ADD else "+"
        return _Text(level, f"{parts[0].at(level)} {sign} {-right.value}")
    return _Text(level, f"{parts[0].at(level)} {sign} {parts[1].at(level + 1)}")


def _relation(op: Op, left: Expr, right: Expr, parts: tuple[_Text, ...], names: AdaNames) -> _Text:
    one, two, sign = parts[0], parts[1], _SIGNS[op][1]
    if isinstance(left, Const) and not isinstance(right, Const):
        left, right, one, two, sign = right, left, two, one, _MIRRORED[sign]
    if isinstance(right, Const):
        if left.type is CBOOL and op is Op.EQ:  # B = True is B
            plain, negated = one.text, one.negated or f"not {one.at(_PRIMARY)}"
            level = one.level if right.value else _POWER
            return _Text(level, *((plain, negated) if right.value else (negated, plain)))
        literal = names.literal(left, right.value)
        if literal is not None:
            two = _Text(_PRIMARY, literal)
    first, second = one.at(_SUM), two.at(_SUM)
    return _Text(_RELATION, f"{first} {sign} {second}", f"{first} {_NEGATED[sign]} {second}")


def ada_op(op: Operation, names: AdaNames | None, name: Naming = short_name) -> str:
    """The operation as a statement of Ada; `[X < 3]` is an assumption."""
    if names is None:
        return show_op(op, name)

    def text(e: Expr) -> str:
        return ada_expr(e, names, name)

    match op:
        case Skip():
            return "null;"
        case Assign(target, value):
            return f"{text(target)} := {_value(target, value, names, text(value))};"
        case Assume(cond):
            return f"[{text(cond)}]"
        case Havoc(target, source, whose):
            return f"{text(target)} := {_any_value(source, whose)}"
        case Call(target, callee, args):
            given = f" ({', '.join(map(text, args))})" if args else ""
            called = f"{ada_expr(callee, names, name)}{given};"
            return called if target is None else f"{text(target)} := {called}"
        case Return(value):
            return "return;" if value is None else f"return {text(value)};"
    return show_op(op, name)


def _value(target: Expr, value: Expr, names: AdaNames, text: str) -> str:
    literal = names.literal(target, value.value) if isinstance(value, Const) else None
    return text if literal is None else literal


def _any_value(source: Source, whose: str) -> str:
    match source:
        case Source.UNINITIALIZED:
            return "<>;  -- not initialised"
        case Source.PARAMETER:
            return "<>;  -- any value"
        case Source.EXTERN:
            return f"{whose};  -- no body: any value"
    return f"<>;  -- {whose}"
