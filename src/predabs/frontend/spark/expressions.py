"""Lower Ada's expressions: to terms, with an error edge before whatever a run-time check may stop.

Operands are evaluated from left to right. What Ada evaluates only sometimes is reached by a branch
if evaluating it leaves a trace (a check, a call); else it is part of one term.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import FALSE, TRUE, Const, Expr, Field, Index, Lvalue, Op, Var
from ...ir.types import BOOL, CBOOL, LLONG, ArrayType
from . import arithmetic, syntax
from .arithmetic import Value, constant, outside
from .entities import Number, Object, Scope, Subprogram
from .frame import DIVISION, INDEX, OVERFLOW, RANGE, Frame
from .resolve import RELATIONS, Resolver
from .syntax import Association
from .text import show
from .types import BOOLEAN, AdaType, Array, Class, RecordOf, Scalar, length

_OPS = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL}
_BITS = {"and": Op.AND, "or": Op.OR, "xor": Op.XOR}
_UNROLLED = 12  # rounds of a quantified expression that become one formula
_LARGEST_EXPONENT = 64
BOUNDED_AT_ONCE = 16  # elements of arrays whose values are bounded when they become any


class LowerExpressions:
    """Lowers the expressions of one subprogram, in one scope after the other."""

    def __init__(self, frame: Frame, scope: Scope) -> None:
        self.frame = frame
        self.names = Resolver(scope)
        self.bindings: dict[Object, Expr] = {}  # what parameters stand for, in a contract of them
        self.saved: dict[syntax.Expr, Lvalue] = {}  # of X'Old
        self.result: Lvalue | None = None  # of F'Result

    # --- what other modules fill in -------------------------------------------------------------

    def call_function(
        self, one: Subprogram, expr: syntax.Expr, args: Sequence[Association]
    ) -> Lvalue:
        raise NotImplementedError

    def aggregate(self, target: Lvalue, type_: AdaType, expr: syntax.Aggregate) -> None:
        raise NotImplementedError

    def copy(self, target: Lvalue, source: Lvalue, type_: AdaType, coord: Coord) -> None:
        raise NotImplementedError

    # --- conditions -----------------------------------------------------------------------------

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

    def _short(
        self, left: Expr, right: Callable[[], Expr], absorbing: Const, expr: syntax.Expr
    ) -> Expr:
        """`and then` (absorbed by false) and `or else` (by true)."""
        if left is absorbing:
            return left
        if absorbing is FALSE:
            return self._conditional(left, right, lambda: FALSE, expr.coord)
        return self._conditional(left, lambda: TRUE, right, expr.coord)

    def _conditional(
        self, cond: Expr, then: Callable[[], Expr], other: Callable[[], Expr], coord: Coord
    ) -> Expr:
        """One of two terms; a side that leaves a trace is only reached by a branch."""
        if isinstance(cond, Const):
            return then() if cond is TRUE else other()
        graph = self.frame.graph
        here = graph.here
        yes, no = graph.fresh(), graph.fresh()
        graph.here = yes
        one, yes_end = then(), graph.here
        graph.here = no
        two, no_end = other(), graph.here
        if (yes_end, no_end) == (yes, no):
            graph.here = here
            return make.ite(cond, one, two)
        graph.here = here
        self.frame.branch(cond, yes, no, coord)
        truth = one.type is BOOL
        result = self.frame.temporary(CBOOL if truth else one.type)
        after = graph.fresh()
        for end, value in ((yes_end, one), (no_end, two)):
            graph.here = end
            self.frame.assign(result, make.cast(value, result.type), coord)
            graph.jump(after, coord)
        graph.here = after
        return make.as_condition(result) if truth else result

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
        same = self._same(one, two, type_, expr.coord)
        return same if op == "=" else make.negate(same)

    def _same(self, one: Lvalue, two: Lvalue, type_: AdaType, coord: Coord) -> Expr:
        """Are two objects equal, component by component?"""
        match type_:
            case Scalar():
                values = [self._read(place, type_, place, coord) for place in (one, two)]
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

    def bound(self, bound: syntax.Expr | int, type_: Scalar) -> Value:
        """A bound of a range."""
        if isinstance(bound, int):
            return constant(bound, type_.ir)
        return self.value(bound, type_)

    def _quantified(self, expr: syntax.Quantified) -> Expr:
        if expr.of:
            raise UnsupportedFeature(f"{expr.coord}: quantify over a range: for all I in A'Range")
        low, high, subtype = self.names.range_of(expr.domain)
        type_ = subtype or self.names.type_of_bounds(low, high)
        one, two = self.bound(low, type_), self.bound(high, type_)
        if isinstance(one.expr, Const) and isinstance(two.expr, Const):
            first, last = one.low, two.low
            if last - first < _UNROLLED:
                return self._unrolled(expr, type_, first, last)
        return self._counted(expr, type_, one, two)

    def _unrolled(self, expr: syntax.Quantified, type_: Scalar, first: int, last: int) -> Expr:
        """The body for each value, as one formula if no round leaves a trace."""
        absorbing = FALSE if expr.all else TRUE

        def round_(value: int) -> Expr:
            place = Var(f"{self.frame.function}::{expr.name.spelling}.", type_.ir)
            item = Object(
                expr.name.text, expr.name.spelling, type_.within(value, value), place, expr.coord
            )
            item.constant, item.value = True, value
            found = self._inside(item, lambda: self.condition(expr.body))
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

    def _counted(self, expr: syntax.Quantified, type_: Scalar, low: Value, high: Value) -> Expr:
        """The body in a loop that ends at the first value that decides."""
        graph, coord = self.frame.graph, expr.coord
        counter = self.frame.local(expr.name.spelling, type_.ir)
        result = self.frame.temporary(CBOOL)
        last = self.frame.saved(high.expr, coord)
        begin, head, more, decided, after = (graph.fresh() for _ in range(5))
        self.frame.assign(result, make.const(int(expr.all), CBOOL), coord)
        self.frame.branch(make.less_equal(low.expr, last), begin, after, coord)
        graph.here = begin
        self.frame.assign(counter, low.expr, coord)
        graph.jump(head, coord)
        graph.here = head
        bounds = type_.within(low.low, high.high)
        item = Object(expr.name.text, expr.name.spelling, bounds, counter, coord, constant=True)
        found = self._inside(item, lambda: self.condition(expr.body))
        self.frame.branch(make.negate(found) if expr.all else found, decided, more, coord)
        graph.here = decided
        self.frame.assign(result, make.const(int(not expr.all), CBOOL), coord)
        graph.jump(after, coord)
        graph.here = more
        step = graph.fresh()
        self.frame.branch(make.less(counter, last), step, after, coord)
        graph.here = step
        self.frame.assign(counter, make.binary(Op.ADD, counter, make.const(1, type_.ir)), coord)
        graph.jump(head, coord)
        graph.here = after
        return make.as_condition(result)

    # --- numbers --------------------------------------------------------------------------------

    def value(self, expr: syntax.Expr, wanted: Scalar) -> Value:
        """The value of a scalar expression, of the base type that is wanted."""
        self.names.type(expr, wanted)
        known = self.names.static(expr, wanted)
        if known is not None:
            if not wanted.base.low <= known <= wanted.base.high:
                raise InputError(
                    f"{expr.coord}: {show(expr)} is {known}, which {wanted.base.name} cannot hold"
                )
            return constant(known, wanted.ir)
        match expr:
            case syntax.Name() | syntax.Select() | syntax.Apply():
                return self._named(expr, wanted)
            case syntax.Attribute():
                return self._attribute(expr, wanted)
            case syntax.Qualified(_, mark, inner):
                type_ = self.names.wanted_type(mark)
                assert isinstance(type_, Scalar)
                return self.checked(inner, type_)
            case syntax.Unary(_, op, arg) if op != "not" or wanted.base is not BOOLEAN.base:
                return self._unary(expr, op, arg, wanted)
            case syntax.Binary(_, op, left, right) if wanted.base is not BOOLEAN.base:
                return self._binary(expr, op, left, right, wanted)
            case syntax.If(_, cond, then, other) if other is not None and (
                wanted.base is not BOOLEAN.base
            ):
                chosen = other
                return self._within(
                    wanted,
                    self._conditional(
                        self.condition(cond),
                        lambda: self.value(then, wanted).expr,
                        lambda: self.value(chosen, wanted).expr,
                        expr.coord,
                    ),
                )
            case syntax.Case():
                return self._within(wanted, self._case(expr, wanted))
        if wanted.base is BOOLEAN.base:
            return Value(make.cast(self.condition(expr), CBOOL), 0, 1)
        raise InputError(f"{expr.coord}: {show(expr)} is no value of {wanted.name}")

    def _within(self, type_: Scalar, expr: Expr) -> Value:
        return Value(expr, type_.base.low, type_.base.high)

    def checked(self, expr: syntax.Expr, type_: Scalar) -> Value:
        """The value as one of the subtype: a range check if it may lie outside."""
        value = self.value(expr, type_)
        return self.in_range(value, type_, show(expr), expr.coord)

    def in_range(self, value: Value, type_: Scalar, what: str, coord: Coord) -> Value:
        bad = outside(value, type_.low, type_.high)
        self.frame.check(bad, f"range check: {what} is not in {described(type_)}", RANGE, coord)
        return Value(value.expr, max(value.low, type_.low), min(value.high, type_.high))

    def _named(self, expr: syntax.Expr, wanted: Scalar) -> Value:
        if isinstance(expr, syntax.Name | syntax.Select):
            for entity in self.names.entities(expr):
                if isinstance(entity, Object | Number):
                    break
                if isinstance(entity, Subprogram):
                    return self._called(expr, (), wanted)
        if isinstance(expr, syntax.Apply):
            mark = self.names.type_mark(expr.prefix)
            if mark is not None:
                return self._conversion(expr, mark)
            if self.names.callable(expr.prefix):
                return self._called(expr, expr.args, wanted)
        place, type_ = self.place(expr)
        assert isinstance(type_, Scalar)
        return self._read(place, type_, expr, expr.coord)

    def _read(self, place: Lvalue, type_: Scalar, expr: object, coord: Coord) -> Value:
        """The value of an object. An element of an array that was never written is any value of its
        subtype: that is assumed where it is read."""
        value = Value(place, type_.low, type_.high)
        if isinstance(place, Const):
            return constant(place.value, type_.ir)
        if type_.constrains and _in_array(place):
            whole = Value(place, type_.ir.low, type_.ir.high)
            self.frame.assume(make.negate(outside(whole, type_.low, type_.high)), coord)
        return value

    def _called(self, expr: syntax.Expr, args: Sequence[Association], wanted: Scalar) -> Value:
        one = self.names.subprogram(expr, args, wanted, function=True)
        assert isinstance(one.result, Scalar)
        return Value(self.call_function(one, expr, args), one.result.low, one.result.high)

    def _conversion(self, expr: syntax.Apply, mark: AdaType) -> Value:
        given = expr.args[0].value if len(expr.args) == 1 else None
        if not isinstance(mark, Scalar) or given is None:
            raise UnsupportedFeature(f"{expr.coord}: conversions to {mark.name} are not supported")
        source = self.names.types(given)
        type_ = mark if not source else self.names.type(given)
        if not isinstance(type_, Scalar) or (
            Class.ENUMERATION in (type_.base.kind, mark.base.kind) and type_.base is not mark.base
        ):
            raise InputError(f"{expr.coord}: {type_.name} cannot be converted to {mark.name}")
        value = self.in_range(self.value(given, type_), mark, show(given), expr.coord)
        return Value(make.cast(value.expr, mark.ir), value.low, value.high)

    def _unary(self, expr: syntax.Expr, op: str, arg: syntax.Expr, wanted: Scalar) -> Value:
        base, value = wanted.base, self.value(arg, wanted)
        if base.kind is Class.MODULAR:
            if op == "-":
                return arithmetic.modular(Op.SUB, base, constant(0, base.ir), value)
            if op == "not":
                rest = make.binary(Op.SUB, make.const(base.high, base.ir), value.expr)
                return Value(rest, 0, base.high)
            return value
        if op == "+":
            return value
        if base.kind is not Class.SIGNED or op == "not":
            raise InputError(f"{expr.coord}: {wanted.name} has no operator '{op}'")
        made = arithmetic.negated if op == "-" else arithmetic.absolute
        result, bad = made(base, value)
        self._overflow(bad, expr)
        return result

    def _overflow(self, bad: Expr, expr: syntax.Expr) -> None:
        self.frame.check(bad, f"overflow check: {show(expr)}", OVERFLOW, expr.coord)

    def _binary(
        self, expr: syntax.Expr, op: str, left: syntax.Expr, right: syntax.Expr, wanted: Scalar
    ) -> Value:
        base = wanted.base
        if base.kind is Class.ENUMERATION:
            raise InputError(f"{expr.coord}: {wanted.name} has no operator '{op}'")
        if op == "**":
            return self._power(expr, left, right, wanted)
        one, two = self.value(left, wanted), self.value(right, wanted)
        if op in _OPS:
            if base.kind is Class.MODULAR:
                return arithmetic.modular(_OPS[op], base, one, two)
            result, bad = arithmetic.signed(_OPS[op], base, one, two)
            self._overflow(bad, expr)
            return result
        if op in _BITS and base.kind is Class.MODULAR:
            found = make.binary(_BITS[op], one.expr, two.expr)
            if base.modulus & base.high:
                found = make.binary(Op.REM, found, make.const(base.modulus, base.ir))
            return Value(found, 0, base.high)
        if op not in ("/", "mod", "rem"):
            raise InputError(f"{expr.coord}: {wanted.name} has no operator '{op}'")
        if two.low <= 0 <= two.high:
            zero = make.equal(two.expr, make.const(0, two.type))
            self.frame.check(zero, f"division by zero: {show(expr)}", DIVISION, expr.coord)
        if op == "/":
            result, bad = arithmetic.quotient(base, one, two)
            self._overflow(bad, expr)
            return result
        return arithmetic.rest(one, two) if op == "rem" else arithmetic.modulo(one, two)

    def _power(
        self, expr: syntax.Expr, left: syntax.Expr, right: syntax.Expr, wanted: Scalar
    ) -> Value:
        exponent = self.names.static(right)
        if exponent is None or exponent > _LARGEST_EXPONENT:
            raise UnsupportedFeature(
                f"{right.coord}: exponents must be static and at most {_LARGEST_EXPONENT}"
            )
        if exponent < 0:
            raise InputError(f"{right.coord}: the exponent of an integer must not be negative")
        one = self.value(left, wanted)
        result = constant(1, wanted.ir)
        for _ in range(exponent):
            if wanted.base.kind is Class.MODULAR:
                result = arithmetic.modular(Op.MUL, wanted.base, result, one)
            else:
                result, bad = arithmetic.signed(Op.MUL, wanted.base, result, one)
                self._overflow(bad, expr)
        return result

    def _case(self, expr: syntax.Case, wanted: Scalar) -> Expr:
        """A case expression: the first arm that has the value, as they exclude each other."""
        subject = self.names.type(expr.subject)
        assert isinstance(subject, Scalar)
        value = self.value(expr.subject, subject)

        def arm(at: int) -> Expr:
            found = expr.arms[at].value
            assert found is not None
            if at + 1 == len(expr.arms):
                return self.value(found, wanted).expr
            cond = self.chosen(value, expr.arms[at], subject)
            return self._conditional(
                cond, lambda: self.value(found, wanted).expr, lambda: arm(at + 1), expr.coord
            )

        return arm(0)

    def chosen(self, value: Value, arm: Association, type_: Scalar) -> Expr:
        """Does a value have one of the choices of an arm?"""
        if arm.others:
            return TRUE
        ranges = [self.choice_range(choice, type_) for choice in arm.choices]
        parts = [
            make.equal(value.expr, make.const(one.low, value.type))
            if one.low == one.high
            else make.negate(outside(value, one.low, one.high))
            for one in ranges
        ]
        return make.disj(parts)

    def choice_range(self, choice: syntax.Expr, type_: Scalar) -> Scalar:
        if self.names.is_range(choice):
            return self.names.static_range(choice, type_)
        self.names.type(choice, type_)
        known = self.names.static(choice, type_)
        if known is None:
            raise InputError(f"{choice.coord}: a choice must be static")
        return type_.within(known, known)

    # --- attributes -----------------------------------------------------------------------------

    def _attribute(self, expr: syntax.Attribute, wanted: Scalar) -> Value:
        match expr.name:
            case "old":
                if expr not in self.saved:
                    raise InputError(f"{expr.coord}: 'Old belongs to postconditions")
                type_ = self.names.type(expr.prefix, wanted)
                assert isinstance(type_, Scalar)
                return self._read(self.saved[expr], type_, expr, expr.coord)
            case "result":
                type_ = self.names.type(expr)
                assert self.result is not None and isinstance(type_, Scalar)
                return Value(self.result, type_.low, type_.high)
            case "pos" | "val" | "succ" | "pred" | "min" | "max":
                return self._of_type(expr, wanted)
        raise UnsupportedFeature(f"{expr.coord}: {show(expr)} is not supported")

    def _of_type(self, expr: syntax.Attribute, wanted: Scalar) -> Value:
        type_ = self.names.wanted_type(expr.prefix)
        if not isinstance(type_, Scalar) or not expr.args:
            raise InputError(f"{expr.coord}: {show(expr)} has no value")
        if expr.name in ("min", "max"):
            one, two = (self.value(arg, type_) for arg in expr.args)
            first = make.less_equal(
                *((one.expr, two.expr) if expr.name == "min" else (two.expr, one.expr))
            )
            found = make.ite(first, one.expr, two.expr)
            return Value(found, min(one.low, two.low), max(one.high, two.high))
        if expr.name == "pos":
            value = self.value(expr.args[0], type_)
            return Value(make.cast(value.expr, wanted.ir), value.low, value.high)
        if expr.name == "val":
            source = self.names.type(expr.args[0])
            assert isinstance(source, Scalar)
            value = self.in_range(
                self.value(expr.args[0], source),
                type_.within(type_.base.low, type_.base.high),
                show(expr.args[0]),
                expr.coord,
            )
            return Value(make.cast(value.expr, type_.ir), value.low, value.high)
        value = self.value(expr.args[0], type_)
        if type_.base.kind is Class.MODULAR:
            step = constant(1, type_.ir)
            return arithmetic.modular(
                Op.ADD if expr.name == "succ" else Op.SUB, type_.base, value, step
            )
        low, high = type_.base.low, type_.base.high
        if expr.name == "succ":
            bad = outside(value, low, high - 1)
            found = make.binary(Op.ADD, value.expr, make.const(1, type_.ir))
            bounds = value.low + 1, value.high + 1
        else:
            bad = outside(value, low + 1, high)
            found = make.binary(Op.SUB, value.expr, make.const(1, type_.ir))
            bounds = value.low - 1, value.high - 1
        check = RANGE if type_.base.kind is Class.ENUMERATION else OVERFLOW
        self.frame.check(bad, f"{check.split('-')[-1]} check: {show(expr)}", check, expr.coord)
        return Value(found, max(bounds[0], low), min(bounds[1], high))

    # --- objects --------------------------------------------------------------------------------

    def place(self, expr: syntax.Expr) -> tuple[Lvalue, AdaType]:
        """Where an object lies, and its type."""
        match expr:
            case syntax.Name() | syntax.Select():
                found = self.names.object_of(expr)
                if found is not None:
                    bound = self.bindings.get(found)
                    return (found.place if bound is None else bound), found.type  # type: ignore[return-value]
                if isinstance(expr, syntax.Select) and not self.names.entities(expr):
                    outer = self.names.type(expr.prefix)
                    name, type_ = self.names.component(expr)
                    return make.field(self.composite(expr.prefix, outer), name, type_.ir), type_
            case syntax.Apply(_, prefix, args) if not self.names.callable(prefix):
                return self._element(expr, prefix, args)
            case syntax.Attribute(_, prefix, "old", _) if expr in self.saved:
                return self.saved[expr], self.names.type(prefix)
            case syntax.Attribute(_, _, "result", _) if self.result is not None:
                return self.result, self.names.type(expr)
        raise InputError(f"{expr.coord}: {show(expr)} is no object")

    def _element(
        self, expr: syntax.Expr, prefix: syntax.Expr, args: Sequence[Association]
    ) -> tuple[Lvalue, AdaType]:
        self.names.types(expr)  # complains about what is wrong with it
        type_ = self.names.type(prefix)
        assert isinstance(type_, Array)
        place = self.composite(prefix, type_)
        for arg, index in zip(args, type_.indices, strict=True):
            if arg.value is None or not arg.positional:
                raise InputError(f"{arg.coord}: an index is an expression")
            value = self.value(arg.value, index)
            bad = outside(value, index.low, index.high)
            what = f"index check: {show(arg.value)} is not in {index.low} .. {index.high}"
            self.frame.check(bad, what, INDEX, arg.coord)
            place = make.index(place, position(value, index))
        return place, type_.element

    def composite(self, expr: syntax.Expr, type_: AdaType) -> Lvalue:
        """Where the value of an array or record lies; one that is computed gets a temporary."""
        match expr:
            case syntax.Aggregate() | syntax.If():
                made = self.frame.temporary(type_.ir)
                self.assign_composite(made, type_, expr)
                return made
            case syntax.Qualified(_, mark, inner):
                return self.composite(inner, self.names.wanted_type(mark))
            case syntax.Name() | syntax.Select() | syntax.Apply():
                prefix = expr.prefix if isinstance(expr, syntax.Apply) else expr
                if self.names.callable(prefix):
                    args = expr.args if isinstance(expr, syntax.Apply) else ()
                    one = self.names.subprogram(expr, args, None, function=True)
                    return self.call_function(one, expr, args)
        return self.place(expr)[0]

    def assign_composite(self, target: Lvalue, type_: AdaType, expr: syntax.Expr) -> None:
        """Give an array or record the value of an expression."""
        self.names.type(expr, type_)
        match expr:
            case syntax.Aggregate():
                return self.aggregate(target, type_, expr)
            case syntax.Qualified(_, _, inner):
                return self.assign_composite(target, type_, inner)
            case syntax.If(coord, cond, then, other) if other is not None:
                graph = self.frame.graph
                yes, no, after = graph.fresh(), graph.fresh(), graph.fresh()
                self.frame.branch(self.condition(cond), yes, no, coord)
                for start, side in ((yes, then), (no, other)):
                    graph.here = start
                    self.assign_composite(target, type_, side)
                    graph.jump(after, coord)
                graph.here = after
                return None
        source = self.names.type(expr)
        if isinstance(source, Array) and isinstance(type_, Array):
            for one, two in zip(source.indices, type_.indices, strict=True):
                if length(one) != length(two):
                    raise InputError(
                        f"{expr.coord}: {length(one)} elements do not fit into {length(two)}"
                    )
        return self.copy(target, self.composite(expr, type_), type_, expr.coord)


def inner_array(type_: Array) -> AdaType:
    """What the elements of the first dimension are."""
    if len(type_.indices) == 1:
        return type_.element
    return Array(type_.name, type_.origin, type_.indices[1:], type_.element, type_.constrained)


def position(value: Value, index: Scalar) -> Expr:
    """Where the element of an index lies, counted from 0."""
    if isinstance(value.expr, Const):
        return make.const(value.expr.value - index.low, LLONG)
    if index.low == 0:
        return value.expr
    if index.ir.low <= index.low <= index.ir.high and (
        index.low > 0 or index.high - index.low <= index.ir.high
    ):
        return make.binary(Op.SUB, value.expr, make.const(index.low, index.ir))
    wide = make.cast(value.expr, LLONG)
    return make.binary(Op.SUB, wide, make.const(index.low, LLONG))


def described(type_: Scalar) -> str:
    """A subtype with its bounds, for messages."""
    literals = type_.base.literals
    if literals and type_.base is not BOOLEAN.base:
        return f"{type_.name} ({literals[type_.low]} .. {literals[type_.high]})"
    return f"{type_.name} ({type_.low} .. {type_.high})"


def _in_array(place: Expr) -> bool:
    """Is it an element that nobody has bounded yet, or not by a constant index?"""
    found = False
    while isinstance(place, Field | Index):
        if isinstance(place, Index):
            assert isinstance(place.base.type, ArrayType)
            small = place.base.type.length <= BOUNDED_AT_ONCE
            found = found or not small or not isinstance(place.index, Const)
        place = place.base
    return found


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
