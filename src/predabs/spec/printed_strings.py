"""Strings that are printed: each is read to its end before, so that this reading can be checked.

That is done by printf, sprintf and their kin with `%s`, puts, fputs, and perror if it gets one.
Where the format says how many characters are wanted at most, or is no literal, nothing is read.
What sprintf and its kin write is checked as well: all of it lies in one object
(`formatted_lengths`).
Soundness duty: a run in which all these strings end inside their objects is the same run as before,
with a loop more. Where the length of a text is not known, any within its bounds is an error that no
violation rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program, is_string_literal
from ..ir.expr import AddressOf, Cast, Const, Expr, Index, Lvalue, Op, ValidAccess, Var
from ..ir.ops import Assign, Assume, Error, ErrorKind, Havoc, Operation, Print, Skip, Source
from ..ir.types import INT, DataModel, IntType, PointerType
from ..records import replace
from .faults import shown
from .formatted_lengths import Length, length_of, strings_of

_FORMAT = {"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2}  # which argument is the format
_SIZE = {"snprintf": 1, "vsnprintf": 1}  # and which the size of the buffer
_STRING = {"puts": 0, "fputs": 0, "perror": 0}
_OR_NULL = frozenset(["perror"])


def with_read_strings(program: Program) -> Program:
    """The program in which each string is read before it is printed, and the room for each text is
    checked before it is written."""
    texts = {item.var: _text(item.init) for item in program.globals if is_string_literal(item.var)}
    functions = {n: _changed(f, texts, program.data_model) for n, f in program.functions.items()}
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


def _changed(function: Function, texts: Mapping[Var, str], model: DataModel) -> Function:
    printed = {
        edge: strings
        for edge in function.edges
        if isinstance(edge.op, Print)
        and ((strings := list(_strings(edge.op, texts))) or edge.op.buffer() is not None)
    }
    if not printed:
        return function
    reader = _Reader(function, texts, model)
    for edge in function.edges:
        if edge in printed:
            reader.add(edge, printed[edge])
        else:
            reader.edges.append(edge)
    return replace(
        function, edges=tuple(reader.edges), locals=(*function.locals, *reader.variables)
    )


def _strings(op: Print, texts: Mapping[Var, str]) -> Iterator[tuple[int, Expr]]:
    """The arguments that are strings of which all is printed, but for literals."""
    places = [_STRING[op.function]] if op.function in _STRING else []
    format_ = _format(op, texts)
    if format_ is not None:
        places = [_FORMAT[op.function] + 1 + place for place in strings_of(format_)]
    for place in places:
        arg = op.args[place] if place < len(op.args) else None
        if arg is not None and isinstance(arg.type, PointerType) and _literal(arg) is None:
            yield place, arg


def _format(op: Print, texts: Mapping[Var, str]) -> str | None:
    """The format, if it is a literal."""
    place = _FORMAT.get(op.function)
    if place is None or place >= len(op.args):
        return None
    literal = _literal(op.args[place])
    return None if literal is None else texts.get(literal)


def _literal(pointer: Expr) -> Var | None:
    """The string literal that an argument is, if it is one."""
    while isinstance(pointer, Cast):
        pointer = pointer.arg
    match pointer:
        case AddressOf(Index(Var() as var, Const(0, _), _), _) if is_string_literal(var):
            return var
    return None


def _end_of(buffer: Expr, count: Expr, model: DataModel) -> tuple[Lvalue, Expr]:
    """The last one of so many bytes, and what it is: so engines know where the text ends."""
    last = make.binary(Op.SUB, count, make.const(1, model.size_type))
    byte = IntType(8, True)
    start = make.cast(buffer, PointerType(byte, model.pointer_bits))
    return make.deref(make.pointer_add(start, make.cast(last, model.diff_type))), make.const(
        0, byte
    )


class _Reader:
    """The edges of a function, with loops that read strings."""

    def __init__(self, function: Function, texts: Mapping[Var, str], model: DataModel) -> None:
        self._function = function
        self._texts = texts
        self._model = model
        self._next = 1 + max(location.index for location in function.locations)
        self.edges: list[Edge] = []
        self.variables: list[Var] = []

    def add(self, edge: Edge, strings: list[tuple[int, Expr]]) -> None:
        here = edge.src
        ends: dict[int, Expr] = {}
        for place, pointer in strings:
            here, end = self._read(edge, here, pointer)
            start = make.cast(pointer, end.type)
            length = make.pointer_diff(end, start, self._model.diff_type)
            ends[place] = make.cast(length, self._model.size_type)
        assert isinstance(edge.op, Print)
        if edge.op.buffer() is not None:
            here = self._written(edge, edge.op, here, ends)
        self.edges.append(edge if here is edge.src else replace(edge, src=here))

    # --- what is written --------------------------------------------------------------------------

    def _written(self, edge: Edge, op: Print, here: Location, ends: Mapping[int, Expr]) -> Location:
        """An error if not all bytes that are written lie in one object."""
        buffer = op.buffer()
        assert buffer is not None
        type_ = self._model.size_type
        one, zero = make.const(1, type_), make.const(0, type_)
        length = self._length(op, ends)
        text = length.exact
        if length.most != 0:
            rest = self._variable("text", type_)
            bounds = [make.less_equal(make.const(length.least, type_), rest)]
            if length.most is not None:
                bounds.append(make.less_equal(rest, make.const(length.most, type_)))
            here = self._then(edge, here, Havoc(rest, Source.UNKNOWN, op.function))
            here = self._then(edge, here, Assume(make.conj(bounds), promised=True))
            text = make.binary(Op.ADD, text, rest)
        count = self._variable("written", type_)
        place = _SIZE.get(op.function)
        size = None if place is None or place >= len(op.args) else make.cast(op.args[place], type_)
        if size is None:
            here = self._then(edge, here, Assign(count, make.binary(Op.ADD, text, one)))
        else:
            fits = make.less(text, size)
            cut = make.ite(fits, make.binary(Op.ADD, text, one), size)
            here = self._then(edge, here, Assign(count, cut))
        pointer = make.cast(buffer, PointerType(IntType(8, False), self._model.pointer_bits))
        some = make.less(zero, count)
        wrong = make.conj((some, make.negate(ValidAccess(pointer, count, True))))
        bad, fine = self._fresh(), self._fresh()
        what = f"invalid write to {shown(buffer)}: {op.function} writes more than there is room for"
        self.edges += [
            Edge(here, Assume(wrong), bad, edge.coord),
            Edge(bad, Error(ErrorKind.CHECK, what, "deref"), self._fresh(), edge.coord),
            Edge(here, Assume(make.negate(wrong)), fine, edge.coord),
        ]
        written = size is None or (isinstance(size, Const) and size.value > 0)
        if length.most != 0 or not written:
            return fine
        return self._then(edge, fine, Assign(*_end_of(buffer, count, self._model)))

    def _length(self, op: Print, ends: Mapping[int, Expr]) -> Length:
        format_ = _format(op, self._texts)
        if format_ is None:
            return Length(make.const(0, self._model.size_type), 0, None)
        first = _FORMAT[op.function] + 1
        strings = {place - first: length for place, length in ends.items()}
        for place, arg in enumerate(op.args[first:]):
            literal = _literal(arg) if isinstance(arg.type, PointerType) else None
            if literal is not None and literal in self._texts:
                length = len(self._texts[literal])
                strings[place] = make.const(length, self._model.size_type)
        return length_of(format_, dict(enumerate(op.args[first:])), strings, self._model)

    def _variable(self, name: str, type_: IntType) -> Var:
        name = f"{self._function.name}::{name}.{len(self.variables) + 1}"
        self.variables.append(variable := Var(name, type_))
        return variable

    def _then(self, edge: Edge, here: Location, op: Operation) -> Location:
        after = self._fresh()
        self.edges.append(Edge(here, op, after, edge.coord))
        return after

    # --- what is read -----------------------------------------------------------------------------

    def _read(self, edge: Edge, here: Location, pointer: Expr) -> tuple[Location, Var]:
        """for (s = pointer; *s; s++) ; with the variable that comes to the end."""
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
        return after, string

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function.name, self._next - 1)
