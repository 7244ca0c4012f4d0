"""Look up names, find the types of expressions, and evaluate those that are static.

Types come bottom-up as all that are possible, and top-down as the one that is wanted (Ada RM,
section 8.6): that resolves overloaded literals and functions. Static expressions (section 4.9) are
evaluated exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ...errors import InputError, UnsupportedFeature
from ...ir.arith import divide, remainder
from ...ir.cfa import Coord
from . import syntax
from .entities import Entity, Literal, Number, Object, Package, Scope, Subprogram, TypeName
from .syntax import Association, Expr
from .types import (
    BOOLEAN,
    CHARACTER,
    INTEGER,
    UNIVERSAL,
    AdaType,
    Array,
    Class,
    RecordOf,
    Scalar,
    length,
    same_type,
)

_LOGICAL = ("and", "or", "xor", "and then", "or else", "->", "<->")
RELATIONS = ("=", "/=", "<", "<=", ">", ">=")
_LARGEST_POWER = 4096


class Resolver:
    """Reads expressions in one scope; `result` is the type of `F'Result`, inside its function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.result: tuple[str, AdaType] | None = None
        self._kept: dict[Expr, list[AdaType]] = {}

    # --- names ----------------------------------------------------------------------------------

    def entities(self, expr: Expr) -> list[Entity]:
        """What a name may stand for; nothing if it is a component of an object, or no name."""
        match expr:
            case syntax.Name(coord, text, spelling):
                found = self.scope.find(text)
                if not found:
                    near = get_close_matches(text, self.scope.visible(), n=1)
                    hint = f"; did you mean {near[0]}?" if near else ""
                    raise InputError(f"{coord}: {spelling} is not declared{hint}")
                return found
            case syntax.Select(coord, prefix, text, spelling):
                for outer in self._prefix_entities(prefix):
                    inner: Scope | None = None
                    if isinstance(outer, Package):
                        inner = outer.scope
                    elif isinstance(outer, Subprogram):
                        inner = outer.inside
                    if inner is not None:
                        found = inner.own(text)
                        if found:
                            return found
                        if isinstance(outer, Package):
                            raise InputError(f"{coord}: {outer.name} declares no {spelling}")
        return []

    def _prefix_entities(self, prefix: Expr) -> list[Entity]:
        return self.entities(prefix) if isinstance(prefix, syntax.Name | syntax.Select) else []

    def type_mark(self, expr: Expr) -> AdaType | None:
        """The type that an expression names, if it names one."""
        if isinstance(expr, syntax.Attribute) and expr.name == "base":
            inner = self.type_mark(expr.prefix)
            if isinstance(inner, Scalar):
                return inner.within(inner.base.low, inner.base.high, f"{inner.name}'Base")
        if isinstance(expr, syntax.Attribute) and expr.name == "class":
            raise UnsupportedFeature(f"{expr.coord}: tagged types are not supported")
        if not isinstance(expr, syntax.Name | syntax.Select):
            return None
        for entity in self.entities(expr):
            if isinstance(entity, TypeName):
                return entity.type
        return None

    def wanted_type(self, expr: Expr) -> AdaType:
        found = self.type_mark(expr)
        if found is None:
            raise InputError(f"{expr.coord}: expected the name of a type")
        return found

    def object_of(self, expr: Expr) -> Object | None:
        """The object that a name stands for, if it is a whole object."""
        if isinstance(expr, syntax.Name | syntax.Select):
            for entity in self.entities(expr):
                if isinstance(entity, Object):
                    return entity
        return None

    def callable(self, expr: Expr) -> list[Subprogram]:
        if not isinstance(expr, syntax.Name | syntax.Select):
            return []
        found = self.entities(expr)
        if isinstance(found[0] if found else None, Object | TypeName | Number):
            return []
        return [one for one in found if isinstance(one, Subprogram)]

    # --- ranges ---------------------------------------------------------------------------------

    def range_of(self, expr: Expr) -> tuple[Expr | int, Expr | int, Scalar | None]:
        """The bounds of a discrete range, as expressions or numbers, and the subtype that names
        their type, if one does."""
        match expr:
            case syntax.Range(_, low, high):
                return low, high, None
            case syntax.Constrained(_, mark, inner):
                subtype = self.wanted_type(mark)
                if not isinstance(subtype, Scalar):
                    raise InputError(f"{expr.coord}: {subtype.name} has no range")
                first, last, _ = self.range_of(inner)
                return first, last, subtype
            case syntax.Attribute(_, prefix, "range", args):
                index = self.index_of(prefix, args)
                return index.low, index.high, index
        named = self.type_mark(expr)
        if isinstance(named, Scalar):
            return named.low, named.high, named
        raise InputError(f"{expr.coord}: expected a range")

    def is_range(self, expr: Expr) -> bool:
        match expr:
            case syntax.Range() | syntax.Constrained() | syntax.Attribute(_, _, "range", _):
                return True
        return isinstance(self.type_mark(expr), Scalar)

    def static_range(self, expr: Expr, wanted: Scalar | None = None) -> Scalar:
        """A range of which both bounds are static, as a subtype."""
        low, high, subtype = self.range_of(expr)
        subtype = subtype or wanted or self.type_of_bounds(low, high)
        bounds = []
        for bound in (low, high):
            value = bound if isinstance(bound, int) else self.static(bound, subtype)
            if value is None:
                assert not isinstance(bound, int)
                raise UnsupportedFeature(
                    f"{bound.coord}: bounds that are not static are not supported here"
                )
            bounds.append(value)
        return subtype.within(bounds[0], bounds[1])

    def type_of_bounds(self, low: Expr | int, high: Expr | int) -> Scalar:
        ends = [end for end in (low, high) if not isinstance(end, int)]
        possible: list[AdaType] = [UNIVERSAL]
        for end in ends:
            possible = (
                self._meet(possible, self.types(end)) if end is not ends[0] else self.types(end)
            )
        found = [one for one in possible if isinstance(one, Scalar)]
        if not found:
            raise InputError(f"{ends[0].coord}: the bounds of a range must be of one discrete type")
        return INTEGER if found[0] is UNIVERSAL else found[0]

    def index_of(self, prefix: Expr, args: Sequence[Expr]) -> Scalar:
        """The index subtype that `prefix'First (n)` and its kin are about."""
        type_ = self.type_mark(prefix) or self.type(prefix)
        if isinstance(type_, Scalar):
            return type_
        if not isinstance(type_, Array):
            raise InputError(f"{prefix.coord}: a record has no range")
        if not type_.constrained:
            raise UnsupportedFeature(f"{prefix.coord}: {type_.name} has no static bounds")
        dimension = self.static(args[0]) if args else 1
        if dimension is None or not 1 <= dimension <= len(type_.indices):
            raise InputError(f"{prefix.coord}: {type_.name} has no such dimension")
        return type_.indices[dimension - 1]

    # --- types ----------------------------------------------------------------------------------

    def type(self, expr: Expr, wanted: AdaType | None = None) -> AdaType:
        """The type of an expression; the context may want one."""
        possible = self.types(expr)
        if wanted is not None:
            if not possible or any(self._fits(one, wanted) for one in possible):
                return wanted
            raise InputError(
                f"{expr.coord}: expected {wanted.name}, found {possible[0].name}"
                f"{self._conversion_hint(possible[0], wanted)}"
            )
        if not possible:
            raise InputError(f"{expr.coord}: the type is not known here; qualify it: T'(...)")
        if UNIVERSAL in possible:
            return INTEGER
        if len({id(one.base) if isinstance(one, Scalar) else id(one) for one in possible}) > 1:
            names = " or ".join(sorted(one.name for one in possible))
            raise InputError(f"{expr.coord}: ambiguous, may be {names}; qualify it: T'(...)")
        return possible[0]

    def _conversion_hint(self, found: AdaType, wanted: AdaType) -> str:
        numbers = (found, wanted)
        if all(
            isinstance(one, Scalar) and one.base.kind is not Class.ENUMERATION for one in numbers
        ):
            return f"; convert it: {wanted.name} (...)"
        return ""

    def _fits(self, found: AdaType, wanted: AdaType) -> bool:
        if found is UNIVERSAL:
            return wanted is UNIVERSAL or (
                isinstance(wanted, Scalar) and wanted.base.kind is not Class.ENUMERATION
            )
        return same_type(found, wanted)

    def _meet(self, left: list[AdaType], right: list[AdaType]) -> list[AdaType]:
        """The types that both may have; none stands for any."""
        if not left or not right:
            return left or right
        met: list[AdaType] = []
        for one in left:
            for two in right:
                if self._fits(one, two):
                    met.append(two)
                elif self._fits(two, one):
                    met.append(one)
        return [one for one in met if one is not UNIVERSAL] or met

    def types(self, expr: Expr) -> list[AdaType]:
        """All types that an expression may have; none if only the context can tell."""
        found = self._kept.get(expr)
        if found is None:
            found = self._kept[expr] = self._types(expr)
        return found

    def _types(self, expr: Expr) -> list[AdaType]:
        match expr:
            case syntax.Integer():
                return [UNIVERSAL]
            case syntax.Character():
                return [CHARACTER]
            case syntax.String():
                raise UnsupportedFeature(f"{expr.coord}: strings are supported in output only")
            case syntax.Name() | syntax.Select():
                return self._of_name(expr)
            case syntax.Attribute():
                return self._of_attribute(expr)
            case syntax.Apply():
                return self._of_application(expr)
            case syntax.Qualified(_, mark, _):
                return [self.wanted_type(mark)]
            case syntax.Unary(_, op, arg):
                return self.types(arg)
            case syntax.Binary(_, op, left, right):
                return self._of_binary(expr, op, left, right)
            case syntax.Membership() | syntax.Quantified():
                return [BOOLEAN]
            case syntax.If(_, _, then, other):
                if other is None:
                    return [BOOLEAN]
                return self._meet(self.types(then), self.types(other))
            case syntax.Case(_, _, arms):
                possible: list[AdaType] = []
                for arm in arms:
                    if arm.value is not None:
                        possible = self._meet(possible, self.types(arm.value))
                return possible
            case syntax.Aggregate():
                return []
            case syntax.Range() | syntax.Constrained():
                raise InputError(f"{expr.coord}: a range is no value")

    def _of_name(self, expr: syntax.Name | syntax.Select) -> list[AdaType]:
        found: list[AdaType] = []
        for entity in self.entities(expr):
            match entity:
                case Object(_, _, type_):
                    return [type_]
                case Number():
                    return [UNIVERSAL]
                case Literal(_, type_):
                    found.append(type_)
                case Subprogram(_, _, formals, result):
                    if result is not None and all(one.default is not None for one in formals):
                        found.append(result)
        if found:
            return found
        if isinstance(expr, syntax.Select):
            return [self.component(expr)[1]]
        raise InputError(f"{expr.coord}: {expr.spelling} has no value")

    def component(self, expr: syntax.Select) -> tuple[str, AdaType]:
        """The component that `prefix.name` is: its name in the IR, and its type."""
        type_ = self.type(expr.prefix)
        found = type_.component(expr.text) if isinstance(type_, RecordOf) else None
        if found is None:
            raise InputError(f"{expr.coord}: {type_.name} has no component {expr.spelling}")
        return found.spelling, found.type

    def _of_attribute(self, expr: syntax.Attribute) -> list[AdaType]:
        match expr.name:
            case "old":
                return self.types(expr.prefix)
            case "result":
                if self.result is None or not self._names_result(expr.prefix):
                    raise InputError(
                        f"{expr.coord}: 'Result stands for a function's own result only"
                    )
                return [self.result[1]]
            case "first" | "last":
                return [self.index_of(expr.prefix, expr.args)]
            case "length" | "pos" | "modulus" | "size":
                return [UNIVERSAL]
            case "val" | "succ" | "pred" | "min" | "max" | "mod":
                return [self.wanted_type(expr.prefix)]
        raise UnsupportedFeature(
            f"{expr.coord}: the attribute '{expr.name.title()} is not supported"
        )

    def _names_result(self, prefix: Expr) -> bool:
        last = prefix.text if isinstance(prefix, syntax.Name | syntax.Select) else ""
        return self.result is not None and self.result[0] == last

    def _of_application(self, expr: syntax.Apply) -> list[AdaType]:
        mark = self.type_mark(expr.prefix)
        if mark is not None:
            return [mark]
        candidates = self.callable(expr.prefix)
        if candidates:
            matching = self.matching(candidates, expr.args)
            found = [one.result for one in matching if one.result is not None]
            if not found:
                raise self._no_match(expr, candidates)
            return found
        type_ = self.type(expr.prefix)
        if not isinstance(type_, Array):
            raise InputError(f"{expr.coord}: neither a subprogram nor an array can be here")
        if (
            len(expr.args) == 1
            and expr.args[0].value is not None
            and self.is_range(expr.args[0].value)
        ):
            raise UnsupportedFeature(f"{expr.coord}: slices of arrays are not supported")
        if len(expr.args) != len(type_.indices):
            raise InputError(f"{expr.coord}: {type_.name} has {len(type_.indices)} dimension(s)")
        return [type_.element]

    def _no_match(self, expr: Expr, candidates: Iterable[Subprogram]) -> InputError:
        names = ", ".join(sorted({one.path for one in candidates}))
        return InputError(f"{expr.coord}: the arguments fit no declaration of {names}")

    def subprogram(
        self, expr: Expr, args: Sequence[Association], wanted: AdaType | None, function: bool
    ) -> Subprogram:
        """The one subprogram that is called."""
        name = expr.prefix if isinstance(expr, syntax.Apply) else expr
        candidates = self.callable(name)
        if not candidates:
            raise InputError(f"{expr.coord}: this is no {'function' if function else 'procedure'}")
        found = [
            one
            for one in self.matching(candidates, args)
            if (one.result is not None) == function
            and (wanted is None or one.result is None or same_type(one.result, wanted))
        ]
        if not found:
            raise self._no_match(expr, candidates)
        return found[0]  # the innermost declaration hides others alike

    def matching(
        self, candidates: Sequence[Subprogram], args: Sequence[Association]
    ) -> list[Subprogram]:
        return [one for one in candidates if self._accepts(one, args, len(candidates) > 1)]

    def _accepts(self, one: Subprogram, args: Sequence[Association], several: bool) -> bool:
        bound = self.bind(one, args)
        if bound is None:
            return False
        if not several:
            return True
        for formal, value in zip(one.formals, bound, strict=True):
            if value is not None and value is not formal.default:
                possible = self.types(value)
                if possible and not any(self._fits(two, formal.type) for two in possible):
                    return False
        return True

    def bind(self, one: Subprogram, args: Sequence[Association]) -> list[Expr] | None:
        """The argument for each parameter; None if they do not fit by number and name."""
        found: dict[str, Expr] = {}
        for position, arg in enumerate(args):
            if arg.value is None or arg.others or len(arg.choices) > 1:
                return None
            if arg.positional:
                if position >= len(one.formals):
                    return None
                key = one.formals[position].name
            elif isinstance(arg.choices[0], syntax.Name):
                key = arg.choices[0].text
            else:
                return None
            if key in found:
                return None
            found[key] = arg.value
        bound = []
        for formal in one.formals:
            value = found.pop(formal.name, formal.default)
            if value is None:
                return None
            bound.append(value)
        return None if found else bound

    def _of_binary(self, expr: Expr, op: str, left: Expr, right: Expr) -> list[AdaType]:
        if op == "&":
            raise UnsupportedFeature(f"{expr.coord}: '&' is supported in output only")
        if op in RELATIONS or op in ("and then", "or else", "->", "<->"):
            return [BOOLEAN]
        if op == "**":
            return self.types(left)
        met = self._meet(self.types(left), self.types(right))
        if not met:
            of = self.types(left)[0].name, self.types(right)[0].name
            raise InputError(
                f"{expr.coord}: '{op}' has operands of two types, {of[0]} and {of[1]}; convert one"
            )
        return met

    def operand_type(self, left: Expr, right: Expr, coord: Coord) -> AdaType:
        """The type in which two expressions are compared."""
        met = self._meet(self.types(left), self.types(right))
        if not met:
            of = self.types(left), self.types(right)
            if not of[0] or not of[1]:
                raise InputError(f"{coord}: the types of the operands are not known; qualify one")
            raise InputError(
                f"{coord}: {of[0][0].name} and {of[1][0].name} cannot be compared; convert one"
            )
        return INTEGER if met[0] is UNIVERSAL else met[0]

    # --- static expressions ---------------------------------------------------------------------

    def static(self, expr: Expr, wanted: AdaType | None = None) -> int | None:
        """The value of a static scalar expression, of a literal its position; None for others."""
        match expr:
            case syntax.Integer(_, value):
                return value
            case syntax.Character(_, text):
                return ord(text) if ord(text) < 256 else None
            case syntax.Name() | syntax.Select():
                return self._static_name(expr, wanted)
            case syntax.Unary(_, op, arg):
                operand = self.static(arg, wanted)
                return None if operand is None else self._static_unary(expr, op, operand, wanted)
            case syntax.Binary(_, op, left, right):
                return self._static_binary(expr, op, left, right, wanted)
            case syntax.Attribute():
                return self._static_attribute(expr)
            case syntax.Qualified(_, mark, inner_expr):
                type_ = self.wanted_type(mark)
                held = self.static(inner_expr, type_) if isinstance(type_, Scalar) else None
                return held if held is not None and _inside(held, type_) else None
            case syntax.Apply(_, prefix, (Association(_, (), False, syntax_value),)):
                mark_type = self.type_mark(prefix)
                if isinstance(mark_type, Scalar) and syntax_value is not None:
                    held = self.static(syntax_value)
                    return held if held is not None and _inside(held, mark_type) else None
        return None

    def _static_name(self, expr: syntax.Name | syntax.Select, wanted: AdaType | None) -> int | None:
        try:
            found = self.entities(expr)
        except InputError:
            if isinstance(expr, syntax.Select):
                return None
            raise
        literals = [one for one in found if isinstance(one, Literal)]
        if literals and wanted is not None:
            literals = [one for one in literals if same_type(one.type, wanted)] or literals
        for entity in [*literals, *found]:
            match entity:
                case Number(_, value) | Literal(_, _, value):
                    return value
                case Object(value=known):
                    return known
        return None

    def _static_type(self, expr: Expr, wanted: AdaType | None) -> Scalar | None:
        possible = [one for one in self.types(expr) if isinstance(one, Scalar)]
        if isinstance(wanted, Scalar) and any(self._fits(one, wanted) for one in possible):
            return wanted
        return possible[0] if possible else None

    def _static_unary(self, expr: Expr, op: str, arg: int, wanted: AdaType | None) -> int | None:
        type_ = self._static_type(expr, wanted)
        if type_ is None:
            return None
        if op == "not":
            if type_.base is BOOLEAN.base:
                return 1 - arg
            return type_.base.high - arg if type_.base.kind is Class.MODULAR else None
        value = {"-": -arg, "+": arg, "abs": abs(arg)}[op]
        return value % type_.base.modulus if type_.base.kind is Class.MODULAR else value

    def _static_binary(
        self, expr: Expr, op: str, left: Expr, right: Expr, wanted: AdaType | None
    ) -> int | None:
        if op in RELATIONS:
            possible = self._meet(self.types(left), self.types(right))
            type_ = possible[0] if possible else None
            if not isinstance(type_, Scalar):
                return None
            first, second = self.static(left, type_), self.static(right, type_)
            if first is None or second is None:
                return None
            return int(_RELATION[op](first, second))
        scalar = BOOLEAN if op in ("and then", "or else", "->", "<->") else None
        scalar = scalar or self._static_type(expr, wanted)
        if scalar is None:
            return None
        one = self.static(left, scalar)
        two = self.static(right, INTEGER if op == "**" else scalar)
        if one is None or two is None:
            return None
        if scalar.base is BOOLEAN.base:
            return _TRUTH[op](one, two) if op in _TRUTH else None
        value = self._arithmetic(expr, op, one, two)
        if value is not None and scalar.base.kind is Class.MODULAR:
            return value % scalar.base.modulus
        return value

    def _arithmetic(self, expr: Expr, op: str, left: int, right: int) -> int | None:
        if op in ("/", "mod", "rem") and right == 0:
            raise InputError(f"{expr.coord}: division by zero in a static expression")
        match op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return divide(left, right)
            case "mod":
                return left % right
            case "rem":
                return remainder(left, right)
            case "**":
                if not 0 <= right <= _LARGEST_POWER:
                    raise InputError(f"{expr.coord}: no exponent of a static expression: {right}")
                return int(left**right)
            case "and":
                return left & right
            case "or":
                return left | right
            case "xor":
                return left ^ right
        return None

    def _static_attribute(self, expr: syntax.Attribute) -> int | None:
        match expr.name:
            case "first":
                return self.index_of(expr.prefix, expr.args).low
            case "last":
                return self.index_of(expr.prefix, expr.args).high
            case "length":
                return length(self.index_of(expr.prefix, expr.args))
            case "modulus":
                type_ = self.wanted_type(expr.prefix)
                if isinstance(type_, Scalar) and type_.base.kind is Class.MODULAR:
                    return type_.base.modulus
                raise InputError(f"{expr.coord}: {type_.name} is no modular type")
            case "pos" | "val" | "succ" | "pred" | "min" | "max":
                type_ = self.wanted_type(expr.prefix)
                if not isinstance(type_, Scalar):
                    raise InputError(f"{expr.coord}: {type_.name} is no scalar type")
                args = [
                    self.static(arg, None if expr.name == "val" else type_) for arg in expr.args
                ]
                values = [arg for arg in args if arg is not None]
                if len(values) != len(args) or not values:
                    return None
                return _of_values(expr.name, values, type_)
        return None


def _of_values(name: str, values: list[int], type_: Scalar) -> int | None:
    match name:
        case "succ":
            value = values[0] + 1
        case "pred":
            value = values[0] - 1
        case "min":
            return min(values)
        case "max":
            return max(values)
        case _:
            value = values[0]
    return value if type_.base.low <= value <= type_.base.high else None


def _inside(value: int, type_: AdaType) -> bool:
    return isinstance(type_, Scalar) and type_.low <= value <= type_.high


_RELATION = {
    "=": lambda one, two: one == two,
    "/=": lambda one, two: one != two,
    "<": lambda one, two: one < two,
    "<=": lambda one, two: one <= two,
    ">": lambda one, two: one > two,
    ">=": lambda one, two: one >= two,
}
_TRUTH = {
    "and": lambda one, two: one & two,
    "and then": lambda one, two: one & two,
    "or": lambda one, two: one | two,
    "or else": lambda one, two: one | two,
    "xor": lambda one, two: one ^ two,
    "->": lambda one, two: (1 - one) | two,
    "<->": lambda one, two: 1 - (one ^ two),
}
