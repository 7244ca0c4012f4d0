"""Calls, and what contracts say at them.

A scalar parameter is copied: in as an argument, out through a variable of the callee's (`P.X.out`)
that is read right after the call. An array or record is passed by reference; SPARK forbids the
aliases that could tell the difference (SPARK RM 6.4.2), and they are refused. At a call
the precondition is an assertion; without a body, the postcondition is all that is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import Expr, FunctionAddress, Index, Lvalue, Var
from ...ir.ops import Call, Source
from ...ir.types import VOID, FunctionType, PointerType, Type
from ...ir.walk import root_of
from ...records import dataclass, field
from . import syntax
from .arithmetic import Value
from .composites import MODEL, LowerComposites
from .entities import Formal, Object, Scope, Subprogram
from .frame import Frame
from .instances import instance, is_open, open_formal
from .resolve import Resolver
from .syntax import Association, each
from .text import show
from .types import AdaType, Array, Scalar

_MOST_INSTANCES = 50  # of one subprogram: a recursion may ask for more and more


@dataclass(slots=True)
class Demands:
    """What the bodies lowered so far ask of the rest of the program."""

    wanted: dict[Subprogram, Coord] = field(default_factory=dict)
    externals: dict[Subprogram, Coord] = field(default_factory=dict)
    slots: dict[Var, Coord] = field(default_factory=dict)
    calls: list[CallSite] = field(default_factory=list)
    instances: list[Subprogram] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call, with the variables that it may write through parameters: no one else may see them."""

    caller: str
    callee: Subprogram
    written: tuple[tuple[str, Var], ...]
    read: tuple[tuple[str, Var], ...]
    coord: Coord


def slot(one: Subprogram, formal: Formal) -> Var:
    """Where a callee leaves the value of a scalar `out` parameter."""
    return Var(f"{one.path}.{formal.spelling}.out", formal.type.ir)


def result_slot(one: Subprogram, type_: Array) -> Var:
    """Where a function leaves a result that is an array."""
    return Var(f"{one.path}.result.out", type_.ir)


def returned_by_slot(formal: Formal) -> bool:
    return formal.writes and isinstance(formal.type, Scalar)


def signature(one: Subprogram) -> FunctionType:
    """The type of a subprogram's function in the IR."""
    params: list[Type] = []
    for formal in one.formals:
        if not isinstance(formal.type, Scalar):
            params.append(MODEL.pointer(formal.type.ir))
        elif formal.reads:
            params.append(formal.type.ir)
    result = one.result
    returned = VOID if result is None or isinstance(result, Array) else result.ir
    return FunctionType(returned, tuple(params), False)


def address(one: Subprogram) -> FunctionAddress:
    return FunctionAddress(one.path, MODEL.pointer(signature(one)))


