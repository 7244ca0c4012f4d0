"""Index and length of a pointer as expressions, and the conditions on them.

Soundness duty: if a pointer is not null and its length is not negative, then it points so many
elements (its index) behind the start of a live object of at least that length, and `inside` holds
only if all bytes of the access lie in that object. A length of -1 says that nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir import make
from ...ir.expr import FALSE, TRUE, Binary, Cast, Const, Expr, Ite, Op, Var
from ...ir.types import IntType, PointerType
from ...records import dataclass
from ..points_to.objects import Allocated, Variable
from ..points_to.sets import PointsTo
from .places import Anchor, Place
from .registers import RegisterFacts, is_null
from .shapes import Shapes, factor

UNKNOWN_LENGTH = -1


@dataclass(frozen=True, slots=True)
class GhostNumbers:
    """Makes the expressions for one program."""

    points_to: PointsTo
    facts: RegisterFacts
    shapes: Shapes
    number: IntType  # signed, as wide as a pointer
    wraps: Callable[[Expr], bool]
    """May the operator of an unsigned product wrap around, where it is evaluated?"""

    # --- ghost variables --------------------------------------------------------------------------

    def index_var(self, register: Var) -> Var:
        return Var(f"{register.name}.index", self.number)

    def length_var(self, register: Var) -> Var:
        return Var(f"{register.name}.length", self.number)

    def site_var(self, site: Allocated) -> Var:
        return Var(f"{object_name(site)}.length", self.number)

    # --- values that a register is given ----------------------------------------------------------

    def index(self, value: Expr, unit: int) -> Expr | None:
        """The index of a value, in elements of this size; None if it does not matter."""
        if isinstance(value, Ite):
            then, other = self.index(value.then, unit), self.index(value.other, unit)
            if then is None or other is None:
                return other if then is None else then
            return make.ite(value.cond, then, other)
        place = self.facts.place(value)
        offset = self._offset(place)
        return None if offset is None else self._sum(*offset, place, unit)

    def length(self, value: Expr, unit: int) -> Expr | None:
        """The length of what a value points into, or -1; None for null."""
        if isinstance(value, Ite):
            then, other = self.length(value.then, unit), self.length(value.other, unit)
            if then is None or other is None:
                return other if then is None else then
            return make.ite(value.cond, then, other)
        place = self.facts.place(value)
        if is_null(place):
            return None
        root, unknown = place.root, self.constant(UNKNOWN_LENGTH)
        if isinstance(root, Anchor):
            size = self.points_to.size(Variable(root.var))
            return unknown if size is None else self.constant(size // unit)
        if not self.facts.definitions.is_register(root):
            return unknown
        length = self._length(root, unit)
        if place.is_root or self.facts.grounded(root):
            return length
        return make.ite(_null(root), unknown, length)  # a sum with null is no address

    def made(self, size: Expr, unit: int) -> Expr:
        """The length of a new object of a size, which is less than half of the address space."""
        return self._count(size, unit, rounded=0)

    def constant(self, value: int) -> Const:
        return make.const(value, self.number)

    def _offset(self, place: Place) -> tuple[int, Var | None, int] | None:
        """The constant distance from the start of the object, and the ghost index of the root with
        its element."""
        root = place.root
        if isinstance(root, Anchor):
            return place.constant, None, 1
        if not self.facts.definitions.is_register(root):
            return None
        offset = self.shapes.of(root).offset
        if offset is not None:
            return place.constant + offset, None, 1
        return place.constant, self.index_var(root), self.shapes.unit(root)

    def _sum(self, constant: int, index: Var | None, own: int, place: Place, unit: int) -> Expr:
        """The whole index; what is left of the constant is dropped, see `inside`."""
        total: Expr | None = index
        if index is not None and own != unit:
            total = make.binary(Op.MUL, index, self.constant(own // unit))
        for term, size in place.terms:
            part = make.binary(Op.MUL, self._signed(term), self.constant(size // unit))
            total = part if total is None else make.binary(Op.ADD, total, part)
        rest = self.constant(constant // unit)
        return rest if total is None else make.binary(Op.ADD, total, rest)

    def _length(self, register: Var, unit: int) -> Expr:
        shape = self.shapes.of(register)
        match shape.size:
            case int():
                return self.constant(shape.size // unit)
            case Allocated():
                var, own = self.site_var(shape.size), self.shapes.unit(shape.size)
            case None:
                var, own = self.length_var(register), self.shapes.unit(register)
        if own == unit:
            return var
        assert own % unit == 0
        # -1 stays negative
        return make.binary(Op.MUL, var, self.constant(own // unit))

    # --- conditions -------------------------------------------------------------------------------

    def inside(self, pointer: Expr, size: Expr) -> Expr | None:
        """The access is inside a live object; None if nothing is known of the pointer."""
        if isinstance(pointer, Ite):
            then, other = self.inside(pointer.then, size), self.inside(pointer.other, size)
            if then is None or other is None:
                return None
            return make.ite(pointer.cond, then, other)
        place = self.facts.place(pointer)
        root = place.root
        offset = self._offset(place)
        if offset is None:
            return None
        constant, index, own = offset
        if isinstance(root, Anchor):
            whole = self.points_to.size(Variable(root.var))
            if whole is None:
                return None
            unit = self._anchored_unit(place, size)
            return self._between(self._terms(index, own, place, unit), constant, size, whole, unit)
        assert isinstance(root, Var)
        shape = self.shapes.of(root)
        if isinstance(shape.size, int):
            own_unit = self.shapes.unit(root)
            terms = self._terms(index, own, place, own_unit)
            bounds = self._between(terms, constant, size, shape.size, own_unit)
        else:
            node = root if shape.size is None else shape.size
            unit = self.shapes.unit(node)
            length = self._length(root, unit)
            bounds = self._between(
                self._terms(index, own, place, unit), constant, size, length, unit
            )
        alive = TRUE if self.facts.grounded(root) else make.negate(_null(root))
        return make.conj((alive, bounds))

    def _anchored_unit(self, place: Place, size: Expr) -> int:
        sizes = [size_ for _, size_ in place.terms] or [1]
        unit = sizes[0]
        for other in (*sizes, 0 if isinstance(size, Const) else factor(size)):
            while other:
                unit, other = other, unit % other
        return unit or 1

    def _terms(self, index: Var | None, own: int, place: Place, unit: int) -> Expr | None:
        """The part of the index that is not constant."""
        if index is None and not place.terms:
            return None
        return self._sum(0, index, own, place, unit)

    def _between(
        self, index: Expr | None, constant: int, size: Expr, length: Expr | int, unit: int
    ) -> Expr:
        """`index` elements and `constant` bytes, and the bytes of the access behind, fit into
        `length`: elements, or bytes if that is a number."""
        start = index if index is not None else self.constant(0)
        low = make.less_equal(self.constant(-(constant // unit)), start)
        if isinstance(size, Const):
            end = constant + size.value
            if isinstance(length, int):
                room: Expr = self.constant((length - end) // unit)
                if length < end and index is None:
                    return FALSE
            else:
                room = self._minus(length, -(-end // unit))
            return make.conj((low, make.less_equal(start, room)))
        count = self._count(size, unit, rounded=1)
        whole = self.constant(length // unit) if isinstance(length, int) else length
        rest = self._minus(whole, -(-constant // unit))
        return make.conj(
            (
                low,
                make.less_equal(self.constant(0), count),
                make.less_equal(count, rest),
                make.less_equal(start, make.binary(Op.SUB, rest, count)),
            )
        )

    def _minus(self, value: Expr, constant: int) -> Expr:
        return make.binary(Op.SUB, value, self.constant(constant))

    def is_start(self, pointer: Expr) -> Expr | None:
        """The pointer is the start of a live object; None if nothing is known of it."""
        place = self.facts.place(pointer)
        if not place.is_root or not self.facts.definitions.is_register(place.root):
            return None
        register, shape = place.root, self.shapes.of(place.root)
        if shape.offset is None:
            start = make.equal(self.index_var(register), self.constant(0))
        else:
            start = make.truth(shape.offset == 0)
        if isinstance(shape.size, int):
            return start
        length = self._length(register, self.shapes.unit(register))
        return make.conj((start, make.less_equal(self.constant(0), length)))

    def base(self, register: Var) -> Expr:
        """The address of the start of what a register points into."""
        shape, unit = self.shapes.of(register), self.shapes.unit(register)
        assert isinstance(register.type, PointerType)
        if shape.offset == 0:
            return register
        index: Expr = self.index_var(register)
        if shape.offset is not None:
            index, unit = self.constant(shape.offset), 1
        back = make.binary(Op.MUL, index, self.constant(-unit))
        return make.pointer_add(make.cast(register, _bytes(register.type)), back)

    # --- numbers of the program -------------------------------------------------------------------

    def _signed(self, value: Expr) -> Expr:
        """The number, or one that is the same modulo the address space, as a signed one."""
        if isinstance(value, Cast) and isinstance(value.arg.type, IntType):
            inner, outer = value.arg.type, value.type
            if isinstance(outer, IntType) and outer.bits == self.number.bits >= inner.bits:
                return make.cast(value.arg, self.number)
        return make.cast(value, self.number)

    def _count(self, size: Expr, unit: int, rounded: int) -> Expr:
        """How many elements a number of bytes has, rounded down, or up if one is to be added."""
        if unit == 1:
            return self._signed(size)
        match size:
            case Binary(Op.MUL, value, Const(scale), _) | Binary(Op.MUL, Const(scale), value, _):
                if scale % unit == 0 and not self.wraps(size):
                    times = self.constant(scale // unit)
                    return make.binary(Op.MUL, self._signed(value), times)
        assert isinstance(size.type, IntType)
        quotient = make.cast(make.binary(Op.DIV, size, make.const(unit, size.type)), self.number)
        return make.binary(Op.ADD, quotient, self.constant(rounded))


def object_name(site: Allocated) -> str:
    """The name of what an allocation makes, which no variable of a C program has."""
    return f"{site.edge.src.function}.object{site.edge.src.index}"


def _null(pointer: Expr) -> Expr:
    assert isinstance(pointer.type, PointerType)
    return make.equal(pointer, make.const(0, pointer.type))


def _bytes(type_: PointerType) -> PointerType:
    return PointerType(IntType(8, False), type_.bits)
