"""Places in the source that something can be said about: statements, loops, branches and calls.

What a witness names by line and column, and where text can be put in to ask about it. libclang says
which constructs there are; the text says where their parentheses and semicolons stand, because a
macro inside hides that from libclang.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from ..errors import InputError
from ..ir.types import DataModel
from ..records import dataclass, field
from .compiler_flags import NO_FLAGS, CompilerFlags
from .nesting import room_for_nesting
from .place import Place, PlaceKind, PlaceParts
from .read import clang
from .read.clang import Cursor, CursorKind
from .read.source import SourceFile
from .source_text import closing, for_condition, is_whole_macro, parenthesised, semicolon

_VOID = 2  # the kind of that type in clang-c/Index.h
_LOOPS = {
    CursorKind.WHILE_STMT: "while",
    CursorKind.DO_STMT: "do",
    CursorKind.FOR_STMT: "for",
}
_LAST_PART = frozenset(  # statements that end where their last part does
    [
        CursorKind.IF_STMT,
        CursorKind.WHILE_STMT,
        CursorKind.FOR_STMT,
        CursorKind.SWITCH_STMT,
        CursorKind.LABEL_STMT,
        CursorKind.CASE_STMT,
        CursorKind.DEFAULT_STMT,
    ]
)
_LABELS = frozenset([CursorKind.LABEL_STMT, CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT])


@dataclass(frozen=True, slots=True)
class Declaration:
    """A variable or parameter, the `number`-th of its name in its function, which the source can
    name from offset `begin` to `end`."""

    name: str
    function: str
    number: int
    begin: int
    end: int
    is_static: bool = False


@dataclass(frozen=True, slots=True)
class FilePlaces:
    """The places of one file, in the order of the source; `functions` says where those begin."""

    file: str
    text: bytes
    lines: tuple[int, ...]
    places: tuple[Place, ...]
    declarations: tuple[Declaration, ...]
    functions: dict[str, tuple[int, int]]
    globals: dict[str, int]  # from where on the source can name them

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and a column; the end of the text for a line that it has not."""
        if not 1 <= line <= len(self.lines):
            return len(self.text)
        return min(self.lines[line - 1] + column - 1, len(self.text))


def file_places(
    file: str,
    data_model: DataModel,
    flags: CompilerFlags = NO_FLAGS,
    wanted: Callable[[int, int], bool] = lambda first, last: True,
) -> FilePlaces:
    """The places of the functions that a file defines; only of those between whose first and last
    line something is wanted."""
    try:
        text = Path(file).read_bytes()
    except OSError as problem:
        raise InputError(f"{file}: cannot be read: {problem.strerror or problem}") from None
    lines = (0, *(match.end() for match in re.finditer(rb"\n", text)))
    with room_for_nesting((file,)), SourceFile(file, data_model, flags) as source:
        walk = _Walk(source, file, text, lines)
        for cursor in clang.children(source.root):
            if cursor.kind == CursorKind.FUNCTION_DECL and clang.is_definition(cursor):
                walk.function(cursor, wanted)
            elif cursor.kind == CursorKind.VAR_DECL:
                walk.variable(cursor)
    places = tuple(sorted(walk.places, key=lambda place: (place.begin, -place.end)))
    declared = tuple(walk.declarations)
    return FilePlaces(file, text, lines, places, declared, walk.functions, walk.globals)


