"""Expressions as generated Python.

The text of each operation's expressions is made once and compiled with it. Shared subterms, and
those that would nest too deep for Python's parser, become assignments to `t0`, `t1` ... before.
Soundness duty: the text has the value of the term in every state, or raises where it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from ...errors import InternalError
from ...ir.address_space import FIRST_FUNCTION
from ...ir.expr import (
    DIRECTED,
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
from ...ir.types import BOOL, INT, FloatType, IntType, PointerType, Type, size_of
from ...ir.walk import children
from ..extended import Extended, float_constant
from ..libm import IN_LIBRARY
from ..storage_layout import VariableLayout
from .arithmetic import compare, integer
from .code import Constants, PythonCode, fit, named, numeral, type_range
from .lvalues import PythonLvalues, lvalue_operands

_DEEPEST = 16
_DIRECTED = frozenset(
    (*(op.value for op in DIRECTED), *(op.value for op in UnaryOp if "SQRT_" in op.name))
)
_NEIGHBOURS = {UnaryOp.NEXT_UP.value: True, UnaryOp.NEXT_DOWN.value: False}
_FLOAT_OPERATORS = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*"}


def operands(term: Expr) -> Iterator[Expr]:
    """The subterms whose values the term's value is computed from."""
    match term:
        case Var() | Deref() | Field() | Index():
            yield from lvalue_operands(term)
        case AddressOf(target, _):
            yield from lvalue_operands(target)
        case _:
            yield from children(term)


