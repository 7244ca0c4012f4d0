"""Types, expressions and operations as C text with as few parentheses as C's precedence allows.

The text is for people: it is exact but for one thing, a condition used as a number is shown without
a cast, as C has it. The printer keeps its own stack, so a term may be 100,000 levels deep.

>>> from .make import const, less, negate
>>> from .types import INT
>>> x = Var("main::x", INT)
>>> show_expr(less(const(0, INT), x)), show_expr(negate(make.equal(x, const(3, INT))))
('x > 0', 'x != 3')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, assert_never

from . import make
from .expr import (
    AddressOf,
    And,
    Binary,
    Bound,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Forall,
    FunctionAddress,
    Index,
    Initialised,
    Ite,
    NoLeak,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
    ValidAccess,
    ValidFree,
    Var,
)
from .ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    ErrorKind,
    Fill,
    Free,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Source,
    Sweep,
)
from .types import BOOL, ArrayType, FloatType, FunctionType, IntType, PointerType, Type

Naming: TypeAlias = Callable[[Var], str]
"""How to call a variable."""

_Piece: TypeAlias = "str | tuple[Expr, int]"  # text, or a term and the precedence it must have

# C's precedence levels; a higher one binds tighter
_QUANTIFIED, _TERNARY, _OR, _AND, _UNARY, _POSTFIX = 2, 3, 4, 5, 14, 15
_SUM = 12
_LEVEL = {
    Op.MUL: 13,
    Op.DIV: 13,
    Op.REM: 13,
    Op.ADD: _SUM,
    Op.SUB: _SUM,
    Op.SHL: 11,
    Op.SHR: 11,
    Op.LT: 10,
    Op.LE: 10,
    Op.EQ: 9,
    Op.AND: 8,
    Op.XOR: 7,
    Op.OR: 6,
}
_LONGEST = 1_000_000  # pieces of a text
_MIRRORED = {Op.EQ: "==", Op.LT: ">", Op.LE: ">="}


def short_name(var: Var) -> str:
    """The variable as the source calls it."""
    return var.short


def unique_name(var: Var) -> str:
    """The variable with its function: `main::x`."""
    return var.name


def show_type(type_: Type, name: str = "") -> str:
    """The C declaration of `name` with this type, or the type alone.

    >>> from .types import INT
    >>> show_type(PointerType(FunctionType(INT, (PointerType(INT, 64),), False), 64), "f")
    'int (*f)(int *)'
    """
    while True:
        match type_:
            case PointerType(target, _):
                wrapped = isinstance(target, ArrayType | FunctionType)
                name = f"(*{name})" if wrapped else f"*{name}"
                type_ = target
            case ArrayType(element, length):
                name = f"{name}[{length}]"
                type_ = element
            case FunctionType(result, params, variadic):
                texts = [show_type(param) for param in params] + ["..."] * variadic
                name = f"{name}({', '.join(texts) or 'void'})"
                type_ = result
            case _:
                space = "" if not name or name.startswith("[") else " "
                return f"{type_}{space}{name}"


def show_expr(e: Expr, name: Naming = short_name) -> str:
    """The expression in C syntax. A shared subterm is written out each time, and a text that would
    become too long for it ends in dots."""
    out: list[str] = []
    stack: list[_Piece] = [(e, 0)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        term, least = piece
        if len(out) > _LONGEST:
            out.append("...")
            continue
        level, pieces = _pieces(_visible(term), name)
        if level < least:
            pieces = ["(", *pieces, ")"]
        stack.extend(reversed(pieces))
    return "".join(out)


def _visible(e: Expr) -> Expr:
    """The term whose text stands for `e`: conditions as numbers and decayed arrays are bare."""
    while True:
        match e:
            case Cast(arg, IntType(bits, signed)) if arg.type is BOOL and not (
                bits == 1 and signed
            ):
                e = arg
            case AddressOf(Index(base, Const(0, _), element), PointerType(target, _)) if (
                element is target
            ):
                e = base
            case And((arg,)) | Or((arg,)):
                e = arg
            case _:
                return e


def _pieces(e: Expr, name: Naming) -> tuple[int, list[_Piece]]:
    """The precedence of the term's outermost operator, and its text with the operands in place."""
    match e:
        case Var():
            return _POSTFIX, [name(e)]
        case Const(value, type_):
            return _constant(value, type_)
        case FloatConst(text, type_):
            return _float_constant(text, type_.bits)
        case FunctionAddress(own, _) | Bound(own, _):
            return _POSTFIX, [own]
        case Unary(op, arg, type_) if op.is_function:
            return _POSTFIX, [f"{op.value}{_suffix(type_)}(", (arg, 0), ")"]
        case Unary(op, arg, _):
            # two minus signs in a row would be one token
            least = _POSTFIX if op is UnaryOp.NEG and _starts_with_minus(arg) else _UNARY
            return _UNARY, [op.value, (arg, least)]
        case Binary(op, left, right, type_) if op.is_function:
            return _POSTFIX, [f"{op.value}{_suffix(type_)}(", (left, 0), ", ", (right, 0), ")"]
        case Binary(op, left, right, _):
            return _binary(op, left, right)
        case Cast(arg, type_):
            return _UNARY, [f"({show_type(type_)})", (arg, _UNARY)]
        case PointerAdd(pointer, index, _):
            return _binary(Op.ADD, pointer, index)
        case PointerDiff(left, right, _):
            return _binary(Op.SUB, left, right)
        case Deref(pointer, type_):
            return _dereference(pointer, type_)
        case Field(base, member, _):
            return _POSTFIX, _member(base, member)
        case Index(base, index, _):
            return _POSTFIX, [(base, _POSTFIX), "[", (index, 0), "]"]
        case AddressOf(target, type_):
            if type_.target is target.type:
                return _UNARY, ["&", (target, _UNARY)]
            return _UNARY, [f"({show_type(type_)})&", (target, _UNARY)]
        case ObjectSize(pointer, _):
            return _POSTFIX, ["object_size(", (pointer, 0), ")"]
        case ValidAccess(pointer, size, writes):
            verb = "writable(" if writes else "readable("
            return _POSTFIX, [verb, (pointer, 0), ", ", (size, 0), ")"]
        case ValidFree(pointer):
            return _POSTFIX, ["freeable(", (pointer, 0), ")"]
        case Initialised(pointer):
            return _POSTFIX, ["initialised(", (pointer, 0), ")"]
        case NoLeak(roots):
            return _POSTFIX, [f"no_leak({roots.value})"]
        case Ite(cond, then, other, _):
            return _TERNARY, [(cond, _OR), " ? ", (then, 0), " : ", (other, _TERNARY)]
        case Not(Binary(Op.EQ, left, right, _)):
            level = _LEVEL[Op.EQ]
            if _is_constant(left) and not _is_constant(right):
                left, right = right, left
            return level, [(left, level), " != ", (right, level + 1)]
        case Not(arg):
            return _UNARY, ["!", (arg, _UNARY)]
        case And(args):
            return _chain(args, " && ", _AND) if args else (_POSTFIX, ["true"])
        case Or(args):
            return _chain(args, " || ", _OR) if args else (_POSTFIX, ["false"])
        case Forall(bound, body):
            return _QUANTIFIED, [f"forall {', '.join(v.name for v in bound)}: ", (body, _OR)]
    assert_never(e)


