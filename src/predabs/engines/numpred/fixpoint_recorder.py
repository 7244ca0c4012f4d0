"""What the numpred engine tells for a report: what is tracked, and the elements of a fixpoint.

No soundness duty: it looks at a fixpoint and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...evidence.recording import RecordTexts
from ...ir.configuration import Configuration
from ...ir.show import show_expr
from ...numpred.domain.formula import Formula, Or
from ...numpred.loop_invariants import condition
from ...numpred.program.solution import ProgramAbstraction, Solution
from ...numpred.refine.plan import Plan
from ...proof_record import DomainElement, EngineRecord, PredicatesAt

_MOST_ELEMENTS = 600
_MOST_CASES = 24


def tracked(plan: Plan) -> dict[str, list[str]]:
    """What a plan tracks, by kind."""
    precision = plan.precision
    return {
        "structure": [plan.structure],
        "numeric domain": [plan.numeric_domain],
        "numbers": sorted(precision.cells),
        "predicates": [show_expr(expr) for expr in precision.predicates.values()],
    }


def listed(
    now: Mapping[str, Sequence[str]], before: Mapping[str, Sequence[str]]
) -> tuple[PredicatesAt, ...]:
    """What is tracked now and was not before."""
    new = {kind: [text for text in now[kind] if text not in before.get(kind, ())] for kind in now}
    return tuple(PredicatesAt(kind, None, tuple(texts)) for kind, texts in new.items() if texts)


def record_fixpoint(
    record: EngineRecord, abstraction: ProgramAbstraction, solved: Solution, plan: Plan
) -> None:
    """Keep what a proof consists of: the element at each configuration."""
    texts = RecordTexts(abstraction.facts.program)
    record.predicates = listed(tracked(plan), {})
    heads = abstraction.control.heads
    reached = [
        configuration
        for configuration in abstraction.control.transitions
        if configuration in solved.values
        and not solved.domain.domain.is_bot(solved.values[configuration])
    ]
    record.reached.clear()
    for configuration in reached:
        for transition in abstraction.control.transitions[configuration]:
            record.reach(transition.edge.coord)
    shown = sorted(reached, key=lambda configuration: configuration not in heads)[:_MOST_ELEMENTS]
    record.elements = tuple(
        DomainElement(
            texts.place(configuration),
            configuration in heads,
            tuple(_cases(abstraction, solved, configuration, texts)),
        )
        for configuration in shown
    )
    record.facts[:] = [
        f"fixpoint in the structure {solved.structure} over {plan.numeric_domain}: "
        f"{len(reached)} configurations are reached, and no error"
    ]


def _cases(
    abstraction: ProgramAbstraction,
    solved: Solution,
    configuration: Configuration,
    texts: RecordTexts,
) -> Iterator[str]:
    formula: Formula = solved.domain.domain.gamma(solved.values[configuration])
    parts = formula.parts if isinstance(formula, Or) else (formula,)
    lvalues, predicates = abstraction.cells.lvalues, solved.precision.predicates
    for part in list(parts)[:_MOST_CASES]:
        expr = condition(part, lvalues, predicates)
        yield texts.condition(configuration.location.function, expr)
    if len(parts) > _MOST_CASES:
        yield f"... and {len(parts) - _MOST_CASES} more cases"
