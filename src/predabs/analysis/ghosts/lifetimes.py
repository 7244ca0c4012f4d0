"""Lifetimes: which objects never end, and which an operation may end.

Soundness duty: an object that is called lasting is live from its beginning to the end of the run:
globals, what the entry function (if nothing calls it) has on the stack, and what is allocated on
the heap and never given to `free`. Whatever a `Free`, here or in a function that is called, may end
is among what it `ends`. This rests on the points-to sets, which hold up to the first fault of a
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ir.call_graph import called_functions
from ...ir.cfa import Edge, Program, is_string_literal
from ...ir.ops import Alloc, AllocKind, Call, Free
from ...ir.order import strong_components
from ..points_to.objects import UNKNOWN, Allocated, Object, Target, Variable
from ..points_to.sets import PointsTo


class Lifetimes:
    """Answers for one program."""

    def __init__(
        self, program: Program, points_to: PointsTo, graph: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._points_to = points_to
        self._entry = None if program.entry in called_functions(graph) else program.entry
        self._by_edge: dict[Edge, frozenset[Object]] = {}
        self._made = [
            Allocated(edge)
            for function in program.functions.values()
            for edge in function.edges
            if isinstance(edge.op, Alloc)
        ]
        own: dict[str, frozenset[Object]] = {}
        for name, function in program.functions.items():
            frees = [edge for edge in function.edges if isinstance(edge.op, Free)]
            self._by_edge.update((edge, self._ended(edge)) for edge in frees)
            own[name] = frozenset[Object]().union(*(self._by_edge[edge] for edge in frees))
        self._by_function: dict[str, frozenset[Object]] = {}
        for group in strong_components(graph):  # callees first
            ended = frozenset[Object]().union(*(own.get(name, frozenset()) for name in group))
            for name in group:
                for callee in graph.get(name, ()):
                    ended |= self._by_function.get(callee, frozenset())
            self._by_function.update(dict.fromkeys(group, ended))
        self._freed = frozenset[Object]().union(*own.values())

    def _ended(self, edge: Edge) -> frozenset[Object]:
        assert isinstance(edge.op, Free)
        targets = self._points_to.targets(edge.op.pointer)
        found: set[Object] = {target.object for target in targets}
        if UNKNOWN in found:
            found.update(made for made in self._made if self._points_to.escaped(made))
        return frozenset(found)

    def ends(self, edge: Edge) -> frozenset[Object]:
        """The objects of the heap that the operation, or a function that it calls, may end."""
        match edge.op:
            case Free():
                return self._by_edge[edge]
            case Call():
                callees = self._points_to.call_targets(edge)
                return frozenset[Object]().union(
                    *(self._by_function.get(name, frozenset()) for name in callees)
                )
        return frozenset()

    def is_freed(self, object_: Object) -> bool:
        """May the object be given to `free`?"""
        return object_ in self._freed

    def lasts(self, object_: Object) -> bool:
        """Is the object, once it has begun, live until the run ends?"""
        match object_:
            case Variable(var):
                return var.function in ("", self._entry)
            case Allocated(edge):
                if is_on_heap(object_):
                    return not self.is_freed(object_)
                return edge.src.function == self._entry
        return False

    def owner(self, object_: Object) -> str | None:
        """The function with whose return the object ends."""
        match object_:
            case Variable(var):
                return var.function or None
            case Allocated(edge) if not is_on_heap(object_):
                return edge.src.function
        return None


def is_on_heap(object_: Object) -> bool:
    return (
        isinstance(object_, Allocated)
        and isinstance(object_.edge.op, Alloc)
        and object_.edge.op.kind is AllocKind.HEAP
    )


def any_literal(targets: Iterable[Target]) -> bool:
    """Is one of the objects a string literal, which must not be written?"""
    return any(
        isinstance(target.object, Variable) and is_string_literal(target.object.var)
        for target in targets
    )
