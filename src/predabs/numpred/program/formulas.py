"""Expressions of C, in the states at a location, as linear forms and formulas [GC10, section 6.1].

An integer becomes a value (`linear_cases`), a condition a pair of formulas over numbers and
predicates. What a condition says beyond numbers is Approx of [GC10]: by F, the predicates that
imply or refute it, and by congruence, the predicates that are the same but for an index. Soundness
duty: each state where a condition is true satisfies its `holds`, each where it is false its
`fails`, and each state has a case of a value whose condition and number are right.
"""

from __future__ import annotations

from typing import TypeAlias

from ...analysis.intervals import float_bounds
from ...analysis.intervals.bounds import Bounds
from ...domains.linear import constant, variable
from ...errors import InternalError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Location
from ...ir.expr import (
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Index,
    Ite,
    Lvalue,
    Not,
    Op,
    Or,
    Unary,
    UnaryOp,
    Var,
)
from ...ir.types import BOOL, FloatType, IntType
from ...ir.walk import children, subterms
from ...predicates.cube import Cover
from ...wp.aliasing import APART, SAME, Always
from ..domain.formula import FALSE, TRUE, Formula, conj, disj, literal, negate
from ..domain.image import Image
from .interval_images import assigned_image, assumed_image, has_floats
from .linear_cases import (
    OPEN,
    LinearCase,
    Truth,
    Value,
    between,
    chosen,
    compared,
    congruent,
    constant_of,
    exactly,
    few,
    plus,
    settled,
    times,
)
from .numeric_variables import NAN, NumericVariable, NumericVariables, is_tracked, limits
from .numpred_facts import NumpredFacts
from .precision import TrackedPrecision, equated, in_memory
from .quotients import divided, remainder, shifted

_Found: TypeAlias = Value | Truth | None


