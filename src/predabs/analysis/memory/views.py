"""Views of memory of the environment: a typed memory model, one part for each member [Bur72].

Nothing is known of the objects that lie there, so accesses are told apart by the member that they
name, or by the kind of scalar where they name none; a member whose address is taken can be met as
a plain scalar too. Members of a union share one view, and so do the bit-fields of a record.

Soundness duty: under the assumption that memory of the environment is read as what it was written
as (a member of a record, or a scalar of a kind), two accesses that may touch a common byte have the
same view; in a view that is not `bytewise` all accesses are to cells of one size. If pointers from
outside may lead anywhere, there is one view.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.cfa import ExternPointers, Program
from ...ir.expr import Expr, Field, Index, Lvalue
from ...ir.types import ArrayType, FloatType, RecordType, Type, is_scalar, size_of
from ...records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class View:
    """A member of a record, all of a union, the bit-fields of a record, or scalars of a kind."""

    name: str
    size: int
    bytewise: bool

    def __str__(self) -> str:
        return f"environment:{self.name}"


EVERYTHING = View("*", 1, True)


class Views:
    """The views of a program, in which the addresses of these parts of objects are taken."""

    def __init__(self, program: Program, addressed: Iterable[Lvalue]) -> None:
        self._program = program
        self._apart = program.extern_pointers is not ExternPointers.ANY
        self._parent: dict[View, View] = {}
        self._mixed: set[View] = set()  # classes with cells of several sizes
        self._members: dict[tuple[str, str], View] = {}  # those of members outside unions
        self._views: dict[View, View] = {}  # for the view of an access that of its class
        for part in addressed:
            self._expose(part)

    def of(self, lvalue: Lvalue) -> View:
        """The view of an access to a scalar (or to the scalars of an array)."""
        if not self._apart:
            return EVERYTHING
        own = self._own(lvalue)
        known = self._views.get(own)
        if known is None:
            found = self._find(own)
            mixed = found in self._mixed
            known = self._views[own] = View(found.name, found.size, True) if mixed else found
        return known

    def _own(self, lvalue: Expr) -> View:
        """The view, before classes are joined."""
        while isinstance(lvalue, Index):
            lvalue = lvalue.base
        if not isinstance(lvalue, Field):
            return _kind(_element(lvalue.type))
        union = self._union(lvalue)
        if union is not None:
            return View(f"{union}.*", 1, True)
        assert isinstance(lvalue.base.type, RecordType)
        tag = lvalue.base.type.tag
        known = self._members.get((tag, lvalue.name))
        if known is None:
            record = self._program.records[tag]
            member = next(m for m in record.members if m.name == lvalue.name)
            size = size_of(_element(member.type))
            bits = member.bitfield
            known = View(f"{tag}.:", 1, True) if bits else View(f"{tag}.{member.name}", size, False)
            self._members[tag, lvalue.name] = known
        return known

    def _union(self, lvalue: Expr) -> str | None:
        """The outermost union that an lvalue names a member of."""
        found = None
        while isinstance(lvalue, Field | Index):
            lvalue = lvalue.base
            if isinstance(lvalue.type, RecordType) and self._program.records[lvalue.type.tag].union:
                found = lvalue.type.tag
        return found

    # --- classes ----------------------------------------------------------------------------------

    def _expose(self, part: Lvalue) -> None:
        """A pointer may lead to this part of an object: then no name tells what it is a part of."""
        own = self._own(part) if isinstance(part, Field | Index) else None
        if own is None:
            return
        todo: list[Type] = [part.type]
        seen: set[Type] = set()
        while todo:
            type_ = _element(todo.pop())
            if type_ in seen:
                continue
            seen.add(type_)
            if is_scalar(type_):
                self._join(own, _kind(type_))
            elif isinstance(type_, RecordType) and self._union(part) is not None:
                # the record can be met by its own name, without that of the union around it
                record = self._program.records.get(type_.tag)
                for member in record.members if record else ():
                    name = f"{type_.tag}.{member.name}"
                    if record is not None and record.union:
                        self._join(own, View(f"{type_.tag}.*", 1, True))
                    elif member.bitfield:
                        self._join(own, View(f"{type_.tag}.:", 1, True))
                    elif is_scalar(_element(member.type)):
                        self._join(own, View(name, size_of(_element(member.type)), False))
                    todo.append(member.type)

    def _find(self, view: View) -> View:
        while (above := self._parent.get(view, view)) != view:
            view = above
        return view

    def _join(self, one: View, two: View) -> None:
        one, two = self._find(one), self._find(two)
        if one == two:
            return
        mixed = one.size != two.size or one.bytewise or two.bytewise
        mixed = mixed or one in self._mixed or two in self._mixed
        self._parent[two] = one
        if mixed:
            self._mixed.add(one)


def _element(type_: Type) -> Type:
    """What an array is made of, at its innermost."""
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_


def _kind(type_: Type) -> View:
    """The view of a scalar that no member's name leads to."""
    kind = "float" if isinstance(type_, FloatType) else "word"
    return View(f"{kind}{8 * size_of(type_)}", size_of(type_), False)
