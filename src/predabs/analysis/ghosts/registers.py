"""What is known of pointer registers without looking at paths.

A register is *traced* if it is always null or an address computed from that of an object,
*grounded* if it is never null, *proper* if the object is live, and *known* if ghost variables can
follow all that it is given, be that nothing.

Soundness duty: each is a greatest fixpoint over all definitions, so an answer holds wherever the
register is read, up to the first fault of a run. A pointer to an object that ends (freed, or of a
function that returned) is not proper: what a function returns may not point to its own variables, a
global only to what lasts, and nothing to what is freed somewhere.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.expr import Const, Expr, Ite, Var
from ..once import AtMostOnce
from ..points_to.access_paths import AccessPaths
from ..points_to.objects import Allocated, Object, Variable
from ..points_to.sets import PointsTo
from .definitions import Definition, Definitions, Made, Unknown, Unset, Value
from .lifetimes import Lifetimes
from .places import Anchor, Place, place_of


class RegisterFacts:
    """The facts about the registers of one program."""

    def __init__(
        self,
        points_to: PointsTo,
        definitions: Definitions,
        lifetimes: Lifetimes,
        once: AtMostOnce,
        recursive: frozenset[str],
    ) -> None:
        self._points_to = points_to
        self.definitions = definitions
        self.lifetimes = lifetimes
        self._once = once
        self._recursive = recursive
        self._places: dict[Expr, Place] = {}
        self._grounded = self._greatest(self._is_grounded)
        self._proper = self._greatest(self._is_proper)
        self._traced = self._greatest(self._is_traced)
        self._known = self._greatest(self._is_known)

    @property
    def access_paths(self) -> AccessPaths:
        return self._points_to.access_paths

    def place(self, pointer: Expr) -> Place:
        found = self._places.get(pointer)
        if found is None:
            found = self._places[pointer] = place_of(pointer, self.access_paths)
        return found

    def grounded(self, register: Var) -> bool:
        return register in self._grounded

    def proper(self, register: Var) -> bool:
        return register in self._proper

    def traced(self, register: Var) -> bool:
        return register in self._traced

    def known(self, register: Var) -> bool:
        return register in self._known

    def objects(self, pointer: Expr) -> frozenset[Object]:
        return frozenset(target.object for target in self._points_to.targets(pointer))

    # --- numbers of a register --------------------------------------------------------------------

    def offset(self, register: Var) -> int | None:
        """Where in its object the register points, in bytes, if that is always the same."""
        offsets = {target.offset for target in self._points_to.targets(register)}
        return offsets.pop() if len(offsets) == 1 else None

    def size(self, register: Var) -> int | None:
        """The size of the object that a proper register points into, if that is always the same."""
        sizes = {self._points_to.size(object_) for object_ in self.objects(register)}
        return sizes.pop() if len(sizes) == 1 else None

    def site(self, register: Var) -> Allocated | None:
        """The allocation that made the object, if there is one only, executed at most once."""
        objects = self.objects(register)
        if len(objects) == 1:
            (object_,) = objects
            if isinstance(object_, Allocated) and self._once.location(object_.edge.src):
                return object_
        return None

    def single(self, object_: Object) -> bool:
        """Is at most one object of these live at a time?"""
        match object_:
            case Variable(var):
                return var.function not in self._recursive
            case Allocated(edge):
                return self._once.location(edge.src)
        return False

    # --- fixpoints --------------------------------------------------------------------------------

    def _greatest(self, holds: Callable[[Var, Definition, frozenset[Var]], bool]) -> frozenset[Var]:
        """The largest set of registers of which all definitions fulfil a condition on the set."""
        found = frozenset(self.definitions.registers)
        while True:
            kept = frozenset(
                var for var in found if all(holds(var, d, found) for d in self.definitions.of(var))
            )
            if kept == found:
                return found
            found = kept

    def _is_grounded(self, var: Var, definition: Definition, found: frozenset[Var]) -> bool:
        match definition:
            case Value(expr):
                return self._value_is_grounded(expr, found)
            case Made():
                return True
        return False

    def _value_is_grounded(self, expr: Expr, found: frozenset[Var]) -> bool:
        if isinstance(expr, Ite):
            return all(self._value_is_grounded(part, found) for part in (expr.then, expr.other))
        root = self.place(expr).root
        return isinstance(root, Anchor) or root in found

    def _is_proper(self, var: Var, definition: Definition, found: frozenset[Var]) -> bool:
        match definition:
            case Value(expr):
                return self._value_is_proper(expr, found) and self._outlives(var, definition)
            case Made():
                return self._stays(var, Allocated(definition.edge))
        return False

    def _is_traced(self, var: Var, definition: Definition, found: frozenset[Var]) -> bool:
        match definition:
            case Value(expr):
                return self._value_is_proper(expr, found)
            case Made():
                return True
        return False

    def _value_is_proper(self, expr: Expr, found: frozenset[Var]) -> bool:
        if isinstance(expr, Ite):
            return all(self._value_is_proper(part, found) for part in (expr.then, expr.other))
        place = self.place(expr)
        if isinstance(place.root, Anchor) or is_null(place):
            return True
        # a sum with null is not null, and no address either
        return place.root in (found if place.is_root else self._grounded)

    def _is_known(self, var: Var, definition: Definition, found: frozenset[Var]) -> bool:
        match definition:
            case Value(expr):
                return self._value_is_known(expr, found)
            case Unknown():
                return False
            case Made() | Unset():
                return True

    def _value_is_known(self, expr: Expr, found: frozenset[Var]) -> bool:
        if isinstance(expr, Ite):
            return all(self._value_is_known(part, found) for part in (expr.then, expr.other))
        place = self.place(expr)
        return isinstance(place.root, Anchor) or is_null(place) or place.root in found

    # --- lifetimes --------------------------------------------------------------------------------

    def _outlives(self, var: Var, value: Value) -> bool:
        """Is what the value points to live as long as the variable has it?"""
        return all(
            self._stays(var, object_) and self.survives(object_, value)
            for object_ in self.objects(value.expr)
        )

    def _stays(self, var: Var, object_: Object) -> bool:
        """Is a live object, whose address the variable gets, live until the variable ends?"""
        if self.lifetimes.is_freed(object_):
            return False
        return var.function != "" or self.lifetimes.lasts(object_)

    def survives(self, object_: Object, value: Value) -> bool:
        """Is a live object still live after its address was returned, if it was?"""
        return not value.returned or self.lifetimes.owner(object_) != value.function


def is_null(place: Place) -> bool:
    return isinstance(place.root, Const) and place.root.value == 0 and place.is_root
