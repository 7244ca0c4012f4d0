"""Strings that are printed: each is read to its end before, so that this reading can be checked.

That is done by printf and fprintf with `%s`, puts, fputs, and perror if it gets one. Where the
format says how many characters are wanted at most, or is no literal, nothing is read.
Soundness duty: a run in which all these strings end inside their objects is the same run as before,
with a loop more.

>>> list(_strings("%d %-9s%% %.3s%*s%ls"))
[1, 4]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program, is_string_literal
from ..ir.expr import AddressOf, Cast, Const, Expr, Index, Var
from ..ir.ops import Assign, Assume, Print, Skip
from ..ir.types import INT, IntType, PointerType
from ..records import replace

_FORMAT = {"printf": 0, "fprintf": 1}  # which argument is the format
_STRING = {"puts": 0, "fputs": 0, "perror": 0}
_OR_NULL = frozenset(["perror"])
_CONVERSION = re.compile(r"%[-+ #0']*(\*|\d+)?(\.(?:\*|-?\d*))?(hh|ll|[hljztLq])?(.)", re.DOTALL)


def with_read_strings(program: Program) -> Program:
    """The program in which each string is read before it is printed."""
    texts = {item.var: _text(item.init) for item in program.globals if is_string_literal(item.var)}
    functions = {n: _changed(f, texts) for n, f in program.functions.items()}
    return replace(program, functions=functions)


def _text(init: tuple[Assign, ...]) -> str:
    """The characters of a literal up to its end; those that are zero are not written."""
    found: dict[int, int] = {}
    for assign in init:
        match assign:
            case Assign(Index(Var(), Const(place, _), _), Const(value, _)):
                found[place] = value
    length = next(place for place in range(len(found) + 1) if not found.get(place))
    return "".join(chr(found[place] & 255) for place in range(length))


def _changed(function: Function, texts: dict[Var, str]) -> Function:
    printed = {
        edge: pointers
        for edge in function.edges
        if isinstance(edge.op, Print) and (pointers := list(_pointers(edge.op, texts)))
    }
    if not printed:
        return function
    reader = _Reader(function)
    for edge in function.edges:
        reader.add(edge, printed.get(edge, []))
    return replace(
        function, edges=tuple(reader.edges), locals=(*function.locals, *reader.variables)
    )


def _pointers(op: Print, texts: dict[Var, str]) -> Iterator[Expr]:
    """The strings that are printed, but for literals."""
    places = [_STRING[op.function]] if op.function in _STRING else []
    start = _FORMAT.get(op.function)
    if start is not None and start < len(op.args):
        literal = _literal(op.args[start])
        if literal in texts:
            places = [start + 1 + place for place in _strings(texts[literal])]
    for place in places:
        arg = op.args[place] if place < len(op.args) else None
        if arg is not None and isinstance(arg.type, PointerType) and _literal(arg) is None:
            yield arg


def _literal(pointer: Expr) -> Var | None:
    """The string literal that an argument is, if it is one."""
    while isinstance(pointer, Cast):
        pointer = pointer.arg
    match pointer:
        case AddressOf(Index(Var() as var, Const(0, _), _), _) if is_string_literal(var):
            return var
    return None


def _strings(format_: str) -> Iterator[int]:
    """The places of the strings among the arguments of a format, of which all is printed."""
    place = 0
    for width, precision, length, kind in _CONVERSION.findall(format_):
        if kind == "%":
            continue
        place += (width == "*") + (precision == ".*")
        if kind == "s" and not precision and not length:
            yield place
        place += 1


class _Reader:
    """The edges of a function, with loops that read strings."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._next = 1 + max(location.index for location in function.locations)
        self.edges: list[Edge] = []
        self.variables: list[Var] = []

    def add(self, edge: Edge, pointers: list[Expr]) -> None:
        here = edge.src
        for pointer in pointers:
            here = self._read(edge, here, pointer)
        self.edges.append(edge if here is edge.src else replace(edge, src=here))

    def _read(self, edge: Edge, here: Location, pointer: Expr) -> Location:
        """for (s = pointer; *s; s++) ;"""
        assert isinstance(pointer.type, PointerType)
        type_ = PointerType(IntType(8, True), pointer.type.bits)
        name = f"{self._function.name}::string.{len(self.variables) + 1}"
        self.variables.append(string := Var(name, type_))
        start, head, inside, after = (self._fresh() for _ in range(4))
        more = make.as_condition(make.deref(string))
        following = make.pointer_add(string, make.const(1, INT))
        self.edges += [
            Edge(here, Assign(string, make.cast(pointer, type_)), start, edge.coord),
            Edge(head, Assume(more), inside, edge.coord),
            Edge(inside, Assign(string, following), head, edge.coord),
            Edge(head, Assume(make.negate(more)), after, edge.coord),
        ]
        null = make.equal(string, make.const(0, type_))
        if isinstance(edge.op, Print) and edge.op.function in _OR_NULL:
            self.edges.append(Edge(start, Assume(null), after, edge.coord))
            self.edges.append(Edge(start, Assume(make.negate(null)), head, edge.coord))
        else:
            self.edges.append(Edge(start, Skip(), head, edge.coord))
        return after

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function.name, self._next - 1)
