"""The predicates that the slam engine tracks: over globals, of each function, and the symbolic
constants of functions with the predicates that bind them [BMR05, section 5.3].

A predicate with the same meaning as one before it, or the opposite, is not added, nor is one that
no formula can express. Unlike those of `predicates/table` and `numpred/program/predicate_meanings`,
they belong to functions and have names of Boolean variables, because each round makes a Boolean
program of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...c2bp.abstraction_context import AbstractionContext
from ...c2bp.boolean_variables import Boolean
from ...c2bp.names import predicate_name
from ...c2bp.program import ProgramPredicates
from ...ir import make
from ...ir.cfa import Location
from ...ir.expr import Expr, Lvalue, Not, Var
from ...ir.show import show_expr
from ...ir.symbolic_constants import bound_to
from ...ir.types import FloatType, is_scalar
from ...ir.walk import variables
from ...predicates.cube import term_of
from ...predicates.syntax.file import GLOBAL
from ...refine.newton.newton import NewtonPredicate
from ...smt import build
from ...smt.term import Term


class TrackedPredicates:
    """The predicates by function, and the symbolic constants."""

    def __init__(self, context: AbstractionContext) -> None:
        self._context = context
        self._globals = frozenset(item.var for item in context.program.globals)
        self._shared: list[Boolean] = []
        self._own: dict[str, list[Boolean]] = {}
        self._constants: dict[str, dict[Var, Lvalue]] = {}
        self._names: set[str] = set()
        self._lines: list[tuple[str, str]] = []  # section and text, in the order they came
        self._known: dict[str | None, set[Term]] = {}

    def __len__(self) -> int:
        return len(self._names)

    @property
    def largest(self) -> int:
        """The most that one function has, with those over globals."""
        return len(self._shared) + max(map(len, self._own.values()), default=0)

    def since(self, number: int) -> tuple[str, ...]:
        """All but the first ones, as lines of a predicates file."""
        sections = self.sections(number)
        return tuple(
            line for section, texts in sections.items() for line in (f"{section}:", *texts)
        )

    def sections(self, number: int = 0) -> dict[str, list[str]]:
        """All but the first ones, by function (or `GLOBAL`)."""
        sections: dict[str, list[str]] = {}
        for section, text in self._lines[number:]:
            sections.setdefault(section, []).append(text)
        return sections

    def predicates(self) -> ProgramPredicates:
        """All of them, for c2bp."""
        own = {name: tuple(found) for name, found in self._own.items()}
        constants = {name: dict(found) for name, found in self._constants.items()}
        return ProgramPredicates(tuple(self._shared), own, constants)

    def at_entries(self) -> tuple[tuple[Location, Expr], ...]:
        """Each with the entry of its function; those over globals with that of the program."""
        program = self._context.program
        shared = [(program.entry, predicate.expr) for predicate in self._shared]
        own = [(name, item.expr) for name, found in self._own.items() for item in found]
        return tuple((program.functions[name].entry, expr) for name, expr in (*shared, *own))

    def learn(self, predicates: Iterable[tuple[Location, Expr]]) -> None:
        """Track those of an earlier check, by their functions."""
        for location, expr in predicates:
            constants = {
                var: place
                for var in variables(expr)
                if (place := bound_to(self._context.program, var)) is not None
            }
            self.add(NewtonPredicate(location.function, expr, constants))

    def add(self, found: NewtonPredicate) -> bool:
        """Is it a new predicate?"""
        function = found.function
        if not all(_is_number(place) for place in found.constants.values()):
            return False  # nothing could say what the constant is
        others = set(variables(found.expr)) - self._globals - found.constants.keys()
        if not others and not found.constants:
            function = None
        elif function is None or not others <= self._variables(function):
            return False  # what it speaks of is elsewhere
        if function is not None:
            for constant, place in found.constants.items():
                self._bind(function, constant, place)
        return self._add(function, found.expr)

    def _variables(self, function: str) -> frozenset[Var]:
        found = self._context.program.functions[function]
        return frozenset((*found.params, *found.locals))

    def _bind(self, function: str, constant: Var, place: Lvalue) -> None:
        known = self._constants.setdefault(function, {})
        if constant not in known:
            known[constant] = place
            self._context.names.made[constant] = place
            self._add(function, make.equal(place, constant))

    def _add(self, function: str | None, expr: Expr) -> bool:
        if isinstance(expr, Not):
            expr = expr.arg
        term = term_of(self._context.logics, expr)
        if term is None:
            return False
        here = self._known.setdefault(function, set())
        everywhere = self._known.setdefault(None, set())
        if term in here or term in everywhere:
            return False
        here.update((term, build.not_(term)))
        text = show_expr(expr, self._context.naming)
        self._lines.append((function or GLOBAL, text))
        name = predicate_name(text, self._names)
        self._names.add(name)
        boolean = Boolean(name, expr)
        if function is None:
            self._shared.append(boolean)
        else:
            self._own.setdefault(function, []).append(boolean)
        return True


def _is_number(place: Lvalue) -> bool:
    """Can a formula say that something else is equal to it?"""
    return is_scalar(place.type) and not isinstance(place.type, FloatType)
