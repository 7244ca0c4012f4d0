"""Expressions: interned, typed terms without side effects.

One page, because every engine, encoding and printer dispatches over it. A term is either a C value
(type: integer, pointer, floating point, record) or a condition (type `BOOL`). The operands of an
arithmetic operator have the operator's own type, as C's conversions were made explicit casts by the
front end; a shift amount has any integer type. Comparisons come down to EQ, LT and LE, their
negations to `Not`. All operands are evaluated: what C evaluates only sometimes and could go wrong
(a division, a dereference behind `&&`) was turned into branches.

Use the functions of `ir.make` to build terms: they fold constants and simplify.

>>> from .types import INT
>>> x = Var("x", INT)
>>> Binary(Op.ADD, x, Const(1, INT), INT) is Binary(Op.ADD, x, Const(1, INT), INT)
True
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ..records import dataclass
from .intern import Term
from .types import BOOL, BoolType, FloatType, IntType, PointerType, Type


class Op(Enum):
    """Binary operators, by their C spelling."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    REM = "%"
    SHL = "<<"
    SHR = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    EQ = "=="
    LT = "<"
    LE = "<="
    # of floating point only; C has them as functions
    FMOD = "fmod"
    REMAINDER = "remainder"
    COPYSIGN = "copysign"
    # with results that the C library of the machine has
    POW = "pow"
    ATAN2 = "atan2"
    HYPOT = "hypot"
    # of floating point, rounded up, down or towards zero, after fesetround
    ADD_UP = "add_up"
    SUB_UP = "sub_up"
    MUL_UP = "mul_up"
    DIV_UP = "div_up"
    ADD_DOWN = "add_down"
    SUB_DOWN = "sub_down"
    MUL_DOWN = "mul_down"
    DIV_DOWN = "div_down"
    ADD_ZERO = "add_zero"
    SUB_ZERO = "sub_zero"
    MUL_ZERO = "mul_zero"
    DIV_ZERO = "div_zero"

    @property
    def is_comparison(self) -> bool:
        return self in (Op.EQ, Op.LT, Op.LE)

    @property
    def is_function(self) -> bool:
        """Is it an operator of floating point that C writes as a function?"""
        return self in _FUNCTIONS

    @property
    def is_arithmetic(self) -> bool:
        return not self.is_comparison and self not in _FUNCTIONS

    __hash__ = object.__hash__


DIRECTED = frozenset(
    op for op in Op if op.name.partition("_")[2] in ("UP", "DOWN", "ZERO")
)  # operators with a rounding direction
_FUNCTIONS = DIRECTED | {Op.FMOD, Op.REMAINDER, Op.COPYSIGN, Op.POW, Op.ATAN2, Op.HYPOT}


