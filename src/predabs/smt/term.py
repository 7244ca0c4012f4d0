"""Terms of the solvers: interned, sorted, and few classes: `Symbol`, `Value` and `App`.

Every operator is total and has one meaning (`semantics`), whatever a solver makes of division by
zero, so a model of one back end is a model for all. There is no `distinct`, no implication and no
subtraction of integers: `build` and `bitvec` write them with the operators below. Floating point
has no sort of its own: its operators take and give the bits of IEEE 754. Use `build`, `bitvectors`
and `floats` to make terms; `apply` makes the plain node and only looks at the sorts.

>>> x = Symbol("x", IntSort())
>>> apply(Op.LE, (x, Value(3, INT))) is apply(Op.LE, (x, Value(3, INT)))
True
>>> print(apply(Op.LE, (x, Value(3, INT))))
(<= x 3)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import TypeAlias

from ..errors import InternalError
from ..ir.intern import Term as Interned
from ..records import dataclass


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BoolSort(Interned):
    """Truth values: 0 and 1."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class IntSort(Interned):
    """The mathematical integers."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BitVecSort(Interned):
    """Vectors of `width` > 0 bits; their values are written as numbers without a sign."""

    width: int


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ArraySort(Interned):
    """Arrays, as total functions; an index is a scalar, an element may be an array again."""

    index: Scalar
    element: Sort


Scalar: TypeAlias = BoolSort | IntSort | BitVecSort
Sort: TypeAlias = Scalar | ArraySort

BOOL = BoolSort()
INT = IntSort()


class Op(Enum):
    """All operators, by their SMT-LIB names."""

    NOT = "not"
    AND = "and"
    OR = "or"
    EQ = "="
    ITE = "ite"
    # integers; x div 0 = 0 and x mod 0 = x, else as Euclid has it
    ADD = "+"
    MUL = "*"
    DIV = "div"
    MOD = "mod"
    LE = "<="
    LT = "<"
    # bit-vectors, as SMT-LIB has them (division by zero included)
    BV_NOT = "bvnot"
    BV_NEG = "bvneg"
    BV_ADD = "bvadd"
    BV_SUB = "bvsub"
    BV_MUL = "bvmul"
    BV_UDIV = "bvudiv"
    BV_SDIV = "bvsdiv"
    BV_UREM = "bvurem"
    BV_SREM = "bvsrem"
    BV_SHL = "bvshl"
    BV_LSHR = "bvlshr"
    BV_ASHR = "bvashr"
    BV_AND = "bvand"
    BV_OR = "bvor"
    BV_XOR = "bvxor"
    BV_ULT = "bvult"
    BV_ULE = "bvule"
    BV_SLT = "bvslt"
    BV_SLE = "bvsle"
    CONCAT = "concat"
    EXTRACT = "extract"  # params: high bit, low bit
    ZERO_EXTEND = "zero_extend"  # params: how many bits are added
    SIGN_EXTEND = "sign_extend"
    # arrays
    SELECT = "select"
    STORE = "store"
    CONST_ARRAY = "const"  # params: sort of the index; the element is a constant
    # floating point, on bit-vectors that are the bits of numbers; params: the widths of exponent
    # and significand, then for what rounds the mode (`ir.ieee754`), then what is said behind
    FP_ADD = "fp.add"
    FP_SUB = "fp.sub"
    FP_MUL = "fp.mul"
    FP_DIV = "fp.div"
    FP_SQRT = "fp.sqrt"
    FP_INTEGRAL = "fp.roundToIntegral"
    FP_EQ = "fp.eq"
    FP_LT = "fp.lt"
    FP_LE = "fp.leq"
    FP_CONVERT = "to_fp"  # the widths of the target
    FP_FROM_SBV = "to_fp_signed"
    FP_FROM_UBV = "to_fp_unsigned"
    FP_TO_SBV = "fp.to_sbv"  # the width; out of range: the most negative number

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Symbol(Interned):
    """A free variable; the same name with another sort is another variable."""

    name: str
    sort: Sort

    def __str__(self) -> str:
        return show(self)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Value(Interned):
    """A constant: 0 or 1 of Bool, any integer of Int, 0 .. 2^width - 1 of BitVec."""

    value: int
    sort: Scalar

    def __str__(self) -> str:
        return show(self)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, repr=False)
class App(Interned):
    """An operator and its arguments; `params` are numbers or a sort that belong to the operator."""

    op: Op
    args: tuple[Term, ...]
    params: tuple[int | Sort, ...]
    sort: Sort

    def __str__(self) -> str:
        return show(self)

    def __repr__(self) -> str:
        return f"<{self.op.value} of {len(self.args)}>"


Term: TypeAlias = Symbol | Value | App

TRUE = Value(1, BOOL)
FALSE = Value(0, BOOL)

BV_BINARY = frozenset(
    {Op.BV_ADD, Op.BV_SUB, Op.BV_MUL, Op.BV_UDIV, Op.BV_SDIV, Op.BV_UREM, Op.BV_SREM}
    | {Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR, Op.BV_AND, Op.BV_OR, Op.BV_XOR}
)
BV_COMPARE = frozenset((Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE))
FP_BINARY = frozenset((Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV))
FP_UNARY = frozenset((Op.FP_SQRT, Op.FP_INTEGRAL))
FP_COMPARE = frozenset((Op.FP_EQ, Op.FP_LT, Op.FP_LE))
FP_FROM_INTEGER = frozenset((Op.FP_FROM_SBV, Op.FP_FROM_UBV))
FP_RESULT = FP_BINARY | FP_UNARY | FP_FROM_INTEGER | {Op.FP_CONVERT}  # whose bits are a number's
FP_OPS = FP_RESULT | FP_COMPARE | {Op.FP_TO_SBV}


def apply(op: Op, args: tuple[Term, ...], params: tuple[int | Sort, ...] = ()) -> App:
    """The node as it stands, nothing simplified; ill-sorted arguments are an InternalError."""
    sort = _sort_of(op, args, params)
    if sort is None:
        sorts = " ".join(show_sort(arg.sort) for arg in args)
        raise InternalError(f"ill-sorted term: ({op.value} {params or ''}) over {sorts}")
    return App(op, args, params, sort)


def _sort_of(op: Op, args: tuple[Term, ...], params: tuple[int | Sort, ...]) -> Sort | None:
    """The sort of the application; None if it is ill-sorted. Every term that is built comes through
    here, so the common operators are distinguished by a table, not by patterns."""
    rule = _RULES.get(op)
    if rule is not None:
        return None if params else rule(args)
    sorts = [arg.sort for arg in args]
    if op in FP_OPS:
        return _float_sort(op, sorts, params)
    match op, sorts, params:
        case Op.CONCAT, [BitVecSort(high), BitVecSort(low)], ():
            return BitVecSort(high + low)
        case Op.EXTRACT, [BitVecSort(width)], (int(high), int(low)) if width > high >= low >= 0:
            return BitVecSort(high - low + 1)
        case ((Op.ZERO_EXTEND | Op.SIGN_EXTEND), [BitVecSort(width)], (int(more),)) if more >= 0:
            return BitVecSort(width + more)
        case Op.CONST_ARRAY, [element], (BoolSort() | IntSort() | BitVecSort() as index,):
            # cvc5 has arrays of a constant only
            constant = isinstance(args[0], Value) or is_app(args[0], Op.CONST_ARRAY)
            return ArraySort(index, element) if constant else None
        case _:
            return None


def _float_sort(op: Op, sorts: list[Sort], params: tuple[int | Sort, ...]) -> Sort | None:
    """As `_sort_of`: where a number of the format is meant, there are as many bits."""
    match params:
        case (int(exponent), int(precision), *rest) if exponent > 1 and precision > 2:
            number = BitVecSort(exponent + precision)
        case _:
            return None
    match op, sorts, rest:
        case _, [a, b], [int()] if op in FP_BINARY and a is number and b is number:
            return number
        case _, [a], [int()] if op in FP_UNARY and a is number:
            return number
        case _, [a, b], [] if op in FP_COMPARE and a is number and b is number:
            return BOOL
        case _, [BitVecSort()], [int()] if op in FP_FROM_INTEGER:
            return number
        case Op.FP_TO_SBV, [a], [int(), int(width)] if a is number and width > 0:
            return BitVecSort(width)
        case Op.FP_CONVERT, [a], [int(), int(more), int(digits)] if a is number:
            return BitVecSort(more + digits) if more > 1 and digits > 2 else None
        case _:
            return None


def _all_are(sort: Sort, result: Sort) -> Callable[[tuple[Term, ...]], Sort | None]:
    """Two arguments or more, of one sort."""

    def rule(args: tuple[Term, ...]) -> Sort | None:
        for arg in args:
            if arg.sort is not sort:
                return None
        return result if len(args) > 1 else None

    return rule


def _two_are(sort: Sort, result: Sort) -> Callable[[tuple[Term, ...]], Sort | None]:
    def rule(args: tuple[Term, ...]) -> Sort | None:
        same = len(args) == 2 and args[0].sort is sort and args[1].sort is sort
        return result if same else None

    return rule


def _not(args: tuple[Term, ...]) -> Sort | None:
    return BOOL if len(args) == 1 and args[0].sort is BOOL else None


def _eq(args: tuple[Term, ...]) -> Sort | None:
    return BOOL if len(args) == 2 and args[0].sort is args[1].sort else None


def _ite(args: tuple[Term, ...]) -> Sort | None:
    if len(args) != 3 or args[0].sort is not BOOL or args[1].sort is not args[2].sort:
        return None
    return args[1].sort


def _bv_unary(args: tuple[Term, ...]) -> Sort | None:
    return args[0].sort if len(args) == 1 and isinstance(args[0].sort, BitVecSort) else None


def _bv_binary(args: tuple[Term, ...]) -> Sort | None:
    same = len(args) == 2 and args[0].sort is args[1].sort
    return args[0].sort if same and isinstance(args[0].sort, BitVecSort) else None


def _bv_compare(args: tuple[Term, ...]) -> Sort | None:
    return None if _bv_binary(args) is None else BOOL


def _select(args: tuple[Term, ...]) -> Sort | None:
    sort = args[0].sort if len(args) == 2 else None
    if not isinstance(sort, ArraySort) or sort.index is not args[1].sort:
        return None
    return sort.element


def _store(args: tuple[Term, ...]) -> Sort | None:
    sort = args[0].sort if len(args) == 3 else None
    if not isinstance(sort, ArraySort) or sort.index is not args[1].sort:
        return None
    return sort if sort.element is args[2].sort else None


_RULES: dict[Op, Callable[[tuple[Term, ...]], Sort | None]] = {
    Op.NOT: _not,
    Op.AND: _all_are(BOOL, BOOL),
    Op.OR: _all_are(BOOL, BOOL),
    Op.EQ: _eq,
    Op.ITE: _ite,
    Op.ADD: _all_are(INT, INT),
    Op.MUL: _all_are(INT, INT),
    Op.DIV: _two_are(INT, INT),
    Op.MOD: _two_are(INT, INT),
    Op.LE: _two_are(INT, BOOL),
    Op.LT: _two_are(INT, BOOL),
    Op.BV_NOT: _bv_unary,
    Op.BV_NEG: _bv_unary,
    **dict.fromkeys(BV_BINARY, _bv_binary),
    **dict.fromkeys(BV_COMPARE, _bv_compare),
    Op.SELECT: _select,
    Op.STORE: _store,
}  # those without params


def is_app(term: Term, op: Op) -> bool:
    return isinstance(term, App) and term.op is op


def postorder(roots: Iterable[Term]) -> Iterator[Term]:
    """Each subterm of the roots once, arguments before the terms they stand in."""
    seen: set[Term] = set()
    stack: list[Term] = list(roots)
    stack.reverse()
    while stack:
        term = stack[-1]
        if term in seen:
            stack.pop()
            continue
        if isinstance(term, App):
            missing = [arg for arg in term.args if arg not in seen]
            if missing:
                missing.reverse()
                stack.extend(missing)
                continue
        seen.add(term)
        stack.pop()
        yield term


def symbols(roots: Iterable[Term]) -> dict[Symbol, None]:
    """The symbols in the roots, in the order in which they are met."""
    return {term: None for term in postorder(roots) if isinstance(term, Symbol)}


def show_sort(sort: Sort) -> str:
    match sort:
        case BoolSort():
            return "Bool"
        case IntSort():
            return "Int"
        case BitVecSort(width):
            return f"(_ BitVec {width})"
        case ArraySort(index, element):
            return f"(Array {show_sort(index)} {show_sort(element)})"


_LONGEST = 1_000_000  # pieces of a text


def show(root: Term) -> str:
    """The term in SMT-LIB's syntax, for a person: shared subterms are written out each time, and
    dots stand for what would become too long."""
    out: list[str] = []
    stack: list[Term | str] = [root]
    while stack:
        match stack.pop():
            case str(text):
                out.append(text)
            case _ if len(out) > _LONGEST:
                out.append("...")
            case Symbol(name, _):
                out.append(name)
            case Value(value, BoolSort()):
                out.append("true" if value else "false")
            case Value(value, IntSort()):
                out.append(str(value) if value >= 0 else f"(- {-value})")
            case Value(value, BitVecSort(width)):
                out.append(f"(_ bv{value} {width})")
            case App(Op.CONST_ARRAY, (element,), _, sort):
                out.append(f"((as const {show_sort(sort)}) ")
                stack += [")", element]
            case App(op, args, params, _):
                shown = f"(_ {op.value} {' '.join(map(str, params))})" if params else op.value
                out.append(f"({shown}")
                stack.append(")")
                for arg in reversed(args):
                    stack += [arg, " "]
            case _:
                raise InternalError("not a term")
    return "".join(out)
