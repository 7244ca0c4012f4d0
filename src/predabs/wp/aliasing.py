"""Do two lvalues alias? What an assignment through one of them means for the other.

Soundness duty: `APART` and `SAME` only if that is so in every state of a run, and a condition only
if the two lvalues share no byte where it is false and are the same where it is true. Lvalues that
may overlap in part are an `UnsupportedFeature`, never taken for separate ones.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from ..analysis.points_to.objects import UNKNOWN
from ..analysis.points_to.offsets import aligned
from ..analysis.points_to.sets import PointsTo
from ..analysis.updates import FreshNames
from ..errors import InternalError, UnsupportedFeature
from ..ir import make
from ..ir.cfa import Program
from ..ir.expr import FALSE, TRUE, Const, Expr, Field, Index, Lvalue, Var
from ..ir.show import show_expr
from ..ir.types import VOID, ArrayType, Member, PointerType, RecordType, size_of
from ..ir.walk import variables
from ..records import dataclass, field


class Always(Enum):
    """The relation of two lvalues, where it does not depend on the state."""

    APART = "apart"
    SAME = "same"


Relation: TypeAlias = Always | Expr
APART, SAME = Always.APART, Always.SAME

Pair: TypeAlias = Callable[[Lvalue, Lvalue], bool]


def _none_single(lvalue: Lvalue) -> Var | None:
    return None


@dataclass(frozen=True, slots=True)
class Aliasing:
    """Alias facts about the lvalues of a program.

    `may_alias` says whether two lvalues may have a byte in common, `same_or_apart` whether they can
    only have all of them in common or none. Both are asked about the program's own variables;
    those that formulas have besides are made by `names`, which maps them to what they stand for.
    An lvalue that can only be one place is that place whatever its pointer holds, as in formulas:
    `single` gives the variable for it (see `Partition.single`).
    """

    program: Program
    may_alias: Pair
    same_or_apart: Pair
    names: FreshNames = field(default_factory=FreshNames)
    single: Callable[[Lvalue], Var | None] = _none_single

    def relation(self, one: Lvalue, two: Lvalue) -> Relation:
        """When the two (scalars or records) have the same address: always, never, or if a condition
        holds, which compares addresses or indices."""
        if one is two:
            return SAME
        if self._separate(one, two):
            return APART
        mine, yours = map(self.single, map(self.names.in_program, (one, two)))
        if mine is not None or yours is not None:
            return SAME if mine is yours else APART
        if not self._asked(self.may_alias, one, two):
            return APART
        if isinstance(one, Field) and isinstance(two, Field) and one.base.type is two.base.type:
            found = self._members(one, two)
            if found is not None:
                return found
        if isinstance(one, Index) and isinstance(two, Index) and one.base is two.base:
            found = self._elements(one, two)
            if found is not None:
                return found
        if (
            self._bitfield(one)
            or self._bitfield(two)
            or not self._asked(self.same_or_apart, one, two)
        ):
            raise UnsupportedFeature(f"{show_expr(one)} and {show_expr(two)} may overlap in part")
        return self._relation(self._equal(one, two))

    def _separate(self, one: Lvalue, two: Lvalue) -> bool:
        """Parts of different variables, or of one that is no place in memory?"""
        mine, yours = _root(one), _root(two)
        if mine in self.names.made or yours in self.names.made:
            return mine is not yours
        return isinstance(mine, Var) and isinstance(yours, Var) and mine is not yours

    def _asked(self, question: Pair, one: Lvalue, two: Lvalue) -> bool:
        return question(self.names.in_program(one), self.names.in_program(two))

    def _members(self, one: Field, two: Field) -> Relation | None:
        """Members of two records of one type, which are the same record or apart."""
        base, other = _lvalue(one.base), _lvalue(two.base)
        if base is not other and not self._asked(self.same_or_apart, base, other):
            return None
        mine, yours = self._member(one), self._member(two)
        if mine is yours:
            return SAME if base is other else self._relation(self._equal(base, other))
        if mine.bit + _bits(mine) <= yours.bit or yours.bit + _bits(yours) <= mine.bit:
            return APART
        return None

    def _elements(self, one: Index, two: Index) -> Relation | None:
        """Elements of one array; an index inside it is as good as an address."""
        array = one.base.type
        assert isinstance(array, ArrayType)
        if isinstance(one.index, Const) and isinstance(two.index, Const):
            return SAME if one.index.value == two.index.value else APART
        if one.index.type is not two.index.type or not array.length or self._open_ended(one.base):
            return None
        return self._relation(make.equal(one.index, two.index))

    def _equal(self, one: Lvalue, two: Lvalue) -> Expr:
        bits = self.program.data_model.pointer_bits
        type_ = PointerType(one.type if one.type is two.type else VOID, bits)
        return make.equal(make.address_of(one, type_), make.address_of(two, type_))

    def _relation(self, cond: Expr) -> Relation:
        return SAME if cond is TRUE else APART if cond is FALSE else cond

    def _member(self, lvalue: Field) -> Member:
        assert isinstance(lvalue.base.type, RecordType)
        return self.program.records[lvalue.base.type.tag].member(lvalue.name)

    def _bitfield(self, lvalue: Lvalue) -> bool:
        return isinstance(lvalue, Field) and self._member(lvalue).bitfield

    def _open_ended(self, array: Expr) -> bool:
        """May its elements go on behind its end?"""
        if not isinstance(array, Field):
            return False
        assert isinstance(array.base.type, RecordType)
        members = self.program.records[array.base.type.tag].members
        return members[-1].name == array.name


def aliasing(points_to: PointsTo) -> Aliasing:
    """Alias facts of the points-to analysis; true in all reachable states."""

    declared = points_to.address_taken.declared

    def declared_only(lvalue: Lvalue) -> Lvalue:
        for var in variables(lvalue):
            if var.name not in declared:
                raise InternalError(f"nothing is known about what {var.name} points to")
        return lvalue

    def may_alias(one: Lvalue, two: Lvalue) -> bool:
        return points_to.may_alias(declared_only(one), declared_only(two))

    def same_or_apart(one: Lvalue, two: Lvalue) -> bool:
        size = size_of(one.type)
        if size != size_of(two.type):
            return False
        found = [(a, b) for a in points_to.reached(one) for b in points_to.reached(two)]
        return not any(UNKNOWN in (a.object, b.object) for a, b in found) and all(
            aligned(a.offsets, b.offsets, size) for a, b in found if a.object == b.object
        )

    return Aliasing(points_to.program, may_alias, same_or_apart)


def _root(lvalue: Expr) -> Expr:
    while isinstance(lvalue, Field | Index):
        lvalue = lvalue.base
    return lvalue


def _lvalue(e: Expr) -> Lvalue:
    assert isinstance(e, Lvalue)
    return e


def _bits(member: Member) -> int:
    if member.bitfield:
        return getattr(member.type, "bits", 0)
    return 8 * size_of(member.type)
