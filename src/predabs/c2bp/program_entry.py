"""The entry of a Boolean program: the values of its variables in the initial states, and the code
that gives them to the variables before the entry function's own code.

`predicates.initial_values` asks solvers for the values; here they become Boolean expressions, and a
store may know them already. Soundness duty: a definite value only if the predicate has it in every
initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..analysis.facts import ProgramFacts
from ..boolprog.syntax import FALSE, STAR, TRUE, Call, Expr
from ..ir.call_graph import called_functions
from ..predicates.cube import Logic
from ..predicates.initial_values import InitialCondition, initial_conditions, truth
from .boolean_code import BooleanProcedure, Code, CodeStep, Note
from .boolean_variables import Boolean
from .interface import Interface
from .names import MAIN
from .procedure import assignment, position
from .store.answers import Answers
from .store.query_keys import digest

_ALWAYS: list[list[list[int]]] = [[]]  # the cover of one empty cube
_NEVER: list[list[list[int]]] = []
_VALUES: dict[bool | None, Expr] = {True: TRUE, False: FALSE, None: STAR}


def initial_booleans(
    logics: tuple[Logic, ...],
    booleans: Sequence[Boolean],
    seconds: Callable[[], float | None],
    answers: Answers | None = None,
) -> dict[str, Expr]:
    """The value of each variable in the entry function's first state; `*` if it may differ.
    `answers` are those that are known already, and get the new ones."""
    asked = initial_conditions(logics, (boolean.expr for boolean in booleans))
    return {
        boolean.name: STAR if one is None else _value(one, seconds, answers or Answers())
        for boolean, one in zip(booleans, asked, strict=True)
    }


def _value(asked: InitialCondition, seconds: Callable[[], float | None], answers: Answers) -> Expr:
    key = digest(("start",), (asked.term, *asked.facts))
    covers = answers.get(key)
    if covers is not None:
        return TRUE if covers[0] else FALSE if covers[1] else STAR
    found = truth(asked, seconds)
    if found.sure:
        sides = (found.always, found.never)
        answers.put(key, [_ALWAYS if side else _NEVER for side in sides])
    return _VALUES[found.value]


def starts_in_entry(facts: ProgramFacts) -> bool:
    """Do runs of the Boolean program begin in the entry function, and never call it? They begin in
    `main`, or else in the only procedure that no other one calls."""
    program, called = facts.program, called_functions(facts.call_graph)
    others = program.functions.keys() - called - {program.entry}
    return program.entry not in called and (program.entry == MAIN or not others)


def begin_code(entry: Interface, initial: Mapping[str, Expr]) -> Code:
    """What an entry function that nobody calls begins with: an assignment of the initial values."""
    definite = {name: value for name, value in initial.items() if value is not STAR}
    note = Note(position(entry.function.coord), "the start of the program")
    return assignment(definite, note) if definite else ()


def start_procedure(
    entry: Interface, shared: Sequence[Boolean], initial: Mapping[str, Expr]
) -> BooleanProcedure:
    """A procedure that sets up the globals and calls the entry function."""
    note = Note(position(entry.function.coord), "the start of the program")
    definite = {v.name: initial[v.name] for v in shared if initial[v.name] is not STAR}
    call = Call((), entry.name, tuple(initial[formal.name] for formal in entry.formals))
    code = (
        *(assignment(definite, note) if definite else ()),
        CodeStep(call, Note() if definite else note),
    )
    return BooleanProcedure(MAIN, (), 0, (), code, None, note)
