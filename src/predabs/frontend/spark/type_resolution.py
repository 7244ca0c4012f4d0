"""Find the types of expressions, and the subprograms that are called.

Types come bottom-up as all that are possible, and top-down as the one that is wanted (Ada RM
8.6): that resolves overloaded literals and functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from . import syntax
from .entities import Literal, Number, Object, Subprogram
from .names import Names
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
    same_type,
)

RELATIONS = ("=", "/=", "<", "<=", ">", ">=")


class TypeResolution(Names):
    """Adds the types of expressions to what names stand for."""

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

    def meet(self, left: list[AdaType], right: list[AdaType]) -> list[AdaType]:
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
                return self.meet(self.types(then), self.types(other))
            case syntax.Case(_, _, arms):
                possible: list[AdaType] = []
                for arm in arms:
                    if arm.value is not None:
                        possible = self.meet(possible, self.types(arm.value))
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
            case "old" | "loop_entry":
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
        if self.is_slice(expr):
            chosen = expr.args[0].value
            assert chosen is not None
            if len(type_.indices) > 1:
                raise InputError(f"{expr.coord}: {type_.name} has more than one dimension")
            index = self.static_range(chosen, type_.indices[0])
            return [Array(type_.name, type_.origin, (index,), type_.element, True)]
        if len(expr.args) != len(type_.indices):
            raise InputError(f"{expr.coord}: {type_.name} has {len(type_.indices)} dimension(s)")
        return [type_.element]

    def is_slice(self, expr: syntax.Apply) -> bool:
        """`A (2 .. 4)`, where A is an array."""
        if self.type_mark(expr.prefix) is not None or self.callable(expr.prefix):
            return False
        given = expr.args[0].value if len(expr.args) == 1 else None
        return given is not None and expr.args[0].positional and self.is_range(given)

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
        met = self.meet(self.types(left), self.types(right))
        if not met:
            of = self.types(left)[0].name, self.types(right)[0].name
            raise InputError(
                f"{expr.coord}: '{op}' has operands of two types, {of[0]} and {of[1]}; convert one"
            )
        return met

    def operand_type(self, left: Expr, right: Expr, coord: Coord) -> AdaType:
        """The type in which two expressions are compared."""
        met = self.meet(self.types(left), self.types(right))
        if not met:
            of = self.types(left), self.types(right)
            if not of[0] or not of[1]:
                raise InputError(f"{coord}: the types of the operands are not known; qualify one")
            raise InputError(
                f"{coord}: {of[0][0].name} and {of[1][0].name} cannot be compared; convert one"
            )
        return INTEGER if met[0] is UNIVERSAL else met[0]
