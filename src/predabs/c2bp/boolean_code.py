"""Boolean code with comments: what c2bp writes, as a tree for bebop and as text for a person.

The tree of `boolprog.syntax` has no comments, nor labels that may turn out to be of no
use; this one has both. Soundness duty: the text reads back as the tree that `body` gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, assert_never

from ..boolprog.show import show_action, show_expression
from ..boolprog.syntax import (
    NOWHERE,
    Assign,
    Body,
    Branch,
    DoWhile,
    Expr,
    Goto,
    If,
    Nary,
    Position,
    Procedure,
    Program,
    Skip,
    Statement,
    While,
)
from ..boolprog.syntax import Action as AnyAction
from ..ir.expr import Expr as CExpr
from ..records import dataclass, field
from .boolean_variables import Boolean

_WIDTH = 96  # a longer assignment is written with one value on each line


@dataclass(frozen=True, slots=True)
class Note:
    """Where a piece of code comes from, and the statement there; no text: nothing is written."""

    at: Position = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a statement says of the C program: the predicates of the variables before it; for each
    variable that it changes the condition, seen before it, under which its predicate holds after it
    (None: no formula says that); and what must hold before it."""

    now: tuple[Boolean, ...]
    after: Mapping[str, CExpr | None] = field(default_factory=dict)
    holds: CExpr | None = None


@dataclass(frozen=True, slots=True)
class CodeStep:
    """One statement without parts."""

    action: AnyAction
    note: Note = Note()
    meaning: Meaning | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CodeLabel:
    """The statement that a label names, if something jumps to it."""

    label: str
    always: bool = False


@dataclass(frozen=True, slots=True)
class CodeIf:
    """`if`."""

    condition: Expr
    then: Code
    otherwise: Code
    note: Note


@dataclass(frozen=True, slots=True)
class CodeWhile:
    """`while`."""

    condition: Expr
    body: Code
    note: Note


@dataclass(frozen=True, slots=True)
class CodeDoWhile:
    """`do` with its test at the end."""

    body: Code
    condition: Expr
    note: Note


@dataclass(frozen=True, slots=True)
class CodeBranch:
    """`branch`."""

    bodies: tuple[Code, ...]
    note: Note


Node: TypeAlias = CodeStep | CodeLabel | CodeIf | CodeWhile | CodeDoWhile | CodeBranch
Code: TypeAlias = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class BooleanProcedure:
    """A procedure."""

    name: str
    params: tuple[str, ...]
    returns: int
    locals: tuple[str, ...]
    code: Code
    enforce: Expr | None
    note: Note


@dataclass(frozen=True, slots=True)
class BooleanProgram:
    """A Boolean program, ready to be checked or written."""

    heading: tuple[str, ...]
    globals: tuple[str, ...]
    procedures: tuple[BooleanProcedure, ...]


def _inner(node: Node) -> tuple[Code, ...]:
    match node:
        case CodeIf(_, then, otherwise, _):
            return then, otherwise
        case CodeWhile(_, body, _) | CodeDoWhile(body, _, _):
            return (body,)
        case CodeBranch(bodies, _):
            return bodies
        case CodeStep() | CodeLabel():
            return ()
    assert_never(node)


def _used_labels(code: Code) -> frozenset[str]:
    found: set[str] = set()
    stack = list(code)
    while stack:
        node = stack.pop()
        match node:
            case CodeStep(Goto(labels)):
                found.update(labels)
            case CodeLabel(label, True):
                found.add(label)
        stack.extend(part for inner in _inner(node) for part in inner)
    return frozenset(found)


# --- for bebop ------------------------------------------------------------------------------------


def program(coded: BooleanProgram) -> Program:
    """The tree that bebop checks."""
    return Program(coded.globals, tuple(map(_procedure, coded.procedures)))


def _procedure(coded: BooleanProcedure) -> Procedure:
    used = _used_labels(coded.code)
    return Procedure(
        coded.name,
        coded.params,
        coded.returns,
        coded.locals,
        _body(coded.code, used),
        coded.enforce,
        coded.note.at,
    )


def _body(code: Code, used: frozenset[str]) -> Body:
    found: list[Statement] = []
    labels: list[str] = []
    for node in code:
        if isinstance(node, CodeLabel):
            labels += [node.label] * (node.label in used)
            continue
        action: AnyAction
        match node:
            case CodeStep(action, note):
                pass
            case CodeIf(_, _, _, note):
                action = _if(node, used)
            case CodeWhile(condition, body, note):
                action = While(condition, _body(body, used))
            case CodeDoWhile(body, condition, note):
                action = DoWhile(_body(body, used), condition)
            case CodeBranch(bodies, note):
                action = Branch(tuple(_body(body, used) for body in bodies))
            case _:
                assert_never(node)
        found.append(Statement(action, tuple(labels), note.at))
        labels = []
    if labels:
        found.append(Statement(Skip(), tuple(labels)))
    return tuple(found)