class UnaryOp(Enum):
    """Unary operators on numbers."""

    NEG = "-"
    INVERT = "~"
    # of floating point only; C has them as functions
    ABS = "fabs"
    SQRT = "sqrt"
    FLOOR = "floor"
    CEIL = "ceil"
    TRUNC = "trunc"
    ROUND = "round"  # ties away from zero
    RINT = "rint"  # ties to even
    # with results that the C library of the machine has
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    ASIN = "asin"
    ACOS = "acos"
    ATAN = "atan"
    SINH = "sinh"
    COSH = "cosh"
    TANH = "tanh"
    EXP = "exp"
    EXP2 = "exp2"
    EXPM1 = "expm1"
    LOG = "log"
    LOG2 = "log2"
    LOG10 = "log10"
    LOG1P = "log1p"
    CBRT = "cbrt"
    # rounded up, down or towards zero, after fesetround
    SQRT_UP = "sqrt_up"
    SQRT_DOWN = "sqrt_down"
    SQRT_ZERO = "sqrt_zero"
    # the next number above or below [IEEE 754-2019, 5.3.1]
    NEXT_UP = "nextup"
    NEXT_DOWN = "nextdown"

    @property
    def is_function(self) -> bool:
        return self not in (UnaryOp.NEG, UnaryOp.INVERT)

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Var(Term):
    """A variable: a global `x`, or `f::x` of the function f. Its name is unique in the program."""

    name: str
    type: Type

    @property
    def function(self) -> str:
        """The function it is local to; empty for a global."""
        return self.name.rpartition("::")[0]

    @property
    def short(self) -> str:
        """The name as the source has it (a second `x` of one function is `x#2`)."""
        return self.name.rpartition("::")[2]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Const(Term):
    """An integer, an address given as a number, or a truth value (0 or 1 of type BOOL)."""

    value: int
    type: IntType | PointerType | BoolType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FloatConst(Term):
    """A floating-point constant, as `float.hex` writes it (exact, and -0.0 is not 0.0)."""

    hex: str
    type: FloatType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FunctionAddress(Term):
    """The address of the function `name`."""

    name: str
    type: PointerType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Unary(Term):
    op: UnaryOp
    arg: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Binary(Term):
    """Arithmetic, in the type of the left operand, or a comparison, of type BOOL."""

    op: Op
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Cast(Term):
    """C's conversion between scalars; from BOOL to an integer it gives 1 or 0."""

    arg: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PointerAdd(Term):
    """`pointer + index`, in elements of the pointer's target; the index may be negative."""

    pointer: Expr
    index: Expr
    type: PointerType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PointerDiff(Term):
    """`left - right`, in elements of their target, as a signed number."""

    left: Expr
    right: Expr
    type: IntType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Deref(Term):
    """The object that the pointer points to, seen as `type`."""

    pointer: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Field(Term):
    """The member `name` of the record `base` (an lvalue)."""

    base: Lvalue
    name: str
    type: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Index(Term):
    """The element `index` of the array `base` (an lvalue)."""

    base: Lvalue
    index: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class AddressOf(Term):
    """The address of an lvalue; an array that decays is the address of its element 0."""

    target: Lvalue
    type: PointerType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ObjectSize(Term):
    """The size in bytes of the whole object that the pointer points into."""

    pointer: Expr
    type: IntType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ValidAccess(Term):
    """Do all `size` bytes (a number as wide as a pointer, unsigned) from the pointer on lie in one
    live object, which may be written if that is what the access does, or in memory of the
    environment? No bytes are always valid."""

    pointer: Expr
    size: Expr
    writes: bool

    @property
    def type(self) -> BoolType:
        return BOOL


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ValidFree(Term):
    """Is the pointer null, the start of a live object of the heap, or from outside?"""

    pointer: Expr

    @property
    def type(self) -> BoolType:
        return BOOL


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Initialised(Term):
    """Has each byte that the pointer, to a scalar, points to been written, or come from outside? A
    byte that was copied from one that was not written has not been written either."""

    pointer: Expr

    @property
    def type(self) -> BoolType:
        return BOOL


class Roots(Enum):
    """From where an object of the heap must be reachable, so that it is not lost."""

    NONE = "none"  # from nowhere: everything must have been freed
    GLOBALS = "globals"  # when the entry function returns, its variables end
    FRAMES = "frames"  # also from the variables of the calls under way

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class NoLeak(Term):
    """Can each live object of the heap be reached by pointers from the roots?"""

    roots: Roots

    @property
    def type(self) -> BoolType:
        return BOOL


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Ite(Term):
    """`cond ? then : other`; both sides are evaluated."""

    cond: Expr
    then: Expr
    other: Expr
    type: Type


class Condition(Term):
    """A term that is a condition."""

    __slots__ = ()

    @property
    def type(self) -> BoolType:
        return BOOL


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Not(Condition):
    arg: Expr


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class And(Condition):
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Or(Condition):
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Bound(Term):
    """A variable that a quantifier binds. It is no place of the program."""

    name: str
    type: IntType


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Forall(Condition):
    """Only predicates have quantifiers, and none is inside of another."""

    bound: tuple[Bound, ...]
    body: Expr


Expr: TypeAlias = (
    Var
    | Const
    | FloatConst
    | FunctionAddress
    | Unary
    | Binary
    | Cast
    | PointerAdd
    | PointerDiff
    | Deref
    | Field
    | Index
    | AddressOf
    | ObjectSize
    | ValidAccess
    | ValidFree
    | Initialised
    | NoLeak
    | Ite
    | Not
    | And
    | Or
    | Bound
    | Forall
)
Lvalue: TypeAlias = Var | Deref | Field | Index

TRUE = Const(1, BOOL)
FALSE = Const(0, BOOL)
