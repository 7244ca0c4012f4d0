"""The syntax tree between libclang and the lowering: C with types and conversions made explicit.

Types are already those of the IR. Implicit conversions are `Cast` nodes, parentheses and casts
that change nothing are gone, initialisers are flat lists of (path, value), and what the compiler
can compute (sizeof, offsetof, enum constants) is a literal. An expression node is an lvalue or a
value as in C; reading an lvalue has no node of its own.
"""

from __future__ import annotations

from typing import TypeAlias

from ..ir.cfa import Coord
from ..ir.frozen import frozen as node
from ..ir.types import ArrayType, FloatType, IntType, Type
from .symbols import Symbol

# --- expressions: each has `type` (the C type as an IR type), `volatile` where it is an lvalue ----


@node
class IntLiteral:
    value: int
    type: Type  # integer, or pointer (a null pointer constant the compiler folded)
    coord: Coord


@node
class FloatLiteral:
    hex: str  # as `ir.expr.FloatConst` has it
    type: FloatType
    coord: Coord


@node
class StringLiteral:
    """An array lvalue; `values` are its elements with the terminating zero."""

    values: tuple[int, ...]
    type: ArrayType
    coord: Coord


@node
class Ref:
    symbol: Symbol
    type: Type
    volatile: bool
    coord: Coord


@node
class Unary:
    """op: `-` `~` `!` `*` `&`, and `++x` `--x` `x++` `x--` by these four names."""

    op: str
    arg: Expr
    type: Type
    volatile: bool
    coord: Coord


@node
class Binary:
    """op: arithmetic, comparison, `&&`, `||` or `,`; operands are converted already.

    Additions and comparisons of pointers keep pointer operands.
    """

    op: str
    left: Expr
    right: Expr
    type: Type
    coord: Coord


@node
class Assign:
    """`left = right`, or with op (`+`, `<<` ...) a compound assignment whose right operand is not
    yet converted to the type in which it computes."""

    op: str
    left: Expr
    right: Expr
    type: Type
    coord: Coord


@node
class Conditional:
    """`cond ? then : other`; `then` is None in GNU's `cond ?: other`."""

    cond: Expr
    then: Expr | None
    other: Expr
    type: Type
    coord: Coord


@node
class Cast:
    """Any conversion, explicit or implicit, that changes the type: between scalars, to void, an
    array to the pointer to its first element, a function to its address."""

    arg: Expr
    type: Type
    coord: Coord


@node
class Call:
    callee: Expr  # a Ref to a function, or a pointer to one
    args: tuple[Expr, ...]
    type: Type
    coord: Coord


@node
class Member:
    """`base.name`, or `base->name` if `arrow`; `type` is the declared type, also of a bit-field.

    What lies in an anonymous struct or union is reached through members with generated names, the
    same as in `Record.members`.
    """

    base: Expr
    name: str
    arrow: bool
    type: Type
    volatile: bool
    coord: Coord


@node
class Subscript:
    """`base[index]`: `base` is the pointer, `index` the integer, whichever order the source has."""

    base: Expr
    index: Expr
    type: Type
    volatile: bool
    coord: Coord


@node
class InitList:
    """An initialiser in braces for an array or record, flattened.

    Each entry is a path of member names and indices from the outermost object, and a value: a
    scalar, a record, or a string literal for an array. What no entry names is zero; of two entries
    for one path the later counts (overridden ones are kept only if they have side effects).
    """

    entries: tuple[tuple[tuple[str | int, ...], Expr], ...]
    type: Type
    coord: Coord


@node
class CompoundLiteral:
    """`(T){...}`, an lvalue; outside of functions it is a static object."""

    init: Expr  # an InitList, or a scalar's value
    static: bool
    type: Type
    coord: Coord


@node
class StatementExpr:
    """GNU's `({ ... })`: its value is that of the last statement, if that is an expression."""

    body: Compound
    type: Type
    coord: Coord


@node
class VlaSize:
    """`sizeof a` for a variable-length array, in bytes."""

    symbol: Symbol
    type: IntType
    coord: Coord


@node
class VaArg:
    """`va_arg(list, type)`; `list` is an lvalue of the platform's va_list type."""

    list: Expr
    type: Type
    coord: Coord


@node
class LabelAddress:
    """GNU's `&&label` as a value."""

    type: Type
    coord: Coord


Expr: TypeAlias = (
    IntLiteral
    | FloatLiteral
    | StringLiteral
    | Ref
    | Unary
    | Binary
    | Assign
    | Conditional
    | Cast
    | Call
    | Member
    | Subscript
    | InitList
    | CompoundLiteral
    | StatementExpr
    | VlaSize
    | VaArg
    | LabelAddress
)


# --- statements -----------------------------------------------------------------------------------


@node
class Compound:
    items: tuple[Stmt, ...]
    coord: Coord


@node
class Declare:
    """A variable of a block comes to life. `init` is an InitList for aggregates in braces, else a
    value (a StringLiteral for a character array). `length` is the number of elements of a VLA."""

    symbol: Symbol
    init: Expr | None
    length: Expr | None
    coord: Coord


@node
class Evaluate:
    expr: Expr
    coord: Coord


@node
class If:
    cond: Expr
    then: Stmt
    other: Stmt | None
    coord: Coord


@node
class While:
    cond: Expr
    body: Stmt
    coord: Coord


@node
class DoWhile:
    body: Stmt
    cond: Expr
    coord: Coord


@node
class For:
    init: Stmt | None
    cond: Expr | None
    step: Expr | None
    body: Stmt
    coord: Coord


@node
class Switch:
    value: Expr
    body: Stmt
    coord: Coord


@node
class Case:
    """`case low:` or GNU's `case low ... high:`; values as the compiler computed them."""

    low: int
    high: int
    body: Stmt
    coord: Coord


@node
class Default:
    body: Stmt
    coord: Coord


@node
class Label:
    name: str
    body: Stmt
    coord: Coord


@node
class Goto:
    label: str
    coord: Coord


@node
class Break:
    coord: Coord


@node
class Continue:
    coord: Coord


@node
class Return:
    value: Expr | None
    coord: Coord


@node
class Asm:
    """Inline assembly: every lvalue among its outputs may be written. It may go on at a label
    that the source calls by one of the names; None: at any label of the function. The text and the
    names and constraints of the operands are there if the source shows them."""

    outputs: tuple[Expr, ...]
    inputs: tuple[Expr, ...]
    targets: frozenset[str] | None
    text: str | None
    constraints: tuple[tuple[str, str], ...]
    coord: Coord


@node
class Empty:
    coord: Coord


Stmt: TypeAlias = (
    Compound
    | Declare
    | Evaluate
    | If
    | While
    | DoWhile
    | For
    | Switch
    | Case
    | Default
    | Label
    | Goto
    | Break
    | Continue
    | Return
    | Asm
    | Empty
)


# --- files ----------------------------------------------------------------------------------------


@node
class FunctionDef:
    symbol: Symbol
    params: tuple[Symbol, ...]
    body: Compound
    coord: Coord
    inline: bool = False  # an inline definition (C11 6.7.4): other files may have theirs


@node
class VariableDef:
    """A global variable. `init` is None for `int x;` (tentative) and for `extern int x;`."""

    symbol: Symbol
    init: Expr | None
    extern: bool  # a declaration only: no definition in this file
    coord: Coord
