"""Single objects: memory of which a run has at most one instance.

A global is one; so are the variables of a function that is entered at most once, and the object of
an allocation that is executed at most once. A place in such an object that is only ever accessed as
a whole, by accesses that can go nowhere else, is like a scalar variable: writing it is a strong
update [CWZ90], and its formulas need no array.

Soundness duty: an object is listed only if no run has two of it, one after the other included.
"""

from __future__ import annotations

from ...ir.cfa import Program
from ...ir.expr import Lvalue, Var
from ...ir.types import PointerType, Type
from ...ir.walk import variables
from ..once import AtMostOnce
from ..points_to.objects import Allocated, Object, Variable
from ..points_to.offsets import ByteRange
from ..points_to.sets import PointsTo


class SingleObjects:
    """Answers for one program."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._once = AtMostOnce(program, points_to.call_targets)

    def __contains__(self, object_: Object) -> bool:
        match object_:
            case Variable(var):
                return not var.function or self._once.function(var.function)
            case Allocated(edge):
                return self._once.location(edge.src)
        return False

    def scalar(self, object_: Object, place: ByteRange, unit: Type) -> Var | None:
        """The scalar variable for a place that no access touches but as a whole, and together with
        no other; None if it may exist twice.

        It outlives calls whatever it is a part of, so its name is that of no function's variable.
        """
        offset = place[0].single
        if offset is None or object_ not in self:
            return None
        return Var(f"{object_}+{offset}".replace("::", "'s "), unit)

    def ordered(self, lvalues: list[Lvalue]) -> tuple[Lvalue, ...]:
        """The best known first: those of globals, then of the entry function."""

        def distance(lvalue: Lvalue) -> int:
            owners = {var.function for var in variables(lvalue)} - {""}
            return 0 if not owners else 1 if owners == {self._program.entry} else 2

        return tuple(sorted(lvalues, key=distance))


def unit_of(types: frozenset[Type]) -> Type | None:
    """The type of a scalar variable that is accessed as these: one type, or any pointers."""
    if len(types) == 1 or (types and all(isinstance(type_, PointerType) for type_ in types)):
        return min(types, key=str)
    return None