def _chain(choice: CodeIf) -> tuple[list[CodeIf], Code]:
    """The tests that follow each other (`elsif`), and what is done if none holds."""
    tests = [choice]
    rest = choice.otherwise
    while len(rest) == 1 and isinstance(rest[0], CodeIf):
        tests.append(rest[0])
        rest = rest[0].otherwise
    return tests, rest


def _if(choice: CodeIf, used: frozenset[str]) -> If:
    tests, rest = _chain(choice)
    cases = tuple((test.condition, _body(test.then, used)) for test in tests)
    return If(cases, _body(rest, used))


# --- for a person ---------------------------------------------------------------------------------


def text(coded: BooleanProgram) -> str:
    """The program with its comments."""
    lines = [f"// {line}" for line in coded.heading]
    lines += [""] * bool(lines)
    lines += [f"decl {name};" for name in coded.globals]
    for procedure in coded.procedures:
        lines += [""] * bool(lines and lines[-1]) + list(_text(procedure))
    return "\n".join(lines) + "\n"


def _text(coded: BooleanProcedure) -> Iterator[str]:
    kind = {0: "void", 1: "bool"}.get(coded.returns, f"bool<{coded.returns}>")
    yield from _comment(coded.note, "")
    yield f"{kind} {coded.name}({', '.join(coded.params)}) begin"
    yield from (f"  decl {name};" for name in coded.locals)
    if coded.enforce is not None:
        yield f"  enforce {show_expression(coded.enforce)};"
    yield from _lines(coded.code, 1, _used_labels(coded.code))
    yield "end"


def _comment(note: Note, margin: str) -> Iterator[str]:
    if note.text:
        line = " ".join(note.text.split()).rstrip("\\")
        yield f"{margin}// {note.at.file}:{note.at.line}  {line}"


def _lines(code: Code, depth: int, used: frozenset[str]) -> Iterator[str]:
    margin = "  " * depth
    waiting = ""  # labels without a statement
    for node in code:
        if isinstance(node, CodeLabel):
            if node.label in used:
                waiting += f"{node.label}: "
            continue
        if not isinstance(node, CodeDoWhile):
            yield from _comment(node.note, margin)
        head = margin + waiting
        waiting = ""
        match node:
            case CodeStep(action, _):
                yield from _step(action, head, margin)
            case CodeIf():
                yield from _choice(node, head, depth, used)
            case CodeWhile(condition, body, _):
                yield f"{head}while {show_expression(condition)} do"
                yield from _lines(body, depth + 1, used)
                yield f"{margin}od;"
            case CodeDoWhile(body, condition, note):
                yield f"{head}do"
                yield from _lines(body, depth + 1, used)
                yield from _comment(note, margin)
                yield f"{margin}while {show_expression(condition)};"
            case CodeBranch(bodies, _):
                for number, body in enumerate(bodies):
                    yield f"{head}branch" if number == 0 else f"{margin}||"
                    yield from _lines(body, depth + 1, used)
                yield f"{margin}end;"
            case _:
                assert_never(node)
    if waiting:
        yield f"{margin}{waiting}skip;"


def _step(action: AnyAction, head: str, margin: str) -> Iterator[str]:
    line = f"{head}{show_action(action)};"
    if not isinstance(action, Assign) or len(line) <= _WIDTH:
        yield line
        return
    yield f"{head}{', '.join(action.targets)} :="
    for value in action.values[:-1]:
        yield f"{margin}    {show_expression(value)},"
    last = f"{margin}    {show_expression(action.values[-1])}"
    if action.constrain is None:
        yield f"{last};"
        return
    yield last
    yield f"{margin}    constrain"
    whole = action.constrain
    clauses = whole.args if isinstance(whole, Nary) and whole.op == "&" else (whole,)
    for clause in clauses[:-1]:
        yield f"{margin}    ({show_expression(clause)}) &"
    yield f"{margin}    ({show_expression(clauses[-1])});"


def _choice(choice: CodeIf, head: str, depth: int, used: frozenset[str]) -> Iterator[str]:
    margin = "  " * depth
    tests, rest = _chain(choice)
    for number, test in enumerate(tests):
        if number:
            yield from _comment(test.note, margin)
        keyword = f"{head}if" if number == 0 else f"{margin}elsif"
        yield f"{keyword} {show_expression(test.condition)} then"
        yield from _lines(test.then, depth + 1, used)
    if rest:
        yield f"{margin}else"
        yield from _lines(rest, depth + 1, used)
    yield f"{margin}fi;"
