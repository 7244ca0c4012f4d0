"""One variable for each numeric term, shared with predicates and complements [GC10, section 5.4].

For NDD. A term is an inequality; `x > 0` and `x <= 0` are the two phases of one variable, and if a
predicate means one of them, the variable is the predicate's. An equation is two inequalities, and a
predicate that is an equation keeps a variable of its own beside those. Soundness duty: the BDD of a
constraint holds in a state exactly if the constraint does, when each variable is read as its term.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...bdd import Function
from ...domains.linear import FALSE, TRUE, Constraint, Variable, normal
from .formula import And, Compare, Formula, Literal, children_first, compare
from .vocabulary import Alternatives, Vocabulary


class NumericTerms:
    """The variables of terms that were met so far."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.manager = vocabulary.manager
        self.related: set[Variable] = set()  # the variables that a term relates to others
        self._known: dict[Constraint, Function] = {
            TRUE: vocabulary.manager.true,
            FALSE: vocabulary.manager.false,
        }
        self._indices: dict[Constraint, int] = {}  # only those whose first factor is positive
        self._meanings: dict[int, tuple[Alternatives, Alternatives]] = {}
        self._about: dict[Variable, set[int]] = {}  # the variables whose terms speak of it
        self._formulas: dict[Formula, Function] = {}
        for index in vocabulary.interpreted:
            for constraint in vocabulary.numeric_of(index, True) or ():
                self._note(index, constraint)

    def _note(self, index: int, constraint: Constraint) -> None:
        if len(constraint.variables) > 1:
            self.related.update(constraint.variables)
        for name in constraint.variables:
            self._about.setdefault(name, set()).add(index)

    def about(self, names: Iterable[Variable]) -> frozenset[int]:
        """The BDD variables whose terms speak of one of the numeric variables."""
        return frozenset().union(*(self._about.get(name, ()) for name in names))

    @property
    def variables(self) -> Iterable[Variable]:
        """The numeric variables that any term speaks of."""
        return self._about

    def meaning(self, index: int, value: bool) -> Alternatives | None:
        """What a BDD variable with this value says about numbers, if anything."""
        own = self._meanings.get(index)
        if own is not None:
            return own[0 if value else 1]
        return self._vocabulary.numeric_of(index, value)

    def reading(self, index: int, value: bool) -> Formula:
        """What a BDD variable stands for."""
        own = self._meanings.get(index)
        if own is None:
            return self._vocabulary.reading(index, value)
        (constraint,) = own[0 if value else 1]
        return compare(constraint)

    def constraint(self, constraint: Constraint) -> Function:
        """A constraint with the predicates that follow from it by its form."""
        known = self._known.get(constraint)
        if known is None:
            tight = normal(constraint.linear, constraint.relation)  # polyhedra do not round
            known = self._made(tight) if tight == constraint else self.constraint(tight)
            self._known[constraint] = known
        return known

    def _made(self, constraint: Constraint) -> Function:
        found = self.manager.cube(self._vocabulary.predicates_of(constraint))
        if self._vocabulary.is_numeric(constraint):
            for half in constraint.halves():
                found = found & self._inequality(half)
        return found

    def _inequality(self, constraint: Constraint) -> Function:
        """The variable of an inequality on numeric variables, in its phase."""
        same = self._vocabulary.same(constraint)
        if same is not None:
            return self.manager.literal(*same)
        phase = constraint.linear.coefficients[0][1] > 0
        term = constraint if phase else constraint.negation()[0]
        index = self._indices.get(term)
        if index is None:
            index = self._indices[term] = self.manager.add_variables(1)[0]
            self._meanings[index] = (term,), term.negation()
            self._note(index, term)
        return self.manager.literal(index, phase)

    def _literal(self, atom: Literal) -> Function:
        """A predicate's variable; the meaning of one that is not tracked."""
        meant = self._vocabulary.meant(atom)
        if meant is None or atom.predicate in self._vocabulary.predicates:
            return self._vocabulary.literal_bdd(atom)
        return self.manager.disjunction(map(self.constraint, meant))

    def formula(self, formula: Formula) -> Function:
        """A whole formula; constraints on other than numeric variables leave their predicates."""
        known = self._formulas
        if formula not in known:
            for node in children_first(formula):
                if node in known:
                    continue
                if isinstance(node, Literal):
                    known[node] = self._literal(node)
                elif isinstance(node, Compare):
                    known[node] = self.constraint(node.constraint)
                elif isinstance(node, And):
                    known[node] = self.manager.conjunction(known[part] for part in node.parts)
                else:
                    known[node] = self.manager.disjunction(known[part] for part in node.parts)
        return known[formula]