def _is_constant(e: Expr) -> bool:
    return isinstance(e, Const | FloatConst)


def _starts_with_minus(e: Expr) -> bool:
    match _visible(e):
        case Const(value, _):
            return value < 0
        case FloatConst(text, _):
            return text.startswith("-")
        case Unary(op, _, _):
            return op is UnaryOp.NEG
    return False


def _constant(value: int, type_: Type) -> tuple[int, list[_Piece]]:
    if type_ is BOOL:
        return _POSTFIX, ["true" if value else "false"]
    if isinstance(type_, PointerType) and value:
        return _UNARY, [f"({show_type(type_)}){value:#x}"]
    return _UNARY if value < 0 else _POSTFIX, [str(value)]


def _suffix(type_: Type) -> str:
    """What the C library calls the function for other types than double."""
    bits = type_.bits if isinstance(type_, FloatType) else 64
    return {32: "f", 64: ""}.get(bits, "l")


def _float_constant(text: str, bits: int) -> tuple[int, list[_Piece]]:
    decimal, suffix = repr(float.fromhex(text)), {32: "f", 64: ""}.get(bits, "L")
    if decimal.lstrip("-") in ("inf", "nan"):
        decimal, suffix = decimal.replace("inf", "INFINITY").replace("nan", "NAN"), ""
    return _UNARY if decimal.startswith("-") else _POSTFIX, [decimal + suffix]


def _binary(op: Op, left: Expr, right: Expr) -> tuple[int, list[_Piece]]:
    sign = op.value
    if op.is_comparison and _is_constant(left) and not _is_constant(right):
        left, right, sign = right, left, _MIRRORED[op]
    elif (
        op in (Op.ADD, Op.SUB)
        and isinstance(right, Const)
        and isinstance(right.type, IntType)
        and right.type.low < right.value < 0
    ):
        # x + -1 is x - 1, as arithmetic wraps
        sign = "-" if op is Op.ADD else "+"
        right = make.const(-right.value, right.type)
    level = _LEVEL[op]
    return level, [(left, level), f" {sign} ", (right, level + 1)]


