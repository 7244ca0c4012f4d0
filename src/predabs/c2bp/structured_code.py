"""Control flow automata as structured code: `if` and `while` where it can be, `goto` elsewhere.

Code is laid out along the dominator tree. What a location alone dominates stands inside its branch;
a location where several paths meet stands behind the branch that dominates it, and a path there
ends by falling through, or with a `goto`. Soundness duty: each location stands once, and each edge
leads on to its target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..boolprog.syntax import FALSE, TRUE, Assert, Expr, Goto
from ..boolprog.syntax import Assume as BooleanAssume
from ..ir import make
from ..ir.cfa import Edge, Function, Location
from ..ir.ops import Assume, Error, Halt, Return
from ..ir.order import dominators, reverse_postorder
from .boolean_code import (
    Code,
    CodeBranch,
    CodeDoWhile,
    CodeIf,
    CodeLabel,
    CodeStep,
    CodeWhile,
    Node,
    Note,
)
from .names import plain_name

_DEEPEST = 24  # what is nested deeper stands at the end of the procedure


class EdgeTranslator(Protocol):
    """What edges become."""

    def step(self, edge: Edge) -> Code:
        """What the edge's operation does; nothing falls through for one that ends the run."""

    def condition(self, edge: Edge) -> Expr:
        """The condition of an `Assume`: true if it holds, false if not, else either."""

    def note(self, edge: Edge, text: str | None = None) -> Note:
        """Where the edge comes from, with its own text or another one for its statement."""

    def text(self, edge: Edge) -> str:
        """The condition of an `Assume` as text."""


def structured(function: Function, translator: EdgeTranslator) -> Code:
    """The body of a procedure."""
    return _Shape(function, translator).code()


