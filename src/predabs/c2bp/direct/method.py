"""The direct method: a basic block becomes one parallel assignment [Mir13, sections 6, 8, 9].

The predicates that a block changes are put into groups that have nothing to do with each other, and
each group gets its assignment table. Values that depend on each other are held together by the
`constrain` of the assignment, so the Boolean block does what some run of the block does, and no
more, as far as the predicates can tell. Where a table would be too large, the block is abstracted
statement by statement, and a statement for which it still is by short cubes, as in the Cartesian
method, some of which hold pairs of predicates together.

Soundness duty: that of `TableQuery`; what has no formula or no answer may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...boolprog.syntax import FALSE, STAR, TRUE, Assign, Expr, Next, Not, Position, Skip, Var, nary
from ...encode.environment import Environment
from ...encode.integer_encoding import NeedsBitVectors
from ...errors import UnsupportedFeature
from ...ir import make, ops
from ...ir.ada_text import ada_op
from ...ir.cfa import Edge, Function
from ...ir.expr import Expr as CExpr
from ...predicates.quantifiers import Quantifiers
from ...records import dataclass, field
from ...smt import term as logic_term
from ...smt.term import Term
from ..abstraction_context import AbstractionContext
from ..boolean_code import Code, CodeStep, Note
from ..boolean_variables import Boolean, choose, some_holds
from .assignment_tables import (
    Assignment,
    Exclusion,
    Part,
    PredicateValue,
    TableQuery,
    components,
    storage_of,
)
from .basic_blocks import BlockPreconditions, blocks, inner
from .table_rows import RowCounts, Savings


@dataclass(slots=True)
class DirectMethod:
    """How blocks are abstracted: `joint` predicates are looked at together after a block (1:
    Cartesian abstraction, 0: all of them); `counts` is the work for all blocks."""

    joint: int = 0
    savings: Savings = field(default_factory=Savings)
    counts: RowCounts = field(default_factory=RowCounts)


class DirectBlocks:
    """Abstracts the basic blocks of one function."""

    def __init__(
        self, context: AbstractionContext, function: Function, method: DirectMethod, max_cube: int
    ) -> None:
        self._context = context
        self._method = method
        self._max_cube = max_cube
        self._blocks = blocks(function)
        self._inner = inner(self._blocks)
        self._too_many_states: list[frozenset[int]] = []
        self._terms: list[dict[CExpr, Term | None]] = [{} for _ in context.logics]
        self._quantifiers = Quantifiers()

    def code(self, edge: Edge, variables: tuple[Boolean, ...]) -> Code | None:
        """The code of the block that begins with the edge; nothing for an edge inside one, and
        None for one that belongs to no block."""
        if edge in self._inner:
            return ()
        block = self._blocks.get(edge)
        if block is None:
            return None
        effective = tuple(edge for edge in block if not isinstance(edge.op, ops.Skip))
        action = self._action(effective, variables, len(effective) == 1)
        if action is not None:
            return (CodeStep(action, self._note(effective)),) if effective else ()
        return tuple(
            CodeStep(self._action((edge,), variables, True) or Skip(), self._note((edge,)))
            for edge in effective
        )

    def _note(self, block: tuple[Edge, ...]) -> Note:
        coord = block[0].coord
        texts = [
            ada_op(edge.op, self._context.facts.program.ada, self._context.naming) for edge in block
        ]
        return Note(Position(coord.file, coord.line, coord.column), " ".join(texts))

    def _action(
        self, block: tuple[Edge, ...], variables: tuple[Boolean, ...], last: bool
    ) -> Assign | Skip | None:
        """The parallel assignment to all variables that change; None if a table is too large,
        unless this is the `last` resort."""
        work = BlockPreconditions(self._context, block)
        before = {number: variable.expr for number, variable in enumerate(variables)}
        after = {number: work.before(expr) for number, expr in before.items()}
        changed = [number for number in before if after[number] is not before[number]]
        if not changed:
            return Skip()
        names = [variable.name for variable in variables]
        values: dict[int, Expr] = {}
        asked: dict[int, CExpr] = {}
        components_apart = self._method.savings.components
        for number in changed if components_apart else before:
            formula = after[number]
            known = self._settled(formula, variables)
            if formula is None or known is STAR or (components_apart and known is not None):
                values[number] = STAR if known is None else known
            else:
                asked[number] = formula
        never: list[Exclusion] = []
        for part in self._parts(before, asked):
            found = self._answers(part, before, asked, last)
            if found is None:
                return None
            never += found.never
            values.update((n, _expression(value, names)) for n, value in found.values.items())
        targets = tuple(names[number] for number in changed)
        chosen = tuple(values.get(number, STAR) for number in changed)
        return Assign(targets, chosen, _constraint(never, names))

    # --- terms ------------------------------------------------------------------------------------

    def _term(self, logic: int, condition: CExpr) -> Term | None:
        """The condition in one logic; None if that cannot express it."""
        known = self._terms[logic]
        if condition not in known:
            formulas = self._context.logics[logic].formulas
            try:
                plain = self._quantifiers.exposed(condition)
                known[condition] = formulas.encoder(Environment("")).condition(plain)
            except (NeedsBitVectors, UnsupportedFeature):
                known[condition] = None
        return known[condition]

    def _first_term(self, condition: CExpr) -> Term | None:
        terms = (self._term(number, condition) for number in range(len(self._context.logics)))
        return next((term for term in terms if term is not None), None)

    def _settled(self, formula: CExpr | None, variables: Sequence[Boolean]) -> Expr | None:
        """The value of a formula that needs no table: it is fixed, or a predicate, or nothing can
        express it."""
        term = None if formula is None else self._first_term(formula)
        if formula is None or term is None:
            return STAR
        if term is logic_term.TRUE or term is logic_term.FALSE:
            return TRUE if term is logic_term.TRUE else FALSE
        for variable in variables:
            if variable.expr is formula:
                return Var(variable.name)
            if make.negate(variable.expr) is formula:
                return Not(Var(variable.name))
        return None

    # --- tables -----------------------------------------------------------------------------------

    def _parts(self, before: Mapping[int, CExpr], after: Mapping[int, CExpr]) -> list[Part]:
        """The predicates of each table."""
        if not after:
            return []
        if not self._method.savings.components:
            return [(tuple(before), tuple(after))]
        return components(self._storage(before), self._storage(after))

    def _storage(self, conditions: Mapping[int, CExpr]) -> dict[int, frozenset[str]]:
        terms = {number: self._first_term(expr) for number, expr in conditions.items()}
        return {number: storage_of(term) for number, term in terms.items() if term is not None}

    def _answers(
        self, part: Part, before: Mapping[int, CExpr], after: Mapping[int, CExpr], last: bool
    ) -> Assignment | None:
        """What the tables of some predicates say, or in the `last` resort short cubes; else None.
        They are asked about in the logic that expresses most of them."""
        starts = {number: before[number] for number in part[0]}
        ends = {number: after[number] for number in part[1]}

        def expressed(logic: int) -> int:
            conditions = (*starts.values(), *ends.values())
            return sum(self._term(logic, expr) is not None for expr in conditions)

        logic = max(range(len(self._context.logics)), key=expressed)
        asked = self._expressed(logic, ends)
        if not asked:
            return Assignment({}, (), True)
        chosen = self._context.logics[logic]
        query = TableQuery(
            self._expressed(logic, starts),
            asked,
            chosen.solver.fresh(),
            lambda terms: self._facts(logic, terms, (*starts.values(), *ends.values())),
            self._context.cubes.seconds,
            self._method.savings,
            self._method.counts,
            self._too_many_states,
        )
        found = query.assignment(self._method.joint)
        if found.whole:
            return found
        return query.by_short_cubes(self._method.joint, self._max_cube) if last else None

    def _facts(
        self, logic: int, terms: Sequence[Term], conditions: Sequence[CExpr]
    ) -> tuple[Term, ...]:
        """What holds of all that occurs in terms, and what quantifiers say where these look."""
        instances = (self._term(logic, e) for e in self._quantifiers.instances(conditions))
        more = [term for term in instances if term is not None]
        return (*more, *self._context.logics[logic].formulas.facts([*terms, *more]))

    def _expressed(self, logic: int, conditions: Mapping[int, CExpr]) -> dict[int, Term]:
        terms = {number: self._term(logic, expr) for number, expr in conditions.items()}
        return {number: term for number, term in terms.items() if term is not None}


def _expression(value: PredicateValue, names: Sequence[str]) -> Expr:
    return choose(value.on, value.off, names) if value.open else some_holds(value.on, names)


def _constraint(never: Iterable[Exclusion], names: Sequence[str]) -> Expr | None:
    """That none of the combinations occurs."""
    clauses = []
    for before, after in never:
        old = [_denied(Var(names[number]), value) for number, value in before.literals]
        new = [_denied(Next(names[number]), value) for number, value in after.literals]
        clauses.append(nary("|", [*old, *new]))
    return nary("&", clauses) if clauses else None


def _denied(variable: Expr, value: bool) -> Expr:
    return Not(variable) if value else variable