def _fits(pointer: Expr, type_: Type) -> bool:
    """Whether dereferencing the pointer gives this type without a cast."""
    return isinstance(pointer.type, PointerType) and pointer.type.target is type_


def _dereference(pointer: Expr, type_: Type) -> tuple[int, list[_Piece]]:
    if not _fits(pointer, type_):
        pointed = show_type(type_, "*")
        return _UNARY, [f"*({pointed})", (pointer, _UNARY)]
    match pointer:
        case PointerAdd(array, index, _):
            return _POSTFIX, [(array, _POSTFIX), "[", (index, 0), "]"]
    return _UNARY, ["*", (pointer, _UNARY)]


def _member(base: Expr, member: str) -> list[_Piece]:
    match base:
        case Deref(PointerAdd(), _):
            pass
        case Deref(pointer, type_) if _fits(pointer, type_):
            return [(pointer, _POSTFIX), f"->{member}"]
    return [(base, _POSTFIX), f".{member}"]


def _chain(args: tuple[Expr, ...], sign: str, level: int) -> tuple[int, list[_Piece]]:
    pieces: list[_Piece] = [(args[0], level)]
    for arg in args[1:]:
        pieces += [sign, (arg, level + 1)]
    return level, pieces


def show_op(op: Operation, name: Naming = short_name) -> str:
    """The operation as a statement; `[x < 3]` is an assumption, `*` any value.

    >>> from .types import INT
    >>> show_op(Havoc(Var("main::x", INT), Source.NONDET, "__VERIFIER_nondet_int"))
    'x = __VERIFIER_nondet_int();'
    """

    def text(e: Expr) -> str:
        return show_expr(e, name)

    match op:
        case Skip():
            return "skip;"
        case Assign(target, value):
            return f"{text(target)} = {text(value)};"
        case Assume(cond):
            return f"[{text(cond)}]"
        case Havoc(target, source, whose):
            return f"{text(target)} = {_any_value(source, whose)}"
        case Call(target, callee, args):
            return _call(target, _callee(callee, name), args, name)
        case Return(value):
            return "return;" if value is None else f"return {text(value)};"
        case Alloc(target, size, kind, zeroed):
            function = "malloc" if kind is AllocKind.HEAP else "alloca"
            note = "  // zeroed" if zeroed else ""
            return _call(target, function, (size,), name) + note
        case Free(pointer):
            return _call(None, "free", (pointer,), name)
        case Fill(pointer, byte, size):
            return _call(None, "memset", (pointer, byte, size), name)
        case Copy(pointer, source_pointer, size):
            return _call(None, "memmove", (pointer, source_pointer, size), name)
        case Sweep(target, value, index, count, _):
            return f"{text(target)} = {text(value)};  // for {text(index)} below {text(count)}"
        case Print(target, function, args):
            return _call(target, function, args, name)
        case Error(error_kind, what):
            return f"{'END' if error_kind is ErrorKind.UNSUPPORTED else 'ERROR'}: {what}"
        case Halt(what, status):
            return f"HALT: {what}" if status is None else f"HALT: {what}({text(status)})"
    assert_never(op)


def _callee(callee: Expr, name: Naming) -> str:
    if isinstance(callee.type, PointerType) and not isinstance(callee, FunctionAddress):
        return f"({show_expr(Deref(callee, callee.type.target), name)})"
    return show_expr(callee, name)


def _call(target: Expr | None, function: str, args: Iterable[Expr], name: Naming) -> str:
    call = f"{function}({', '.join(show_expr(arg, name) for arg in args)});"
    return call if target is None else f"{show_expr(target, name)} = {call}"


def _any_value(source: Source, whose: str) -> str:
    match source:
        case Source.NONDET:
            return f"{whose}();"
        case Source.EXTERN:
            return f"{whose}();  // no body: any value"
        case Source.UNINITIALIZED:
            return "*;  // uninitialised"
        case Source.VOLATILE:
            return f"*;  // volatile {whose}"
        case Source.PARAMETER:
            return "*;  // parameter of the entry function"
        case Source.LIBRARY:
            return f"*;  // taken by {whose}"
        case Source.ENVIRONMENT:
            return f"*;  // in memory of the environment, at {whose}"
        case Source.FORMATTED:
            return f"*;  // {whose} may write it"
        case Source.ASM:
            return "*;  // inline assembly"
        case Source.UNKNOWN:
            return f"*;  // not computed: {whose}"
    assert_never(source)
