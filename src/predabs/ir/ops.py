"""Operations: what one edge of a control flow automaton does.

The whole instruction set on one page. Expressions inside an operation have no side effects and are
evaluated in the state before it. An operation that goes wrong (null or out-of-bounds access,
division by zero) has no successor state.

An *input* is a value that nothing in the program determines; `Havoc` is the only operation that
takes one, save for the bytes of an `Alloc`, which are inputs too.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ..records import dataclass
from .expr import Expr, Lvalue, Var


class Source(Enum):
    """Where an input comes from. The last three are approximations: a real run computes the value,
    so that no violation may rest on it. The interpreter computes it for one of them."""

    NONDET = "nondet"  # a call of __VERIFIER_nondet_*
    EXTERN = "extern"  # the result of a function without a body
    UNINITIALIZED = "uninitialized"  # a local that has not been written
    VOLATILE = "volatile"  # a read of a volatile object
    PARAMETER = "parameter"  # a parameter of the entry function
    LIBRARY = (
        "library"  # what a library function gets from the environment: a character of a file ...
    )
    ENVIRONMENT = "environment"  # what lies in memory of the environment; the name is the address
    FORMATTED = "formatted"  # what sprintf writes: kept as it was, until a `Print` that follows
    ASM = "asm"  # what inline assembly may have written
    UNKNOWN = (
        "unknown"  # a result that predabs does not compute (a library function without a model)
    )


class ErrorKind(Enum):
    """What kind of error an `Error` edge stands for; a property selects kinds."""

    ASSERTION = "assertion"  # assert(e) was false
    ERROR_CALL = "error call"  # reach_error() or __VERIFIER_error() was called
    CHECK = "check"  # a fault of C that --check looks for: overflow, null, ...
    RULE = "rule"  # an event of a rule said `error`
    UNSUPPORTED = "unsupported"  # no violation: what happens from here on is not known


class AllocKind(Enum):
    HEAP = "heap"
    STACK = "stack"  # lives until the function returns: alloca, variable-length arrays


@dataclass(frozen=True, slots=True)
class Skip:
    """Nothing happens."""


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; both have the same type, scalar or record (then all bytes are copied)."""

    target: Lvalue
    value: Expr


@dataclass(frozen=True, slots=True)
class Assume:
    """The run goes on only if `cond` (a BOOL) holds; `promised` if no real run can fail it: a bound
    on what a library function gives."""

    cond: Expr
    promised: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    """Where bytes are written: from `pointer` on, at most `most` if that is known."""

    pointer: Expr
    most: Expr | None


@dataclass(frozen=True, slots=True)
class Havoc:
    """`target` (scalar, array or record) takes any value of its type; `name` says whose. With an
    `extent`, it is the number of bytes that a library function writes there, in a loop that follows
    and uses it for nothing else."""

    target: Lvalue
    source: Source
    name: str
    extent: Extent | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """`target = callee(args)`; the callee is a function's address or a pointer to one.

    In a direct call the arguments have the types of the parameters; further ones are dropped.
    """

    target: Lvalue | None
    callee: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function with `value`; leads to the function's exit."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Alloc:
    """`target` = the address of a fresh object of `size` bytes: inputs, or zeros if `zeroed`.

    The size is less than half of the address space: whoever makes the operation sees to that.
    `reuse` is False only if no object that was allocated can have ended before on a run.
    """

    target: Lvalue
    size: Expr
    kind: AllocKind
    zeroed: bool
    reuse: bool = True


@dataclass(frozen=True, slots=True)
class Free:
    """The heap object at `pointer` ends; nothing happens for a null pointer."""

    pointer: Expr


@dataclass(frozen=True, slots=True)
class Fill:
    """memset: `size` bytes from `pointer` on become `byte` (an int, its low 8 bits count)."""

    pointer: Expr
    byte: Expr
    size: Expr


@dataclass(frozen=True, slots=True)
class Copy:
    """memmove: `size` bytes from `source` on are copied to `pointer`; the two may overlap."""

    pointer: Expr
    source: Expr
    size: Expr


@dataclass(frozen=True, slots=True)
class Sweep:
    """`target = value` for `index` = 0, 1, ... below `count`, in this order; the target moves by
    `stride` bytes each time, and stays in its object or has no successor state.

    No value depends on what was written for another index, and nothing else uses the variable
    `index`. Only `analysis/acceleration` makes this operation.
    """

    target: Lvalue
    value: Expr
    index: Var
    count: Expr
    stride: int


@dataclass(frozen=True, slots=True)
class Print:
    """Output by `function` (printf, puts, putchar ...); `target` gets the C result, if wanted.

    sprintf and its kin write to memory, what was approximated before by a `Havoc` of all that they
    may write (`Source.FORMATTED`): whoever does not compute the text has nothing more to do.
    """

    target: Lvalue | None
    function: str
    args: tuple[Expr, ...]

    def buffer(self) -> Expr | None:
        """The pointer to where the text is written, if that is memory."""
        to_memory = self.function.removeprefix("v") in ("sprintf", "snprintf")
        return self.args[0] if to_memory and self.args else None


@dataclass(frozen=True, slots=True)
class Error:
    """The run violates the program's specification here; a fault of C has the name of its `check`
    (see `options.checks`)."""

    kind: ErrorKind
    text: str
    check: str | None = None


UNREACHABLE = "unreachable"  # code that the program declares to be so
VLA_BOUND = "vla-bound"  # an array of variable length whose size is no size of an object


@dataclass(frozen=True, slots=True)
class Halt:
    """The run ends without an error: exit, abort, or what C leaves undefined (see `undefined`)."""

    text: str
    status: Expr | None

    @property
    def undefined(self) -> bool:
        """Is this no end of a real run, but something that no run may come to?"""
        return self.text in (UNREACHABLE, VLA_BOUND)


Operation: TypeAlias = (
    Skip
    | Assign
    | Assume
    | Havoc
    | Call
    | Return
    | Alloc
    | Free
    | Fill
    | Copy
    | Sweep
    | Print
    | Error
    | Halt
)