class LowerCalls(LowerComposites):
    """Lowers calls, and the contracts at them."""

    def __init__(self, frame: Frame, scope: Scope, demands: Demands) -> None:
        super().__init__(frame, scope)
        self.demands = demands

    def call_function(
        self, one: Subprogram, expr: syntax.Expr, args: Sequence[Association]
    ) -> Lvalue:
        assert one.result is not None
        result = self.frame.temporary(one.result.ir, "result")
        self.call(one, args, result, expr.coord)
        return result

    def call(
        self, one: Subprogram, args: Sequence[Association], target: Var | None, coord: Coord
    ) -> None:
        """Evaluate the arguments, check the precondition, call, and copy back."""
        bound = self.names.bind(one, args)
        assert bound is not None
        one = self._instance(one, bound)
        outer = self.names
        bindings: dict[Object, Expr] = {}
        places: list[tuple[Formal, Lvalue, AdaType]] = []
        passed: list[Expr] = []
        reads: list[tuple[str, Var]] = []
        for formal, given in zip(one.formals, bound, strict=True):
            if given is formal.default:  # is read where the subprogram is declared
                self.names = Resolver(one.scope)
            argument = self._argument(formal, given, places, reads)
            self.names = outer
            if argument is not None:
                bindings[one.parameters[formal.name]] = argument
                if formal.reads and isinstance(formal.type, Scalar):
                    passed.append(argument)
                elif not isinstance(formal.type, Scalar):
                    pointer = PointerType(formal.type.ir, MODEL.pointer_bits)
                    assert isinstance(argument, Lvalue)
                    passed.append(make.address_of(argument, pointer))
        self._no_aliases(one, places, reads, coord)
        contract = self.contract_of(one, bindings)
        for pre in one.contract.pre:
            what = f"precondition of {one.path}: {show(pre)}"
            self.frame.claim(contract.condition(pre), what, coord)
        if one.body is None and one.value is None:
            self._external(one, contract, bindings, places, target, coord)
            return
        self.demands.wanted.setdefault(one, coord)
        if isinstance(one.result, Array):
            self.frame.graph.emit(Call(None, address(one), tuple(passed)), coord)
            if target is not None:
                made = result_slot(one, one.result)
                self.demands.slots.setdefault(made, coord)
                self.copy(target, made, one.result, coord)
        else:
            self.frame.graph.emit(Call(target, address(one), tuple(passed)), coord)
        for formal, place, type_ in places:
            if returned_by_slot(formal):
                self._copy_back(slot(one, formal), place, type_, formal, coord)

    def _instance(self, one: Subprogram, bound: Sequence[syntax.Expr]) -> Subprogram:
        """The subprogram for the bounds of these arguments."""
        if open_formal(one) is None:
            return one
        types: list[AdaType] = []
        for formal, given in zip(one.formals, bound, strict=True):
            type_ = formal.type
            if is_open(type_):
                self.names.type(given, type_)
                possible = self.names.types(given)
                if not possible or is_open(possible[0]):
                    raise UnsupportedFeature(
                        f"{given.coord}: the bounds of {show(given)} are not known here; "
                        f"qualify it with a constrained subtype of {type_.name}"
                    )
                type_ = possible[0]
            types.append(type_)
        made = instance(one, types)
        if len(one.instances) > _MOST_INSTANCES:
            raise UnsupportedFeature(
                f"{one.coord}: {one.path} is called with more than {_MOST_INSTANCES} bounds of "
                "its arrays"
            )
        if made not in self.demands.instances:
            self.demands.instances.append(made)
        return made

    def _argument(
        self,
        formal: Formal,
        given: syntax.Expr,
        places: list[tuple[Formal, Lvalue, AdaType]],
        reads: list[tuple[str, Var]],
    ) -> Expr | None:
        """What stands for a parameter at the call: a value or a place, or None (out)."""
        if not formal.writes:
            if isinstance(formal.type, Scalar):
                return self.checked(given, formal.type).expr
            self.names.type(given, formal.type)
            self.same_length(given, formal.type)
            place = self.composite(given, formal.type)
            reads.append((formal.spelling, _root(place)))
            return place
        place, type_ = self._variable(given, formal)
        places.append((formal, place, type_))
        if not isinstance(formal.type, Scalar):
            return place
        if not formal.reads:
            return None
        assert isinstance(type_, Scalar)
        value = self._read(place, type_, given.coord)
        return self.in_range(value, formal.type, show(given), given.coord).expr

    def _variable(self, given: syntax.Expr, formal: Formal) -> tuple[Lvalue, AdaType]:
        """The object that a parameter writes to."""
        self.names.type(given, formal.type)
        self.same_length(given, formal.type)
        self.refuse_constant(given)
        place, type_ = self.place(given)
        if isinstance(type_, Scalar) != isinstance(formal.type, Scalar):
            raise InputError(f"{given.coord}: expected {formal.type.name}, found {type_.name}")
        return self.fixed(place, given.coord), type_

    def fixed(self, place: Lvalue, coord: Coord) -> Lvalue:
        """The place as it is now: what the call does to its indices does not move it."""
        if isinstance(place, Index):
            base = self.fixed(place.base, coord)
            return make.index(base, self.frame.saved(place.index, coord))
        return place

    def refuse_constant(self, expr: syntax.Expr) -> None:
        """Nobody may write to a constant, an `in` parameter or a loop parameter."""
        if not self.is_variable(expr):
            raise InputError(f"{expr.coord}: {show(expr)} is not a variable")

    def is_variable(self, expr: syntax.Expr) -> bool:
        """Is it a variable, or a part of one?"""
        inner = expr
        while True:
            found = self.names.object_of(inner)
            if found is not None:
                return not found.constant
            if not isinstance(inner, syntax.Select | syntax.Apply):
                return False
            inner = inner.prefix

    def _no_aliases(
        self,
        one: Subprogram,
        places: Sequence[tuple[Formal, Lvalue, AdaType]],
        reads: Sequence[tuple[str, Var]],
        coord: Coord,
    ) -> None:
        seen: dict[Var, tuple[str, bool]] = {}
        for formal, place, _ in places:
            whole = not isinstance(formal.type, Scalar)
            if whole or isinstance(place, Var):
                var = _root(place)
                if var in seen:
                    raise InputError(_aliased(coord, var, formal.spelling, seen[var][0]))
                seen[var] = formal.spelling, whole
        for formal, place, _ in places:
            var = _root(place)
            if var in seen and seen[var][1] and seen[var][0] != formal.spelling:
                raise InputError(_aliased(coord, var, formal.spelling, seen[var][0]))
        for name, var in reads:
            if any(var is _root(place) for _, place, _ in places):
                raise InputError(_aliased(coord, var, name, "another parameter"))
        written = [(name, var) for var, (name, whole) in seen.items() if whole]
        site = CallSite(self.frame.function, one, tuple(written), tuple(reads), coord)
        self.demands.calls.append(site)

    def contract_of(self, one: Subprogram, bindings: dict[Object, Expr]) -> LowerCalls:
        """Lowers a contract of a subprogram, with these values of its parameters."""
        assert one.inside is not None
        found = LowerCalls(self.frame, one.inside, self.demands)
        found.bindings = bindings
        if one.result is not None:
            found.names.result = (one.name, one.result)
        return found

    def _copy_back(
        self, source: Expr, place: Lvalue, type_: AdaType, formal: Formal, coord: Coord
    ) -> None:
        assert isinstance(type_, Scalar) and isinstance(formal.type, Scalar)
        if isinstance(source, Var):
            self.demands.slots.setdefault(source, coord)
        value = Value(source, formal.type.low, formal.type.high)
        value = self.in_range(value, type_, f"the value of parameter {formal.spelling}", coord)
        self.frame.assign(place, value.expr, coord)

    # --- subprograms without a body -------------------------------------------------------------

    def _external(
        self,
        one: Subprogram,
        contract: LowerCalls,
        bindings: dict[Object, Expr],
        places: Sequence[tuple[Formal, Lvalue, AdaType]],
        target: Var | None,
        coord: Coord,
    ) -> None:
        """Whatever it may write has any value that its postcondition allows."""
        self.demands.externals.setdefault(one, coord)
        for post in one.contract.post:
            contract.save_old(post, coord)
        if one.contract.cases:
            raise UnsupportedFeature(f"{coord}: {one.path} has contract cases, but no body")
        backs: list[tuple[Var, Lvalue, AdaType, Formal]] = []
        for formal, place, type_ in places:
            if isinstance(formal.type, Scalar):
                made = self.frame.temporary(formal.type.ir, "out")
                self.any_value(made, formal.type, Source.EXTERN, one.path, coord)
                bindings[one.parameters[formal.name]] = made
                backs.append((made, place, type_, formal))
            else:
                self.any_value(place, formal.type, Source.EXTERN, one.path, coord)
        for written in contract.global_outputs(one):
            self.any_value(written.place, written.type, Source.EXTERN, one.path, coord)
        if target is not None:
            assert one.result is not None
            self.any_value(target, one.result, Source.EXTERN, one.path, coord)
            contract.result = target
        for post in one.contract.post:
            self.frame.assume(contract.condition(post), coord)
        for made, place, type_, formal in backs:
            self._copy_back(made, place, type_, formal, coord)

    def global_outputs(self, one: Subprogram) -> list[Object]:
        """The variables that a `Global` aspect says are written."""
        return [item for mode, item in self.globals_of(one) if mode != "input"]

    def globals_of(self, one: Subprogram) -> list[tuple[str, Object]]:
        """The variables of a `Global` aspect, with their modes."""
        found: list[tuple[str, Object]] = []
        for part in one.contract.globals:
            if part is not None:
                found += self._globals(part, "input")
        return found

    def _globals(self, expr: syntax.Expr, mode: str) -> list[tuple[str, Object]]:
        if isinstance(expr, syntax.Aggregate):
            found = []
            for item in expr.items:
                if item.value is None:
                    continue
                modes = [one.text for one in item.choices if isinstance(one, syntax.Name)]
                found += self._globals(item.value, modes[0] if modes else mode)
            return found
        item_found = self.names.object_of(expr)
        if item_found is None:
            raise InputError(f"{expr.coord}: {show(expr)} is no variable")
        return [(mode, item_found)]

    # --- values at the beginning ----------------------------------------------------------------

    def save_old(self, expr: syntax.Expr, coord: Coord) -> None:
        """Keep the value of each X'Old in an expression as it is now."""

        def keep(node: syntax.Expr) -> None:
            if isinstance(node, syntax.Attribute) and node.name == "old":
                type_ = self.names.type(node.prefix)
                made = self.frame.temporary(type_.ir, "old")
                self.assign(made, type_, node.prefix)
                self.saved[node] = made

        each(expr, keep)


def _root(place: Lvalue) -> Var:
    found = root_of(place)
    if isinstance(found, Var):
        return found
    assert isinstance(found.pointer, Var)  # a composite parameter, which is passed on
    return found.pointer


def _aliased(coord: Coord, var: Var, one: str, two: str) -> str:
    return (
        f"{coord}: {var.short} is passed as {two} and as {one}, of which one is written; "
        "SPARK forbids such aliases"
    )
