"""Lower Boolean expressions: to conditions, with a branch where one operand decides."""

from __future__ import annotations

from collections.abc import Callable

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import FALSE, TRUE, Const, Expr, Lvalue, Op, Var
from ...ir.types import CBOOL, LLONG, IntType
from . import syntax
from .entities import Object, Scope
from .lowering import Lowering, inner_array
from .type_resolution import RELATIONS
from .types import BOOLEAN, AdaType, Array, RecordOf, Scalar, length

_UNROLLED = 12  # rounds of a quantified expression that become one formula


class LowerConditions(Lowering):
    """Lowers the conditions of one subprogram."""

    def condition(self, expr: syntax.Expr) -> Expr:
        """The truth of a Boolean expression, as a term of type BOOL."""
        self.names.type(expr, BOOLEAN)
        known = self.names.static(expr, BOOLEAN)
        if known is not None:
            return make.truth(bool(known))
        match expr:
            case syntax.Unary(_, "not", arg):
                return make.negate(self.condition(arg))
            case syntax.Binary(_, "and then", left, right):
                return self._short(self.condition(left), lambda: self.condition(right), FALSE, expr)
            case syntax.Binary(_, "or else", left, right):
                return self._short(self.condition(left), lambda: self.condition(right), TRUE, expr)
            case syntax.Binary(_, "->", left, right):
                negated = make.negate(self.condition(left))
                return self._short(negated, lambda: self.condition(right), TRUE, expr)
            case syntax.Binary(_, "and", left, right):
                return make.conj((self.condition(left), self.condition(right)))
            case syntax.Binary(_, "or", left, right):
                return make.disj((self.condition(left), self.condition(right)))
            case syntax.Binary(_, "xor" | "<->" as op, left, right):
                same = _equivalent(self.condition(left), self.condition(right))
                return same if op == "<->" else make.negate(same)
            case syntax.Binary(_, op, left, right) if op in RELATIONS:
                return self._relation(expr, op, left, right)
            case syntax.Membership():
                return self._membership(expr)
            case syntax.Quantified():
                return self._quantified(expr)
            case syntax.If(_, cond, then, other):
                return self._conditional(
                    self.condition(cond),
                    lambda: self.condition(then),
                    lambda: TRUE if other is None else self.condition(other),
                    expr.coord,
                )
        return make.as_condition(self.value(expr, BOOLEAN).expr)

    def implied(self, guard: Expr, expr: syntax.Expr) -> Expr:
        """Whether an expression holds, which is evaluated only where the guard does."""
        return self._short(make.negate(guard), lambda: self.condition(expr), TRUE, expr)

    def _relation(self, expr: syntax.Expr, op: str, left: syntax.Expr, right: syntax.Expr) -> Expr:
        type_ = self.names.operand_type(left, right, expr.coord)
        if isinstance(type_, Scalar):
            if type_.base is BOOLEAN.base and op in ("=", "/="):
                same = _equivalent(self.condition(left), self.condition(right))
                return same if op == "=" else make.negate(same)
            return _compare(op, self.value(left, type_).expr, self.value(right, type_).expr)
        if op not in ("=", "/="):
            raise UnsupportedFeature(f"{expr.coord}: '{op}' of arrays is not supported")
        one, two = self.composite(left, type_), self.composite(right, type_)
        same = FALSE
        if self._as_long(left, right):
            same = self._same(one, two, type_, expr.coord)
        return same if op == "=" else make.negate(same)

    def _as_long(self, left: syntax.Expr, right: syntax.Expr) -> bool:
        """Have two arrays as many elements? Others are never equal."""
        one, two = (next(iter(self.names.types(side)), None) for side in (left, right))
        if not isinstance(one, Array) or not isinstance(two, Array):
            return True
        return [length(index) for index in one.indices] == [length(index) for index in two.indices]

    def _same(self, one: Lvalue, two: Lvalue, type_: AdaType, coord: Coord) -> Expr:
        """Are two objects equal, component by component?"""
        match type_:
            case Scalar():
                values = [self._read(place, type_, coord) for place in (one, two)]
                return make.equal(values[0].expr, values[1].expr)
            case RecordOf(_, components):
                return make.conj(
                    self._same(
                        make.field(one, part.spelling, part.type.ir),
                        make.field(two, part.spelling, part.type.ir),
                        part.type,
                        coord,
                    )
                    for part in components
                )
        if length(type_.indices[0]) > 64:
            raise UnsupportedFeature(f"{coord}: equality of arrays of more than 64 elements")
        inner = inner_array(type_)
        return make.conj(
            self._same(
                make.index(one, make.const(at, LLONG)),
                make.index(two, make.const(at, LLONG)),
                inner,
                coord,
            )
            for at in range(length(type_.indices[0]))
        )

    def _membership(self, expr: syntax.Membership) -> Expr:
        type_ = None
        for choice in expr.choices:
            mark = self.names.type_mark(choice)
            if mark is None and not isinstance(choice, syntax.Range | syntax.Attribute):
                mark = self.names.operand_type(expr.arg, choice, choice.coord)
            elif isinstance(choice, syntax.Range):
                mark = self.names.operand_type(expr.arg, choice.low, choice.coord)
            type_ = type_ or mark
        type_ = self.names.type(expr.arg) if not self._universal(expr.arg) else type_
        if not isinstance(type_, Scalar):
            raise UnsupportedFeature(f"{expr.coord}: 'in' is supported for scalar types only")
        value = self.value(expr.arg, type_)
        parts = []
        for choice in expr.choices:
            if self.names.is_range(choice):
                low, high, _ = self.names.range_of(choice)
                one, two = self.bound(low, type_), self.bound(high, type_)
                inside = (
                    make.less_equal(one.expr, value.expr),
                    make.less_equal(value.expr, two.expr),
                )
                parts.append(make.conj(inside))
            else:
                parts.append(make.equal(value.expr, self.value(choice, type_).expr))
        found = make.disj(parts)
        return make.negate(found) if expr.negated else found

    def _universal(self, expr: syntax.Expr) -> bool:
        return not self.names.types(expr) or isinstance(expr, syntax.Integer)

    def _quantified(self, expr: syntax.Quantified) -> Expr:
        name, coord = expr.name, expr.coord
        if expr.of:
            return self._over_elements(expr)
        low, high, subtype = self.names.range_of(expr.domain)
        type_ = subtype or self.names.type_of_bounds(low, high)
        one, two = self.bound(low, type_), self.bound(high, type_)
        if isinstance(one.expr, Const) and isinstance(two.expr, Const):
            first, last = one.low, two.low
            if last - first < _UNROLLED:

                def value(at: int) -> Object:
                    place = Var(f"{self.frame.function}::{name.spelling}.", type_.ir)
                    own = type_.within(at, at)
                    return Object(name.text, name.spelling, own, place, coord, True, at)

                return self._unrolled(expr, first, last, value)
        bounds = type_.within(one.low, two.high)
        return self._counted(
            expr,
            type_.ir,
            one.expr,
            two.expr,
            lambda counter: Object(name.text, name.spelling, bounds, counter, coord, True),
        )

    def _over_elements(self, expr: syntax.Quantified) -> Expr:
        """`for all E of A`: E is each element of A."""
        name = expr.name
        array, element, count = self.elements(expr.domain)

        def item(index: Expr) -> Object:
            place = make.index(array, index)
            return Object(name.text, name.spelling, element, place, expr.coord, True)

        if count <= _UNROLLED:
            return self._unrolled(expr, 0, count - 1, lambda at: item(make.const(at, LLONG)))
        last = make.const(count - 1, LLONG)
        return self._counted(expr, LLONG, make.const(0, LLONG), last, item)

    def elements(self, expr: syntax.Expr) -> tuple[Lvalue, AdaType, int]:
        """Where an array of one dimension lies, of what its elements are, and how many."""
        type_ = self.names.type(expr)
        if not isinstance(type_, Array) or len(type_.indices) != 1:
            raise UnsupportedFeature(
                f"{expr.coord}: elements are those of an array of one dimension"
            )
        return self.composite(expr, type_), type_.element, length(type_.indices[0])

    def _unrolled(
        self, expr: syntax.Quantified, first: int, last: int, item: Callable[[int], Object]
    ) -> Expr:
        """The body for each value, as one formula if no round leaves a trace."""
        absorbing = FALSE if expr.all else TRUE

        def round_(value: int) -> Expr:
            found = self._inside(item(value), lambda: self.condition(expr.body))
            if value == last:
                return found
            return self._short(found, lambda: round_(value + 1), absorbing, expr)

        return make.negate(absorbing) if first > last else round_(first)

    def _inside(self, item: Object, act: Callable[[], Expr]) -> Expr:
        """Do something in a scope with one more object."""
        outer = self.names.scope
        self.names.scope = Scope(outer, outer.path)
        self.names.scope.add(item)
        try:
            return act()
        finally:
            self.names.scope = outer

    def _counted(
        self,
        expr: syntax.Quantified,
        type_: IntType,
        low: Expr,
        high: Expr,
        item: Callable[[Var], Object],
    ) -> Expr:
        """The body in a loop that ends at the first value that decides."""
        graph, coord = self.frame.graph, expr.coord
        counter = self.frame.local(expr.name.spelling, type_)
        result = self.frame.temporary(CBOOL)
        last = self.frame.saved(high, coord)
        begin, head, more, decided, after = (graph.fresh() for _ in range(5))
        self.frame.assign(result, make.const(int(expr.all), CBOOL), coord)
        self.frame.branch(make.less_equal(low, last), begin, after, coord)
        graph.here = begin
        self.frame.assign(counter, low, coord)
        graph.jump(head, coord)
        graph.here = head
        found = self._inside(item(counter), lambda: self.condition(expr.body))
        self.frame.branch(make.negate(found) if expr.all else found, decided, more, coord)
        graph.here = decided
        self.frame.assign(result, make.const(int(not expr.all), CBOOL), coord)
        graph.jump(after, coord)
        graph.here = more
        step = graph.fresh()
        self.frame.branch(make.less(counter, last), step, after, coord)
        graph.here = step
        self.frame.assign(counter, make.binary(Op.ADD, counter, make.const(1, type_)), coord)
        graph.jump(head, coord)
        graph.here = after
        return make.as_condition(result)


def _equivalent(one: Expr, two: Expr) -> Expr:
    if isinstance(two, Const):
        return one if two is TRUE else make.negate(one)
    if isinstance(one, Const):
        return two if one is TRUE else make.negate(two)
    return make.equal(make.cast(one, CBOOL), make.cast(two, CBOOL))


def _compare(op: str, one: Expr, two: Expr) -> Expr:
    match op:
        case "=":
            return make.equal(one, two)
        case "/=":
            return make.not_equal(one, two)
        case "<":
            return make.less(one, two)
        case "<=":
            return make.less_equal(one, two)
        case ">":
            return make.less(two, one)
    return make.less_equal(two, one)