class FormulaReader:
    """Reads with one precision at one location, or at any (None); it remembers."""

    def __init__(
        self,
        facts: NumpredFacts,
        cells: NumericVariables,
        precision: TrackedPrecision,
        location: Location | None,
    ) -> None:
        self._context = facts.context
        self._pairs = facts.pairs
        self._cells = cells
        self._precision = precision
        known = {} if location is None else facts.intervals.at(location)
        self._known = {var: known[var] for var in precision.scalars if var in known}
        self._bounds = Bounds(self._scalar)
        self._ranges: dict[Expr, tuple[int, int] | None] = {}
        self._found: dict[Expr, _Found] = {}
        self._predicates = tuple(precision.predicates)

    # -- answers ----------------------------------------------------------------------------------

    def value(self, e: Expr) -> Value:
        """The number that an expression is (of floating point, its place among all numbers)."""
        found = self._read(e)
        assert isinstance(found, tuple)
        if not isinstance(e.type, IntType):
            return found
        return settled(found, e.type, self._range_of) or between(*self.range(e))

    def truth(self, cond: Expr) -> Truth:
        """When a condition may hold, and when it may fail."""
        found = self._read(cond)
        assert isinstance(found, Truth)
        return found

    def range(self, e: Expr) -> tuple[int, int]:
        """Bounds of a number, by the intervals of the cells that are tracked."""
        assert isinstance(e.type, IntType | FloatType)
        return self._bounds.of(e, self._known, self._ranges) or limits(e.type)

    def assigned(self, cell: NumericVariable, value: Expr) -> Image | None:
        """What floating-point arithmetic says of a value that a cell gets."""
        return assigned_image(self._bounds, self._known, self._read_in(value), cell, value)

    def assumed(self, cond: Expr) -> Image | None:
        """What floating-point arithmetic says of the cells where a condition holds."""
        return assumed_image(self._bounds, self._known, self._read_in(cond), cond)

    def _read_in(self, e: Expr) -> dict[str, NumericVariable]:
        cells = self._cells.read_by([e]) if has_floats(e) else {}
        tracked = self._precision.cells
        return {name: cell for name, cell in cells.items() if cell.scalar and name in tracked}

    def _scalar(self, e: Expr) -> Var | None:
        cell = self._cells.of(e) if isinstance(e, Lvalue) else None
        return cell.var if cell is not None and cell.scalar else None

    def _range_of(self, name: str) -> tuple[int, int]:
        cell = self._precision.cells[name]
        return self._known.get(cell.var) or cell.limits

    # -- terms ------------------------------------------------------------------------------------

    def _read(self, e: Expr) -> _Found:
        found = self._found
        if e not in found:
            for term in subterms(e):
                if term not in found:
                    found[term] = self._term(term)
        return found[e]

    def _term(self, e: Expr) -> _Found:
        if e.type is BOOL:
            return self._condition(e)
        if isinstance(e.type, FloatType):
            if not is_tracked(e.type):
                return None
            value = self._place(e, e.type)
        elif isinstance(e.type, IntType):
            value = self._number(e, e.type)
        else:
            return None
        value = None if value is None else few(value)
        return value or between(*self.range(e))

    def _modular(self, e: Expr) -> Value:
        """What is known of a subterm that is a number; of an integer, modulo its type's size."""
        found = self._found[e]
        assert isinstance(found, tuple)
        return found

    def _known_truth(self, e: Expr) -> Truth:
        found = self._found[e]
        assert isinstance(found, Truth)
        return found

    def _number(self, e: Expr, type_: IntType) -> Value | None:
        """The number modulo its type's size; None if nothing is known but its range."""
        match e:
            case Const(number, _):
                return exactly(constant(number))
            case Var() | Deref() | Field() | Index():
                return self._stored(e)
            case Unary(op, arg, _):
                negative = times(self._modular(arg), -1)
                return negative if op is UnaryOp.NEG else plus(negative, exactly(constant(-1)))
            case Binary(op, left, right, _):
                return self._arithmetic(op, left, right, type_)
            case Cast(arg, _):
                return self._converted(arg, type_)
            case Ite(cond, then, other, _):
                truth = self._known_truth(cond)
                return chosen(truth, self._modular(then), self._modular(other))
        return None

    def _place(self, e: Expr, type_: FloatType) -> Value | None:
        """The place of a number of floating point, where it is a linear form."""
        match e:
            case FloatConst():
                found = float_bounds.constant(e)
                return None if found is None or found[0] < found[1] else between(*found)
            case Var() | Deref() | Field() | Index():
                cell = self._cells.of(e)
                tracked = cell is not None and cell.name in self._precision.cells
                return exactly(variable(cell.name)) if cell is not None and tracked else None
            case Cast(arg, _) if isinstance(arg.type, FloatType) and arg.type.bits <= type_.bits:
                return self._modular(arg)
            case Ite(cond, then, other, _):
                truth = self._known_truth(cond)
                return chosen(truth, self._modular(then), self._modular(other))
        return None

    def _arithmetic(self, op: Op, left: Expr, right: Expr, type_: IntType) -> Value | None:
        if op in (Op.DIV, Op.REM, Op.SHR, Op.AND):
            return self._quotient(op, left, right, type_)
        if op not in (Op.ADD, Op.SUB, Op.MUL, Op.SHL):
            return None
        one, two = self._modular(left), self._modular(right)
        match op:
            case Op.ADD:
                return plus(one, two)
            case Op.SUB:
                return plus(one, times(two, -1))
        number = constant_of(two)
        if op is Op.SHL:
            return None if number is None else times(one, 1 << (number % type_.bits))
        if number is not None:
            return times(one, type_.wrap(number))
        number = constant_of(one)
        return None if number is None else times(two, type_.wrap(number))

    def _quotient(self, op: Op, left: Expr, right: Expr, type_: IntType) -> Value | None:
        """A quotient, remainder or shift by a constant, or the last bits of a number."""
        assert isinstance(right.type, IntType)
        number = constant_of(self._settled(right, right.type))
        value = self._settled(left, type_)
        if number is None or (number == 0 and op is not Op.SHR):
            return None
        match op:
            case Op.DIV:
                return divided(value, number, self._range_of)
            case Op.SHR:
                return shifted(value, number % type_.bits)
            case Op.REM:
                return remainder(value, abs(number), self._range_of, down=False)
        all_ones = number > 0 and not number & (number + 1)
        return remainder(value, number + 1, self._range_of, down=True) if all_ones else None

    def _converted(self, arg: Expr, type_: IntType) -> Value | None:
        if arg.type is BOOL:
            one, zero = exactly(constant(1)), exactly(constant(0))
            return chosen(self._known_truth(arg), one, zero)
        if not isinstance(arg.type, IntType):
            return None
        value = self._modular(arg)
        if type_.bits <= arg.type.bits:
            return value
        return settled(value, arg.type, self._range_of) or between(*self.range(arg))

    # -- storage ----------------------------------------------------------------------------------

    def _stored(self, lvalue: Lvalue) -> Value | None:
        """What an lvalue holds; behind a pointer, one case for each cell that it may be."""
        cells = self._precision.cells
        cell = self._cells.of(lvalue)
        if cell is not None and cell.scalar:
            return exactly(variable(cell.name)) if cell.name in cells else None
        rest: list[Formula] = []
        found: list[LinearCase] = []
        for cell in cells.values():
            if cell.scalar:
                continue
            same = self.same(lvalue, cell)
            if same is None or same.holds is FALSE or lvalue.type is not cell.type:
                continue  # the case of all other places has these too
            found.append(LinearCase(same.holds, variable(cell.name)))
            rest.append(same.fails)
        if conj(*rest) is not FALSE:
            (anything,) = between(*self.range(lvalue))
            found.append(LinearCase(conj(*rest), anything.linear, anything.low, anything.high))
        return tuple(found)

    def same(self, lvalue: Lvalue, cell: NumericVariable) -> Truth | None:
        """Is an lvalue this cell, whose address is taken? None if they may overlap in part."""
        try:
            relation = self._context.aliasing.relation(lvalue, cell.var)
        except (InternalError, UnsupportedFeature):
            return None
        if isinstance(relation, Always):
            return {SAME: Truth(TRUE, FALSE), APART: Truth(FALSE, TRUE)}[relation]
        return self.truth(relation)

    # -- conditions -------------------------------------------------------------------------------

    def _condition(self, e: Expr) -> Truth:
        match e:
            case Const(number, _):
                return Truth(TRUE, FALSE) if number else Truth(FALSE, TRUE)
            case Not(arg):
                truth = self._known_truth(arg)
                return Truth(truth.fails, truth.holds)
            case And(args):
                parts = [self._known_truth(arg) for arg in args]
                return Truth(conj(*(p.holds for p in parts)), disj(*(p.fails for p in parts)))
            case Or(args):
                parts = [self._known_truth(arg) for arg in args]
                return Truth(disj(*(p.holds for p in parts)), conj(*(p.fails for p in parts)))
            case Ite(cond, then, other, _):
                test, one, two = map(self._known_truth, (cond, then, other))
                return Truth(
                    disj(conj(test.holds, one.holds), conj(test.fails, two.holds)),
                    disj(conj(test.holds, one.fails), conj(test.fails, two.fails)),
                )
            case Binary(Op.EQ, left, right, _) if left.type is BOOL:
                one, two = self._known_truth(left), self._known_truth(right)
                return Truth(
                    disj(conj(one.holds, two.holds), conj(one.fails, two.fails)),
                    disj(conj(one.holds, two.fails), conj(one.fails, two.holds)),
                )
            case Binary(op, left, right, _) if isinstance(left.type, IntType):
                return self._comparison(op, left, right, left.type).both(self._approx(e))
            case Binary(Op.EQ | Op.LT | Op.LE as op, left, right, _) if isinstance(
                left.type, FloatType
            ) and is_tracked(left.type):
                return self._ordered(op, left, right).both(self._approx(e))
        return self._approx(e)

    def _comparison(self, op: Op, left: Expr, right: Expr, type_: IntType) -> Truth:
        if op is Op.EQ:
            one, two = self._modular(left), self._modular(right)
            return congruent(one, two, type_.bits, self._range_of)
        return compared(op, self._settled(left, type_), self._settled(right, type_))

    def _ordered(self, op: Op, left: Expr, right: Expr) -> Truth:
        """A comparison of floating point, false if either is a NaN: if the left one alone is, its
        place is behind that of the other."""
        one, two = self._modular(left), self._modular(right)
        places = compared(op, one, two)
        number = compared(Op.LT, two, exactly(constant(NAN)))
        return Truth(conj(places.holds, number.holds), disj(places.fails, number.fails))

    def _settled(self, e: Expr, type_: IntType) -> Value:
        return settled(self._modular(e), type_, self._range_of) or between(*self.range(e))

    def _approx(self, atom: Expr) -> Truth:
        """What the predicates say about an atom: Approx(e) and Approx(!e) of [GC10]."""
        tracked = self._precision
        if not tracked.exprs:
            return OPEN
        lvalue, wanted = equated(atom) or (None, 0)
        siblings = tracked.equated.get(lvalue, ()) if lvalue is not None else ()
        others = {number: None for number, value in siblings if value != wanted}
        decision = self._pairs.decide(atom, tracked.exprs, others)
        found = Truth(self._excluded(decision.refuted), self._excluded(decision.implied))
        different = conj(*(literal(self._predicates[n], False) for n in others))
        found = found.both(Truth(different, TRUE))
        for predicate, expr in tracked.in_memory if in_memory(atom) else ():
            pairs = _differences(atom, expr)
            if pairs:
                differ = disj(*(self._differ(one, two) for one, two in pairs))
                found = found.both(
                    Truth(disj(literal(predicate), differ), disj(literal(predicate, False), differ))
                )
        return found

    def _differ(self, one: Expr, two: Expr) -> Formula:
        return self.truth(make.equal(one, two)).fails

    def _excluded(self, cover: Cover) -> Formula:
        """That no cube of a cover holds."""
        names = self._predicates
        cubes = (conj(*(literal(names[n], v) for n, v in c.literals)) for c in cover)
        return negate(disj(*cubes))


def _differences(one: Expr, two: Expr) -> list[tuple[Expr, Expr]] | None:
    """The integers in which two terms that read memory differ, if they are alike otherwise: where
    those are equal, so are the terms."""
    if one is two:
        return None
    found: list[tuple[Expr, Expr]] = []
    stack: list[tuple[Expr, Expr, bool]] = [(one, two, False)]
    while stack:
        a, b, inside = stack.pop()
        if a is b:
            continue
        if a.type is not b.type:
            return None
        alike = type(a) is type(b) and bool(children(a))  # a leaf is only like itself
        if inside and isinstance(a.type, IntType) and not (alike and isinstance(a, Cast)):
            found.append((a, b))
            continue
        if not alike or not _same_head(a, b):
            return None
        inside = inside or isinstance(a, Index | Deref)
        stack += [(x, y, inside) for x, y in zip(children(a), children(b), strict=True)]
    return found


def _same_head(one: Expr, two: Expr) -> bool:
    """Whether two terms of one kind differ in their children only."""
    if isinstance(one, Binary | Unary) and isinstance(two, Binary | Unary):
        return one.op is two.op
    if isinstance(one, Field) and isinstance(two, Field):
        return one.name == two.name
    return len(children(one)) == len(children(two))
