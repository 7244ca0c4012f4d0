"""The Boolean program of a C program and its predicates [BMR05; BPR01, section 5].

Each function becomes one procedure, abstracted from its own text and the interfaces of what it
calls. The entry function starts with the initial values of the globals (`program_entry`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..analysis.facts import ProgramFacts
from ..errors import InputError
from ..ir.cfa import Program
from ..ir.expr import Lvalue, Var
from ..records import dataclass, replace
from ..smt.solver import Statistics
from .abstraction_context import AbstractionContext, abstraction_context
from .boolean_code import BooleanProcedure, BooleanProgram, Code
from .boolean_variables import Boolean
from .direct.method import DirectBlocks, DirectMethod
from .interface import Interface, interface
from .names import MAIN, plain_name
from .procedure import ProcedureAbstraction
from .program_entry import begin_code, initial_booleans, start_procedure, starts_in_entry
from .store.answering_solver import RememberedSolver
from .store.answers import Answers, AnswerStore, RememberedCubes
from .store.stored_procedure import StoredProcedure, renamed_code

MEANING = "{p} is the value of the predicate p"  # the second line of a program's text


@dataclass(frozen=True, slots=True)
class ProgramPredicates:
    """Which predicates are tracked: everywhere, and in each function; and the symbolic constants
    of each function, with what they are equal to when it starts."""

    shared: tuple[Boolean, ...]
    own: Mapping[str, tuple[Boolean, ...]]
    constants: Mapping[str, Mapping[Var, Lvalue]]


@dataclass(frozen=True, slots=True)
class AbstractProgram:
    """The result; `open_questions` is how many questions no solver could answer in time."""

    code: BooleanProgram
    open_questions: int
    interfaces: Mapping[str, Interface]


def abstract(
    program: Program,
    predicates: ProgramPredicates,
    max_cube: int = 3,
    seconds: Callable[[], float | None] = lambda: None,
    statistics: Statistics | None = None,
    *,
    store: AnswerStore | None = None,
    open_environment: bool = False,
    method: DirectMethod | None = None,
    tests_as_variables: bool = False,
    stored: Mapping[str, StoredProcedure] | None = None,
    checked: bool = False,
) -> AbstractProgram:
    """Abstract a program; `store` has answers from before, `open_environment` says that the program
    is one `with_open_environment`, `method` that basic blocks are abstracted as a whole,
    `tests_as_variables` that a test which is a predicate becomes the variable of that predicate;
    `stored` are the procedures whose abstractions were stored before, `checked` says that no
    operation of the program overflows."""
    constants = {c: v for table in predicates.constants.values() for c, v in table.items()}
    statistics = statistics or Statistics()
    # what is stored of a procedure must not rest on how often others call it
    facts = ProgramFacts(program, single=False)
    here = abstraction_context(
        facts, constants, max_cube, seconds, statistics, open_environment, checked
    )
    direct = starts_in_entry(facts)
    interfaces = interfaces_of(program, predicates, direct)
    entry = interfaces[program.entry]
    answers = None if store is None else store.answers(program.entry)
    initial = initial_booleans(here.logics, (*predicates.shared, *entry.own), seconds, answers)
    procedures: list[BooleanProcedure] = []
    unknown = 0
    begin: Code = ()
    if direct:
        begin = begin_code(entry, initial)
    else:
        procedures.append(start_procedure(entry, predicates.shared, initial))
    taken = {mine.name for mine in interfaces.values()}
    for name, mine in interfaces.items():
        if stored is not None and name in stored:
            _check_shared(here, stored[name], predicates.shared)
            procedures += renamed_code(stored[name], mine, taken)
            taken.update(procedure.name for procedure in procedures)
            continue
        there = here if store is None else _remembering(here, store.answers(name), max_cube)
        blocks = None if method is None else DirectBlocks(there, mine.function, method, max_cube)
        abstraction = ProcedureAbstraction(
            there, mine, interfaces, predicates.shared, blocks, tests_as_variables
        )
        procedures.append(abstraction.code(begin if name == program.entry else ()))
        unknown += 0 if there is here else there.cubes.counts.unknown
    missing = [*program.externals, *(e for k in (stored or {}).values() for e in k.externals)]
    heading = (
        f"the Boolean abstraction of {' '.join(program.files)}",
        MEANING,
        *(f"{name}() has no body: it returns anything" for name in dict.fromkeys(missing)),
    )
    shared = tuple(variable.name for variable in predicates.shared)
    code = BooleanProgram(heading, shared, tuple(procedures))
    unknown += here.cubes.counts.unknown + (0 if method is None else method.counts.unknown)
    return AbstractProgram(code, unknown, interfaces)


def _remembering(here: AbstractionContext, answers: Answers, max_cube: int) -> AbstractionContext:
    """The context for one procedure, with the answers that it has."""
    logics = tuple(
        replace(logic, solver=RememberedSolver(logic.solver, answers)) for logic in here.logics
    )
    cubes = RememberedCubes(here.logics, max_cube, here.cubes.seconds, answers)
    return replace(here, cubes=cubes, logics=logics)


def _check_shared(
    here: AbstractionContext, kept: StoredProcedure, shared: Sequence[Boolean]
) -> None:
    """A stored procedure leaves global variables alone that it does not know."""
    for variable in shared:
        writes = here.effects.writes(kept.name)
        if variable not in kept.shared and here.touched(variable.expr, writes):
            raise InputError(
                f"the stored abstraction of {kept.name} may change the global predicate "
                f"{variable.name}, but does not know it; store it again with this predicate, or "
                "move the predicate to sections of procedures"
            )


def interfaces_of(
    program: Program, predicates: ProgramPredicates, direct: bool
) -> dict[str, Interface]:
    """The interfaces of all functions, the entry first; `direct`: runs begin in the entry function.
    Only a function that runs begin with may be called `main`."""
    globals_ = frozenset(item.var for item in program.globals)
    interfaces: dict[str, Interface] = {}
    taken: set[str] = set() if direct and program.entry == MAIN else {MAIN}
    for name in sorted(program.functions, key=lambda name: name != program.entry):
        boolean_name = plain_name(name, taken)
        taken.add(boolean_name)
        interfaces[name] = interface(
            program.functions[name],
            boolean_name,
            predicates.own.get(name, ()),
            predicates.constants.get(name, {}),
            globals_,
        )
    return interfaces