@dataclass(slots=True)
class _Walk:
    """Goes through the functions of a file."""

    source: SourceFile
    file: str
    text: bytes
    lines: tuple[int, ...]
    places: list[Place] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)
    globals: dict[str, int] = field(default_factory=dict)
    name: str = ""
    names: dict[str, int] = field(default_factory=dict)
    scopes: list[int] = field(default_factory=list)  # where the open blocks end
    switches: list[list[int]] = field(default_factory=list)
    statements: dict[int, Place] = field(default_factory=dict)  # by where they begin
    ends: dict[int | None, int | None] = field(default_factory=dict)  # of branches and loops

    def function(self, cursor: Cursor, wanted: Callable[[int, int], bool]) -> None:
        extent = clang.extent(cursor)
        file, begin = self.source.offset_of(clang.range_start(extent))
        _, end = self.source.offset_of(clang.range_end(extent))
        if file != self.file or not wanted(self._line(begin), self._line(end)):
            return
        self.name = clang.spelling(cursor)
        self.functions[self.name] = begin, end
        self.names.clear()
        with clang.visited(cursor):
            body = [k for k in clang.children(cursor) if k.kind == CursorKind.COMPOUND_STMT]
            for parameter in clang.parameters(cursor):
                self._declare(parameter, begin, end)
            for block in body:
                self._statement(block, braced=False, is_body=True)

    def variable(self, cursor: Cursor) -> None:
        file, begin = self.source.offset_of(clang.range_start(clang.extent(cursor)))
        self.globals.setdefault(clang.spelling(cursor), begin if file == self.file else 0)

    def _line(self, offset: int) -> int:
        return bisect_right(self.lines, offset)

    def _begin(self, cursor: Cursor) -> int | None:
        """Where it begins, if that is in this file; of what comes out of a macro, the macro."""
        file, offset = self.source.offset_of(clang.range_start(clang.extent(cursor)))
        return offset if file == self.file else None

    def _add(
        self, kind: PlaceKind, at: int, begin: int, end: int, **more: Unpack[PlaceParts]
    ) -> None:
        line = self._line(at)
        column = at - self.lines[line - 1] + 1
        place = Place(kind, self.name, line, column, begin, end, **more)
        self.places.append(place)
        if kind is PlaceKind.STATEMENT:
            self.statements.setdefault(begin, place)

    # --- statements -------------------------------------------------------------------------------

    def _statement(self, cursor: Cursor, *, braced: bool, is_body: bool = False) -> None:
        begin = self._begin(cursor)
        kind = cursor.kind
        if begin is None:
            return self._inside(cursor)
        in_macro = self.source.in_macro(cursor)
        if kind in _LABELS:
            *labels, inner = clang.children(cursor)
            if kind == CursorKind.CASE_STMT and self.switches:
                value = clang.evaluate(labels[0])
                self.switches[-1] += [value] if isinstance(value, int) else []
            self._statement(inner, braced=False)
            self._label(begin, inner)
            return None
        if not in_macro:
            form = "{" if kind == CursorKind.COMPOUND_STMT else ""
            form = "declaration" if kind == CursorKind.DECL_STMT else form
            end = self._end(cursor, begin)
            if end is not None and not is_body:
                self._add(PlaceKind.STATEMENT, begin, begin, end, form=form, braced=braced)
        elif begin not in self.statements and (braced or is_whole_macro(self.text, begin)):
            end = semicolon(self.text, begin)
            if end is not None:
                self._add(PlaceKind.STATEMENT, begin, begin, end, braced=braced)
        if kind == CursorKind.COMPOUND_STMT:
            end = None if in_macro else closing(self.text, begin)
            self.scopes.append(end if end is not None else begin)
            for kid in clang.children(cursor):
                self._statement(kid, braced=not in_macro)
            self.scopes.pop()
            return None
        return self._compound_statement(cursor, begin, in_macro)

    def _compound_statement(self, cursor: Cursor, begin: int, in_macro: bool) -> None:
        kids = clang.children(cursor)
        match cursor.kind:
            case CursorKind.WHILE_STMT | CursorKind.FOR_STMT | CursorKind.DO_STMT:
                self._loop(cursor, kids, begin, in_macro)
            case CursorKind.IF_STMT:
                head = None if in_macro else parenthesised(self.text, begin)
                if head is not None:
                    end = self._end(cursor, begin) or head[1]
                    self._add(PlaceKind.BRANCH, begin, begin, end, form="if", head=head)
                self._inside(kids[0])
                for kid in kids[1:]:
                    self._statement(kid, braced=False)
            case CursorKind.SWITCH_STMT:
                self._inside(kids[0])
                self.switches.append([])
                for kid in kids[1:]:
                    self._statement(kid, braced=False)
                cases = tuple(self.switches.pop())
                head = None if in_macro else parenthesised(self.text, begin)
                if head is not None:
                    end = self._end(cursor, begin) or head[1]
                    kind = PlaceKind.BRANCH
                    self._add(kind, begin, begin, end, form="switch", head=head, cases=cases)
            case CursorKind.DECL_STMT:
                for kid in kids:
                    if kid.kind == CursorKind.VAR_DECL:
                        start = self._begin(kid)
                        scope = self.scopes[-1] if self.scopes else begin
                        end = self._end(cursor, begin) or begin
                        self._declare(kid, end if start is not None else begin, scope)
                    self._inside(kid)
            case _:
                self._inside(cursor)

    def _label(self, at: int, inner: Cursor) -> None:
        """A label stands for the statement behind it: a jump to it comes there, too."""
        begin = self._begin(inner)
        place = None if begin is None else self.statements.get(begin)
        if place is not None:
            end, form, braced = place.end, place.form, place.braced
            self._add(place.kind, at, place.begin, end, form=form, braced=braced)

    def _loop(self, cursor: Cursor, kids: list[Cursor], begin: int, in_macro: bool) -> None:
        form = _LOOPS[CursorKind(cursor.kind)]
        end = None if in_macro else self._end(cursor, begin)
        head: tuple[int, int] | None = None
        body = kids[0] if form == "do" else kids[-1]
        if end is not None:
            if form == "while":
                head = parenthesised(self.text, begin)
            elif form == "do":
                start = self._begin(body)
                after = None if start is None else self._end(body, start)
                head = None if after is None else parenthesised(self.text, after)
            else:
                head = for_condition(self.text, begin)
        if head is not None and end is not None:
            for kind in (PlaceKind.LOOP, PlaceKind.BRANCH):
                self._add(kind, begin, begin, end, form=form, head=head)
        self.scopes.append(end if end is not None else begin)
        for kid in kids:
            if kid.kind == body.kind and kid.b == body.b:
                self._statement(kid, braced=False)
            elif kid.kind == CursorKind.DECL_STMT:
                for part in clang.children(kid):
                    if part.kind == CursorKind.VAR_DECL:
                        self._declare(part, begin, self.scopes[-1])
                    self._inside(part)
            else:
                self._inside(kid)
        self.scopes.pop()

    def _declare(self, cursor: Cursor, begin: int, end: int) -> None:
        name = clang.spelling(cursor)
        stored = clang.storage_class(cursor)
        if stored == clang.STORAGE_EXTERN:
            return
        if stored == clang.STORAGE_STATIC:
            self.declarations.append(Declaration(name, self.name, 0, begin, end, is_static=True))
            return
        number = self.names[name] = self.names.get(name, 0) + 1
        self.declarations.append(Declaration(name, self.name, number, begin, end))

    # --- expressions ------------------------------------------------------------------------------

    def _inside(self, cursor: Cursor) -> None:
        """The calls, conditional expressions and statement expressions in there."""
        stack = [cursor]
        while stack:
            here = stack.pop()
            if here.kind == CursorKind.COMPOUND_STMT:
                self._statement(here, braced=False, is_body=True)
                continue
            if here.kind == CursorKind.CALL_EXPR:
                self._call(here)
            elif here.kind == CursorKind.CONDITIONAL_OPERATOR:
                self._conditional(here)
            stack += reversed(clang.children(here))

    def _call(self, cursor: Cursor) -> None:
        extent = clang.extent(cursor)
        start, stop = clang.range_start(extent), clang.range_end(extent)
        if self.source.is_in_macro(start) or self.source.is_in_macro(stop):
            return
        (file, begin), (_, end) = self.source.offset_of(start), self.source.offset_of(stop)
        if file != self.file or self.text[end - 1 : end] != b")":
            return
        arguments = clang.children(cursor)[1:]
        head = self._extent(arguments[-1]) if arguments else None
        void = clang.canonical_type(clang.cursor_type(cursor)).kind == _VOID
        form = clang.spelling(cursor)
        kind = PlaceKind.CALL
        self._add(kind, end - 1, begin, end, form=form, head=head, is_void=void)

    def _conditional(self, cursor: Cursor) -> None:
        extents = [self._extent(kid) for kid in clang.children(cursor)]
        if len(extents) != 3 or None in extents:
            return
        cond, then, other = (extent for extent in extents if extent is not None)
        at = self.text.find(b"?", cond[1], then[0])
        if at >= 0:
            kind = PlaceKind.BRANCH
            self._add(kind, at, cond[0], other[1], form="?", head=cond, sides=(then, other))

    def _extent(self, cursor: Cursor) -> tuple[int, int] | None:
        extent = clang.extent(cursor)
        start, stop = clang.range_start(extent), clang.range_end(extent)
        if self.source.is_in_macro(start) or self.source.is_in_macro(stop):
            return None
        (file, begin), (_, end) = self.source.offset_of(start), self.source.offset_of(stop)
        return (begin, end) if file == self.file and begin < end else None

    # --- the text ---------------------------------------------------------------------------------

    def _end(self, cursor: Cursor, begin: int) -> int | None:
        """Where a statement ends, its semicolon included."""
        passed: list[int | None] = []  # statements that end where the last of them does
        while True:
            if cursor.b in self.ends:
                end = self.ends[cursor.b]
                break
            kids = clang.children(cursor)
            match cursor.kind:
                case CursorKind.COMPOUND_STMT:
                    end = closing(self.text, begin)
                    break
                case CursorKind.DO_STMT:
                    start = self._begin(kids[0])
                    after = None if start is None else self._end(kids[0], start)
                    end = None if after is None else semicolon(self.text, after)
                    break
                case kind if kind not in _LAST_PART:
                    end = semicolon(self.text, begin)
                    break
            passed.append(cursor.b)
            cursor = kids[-1]
            inner = self._begin(cursor)
            if inner is None or inner < begin:
                end = None
                break
            begin = inner
        self.ends.update(dict.fromkeys(passed, end))
        return end
