"""The formula of a single path, step by step: what the tests hold blocks and wp against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from predabs.encode.encoding import BoundedTerm
from predabs.encode.environment import Environment, Formulas
from predabs.encode.steps import EdgeStep
from predabs.ir.cfa import Edge
from predabs.ir.expr import Expr
from predabs.smt import build
from predabs.smt.term import Term


@dataclass(frozen=True, slots=True)
class PathFormula:
    """What holds of a run along a path, save for the facts of `Formulas.closed`, and what the
    storage holds after it."""

    formula: Term
    environment: Environment
    exact: bool


def path_formula(formulas: Formulas, edges: Sequence[Edge], entry: Environment) -> PathFormula:
    """Edges that follow each other in one function; the same edge may come again."""
    guard: list[Term] = []
    exact = True
    for edge in edges:
        step = EdgeStep(formulas, edge, entry)
        step.run()
        guard += step.guard
        entry = step.environment
        exact = exact and step.exact
    return PathFormula(build.and_(*guard), entry, exact)


def encode_expr(formulas: Formulas, expr: Expr, environment: Environment) -> BoundedTerm:
    """The value of an expression in an environment, where it does not go wrong."""
    return formulas.encoder(environment).value(expr)