class PythonExpressions:
    """Makes the texts of expressions, all those of one operation at a time."""

    def __init__(self, layout: VariableLayout, constants: Constants, tracing: bool) -> None:
        self._layout = layout
        self._constants = constants
        self.lvalues = PythonLvalues(layout, constants, tracing)
        self.codes: dict[Expr, PythonCode] = {}

    def prepare(self, roots: Iterable[Expr], emit: Callable[[str], None]) -> None:
        """Fill `codes` with the texts of these expressions and all their operands. What must be
        computed beforehand is emitted as statements."""
        codes = self.codes = {}
        temporaries = 0
        for term, uses in _in_order(roots):
            code = self._code(term)
            if code.depth > _DEEPEST or (uses > 1 and code.depth > 0):
                name = f"t{temporaries}"
                temporaries += 1
                emit(f"{name} = {code.text}")
                code = named(code, name)
            codes[term] = code

    def _code(self, term: Expr) -> PythonCode:
        codes = self.codes
        match term:
            case Var() | Deref() | Field() | Index():
                return self.lvalues.load(self.lvalues.resolve(term, "read", codes))
            case Const(value, type_):
                return PythonCode("True" if value else "False") if type_ is BOOL else numeral(value)
            case FloatConst(text, type_):
                return self._float_constant(text, type_)
            case FunctionAddress(name, _):
                return numeral(self._layout.functions[name])
            case Unary(op, arg, type_):
                return self._unary(op, codes[arg], type_)
            case Binary(op, left, right, _) if op.is_comparison:
                return compare(op, codes[left], codes[right])
            case Binary(op, left, right, type_):
                return self._binary(op, codes[left], codes[right], type_)
            case Cast(arg, type_):
                return self.convert(codes[arg], arg.type, type_)
            case PointerAdd(pointer, position, type_):
                size = numeral(size_of(type_.target))
                wide = IntType(2 * self._layout.bits + 2, True)  # where scaling cannot overflow
                scaled = integer(Op.MUL, wide, codes[position], size)
                return fit(type_, integer(Op.ADD, wide, codes[pointer], scaled))
            case PointerDiff(left, right, type_):
                return self._pointer_diff(codes[left], codes[right], left.type, type_)
            case AddressOf(Var() | Deref() | Field() | Index() as target, _):
                return self.lvalues.address(self.lvalues.resolve(target, "", codes))
            case AddressOf(target, _):
                raise InternalError(f"the address of a {type(target).__name__} is taken")
            case ObjectSize(pointer, type_):
                high = (1 << self._layout.bits) - 1
                code = codes[pointer]
                return fit(
                    type_, PythonCode(f"size_at({code.text})", 0, high, depth=code.depth + 1)
                )
            case ValidAccess(pointer, size, writes):
                start, count = codes[pointer], codes[size]
                depth = max(start.depth, count.depth) + 1
                return PythonCode(
                    f"valid_access({start.text}, {count.text}, {writes})", depth=depth
                )
            case ValidFree(pointer):
                code = codes[pointer]
                return PythonCode(f"valid_free({code.text})", depth=code.depth + 1)
            case Initialised(pointer):
                assert isinstance(pointer.type, PointerType)
                code = codes[pointer]
                text = f"is_written({code.text}, {size_of(pointer.type.target)})"
                return PythonCode(text, depth=code.depth + 1)
            case NoLeak(roots):
                return PythonCode(f"no_leak({self._constants.name(roots)}, r)", depth=1)
            case Ite(cond, then, other, _):
                return _choice(codes[cond], codes[then], codes[other])
            case Not(arg):
                return PythonCode(f"(not {codes[arg].text})", depth=codes[arg].depth + 1)
            case And(args):
                return _chain("and", "True", [codes[arg] for arg in args])
            case Or(args):
                return _chain("or", "False", [codes[arg] for arg in args])
            case Bound() | Forall():
                raise InternalError("a program has no quantifiers")
        assert_never(term)

    def _float_constant(self, hexadecimal: str, type_: FloatType) -> PythonCode:
        value = float_constant(hexadecimal, type_)
        if isinstance(value, Extended):
            return PythonCode(self._constants.name(value))
        text = repr(value)
        if text[-1].isalpha():  # inf and nan are no literals
            return PythonCode(self._constants.name(value))
        return PythonCode(f"({text})" if text.startswith("-") else text)

    def _unary(self, op: UnaryOp, arg: PythonCode, type_: Type) -> PythonCode:
        depth = arg.depth + 1
        if isinstance(type_, FloatType) and op is UnaryOp.NEG:
            return PythonCode(f"(-{arg.text})", depth=depth)
        if isinstance(type_, FloatType) and op.is_function:
            return _function(op.value, type_, arg)
        if not isinstance(type_, IntType | PointerType):
            raise InternalError(f"the operator {op.value} is applied to the type {type_}")
        if op is UnaryOp.NEG:
            code = PythonCode(f"(-{arg.text})", -arg.high, -arg.low, depth=depth)
        else:
            code = PythonCode(f"(~{arg.text})", ~arg.high, ~arg.low, depth=depth)
        return fit(type_, numeral(code.low) if arg.constant else code)

    def _binary(self, op: Op, left: PythonCode, right: PythonCode, type_: Type) -> PythonCode:
        if isinstance(type_, IntType | PointerType):
            return integer(op, type_, left, right)
        if not isinstance(type_, FloatType):
            raise InternalError(f"the operator {op.value} is applied to the type {type_}")
        if op.is_function:
            return _function(op.value, type_, left, right)
        if type_.bits == 80:
            text = f"({left.text} {op.value} {right.text})"
        elif op is Op.DIV:
            text = f"float_quotient({left.text}, {right.text})"
        else:
            text = f"({left.text} {_FLOAT_OPERATORS[op]} {right.text})"
        if type_.bits == 32:
            text = f"to_single({text})"
        return PythonCode(text, depth=max(left.depth, right.depth) + 2)

    def convert(self, arg: PythonCode, source: Type, target: Type) -> PythonCode:
        """C's conversion from one scalar type to another."""
        depth = arg.depth + 1
        if source is target:
            return arg
        match source, target:
            case (IntType(), PointerType()) if self._may_be_low(arg):
                code = fit(target, arg)
                text = f"(w if (w := {code.text}) >= {FIRST_FUNCTION} else as_pointer(w))"
                return PythonCode(text, code.low, code.high, depth=code.depth + 1)
            case (IntType() | PointerType(), IntType() | PointerType()):
                return fit(target, arg)
            case (_, IntType() | PointerType()) if source is BOOL:
                return fit(target, PythonCode(f"(1 if {arg.text} else 0)", 0, 1, depth=depth))
            case (_, FloatType()) if source is BOOL:
                number = self.convert(numeral(1), INT, target).text
                zero = self.convert(numeral(0), INT, target).text
                return PythonCode(f"({number} if {arg.text} else {zero})", depth=depth + 1)
            case (_, FloatType(80, _)):
                return PythonCode(f"extended({arg.text})", depth=depth)
            case (FloatType(80, _), FloatType(bits, _)):
                function = "to_single" if bits == 32 else "to_double"
                return PythonCode(f"({arg.text}).{function}()", depth=depth)
            case (IntType() | PointerType(), FloatType(bits, _)):
                function = "int_to_single" if bits == 32 else "float"
                return PythonCode(f"{function}({arg.text})", depth=depth)
            case (FloatType(), FloatType(32, _)):
                return PythonCode(f"to_single({arg.text})", depth=depth)
            case (FloatType(), FloatType()):
                return arg
            case (FloatType(), IntType() | PointerType()):
                text = f"to_integer({arg.text}, {self._constants.name(target)})"
                return fit(target, PythonCode(text, *type_range(target), depth=depth))
            case (IntType() | PointerType() | FloatType(), _) if target is BOOL:
                return PythonCode(f"({arg.text} != 0)", depth=depth)
        raise InternalError(f"the type {source} cannot be converted to {target}")

    def _may_be_low(self, arg: PythonCode) -> bool:
        """Whether a number may be an input that is a pointer into the lower range of the
        environment's memory; only as a pointer it means that."""
        return self._layout.has_environment and not arg.constant and arg.low < FIRST_FUNCTION

    def _pointer_diff(
        self, left: PythonCode, right: PythonCode, pointer: Type, type_: IntType
    ) -> PythonCode:
        assert isinstance(pointer, PointerType)
        signed = IntType(pointer.bits, True)
        difference = integer(Op.SUB, signed, left, right)
        size = numeral(size_of(pointer.target))
        return fit(type_, integer(Op.DIV, signed, difference, size))


