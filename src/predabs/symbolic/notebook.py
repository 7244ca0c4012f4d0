"""What an exploration notes while it evaluates expressions in its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ..analysis.memory.views import View
from ..ir.expr import Lvalue, Var
from ..smt.term import Sort, Term
from .state import Guard


class Notebook(Protocol):
    """Where it is noted what an exploration meets while it evaluates."""

    def fresh(self, name: str, sort: Sort) -> Term:
        """A term that can be anything."""

    complete: bool  # are all runs followed, if need be with numbers that can be anything?

    def doubt(self, guard: Guard, cond: Term) -> None:
        """Where both hold, the state has a number that can be anything for one that is known."""

    def leave_out(self, guard: Guard, cond: Term, reason: str) -> None:
        """The exploration does not go on where both hold."""

    def view(self, lvalue: Lvalue) -> View:
        """What a scalar lvalue is in memory of the environment."""

    def note_access(
        self, guard: Guard, address: Term, size: int, view: View | None, writes: bool
    ) -> None:
        """Memory of the environment is read or written in this view, or as any bytes."""

    def note_content(self, guard: Guard, address: Term, size: int, content: Term) -> None:
        """This lies in memory of the environment in the beginning, and is read there."""

    @property
    def outer_locals(self) -> Callable[[], Iterable[Mapping[Var, Term]]]:
        """Gives the variables of the callers of the function that is executed."""
