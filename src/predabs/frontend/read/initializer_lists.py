"""Initialisers: from braces as they are written to a flat list of (path, value).

libclang shows an initialiser list as the source has it, so the rules of C (6.7.9) are applied
here: missing braces, designators, ranges, the first member of a union, strings for arrays of
characters. Of two initialisers for one path the later replaces the earlier, which is not
evaluated, as compilers do it.
"""

from __future__ import annotations

from ...errors import InternalError, UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.types import ArrayType, FloatType, IntType, RecordType, Type, VoidType, size_of
from ...records import dataclass
from .. import ast
from ..lower.side_effects import SideEffects
from . import clang
from .clang import Cursor, CursorKind
from .literals import designator_ranges
from .reader import ExpressionReader

Path = tuple[str | int, ...]
_UNBOUNDED = 1 << 62


@dataclass(slots=True)
class _Frame:
    """An object that is being filled: which of its parts is next, and how many there are."""

    path: Path
    type: ArrayType | RecordType
    next: int
    count: int


@dataclass(frozen=True, slots=True)
class _Step:
    """A designator: a member by name, or the elements from `low` to `high`."""

    name: str
    low: int
    high: int


class _Entries:
    """The entries so far; a later one for the same path removes the earlier."""

    def __init__(self) -> None:
        self.values: dict[Path, ast.Expr] = {}
        self._inner: set[Path] = set()  # the proper prefixes of all paths

    def clear(self, path: Path) -> None:
        """Forget what was said about the object at `path` and its parts."""
        self.values.pop(path, None)
        if path in self._inner:
            depth = len(path)
            for old in [p for p in self.values if p[:depth] == path]:
                del self.values[old]

    def clear_others(self, path: Path, member: str) -> None:
        """Another member of the union at `path` becomes the one that counts."""
        if path in self._inner:
            depth = len(path)
            for old in [p for p in self.values if p[:depth] == path and p[depth] != member]:
                del self.values[old]

    def put(self, path: Path, value: ast.Expr) -> None:
        self.clear(path)
        self.values[path] = value
        inner = self._inner
        while path:
            path = path[:-1]
            if path in inner:
                break
            inner.add(path)