def _function(name: str, type_: FloatType, *args: PythonCode) -> PythonCode:
    """An operator of floating point that C has as a function."""
    depth = max(arg.depth for arg in args) + 2
    if name in _DIRECTED:
        texts = ", ".join(arg.text for arg in args)
        return PythonCode(f"directed({name!r}, {type_.bits}, {texts})", depth=depth)
    if name in _NEIGHBOURS and type_.bits != 80:
        function = "next_single" if type_.bits == 32 else "next_double"
        return PythonCode(f"{function}({args[0].text}, {_NEIGHBOURS[name]})", depth=depth)
    if name in IN_LIBRARY and type_.bits != 80:
        name = f"{name}f" if type_.bits == 32 else name
        return PythonCode(f"libm({name!r}, {', '.join(arg.text for arg in args)})", depth=depth)
    if type_.bits == 80:
        first, *others = (arg.text for arg in args)
        return PythonCode(f"({first}).{name}({', '.join(others)})", depth=depth)
    text = f"float_{name}({', '.join(arg.text for arg in args)})"
    return PythonCode(f"to_single({text})" if type_.bits == 32 else text, depth=depth)


def _in_order(roots: Iterable[Expr]) -> list[tuple[Expr, int]]:
    """All terms to evaluate, operands first, each with how often it is used."""
    uses: dict[Expr, int] = {}
    order: list[Expr] = []
    stack: list[tuple[Expr, bool]] = [(root, False) for root in reversed(list(roots))]
    while stack:
        term, done = stack.pop()
        if done:
            order.append(term)
        elif term in uses:
            uses[term] += 1
        else:
            uses[term] = 1
            stack.append((term, True))
            stack.extend((operand, False) for operand in reversed(list(operands(term))))
    return [(term, uses[term]) for term in order]


def _choice(cond: PythonCode, then: PythonCode, other: PythonCode) -> PythonCode:
    depth = max(cond.depth, then.depth, other.depth) + 1
    text = f"({then.text} if {cond.text} else {other.text})"
    return PythonCode(text, min(then.low, other.low), max(then.high, other.high), depth=depth)


def _chain(operator: str, empty: str, args: list[PythonCode]) -> PythonCode:
    if not args:
        return PythonCode(empty)
    depth = max(arg.depth for arg in args) + 1
    return PythonCode(f"({f' {operator} '.join(arg.text for arg in args)})", depth=depth)
