"""Lower initialisers: of locals to operations, of globals to constant assignments.

Soundness duty: what an initialiser does not name is zero, exactly as C has it; bytes of padding are
left as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import Const, Expr, Lvalue
from ...ir.ops import Assign, Fill
from ...ir.types import (
    INT,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    Type,
    VoidType,
    is_scalar,
    size_of,
)
from .. import ast
from .expressions import LowerExpressions
from .scopes import ProgramNames

# an aggregate with more scalars than this is cleared as a block of bytes
_FEW = 64

Path = tuple[str | int, ...]


def initialise(low: LowerExpressions, lvalue: Lvalue, init: ast.Expr) -> None:
    """A local comes to life with the value of `init`."""
    entries = list(_entries(lvalue.type, init))
    if isinstance(init, ast.InitList | ast.StringLiteral):
        _clear(low, lvalue, [path for path, _ in entries], init.coord)
    for path, value in entries:
        target = at(low.names, lvalue, path)
        if isinstance(value, int):
            low.graph.emit(Assign(target, _number(value, target.type)), init.coord)
        else:
            low.graph.emit(Assign(target, _converted(low, value, target)), value.coord)


def constants(low: LowerExpressions, lvalue: Lvalue, init: ast.Expr) -> tuple[Assign, ...]:
    """The assignments that give a global, all zero so far, its initial value."""
    done = []
    written: set[Lvalue] = set()  # by a string, parts of which may be named again
    for path, value in _entries(lvalue.type, init):
        target = at(low.names, lvalue, path)
        if isinstance(value, int):
            written.add(target)
            if value:
                done.append(Assign(target, _number(value, target.type)))
            continue
        term = _converted(low, value, target)
        if not low.graph.empty:
            raise UnsupportedFeature(
                f"{value.coord}: this initialiser of a static object is not a constant"
            )
        if target in written or not (isinstance(term, Const) and term.value == 0):
            done.append(Assign(target, term))
    return tuple(done)


def _entries(type_: Type, init: ast.Expr) -> Iterator[tuple[Path, ast.Expr | int]]:
    """The paths from the object that an initialiser names, and their values."""
    match init:
        case ast.InitList():
            for path, value in init.entries:
                if isinstance(value, ast.StringLiteral):
                    for at, number in enumerate(value.values):
                        yield (*path, at), number
                else:
                    yield path, value
        case ast.StringLiteral() if isinstance(type_, ArrayType):
            for at, number in enumerate(init.values[: type_.length]):
                yield (at,), number
        case _:
            yield (), init


def _converted(low: LowerExpressions, value: ast.Expr, target: Lvalue) -> Expr:
    term = low.value(value)
    if is_scalar(value.type):
        term = low.converted(term, value.type, value.coord)
        term = low.truncated(term, target.type, value.coord)
    return term


def _number(value: int, type_: Type) -> Expr:
    assert isinstance(type_, IntType)
    return make.const(value, type_)


def at(names: ProgramNames, lvalue: Lvalue, path: Sequence[str | int]) -> Lvalue:
    """The part of an object that a path of members and indices leads to."""
    for step in path:
        if isinstance(step, int):
            lvalue = make.index(lvalue, make.const(step, names.data_model.diff_type))
        else:
            assert isinstance(lvalue.type, RecordType)
            member = names.record(lvalue.type).member(step)
            lvalue = make.field(lvalue, member.name, member.type)
    return lvalue


def _clear(low: LowerExpressions, lvalue: Lvalue, named: list[Path], coord: Coord) -> None:
    """Set to zero what the initialiser does not name."""
    covered = set(named)
    missing: list[Lvalue] = []
    for path, leaf in _leaves(low.names, lvalue):
        if leaf is None or len(missing) > _FEW:
            pointer = low.model.pointer(VoidType())
            start = make.cast(make.address_of(lvalue, low.model.pointer(lvalue.type)), pointer)
            size = make.const(size_of(lvalue.type), low.model.size_type)
            low.graph.emit(Fill(start, make.const(0, INT), size), coord)
            return
        if not any(path[:length] in covered for length in range(len(path) + 1)):
            missing.append(leaf)
    for leaf in missing:
        low.graph.emit(Assign(leaf, _zero(leaf.type)), coord)


def _leaves(names: ProgramNames, lvalue: Lvalue) -> Iterator[tuple[Path, Lvalue | None]]:
    """The scalars of an object with their paths; None where a union hides them."""
    todo: list[tuple[Path, Lvalue]] = [((), lvalue)]
    while todo:
        path, part = todo.pop()
        match part.type:
            case ArrayType(_, length):
                if length > _FEW * 4:
                    yield path, None
                    return
                steps: list[str | int] = list(range(length))
            case RecordType() as type_:
                record = names.record(type_)
                if record.union:
                    yield path, None
                    return
                steps = [member.name for member in record.members]
            case _:
                yield path, part
                continue
        todo += [((*path, step), at(names, part, [step])) for step in reversed(steps)]


def _zero(type_: Type) -> Expr:
    if isinstance(type_, FloatType):
        return make.float_const(0.0, type_)
    assert isinstance(type_, IntType | PointerType)
    return make.const(0, type_)
