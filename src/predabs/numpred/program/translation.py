"""From transitions of C to abstract transformers: the function alpha of [GC10, section 6.1].

A condition becomes an `Assume`. An assignment becomes the numeric assignment of the cell, with each
predicate that it may change chosen by its weakest precondition; one case for each way in which the
value wraps around, and for each cell that a pointer may mean [GC10, examples 6 to 9]. Soundness
duty: for each step of a run, the transformer leads from the abstraction of the state before to that
of the state after. Whatever cannot be said is any value of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.effects import Slot
from ...analysis.updates import Update, updates_of
from ...domains.linear import Linear, at_most, variable
from ...errors import InternalError, UnsupportedFeature
from ...ir.cfa import Edge, Location
from ...ir.configuration import Configuration, Transition
from ...ir.def_use import op_target
from ...ir.expr import Expr, Var
from ...ir.ops import Alloc, Assume, Operation
from ...ir.sums import folded
from ...ir.types import FloatType, IntType
from ...ir.walk import reads, variables
from ..domain.formula import FALSE, TRUE, Formula, Predicate, compare, conj
from ..domain.image import Image
from ..domain.transformers import (
    SKIP,
    Both,
    Choices,
    ChoiceTransformer,
    Conditional,
    Numeric,
    Transformer,
    either,
    numeric,
    sequence,
    unknown,
)
from ..domain.transformers import AssumeTransformer as Assumed
from .formulas import FormulaReader
from .linear_cases import LinearCase, Value, between
from .numeric_variables import NumericVariable, NumericVariables
from .numpred_facts import NumpredFacts
from .precision import TrackedPrecision


class TransformerTranslation:
    """Translates with one precision."""

    def __init__(
        self, facts: NumpredFacts, cells: NumericVariables, precision: TrackedPrecision
    ) -> None:
        self._facts = facts
        self._context = facts.context
        self._cells = cells
        self._precision = precision
        self._readers: dict[Location | None, FormulaReader] = {}
        self._slots = {
            name: facts.context.effects.slots.of_target(cell.var)
            if not cell.scalar
            else frozenset((cell.var,))
            for name, cell in precision.cells.items()
        }
        self._read = {p: self._scalar_reads(e) for p, e in precision.predicates.items()}
        self._live = facts.live

    def reader(self, location: Location | None) -> FormulaReader:
        known = self._readers.get(location)
        if known is None:
            known = FormulaReader(self._facts, self._cells, self._precision, location)
            self._readers[location] = known
        return known

    def ranges(self, configuration: Configuration) -> Formula:
        """That each live cell at a configuration holds a value of its type, or what the interval
        analysis knows, of floating point: widening goes far there."""
        live = self._live(configuration)
        known = self._facts.intervals.at(configuration.location)
        parts: list[Formula] = []
        for cell in self._precision.cells.values():
            if not cell.scalar or cell.var in live:
                is_float = isinstance(cell.type, FloatType)
                bounds = known.get(cell.var) if is_float else None
                parts += _within(variable(cell.name), *(bounds or cell.limits))
        return conj(*parts)

    # -- transitions ------------------------------------------------------------------------------

    def transition(self, transition: Transition) -> Transformer:
        """The transformer of a transition, with all that is not live after it forgotten."""
        reader = self.reader(transition.src.location)
        over = self._over(transition)
        steps = [self._operation(op, transition.edge, reader, over) for op in transition.ops]
        return sequence([*steps, self._forgotten(transition)])

    def _operation(
        self, op: Operation, edge: Edge, reader: FormulaReader, over: frozenset[Predicate]
    ) -> Transformer:
        """One operation of a transition; predicates that are not live after it get a value only if
        that is certain, so that they do not tell states apart."""
        if isinstance(op, Assume):
            image = reader.assumed(op.cond)
            test = Assumed(reader.truth(op.cond).holds)
            return test if image is None else sequence([test, Numeric((), image)])
        writes = self._writes(op, edge)
        if not writes:
            return SKIP
        choices = Choices(tuple(self._choices(op, writes, reader, over)))
        if isinstance(op, Alloc):  # the new object is none of the cells, but for a single one's
            own = {slot for slot in writes if isinstance(slot, Var)}
            writes = self._context.effects.slots.of_target(op.target) | own
        changed = [
            cell
            for name, cell in self._precision.cells.items()
            if not self._slots[name].isdisjoint(writes)
        ]
        if not changed:
            return choices if choices.choices else SKIP
        try:
            updates = updates_of(op, self._context.program, self._context.names)
        except UnsupportedFeature:
            updates = ()
        if len(updates) == 1:
            return either(self._assigned(updates[0], changed, choices, reader))
        return _both(TRUE, [self._all_at_once(cell, updates, reader) for cell in changed], choices)

    def _writes(self, op: Operation, edge: Edge) -> frozenset[Slot]:
        slots = self._context.effects.slots
        if op is edge.op:
            return slots.effects(edge).writes
        target = op_target(op)  # of a call or return, which only assigns
        return frozenset() if target is None else slots.of_target(target)

    # -- predicates -------------------------------------------------------------------------------

    def _choices(
        self,
        op: Operation,
        writes: frozenset[Slot],
        reader: FormulaReader,
        over: frozenset[Predicate],
    ) -> Iterator[ChoiceTransformer]:
        for predicate, expr in self._precision.predicates.items():
            if not self._context.touched(expr, writes):
                continue
            before = self._before(op, writes, expr)
            if before is None:
                yield unknown(predicate)
            elif before is not expr:
                truth = reader.truth(before)
                choice = ChoiceTransformer(predicate, truth.surely, truth.never)
                certain = truth.surely is TRUE or truth.never is TRUE
                yield choice if certain or predicate not in over else unknown(predicate)

    def _before(self, op: Operation, writes: frozenset[Slot], expr: Expr) -> Expr | None:
        """The weakest precondition, in the form that other predicates have as well."""
        before = self._context.before(op, writes, expr)
        return None if before is None else folded(before)

    # -- numbers ----------------------------------------------------------------------------------

    def _assigned(
        self,
        update: Update,
        changed: list[NumericVariable],
        choices: Choices,
        reader: FormulaReader,
    ) -> Iterator[Transformer]:
        """An assignment to one lvalue: to the cell that it is, or to one of those it may be."""
        target = self._cells.of(update.target)
        value = reader.value(update.value) if self._is_number(update.value, target) else None
        if target is not None and target.scalar:
            image = reader.assigned(target, update.value) if value is not None else None
            for case in value or _anything(target):
                yield _both(case.condition, [(target, case)], choices, image)
            return
        relations = {cell: reader.same(update.target, cell) for cell in changed}
        # cells of which a part may be written
        lost = [(cell, _anything(cell)[0]) for cell, same in relations.items() if same is None]
        rest: list[Formula] = []
        for cell, same in relations.items():
            if same is None or same.holds is FALSE:
                continue
            rest.append(same.fails)
            fits = value is not None and update.value.type is cell.type
            for case in value if value is not None and fits else _anything(cell):
                condition = conj(same.holds, case.condition)
                yield _both(condition, [(cell, case), *lost], choices)
        if conj(*rest) is not FALSE:
            yield _both(conj(*rest), lost, choices)

    def _is_number(self, value: Expr, target: NumericVariable | None) -> bool:
        """Is a value a number that its target can take? Those of floating point have one type."""
        if isinstance(value.type, FloatType):
            return target is not None and target.type is value.type
        return isinstance(value.type, IntType) and (
            target is None or isinstance(target.type, IntType)
        )

    def _all_at_once(
        self, cell: NumericVariable, updates: tuple[Update, ...], reader: FormulaReader
    ) -> tuple[NumericVariable, LinearCase]:
        """What a cell holds after updates of several lvalues: a number only if that is certain."""
        for update in updates:
            own = cell.scalar and self._cells.of(update.target) == cell
            if own and update.value.type is cell.type:
                value = reader.value(update.value)
                if len(value) == 1:
                    return cell, value[0]
        return cell, _anything(cell)[0]

    # -- what is not live -------------------------------------------------------------------------

    def _over(self, transition: Transition) -> frozenset[Predicate]:
        """The predicates about variables that are not live after a transition; none if its
        operations follow each other and may use them."""
        if transition.dst is None or len(transition.ops) != 1:
            return frozenset()
        live = self._live(transition.dst)
        return frozenset(p for p, read in self._read.items() if not read <= live)

    def _forgotten(self, transition: Transition) -> Transformer:
        """Nothing is kept of variables that are dead, or whose function has been left."""
        gone: set[Var] = set()
        if transition.dst is not None:
            before, after = transition.src.location, transition.dst.location
            live = self._live
            if transition.dst.depth < transition.src.depth:
                return self._forget_function(before.function)
            if transition.dst.stack is transition.src.stack:
                written = self._writes(transition.edge.op, transition.edge)
                candidates = live.at(before) | {slot for slot in written if isinstance(slot, Var)}
                gone = set(candidates - live.at(after))
        return self._forget(
            [cell for cell in self._precision.cells.values() if cell.scalar and cell.var in gone],
            [p for p, read in self._read.items() if not read.isdisjoint(gone)],
        )

    def _forget_function(self, name: str) -> Transformer:
        return self._forget(
            [cell for cell in self._precision.cells.values() if cell.var.function == name],
            [
                predicate
                for predicate, expr in self._precision.predicates.items()
                if any(var.function == name for var in variables(expr))
            ],
        )

    def _forget(self, cells: list[NumericVariable], predicates: list[Predicate]) -> Transformer:
        steps: list[Transformer] = []
        if cells:
            steps.append(numeric({cell.name: None for cell in cells}))
        if predicates:
            steps.append(Choices(tuple(map(unknown, predicates))))
        return sequence(steps)

    def _scalar_reads(self, expr: Expr) -> frozenset[Var]:
        found: set[Var] = set()
        for lvalue in reads(expr):
            try:
                slots = self._context.effects.slots.of_target(lvalue)
            except (InternalError, UnsupportedFeature):
                continue
            found.update(slot for slot in slots if isinstance(slot, Var))
        return frozenset(found)


def _anything(cell: NumericVariable) -> Value:
    return between(*cell.limits)


def _within(form: Linear, low: int, high: int) -> list[Formula]:
    return [compare(at_most(low, form)), compare(at_most(form, high))]


def _both(
    condition: Formula,
    assigned: Iterable[tuple[NumericVariable, LinearCase]],
    choices: Choices,
    image: Image | None = None,
) -> Transformer:
    """Where the condition holds, the cells get their numbers, and the predicates are chosen."""
    sources: dict[str, Linear | None] = {}
    after: list[Formula] = []
    for cell, case in assigned:
        if case.exact:
            sources[cell.name] = case.linear + case.low
            continue
        sources[cell.name] = None
        after += _within(variable(cell.name), *cell.limits)
        if cell.name not in case.linear.variables:
            multiple = case.divisor * variable(cell.name)
            after += _within(multiple - case.linear, case.low, case.high)
    numbers = Numeric(tuple(sources.items()), image)
    step: Transformer
    if choices.choices:
        step = Both(condition, numbers, choices)
    elif not sources:
        step = SKIP if condition is TRUE else Assumed(condition)
    else:
        step = numbers if condition is TRUE else Conditional(condition, numbers)
    return sequence([step, Assumed(conj(*after))]) if after else step