class Initializers:
    """Reads the initialisers of one file."""

    def __init__(self, reader: ExpressionReader) -> None:
        self.reader = reader

    def read(self, cursor: Cursor, type_: Type) -> ast.Expr:
        """The initialiser of an object of that type: an InitList, a string, or a value."""
        coord = self.reader.source.coord(cursor)
        if cursor.kind == CursorKind.INIT_LIST_EXPR:
            entries = _Entries()
            self._braces(entries, (), type_, cursor)
            whole = entries.values.get(())
            if whole is not None:
                return whole
            return ast.InitList(tuple(entries.values.items()), type_, coord)
        value = self.reader.expr(cursor)
        if isinstance(value, ast.CompoundLiteral) and isinstance(type_, ArrayType | RecordType):
            return value.init
        if isinstance(value, ast.StringLiteral) and isinstance(type_, ArrayType):
            return value
        return self.reader.cast(value, type_, coord)

    def to_union(self, value: ast.Expr, union: RecordType, coord: Coord) -> ast.Expr:
        """GNU's cast to a union: the first member of the value's type gets it."""
        types = self.reader.types
        for field in types.fields(union):
            if field.type is value.type:
                init = ast.InitList((((field.name,), value),), union, coord)
                return ast.CompoundLiteral(init, False, union, coord)
        raise UnsupportedFeature(
            f"{coord}: a conversion from {value.type} to {union} is not supported"
        )

    def flexible_length(self, cursor: Cursor, type_: RecordType) -> int:
        """How many elements an initialiser gives to the flexible array at the end of a struct."""
        init = self.read(cursor, type_)
        name = self.reader.types.fields(type_)[-1].name
        length = 0
        for path, value in init.entries if isinstance(init, ast.InitList) else ():
            if path[0] == name and len(path) > 1 and isinstance(path[1], int):
                length = max(length, path[1] + 1)
            elif path[0] == name and isinstance(value, ast.StringLiteral):
                length = max(length, value.type.length)
        return length

    # --- the rules of C ---

    def _braces(self, entries: _Entries, path: Path, type_: Type, cursor: Cursor) -> None:
        """A list in braces for the object at `path`."""
        self.reader.enter(cursor)
        self._listed(entries, path, type_, cursor)
        self.reader.depth -= 1

    def _listed(self, entries: _Entries, path: Path, type_: Type, cursor: Cursor) -> None:
        items = clang.children(cursor)
        if not isinstance(type_, ArrayType | RecordType):
            coord = self.reader.source.coord(cursor)
            if not items:
                entries.put(path, _zero(type_, coord))
            elif items[0].kind == CursorKind.INIT_LIST_EXPR:
                self._braces(entries, path, type_, items[0])
            else:
                value = self.reader.expr(items[0])
                entries.put(path, self.reader.cast(value, type_, value.coord))
            return
        if len(items) == 1 and isinstance(type_, ArrayType) and not _is_designated(self, items[0]):
            value_ = self._string(items[0], type_)
            if value_ is not None:
                entries.put(path, value_)
                return
        stack = [self._frame(path, type_)]
        for item in items:
            if _is_designated(self, item):
                del stack[1:]
                self._designated(entries, stack, item)
            else:
                self._positional(entries, stack, item)

    def _positional(self, entries: _Entries, stack: list[_Frame], item: Cursor) -> None:
        """The value for the next part, going into parts of parts where braces are missing."""
        while len(stack) > 1 and stack[-1].next >= stack[-1].count:
            stack.pop()
        frame = stack[-1]
        if frame.next >= frame.count:
            return  # more values than parts: compilers ignore them, with a warning
        path, type_ = self._advance(entries, frame)
        if item.kind == CursorKind.INIT_LIST_EXPR:
            entries.clear(path)
            self._braces(entries, path, type_, item)
        else:
            self._descend(entries, stack, [path], type_, self.reader.expr(item))

    def _descend(
        self,
        entries: _Entries,
        stack: list[_Frame],
        paths: list[Path],
        type_: Type,
        value: ast.Expr,
    ) -> None:
        """Put the value where it fits: the object itself, or its first scalar part."""
        while isinstance(type_, ArrayType | RecordType) and not _fits(value, type_):
            frame = self._frame(paths[-1], type_)
            if frame.count == 0:  # clang wants braces here
                raise InternalError(f"{value.coord}: a value for an object without parts")
            last, type_ = self._advance(entries, frame)
            stack.append(frame)
            paths = [(*path, last[-1]) for path in paths]
        for path in paths:
            self._put(entries, path, type_, value)

    def _put(self, entries: _Entries, path: Path, type_: Type, value: ast.Expr) -> None:
        if (
            isinstance(value, ast.CompoundLiteral)
            and isinstance(value.init, ast.InitList)
            and isinstance(type_, ArrayType | RecordType)
        ):
            entries.clear(path)
            for inner, part in value.init.entries:
                entries.put(path + inner, part)
            return
        if not isinstance(value, ast.StringLiteral) or not isinstance(type_, ArrayType):
            value = self.reader.cast(value, type_, value.coord)
        entries.put(path, value)

    def _designated(self, entries: _Entries, stack: list[_Frame], item: Cursor) -> None:
        """`.a[1 ... 2] = value`: the parts that follow continue behind it."""
        *designators, last = clang.children(item)
        paths: list[Path] = [stack[0].path]
        type_: Type = stack[0].type
        first = True
        for step in self._steps(item, designators, stack[0].type):
            if not isinstance(type_, ArrayType | RecordType):
                raise InternalError(f"{self.reader.source.coord(last)}: a designator in a scalar")
            if not first:
                stack.append(self._frame(paths[-1], type_))
            first = False
            frame = stack[-1]
            if isinstance(type_, ArrayType):
                frame.next = step.high + 1
                paths = [(*p, i) for p in paths for i in range(step.low, step.high + 1)]
                type_ = type_.element
                continue
            fields = self.reader.types.fields(type_)
            index = next(i for i, f in enumerate(fields) if f.name == step.name)
            if self._is_union(type_):
                frame.next = frame.count
                for path in paths:
                    entries.clear_others(path, step.name)
            else:
                frame.next = index + 1
            paths = [(*p, step.name) for p in paths]
            type_ = fields[index].type
        if last.kind == CursorKind.INIT_LIST_EXPR:
            part = _Entries()
            self._braces(part, (), type_, last)
            for path in paths:
                entries.clear(path)
                for inner, value in part.values.items():
                    self._once(paths, value)
                    entries.put(path + inner, value)
            return
        value = self.reader.expr(last)
        self._once(paths, value)
        self._descend(entries, stack, paths, type_, value)

    def _once(self, paths: list[Path], value: ast.Expr) -> None:
        if len(paths) > 1 and SideEffects().effects(value):
            raise UnsupportedFeature(
                f"{value.coord}: a range of elements with a value that has side effects or "
                "branches is not supported; store the value in a variable first"
            )

    def _steps(
        self, item: Cursor, designators: list[Cursor], type_: ArrayType | RecordType
    ) -> list[_Step]:
        """The designators of an item, with anonymous members in between."""
        steps: list[_Step] = []
        ranges = self._ranges(item, designators)
        here: Type = type_
        position = 0
        indices = 0
        while position < len(designators):
            cursor = designators[position]
            position += 1
            if cursor.kind == CursorKind.MEMBER_REF:
                if not isinstance(here, RecordType):
                    raise InternalError(f"{self.reader.source.coord(cursor)}: no record here")
                for name in self.reader.types.member_path(here, clang.referenced(cursor)):
                    steps.append(_Step(name, 0, 0))
                    if isinstance(here, RecordType):
                        here = self.reader.types.field_type(here, name)
                continue
            low = high = self.reader.constant(cursor)
            if indices < len(ranges) and ranges[indices]:
                high = self.reader.constant(designators[position])
                position += 1
            indices += 1
            steps.append(_Step("", low, high))
            here = here.element if isinstance(here, ArrayType) else here
        return steps

    def _ranges(self, item: Cursor, designators: list[Cursor]) -> list[bool]:
        """For each pair of brackets whether it holds a range; libclang only lists the numbers."""
        numbers = [d for d in designators if d.kind != CursorKind.MEMBER_REF]
        if len(numbers) < 2:
            return []
        placed = bool(clang.cursor_location(item).key)  # not so if anonymous members were added
        tokens = self.reader.source.tokens_at(item if placed else numbers[0])
        ranges = designator_ranges(tokens if placed else ["[", *tokens])
        if len(numbers) != len(ranges) + sum(ranges):
            raise self.reader.source.unsupported(
                numbers[0], "these designators cannot be told apart"
            )
        return ranges

    # --- objects and their parts ---

    def _frame(self, path: Path, type_: ArrayType | RecordType) -> _Frame:
        if isinstance(type_, ArrayType):  # a member without a length is as long as its list
            is_member = bool(path) and isinstance(path[-1], str)
            return _Frame(path, type_, 0, type_.length or (_UNBOUNDED if is_member else 0))
        count = len(self.reader.types.fields(type_))
        return _Frame(path, type_, 0, min(count, 1) if self._is_union(type_) else count)

    def _advance(self, entries: _Entries, frame: _Frame) -> tuple[Path, Type]:
        """The next part of a frame."""
        index = frame.next
        frame.next += 1
        if isinstance(frame.type, ArrayType):
            return (*frame.path, index), frame.type.element
        field = self.reader.types.fields(frame.type)[index]
        if self._is_union(frame.type):
            entries.clear_others(frame.path, field.name)
        return (*frame.path, field.name), field.type

    def _is_union(self, type_: RecordType) -> bool:
        return self.reader.types.records[type_.tag].union

    def _string(self, cursor: Cursor, type_: ArrayType) -> ast.Expr | None:
        """A string literal, perhaps in parentheses, for a whole array of characters."""
        inner = cursor
        while inner.kind in (CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR):
            kids = clang.children(inner)
            if len(kids) != 1:
                return None
            inner = kids[0]
        if inner.kind != CursorKind.STRING_LITERAL:
            return None
        value = self.reader.expr(inner)
        return value if _fits(value, type_) else None


def _is_designated(reader: Initializers, item: Cursor) -> bool:
    """libclang gives a designated item the type void, which no value has."""
    return item.kind == CursorKind.UNEXPOSED_EXPR and isinstance(
        reader.reader.types.of(item), VoidType
    )


def _fits(value: ast.Expr, type_: ArrayType | RecordType) -> bool:
    """Whether the value initialises the whole object."""
    if isinstance(type_, RecordType):
        return value.type is type_
    if isinstance(value, ast.StringLiteral):
        element = type_.element
        return isinstance(element, IntType) and element.bits == size_of(value.type.element) * 8
    return isinstance(value, ast.CompoundLiteral) and isinstance(value.type, ArrayType)


def _zero(type_: Type, coord: Coord) -> ast.Expr:
    if isinstance(type_, FloatType):
        return ast.FloatLiteral((0.0).hex(), type_, coord)
    return ast.IntLiteral(0, type_, coord)