class _Shape:
    def __init__(self, function: Function, translator: EdgeTranslator) -> None:
        self._function = function
        self._translator = translator
        graph = {
            location: tuple(edge.dst for edge in edges if not _ends(edge))
            for location, edges in function.outgoing.items()
        }
        order = reverse_postorder(graph, function.entry)
        self._number = {location: number for number, location in enumerate(order)}
        self._above = dominators(graph, function.entry)
        self._below: dict[Location, list[Location]] = {location: [] for location in order}
        for location in order[1:]:
            self._below[self._above[location]].append(location)
        self._loops = self._natural_loops(order)
        self._joins = {
            location
            for location in order[1:]
            if sum(1 for edge in self._entering(location) if not self._goes_back(edge)) > 1
        }
        self._labels = self._named(function.labels)
        self._deferred: list[Location] = []

    def _entering(self, location: Location) -> list[Edge]:
        edges = self._function.incoming.get(location, ())
        return [edge for edge in edges if edge.src in self._number and not _ends(edge)]

    def _dominates(self, high: Location, low: Location) -> bool:
        while self._number[low] > self._number[high]:
            low = self._above[low]
        return low is high

    def _goes_back(self, edge: Edge) -> bool:
        return self._dominates(edge.dst, edge.src)

    def _natural_loops(self, order: list[Location]) -> dict[Location, set[Location]]:
        """The locations of the loop of each head that dominates it."""
        loops: dict[Location, set[Location]] = {}
        for head in order:
            latches = [edge.src for edge in self._entering(head) if self._goes_back(edge)]
            if not latches:
                continue
            inside = loops[head] = {head}
            while latches:
                location = latches.pop()
                if location not in inside:
                    inside.add(location)
                    latches += [edge.src for edge in self._entering(location)]
        return loops

    def _named(self, labels: Mapping[str, Location]) -> dict[Location, tuple[str, ...]]:
        """The labels of the source, and one for each location without."""
        found: dict[Location, list[str]] = {location: [] for location in self._number}
        taken: set[str] = set()
        for label, location in labels.items():
            if location in found:
                found[location].append(plain_name(label, taken))
                taken.add(found[location][-1])
        for location, names in found.items():
            names.append(plain_name(f"L{location.index}", taken))
        return {location: tuple(names) for location, names in found.items()}

    # --- code -------------------------------------------------------------------------------------

    def code(self) -> Code:
        code = self._tree(self._function.entry, None, 0)
        while self._deferred:
            code += self._tree(self._deferred.pop(), None, 0)
        return code

    def _tree(self, root: Location, follow: Location | None, depth: int) -> Code:
        """A location and all it dominates; then control falls through to `follow`."""
        out: list[Node] = []
        pending: list[tuple[Location, Location | None]] = [(root, follow)]
        while pending:
            here, follow = pending.pop()
            *source_labels, own_label = self._labels[here]
            out += [CodeLabel(label, True) for label in source_labels] + [CodeLabel(own_label)]
            joins = [low for low in self._below[here] if low in self._joins]
            if here in self._loops:
                first, joins = self._loop(here, joins, depth, out)
            else:
                after = joins[0] if joins else follow
                first = self._own(here, after, depth, out)
            if first is not None and not self._alone(here, first):
                after = joins[0] if joins else follow
                if first is not after:
                    out.append(self._goto(first))
                first = None
            sequence = ([] if first is None else [first]) + joins
            pending += reversed(_followed(sequence, follow))
        return tuple(out)

    def _alone(self, here: Location, target: Location) -> bool:
        """Does only `here` lead to the target, which then stands right behind it?"""
        return self._above.get(target) is here and target not in self._joins

    def _goto(self, target: Location) -> CodeStep:
        return CodeStep(Goto((self._labels[target][0],)))

    def _loop(
        self, head: Location, joins: list[Location], depth: int, out: list[Node]
    ) -> tuple[Location | None, list[Location]]:
        """Write a loop; gives where control falls through to behind it, and the joins there."""
        inside = self._loops[head]
        edges = self._function.outgoing[head]
        inner = [low for low in joins if low in inside]
        outer = [low for low in joins if low not in inside]
        into = [edge for edge in edges if edge.dst in inside]
        if (
            not inner
            and len(into) == 1
            and len(edges) == 2
            and _opposite(*edges)
            and depth < _DEEPEST
        ):
            [leaving] = [edge for edge in edges if edge.dst not in inside]
            body = self._arm(into[0], head, depth)
            text = f"while ({self._translator.text(into[0])})"
            note = self._translator.note(into[0], text)
            out.append(CodeWhile(self._translator.condition(into[0]), body, note))
            return leaving.dst, outer
        body_out: list[Node] = []
        first = self._own(head, inner[0] if inner else head, depth + 1, body_out)
        sequence = inner
        if first is not None and self._alone(head, first):
            sequence = [first, *inner]
        elif first is not None and first is not (inner[0] if inner else head):
            body_out.append(self._goto(first))
        for low, then in _followed(sequence, head):
            body_out += self._subtree(low, then, depth + 1)
        return self._repeated(head, body_out, out), outer

    def _repeated(self, head: Location, body: list[Node], out: list[Node]) -> Location | None:
        """Write a loop without a test at its head: with one at its end if it is left there."""
        latch = self._latch(head)
        if latch is not None and body and isinstance(body[-1], CodeIf) and not body[-1].otherwise:
            again, leaving = latch
            translator, test = self._translator, body[-1]
            if test.note == translator.note(leaving, f"if ({translator.text(leaving)})"):
                note = translator.note(again, f"while ({translator.text(again)})")
                out.append(CodeDoWhile(tuple(body[:-1]), translator.condition(again), note))
                if test.then == (self._goto(leaving.dst),):
                    return leaving.dst
                out += test.then  # it never comes back to the loop
                return None
        out.append(CodeWhile(TRUE, tuple(body), Note()))
        return None

    def _latch(self, head: Location) -> tuple[Edge, Edge] | None:
        """The test at the end of a loop that is left there: the edge back, and the other one."""
        inside = self._loops[head]
        back = [edge for edge in self._entering(head) if edge.src in inside]
        if len(back) != 1 or back[0].src is head:
            return None
        edges = self._function.outgoing[back[0].src]
        others = [edge for edge in edges if edge is not back[0]]
        if len(others) != 1 or not _opposite(back[0], others[0]) or others[0].dst in inside:
            return None
        return back[0], others[0]

    def _own(
        self, here: Location, after: Location | None, depth: int, out: list[Node]
    ) -> Location | None:
        """Write what leaves a location; gives where control falls through to, unless that was
        dealt with."""
        edges = self._function.outgoing[here]
        if not edges:
            out.append(CodeStep(BooleanAssume(FALSE)))
            return None
        if len(edges) == 1:
            out += self._translator.step(edges[0])
            return None if _ends(edges[0]) else edges[0].dst
        if len(edges) == 2 and _opposite(*edges):
            return self._test(edges[0], edges[1], after, depth, out)
        bodies = tuple(
            (*self._translator.step(edge), *self._arm(edge, after, depth)) for edge in edges
        )
        out.append(CodeBranch(bodies, Note()))
        return None

    def _test(
        self, one: Edge, two: Edge, after: Location | None, depth: int, out: list[Node]
    ) -> Location | None:
        translator = self._translator
        for bad, good in ((one, two), (two, one)):
            end = self._end(bad)
            if end is not None:
                condition, fails = translator.condition(good), isinstance(end.op, Error)
                text = f"{'assert' if fails else 'assume'}({translator.text(good)})"
                action = Assert(condition) if fails else BooleanAssume(condition)
                out.append(CodeStep(action, translator.note(end, text)))
                return good.dst
        then, other = self._arm(one, after, depth), self._arm(two, after, depth)
        if not then and other:
            one, then, other = two, other, then
        if then or other:
            note = translator.note(one, f"if ({translator.text(one)})")
            out.append(CodeIf(translator.condition(one), then, other, note))
        return None

    def _end(self, edge: Edge) -> Edge | None:
        """The error or end of the run that follows at once and on no other path."""
        if not self._alone(edge.src, edge.dst) or edge.dst in self._loops:
            return None
        following = self._function.outgoing[edge.dst]
        labelled = len(self._labels[edge.dst]) > 1
        if len(following) == 1 and isinstance(following[0].op, Error | Halt) and not labelled:
            return following[0]
        return None

    def _arm(self, edge: Edge, after: Location | None, depth: int) -> Code:
        """What follows an edge up to `after`."""
        if edge.dst is after or _ends(edge):
            return ()
        if self._alone(edge.src, edge.dst):
            return self._subtree(edge.dst, after, depth + 1)
        return (self._goto(edge.dst),)

    def _subtree(self, root: Location, follow: Location | None, depth: int) -> Code:
        if depth > _DEEPEST:
            self._deferred.append(root)
            return (self._goto(root),)
        return self._tree(root, follow, depth)


def _followed(
    sequence: list[Location], last: Location | None
) -> list[tuple[Location, Location | None]]:
    """Each location with the next one."""
    return list(zip(sequence, [*sequence[1:], last], strict=False))


def _opposite(one: Edge, two: Edge) -> bool:
    """Are they the two sides of one test?"""
    return (
        isinstance(one.op, Assume)
        and isinstance(two.op, Assume)
        and one.op.cond is make.negate(two.op.cond)
        and one.dst is not two.dst
    )


def _ends(edge: Edge) -> bool:
    """Does the run of the function end here?"""
    return isinstance(edge.op, Return | Error | Halt)
