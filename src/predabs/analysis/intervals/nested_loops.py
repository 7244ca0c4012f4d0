"""Narrowing of nested loops: an inner loop is solved anew, from what comes to it at last.

Where an outer counter has been widened, the head of an inner loop has it widened too, and what goes
round the inner loop keeps it so: narrowing, which asks what comes to the head, does not help. So
the outer loop is narrowed, and the inner one solved again from there.

Soundness duty: that of the fixpoint. What is replaced holds in all runs, and limits what is new.
"""

from __future__ import annotations

from ...ir.cfa import Function
from .fixpoint import Fixpoint

_PASSES = 2  # the second one takes the bound of the outer counter back to its head
_TRANSFERS = 20_000  # that are computed, before what is left stays as it is


class NestedLoops(Fixpoint):
    """The fixpoint, with states that are smaller where there are nested loops."""

    def _solve(self) -> None:
        super()._solve()
        if self._hurries:
            return
        self._transfers_left = _TRANSFERS
        nested = [name for name in self._entries if self._order(self._functions[name])[0].around]
        for name in nested:
            function = self._functions[name]
            self._descend(function, 0, len(self._order(function)[0].order))
        if nested:
            self._narrow()

    def _descend(self, function: Function, begin: int, end: int) -> None:
        """Narrow a part of the weak order: all of it, or a component."""
        order, _ = self._order(function)
        for _ in range(_PASSES):
            position = begin
            while position < end:
                if self._transfers_left < 0:
                    return
                location = order.order[position]
                is_inner = location in order.ends and location in order.around
                if is_inner and position > begin:
                    self._solve_again(function, position, order.ends[location])
                    position = order.ends[location]
                else:
                    self._shrink(function, location)
                    position += 1

    def _solve_again(self, function: Function, begin: int, end: int) -> None:
        inside = self._order(function)[0].order[begin:end]
        before = self._limits
        self._limits = {at: self.states[at] for at in inside if at in self.states}
        for location in inside:
            self.states.pop(location, None)
        for _ in self._stabilise(function, begin, end):
            raise AssertionError("narrowing came to a function that was not reached before")
        self._descend(function, begin, end)
        self._limits = before
