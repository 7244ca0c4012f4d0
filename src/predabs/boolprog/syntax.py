"""Boolean programs as a tree: what can be written, on one page.

The language is the core language of [BMR05, figure 4] without integers and pointers, plus what
other checkers write (`schoose`, `constrain`, `enforce`, `abortif`, `dead`). A variable holds 0 or
1; `*` is Kleene's third value, read as a free choice between the two [BMR05, appendix A], made
anew at each occurrence and each evaluation. So an expression over two-valued variables has a set of
possible values, and operators act on these sets value by value.

`&`, `|` and `^` are flat: build them with `nary`, which never nests one in itself, so that
generated formulas with thousands of operands stay shallow. Positions do not take part in equality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias, TypeVar, assert_never

from ..records import dataclass, field

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Position:
    """Where something was written; `file` as the user named it."""

    file: str = "<program>"
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Position()

# -- expressions --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: bool


@dataclass(frozen=True, slots=True)
class Star:
    """`*`: either value."""


@dataclass(frozen=True, slots=True)
class Var:
    """The value of a variable; the name of `{x = 2}` has its braces."""

    name: str


@dataclass(frozen=True, slots=True)
class Next:
    """`'x`: the value after the assignment; only in a `constrain`."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    arg: Expr


NaryOp: TypeAlias = Literal["&", "|", "^"]
BinaryOp: TypeAlias = Literal["=", "!=", "=>"]


@dataclass(frozen=True, slots=True)
class Nary:
    """Two or more operands of an associative operator; none is a `Nary` of the same operator."""

    op: NaryOp
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cond:
    """`test ? then : other`."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Choose:
    """`choose(pos, neg)` and `schoose[pos, neg]`: 1 if pos, else 0 if neg, else `*`."""

    pos: Expr
    neg: Expr


Expr: TypeAlias = Const | Star | Var | Next | Not | Nary | Binary | Cond | Choose

TRUE = Const(True)
FALSE = Const(False)
STAR = Star()


def nary(op: NaryOp, args: Iterable[Expr]) -> Expr:
    """The operands joined by `op`, flattened; a single operand is itself."""
    flat: list[Expr] = []
    for arg in args:
        if isinstance(arg, Nary) and arg.op == op:
            flat += arg.args
        else:
            flat.append(arg)
    return flat[0] if len(flat) == 1 else Nary(op, tuple(flat))


def children(e: Expr) -> tuple[Expr, ...]:
    match e:
        case Const() | Star() | Var() | Next():
            return ()
        case Not(arg):
            return (arg,)
        case Nary(_, args):
            return args
        case Binary(_, left, right):
            return (left, right)
        case Cond(test, then, other):
            return (test, then, other)
        case Choose(pos, neg):
            return (pos, neg)
        case _:
            assert_never(e)


def fold(e: Expr, combine: Callable[[Expr, list[T]], T]) -> T:
    """Bottom-up over any depth: `combine` gets a node and the results of its children."""
    results: list[T] = []
    stack: list[tuple[Expr, bool]] = [(e, False)]
    while stack:
        node, ready = stack.pop()
        parts = children(node)
        if ready or not parts:
            start = len(results) - len(parts)
            value = combine(node, results[start:])
            del results[start:]
            results.append(value)
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(parts))
    return results[0]


def nodes(e: Expr) -> Iterator[Expr]:
    """The expression and all its parts, in no particular order."""
    stack = [e]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(children(node))


def names(e: Expr) -> frozenset[str]:
    """The variables that are read, now or next."""
    return frozenset(n.name for n in nodes(e) if isinstance(n, Var | Next))


# -- statements ---------------------------------------------------------------------------------

DISCARD = "_"
"""The target that throws a value away."""


@dataclass(frozen=True, slots=True)
class Skip:
    pass


@dataclass(frozen=True, slots=True)
class Assign:
    """All values are taken before any target changes; `constrain` cuts away successors."""

    targets: tuple[str, ...]
    values: tuple[Expr, ...]
    constrain: Expr | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """No targets: the results, however many, are thrown away."""

    targets: tuple[str, ...]
    procedure: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Assume:
    """The run ends quietly unless the condition can be 1."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Assert:
    """An error if the condition can be 0."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class AbortIf:
    """The run ends quietly unless the condition can be 0."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Dead:
    """The variables lose their values: each holds any value from here on."""

    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Goto:
    """A free choice among labels of the same procedure."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Return:
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If:
    """Tests in turn (`elsif`), then what is done if none holds."""

    cases: tuple[tuple[Expr, Body], ...]
    otherwise: Body


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class DoWhile:
    body: Body
    condition: Expr


@dataclass(frozen=True, slots=True)
class Branch:
    """A free choice among pieces of code."""

    bodies: tuple[Body, ...]


Action: TypeAlias = (
    Skip
    | Assign
    | Call
    | Assume
    | Assert
    | AbortIf
    | Dead
    | Goto
    | Return
    | If
    | While
    | DoWhile
    | Branch
)


@dataclass(frozen=True, slots=True)
class Statement:
    action: Action
    labels: tuple[str, ...] = ()
    at: Position = field(default=NOWHERE, compare=False)


Body: TypeAlias = tuple[Statement, ...]


def statements(body: Body) -> Iterator[Statement]:
    """All statements in the order in which they are written, nested ones after their parent."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        match statement.action:
            case If(cases, otherwise):
                inner = tuple(s for _, part in cases for s in part) + otherwise
            case While(_, part) | DoWhile(part, _):
                inner = part
            case Branch(bodies):
                inner = tuple(s for part in bodies for s in part)
            case _:
                continue
        stack.extend(reversed(inner))


# -- programs -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Procedure:
    """`enforce` holds in every state of the procedure: runs that would break it are cut off."""

    name: str
    params: tuple[str, ...]
    returns: int
    locals: tuple[str, ...]
    body: Body
    enforce: Expr | None = None
    at: Position = field(default=NOWHERE, compare=False)

    @property
    def variables(self) -> tuple[str, ...]:
        return self.params + self.locals


@dataclass(frozen=True, slots=True)
class Program:
    """Names are resolved from the inside: a procedure's own variable hides a global one."""

    globals: tuple[str, ...]
    procedures: tuple[Procedure, ...]
    at: Position = field(default=NOWHERE, compare=False)

    def procedure(self, name: str) -> Procedure:
        return next(p for p in self.procedures if p.name == name)
