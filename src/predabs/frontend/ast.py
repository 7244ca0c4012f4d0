"""The syntax tree between libclang and the lowering: C with types and conversions made explicit.

Types are already those of the IR. Implicit conversions are `Cast` nodes, parentheses and casts
that change nothing are gone, initialisers are flat lists of (path, value), and what the compiler
can compute (sizeof, offsetof, enum constants) is a literal. An expression node is an lvalue or a
value as in C; reading an lvalue has no node of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..ir.cfa import Coord
from ..ir.types import ArrayType, FloatType, IntType, Record, Type
from .symbols import Symbol

# --- expressions: each has `type` (the C type as an IR type), `volatile` where it is an lvalue ----


@dataclass(frozen=True, slots=True, eq=False)
class IntLiteral:
    value: int
    type: Type  # integer, or pointer (a null pointer constant the compiler folded)
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class FloatLiteral:
    value: float
    type: FloatType
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral:
    """An array lvalue; `values` are its elements with the terminating zero."""

    values: tuple[int, ...]
    type: ArrayType
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Ref:
    symbol: Symbol
    type: Type
    volatile: bool
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """op: `-` `~` `!` `*` `&`, and `++x` `--x` `x++` `x--` by these four names."""

    op: str
    arg: Expr
    type: Type
    volatile: bool
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """op: arithmetic, comparison, `&&`, `||` or `,`; operands are converted already.

    Additions and comparisons of pointers keep pointer operands.
    """

    op: str
    left: Expr
    right: Expr
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`left = right`, or with op (`+`, `<<` ...) a compound assignment whose right operand is not
    yet converted to the type in which it computes."""

    op: str
    left: Expr
    right: Expr
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`cond ? then : other`; `then` is None in GNU's `cond ?: other`."""

    cond: Expr
    then: Expr | None
    other: Expr
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """Any conversion, explicit or implicit, that changes the type: between scalars, to void, an
    array to the pointer to its first element, a function to its address."""

    arg: Expr
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    callee: Expr  # a Ref to a function, or a pointer to one
    args: tuple[Expr, ...]
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Subscript:
    """`base[index]`: `base` is the pointer, `index` the integer, whichever order the source has."""

    base: Expr
    index: Expr
    type: Type
    volatile: bool
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class InitList:
    """An initialiser in braces for an array or record, flattened.

    Each entry is a path of member names and indices from the outermost object, and a value: a
    scalar, a record, or a string literal for an array. What no entry names is zero; of two entries
    for one path the later counts (overridden ones are kept only if they have side effects).
    """

    entries: tuple[tuple[tuple[str | int, ...], Expr], ...]
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral:
    """`(T){...}`, an lvalue; outside of functions it is a static object."""

    init: Expr  # an InitList, or a scalar's value
    static: bool
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class StatementExpr:
    """GNU's `({ ... })`: its value is that of the last statement, if that is an expression."""

    body: Compound
    type: Type
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class VlaSize:
    """`sizeof a` for a variable-length array, in bytes."""

    symbol: Symbol
    type: IntType
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class VaArg:
    """`va_arg(list, type)`; `list` is an lvalue of the platform's va_list type."""

    list: Expr
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
)


# --- statements -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Compound:
    items: tuple[Stmt, ...]
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """A variable of a block comes to life. `init` is an InitList for aggregates in braces, else a
    value (a StringLiteral for a character array). `length` is the number of elements of a VLA."""

    symbol: Symbol
    init: Expr | None
    length: Expr | None
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Evaluate:
    expr: Expr
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class If:
    cond: Expr
    then: Stmt
    other: Stmt | None
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class While:
    cond: Expr
    body: Stmt
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile:
    body: Stmt
    cond: Expr
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class For:
    init: Stmt | None
    cond: Expr | None
    step: Expr | None
    body: Stmt
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    value: Expr
    body: Stmt
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """`case low:` or GNU's `case low ... high:`; values as the compiler computed them."""

    low: int
    high: int
    body: Stmt
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Default:
    body: Stmt
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    name: str
    body: Stmt
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    label: str
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    value: Expr | None
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Asm:
    """Inline assembly: every lvalue among its outputs may be written."""

    outputs: tuple[Expr, ...]
    inputs: tuple[Expr, ...]
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDef:
    symbol: Symbol
    params: tuple[Symbol, ...]
    body: Compound
    coord: Coord
    inline: bool = False  # an inline definition (C11 6.7.4): other files may have theirs


@dataclass(frozen=True, slots=True, eq=False)
class VariableDef:
    """A global variable. `init` is None for `int x;` (tentative) and for `extern int x;`."""

    symbol: Symbol
    init: Expr | None
    extern: bool  # a declaration only: no definition in this file
    coord: Coord


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One source file with everything it includes; prototypes are found through symbols.

    `declared` has the names of all functions, also of those that nothing refers to.
    """

    file: str
    functions: tuple[FunctionDef, ...]
    variables: tuple[VariableDef, ...]
    records: Mapping[str, Record]
    declared: frozenset[str]
    volatile_members: bool
