"""The Boolean program of a C program and its predicates [BMR05; BPR01, section 5].

Each function becomes one procedure, abstracted from its own text and the interfaces of what it
calls. The entry function starts with the initial values of the globals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..analysis.facts import ProgramFacts
from ..boolprog.syntax import STAR, Call, Expr
from ..errors import InputError
from ..ir.call_graph import called_functions
from ..ir.cfa import Program
from ..ir.expr import Lvalue, Var
from ..smt.solver import Statistics
from .abstraction_context import AbstractionContext, context
from .boolean_code import Code, Coded, CodedProgram, CodeStep, Note
from .boolean_variables import Boolean
from .direct.method import Direct, DirectBlocks
from .initial_values import initial_values
from .interface import Interface, interface
from .names import plain_name
from .procedure import Abstraction, assignment, position
from .store.answering_solver import RememberedSolver
from .store.answers import Answers, AnswerStore, RememberedCubes
from .store.stored_code import adopted
from .store.stored_procedure import StoredProcedure

_START = "main"
MEANING = "{p} is the value of the predicate p"  # the second line of a program's text


@dataclass(frozen=True, slots=True)
class ProgramPredicates:
    """Which predicates are tracked: everywhere, and in each function; and the symbolic constants
    of each function, with what they are equal to when it starts."""

    shared: tuple[Boolean, ...]
    own: Mapping[str, tuple[Boolean, ...]]
    constants: Mapping[str, Mapping[Var, Lvalue]]


@dataclass(frozen=True, slots=True)
class Abstract:
    """The result; `open_questions` is how many questions no solver could answer in time."""

    code: CodedProgram
    open_questions: int
    interfaces: Mapping[str, Interface]


def abstract(
    program: Program,
    predicates: ProgramPredicates,
    max_cube: int = 3,
    seconds: Callable[[], float | None] = lambda: None,
    statistics: Statistics | None = None,
    *,
    memory: AnswerStore | None = None,
    outside: bool = False,
    method: Direct | None = None,
    named: bool = False,
    found: Mapping[str, StoredProcedure] | None = None,
) -> Abstract:
    """Abstract a program; `memory` has answers from before, `outside` says that the program was
    `opened`, `method` that basic blocks are abstracted as a whole, `named` that a test which is a
    predicate is its variable; `found` are the procedures that were stored before."""
    constants = {c: v for table in predicates.constants.values() for c, v in table.items()}
    statistics = statistics or Statistics()
    facts = ProgramFacts(program)
    here = context(facts, constants, max_cube, seconds, statistics, outside)
    direct = starts_in_entry(facts)
    interfaces = interfaces_of(program, predicates, direct)
    entry = interfaces[program.entry]
    answers = None if memory is None else memory.answers(program.entry)
    start = initial_values(here.logics, (*predicates.shared, *entry.own), seconds, answers)
    procedures: list[Coded] = []
    unknown = 0
    begin: Code = ()
    if direct:
        begin = begin_code(entry, start)
    else:
        procedures.append(start_procedure(entry, predicates.shared, start))
    taken = {mine.name for mine in interfaces.values()}
    for name, mine in interfaces.items():
        if found is not None and name in found:
            _check_shared(here, found[name], predicates.shared)
            procedures += adopted(found[name], mine, taken)
            taken.update(procedure.name for procedure in procedures)
            continue
        there = here if memory is None else _remembering(here, memory.answers(name), max_cube)
        blocks = None if method is None else DirectBlocks(there, mine.function, method, max_cube)
        abstraction = Abstraction(there, mine, interfaces, predicates.shared, blocks, named)
        procedures.append(abstraction.code(begin if name == program.entry else ()))
        unknown += 0 if there is here else there.cubes.counts.unknown
    missing = [*program.externals, *(e for k in (found or {}).values() for e in k.externals)]
    heading = (
        f"the Boolean abstraction of {' '.join(program.files)}",
        MEANING,
        *(f"{name}() has no body: it returns anything" for name in dict.fromkeys(missing)),
    )
    shared = tuple(variable.name for variable in predicates.shared)
    code = CodedProgram(heading, shared, tuple(procedures))
    unknown += here.cubes.counts.unknown + (0 if method is None else method.counts.unknown)
    return Abstract(code, unknown, interfaces)


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
    found: dict[str, Interface] = {}
    taken: set[str] = set() if direct and program.entry == _START else {_START}
    for name in sorted(program.functions, key=lambda name: name != program.entry):
        plain = plain_name(name, taken)
        taken.add(plain)
        found[name] = interface(
            program.functions[name],
            plain,
            predicates.own.get(name, ()),
            predicates.constants.get(name, {}),
            globals_,
        )
    return found


def starts_in_entry(facts: ProgramFacts) -> bool:
    """Do runs of the Boolean program begin in the entry function, and never call it? They begin in
    `main`, or else in the only procedure that no other one calls."""
    program, called = facts.program, called_functions(facts.call_graph)
    others = program.functions.keys() - called - {program.entry}
    return program.entry not in called and (program.entry == _START or not others)


def begin_code(entry: Interface, start: Mapping[str, Expr]) -> Code:
    """What an entry function that nobody calls begins with."""
    known = {name: value for name, value in start.items() if value is not STAR}
    note = Note(position(entry.function.coord), "the start of the program")
    return assignment(known, note) if known else ()


def start_procedure(
    entry: Interface, shared: Sequence[Boolean], start: Mapping[str, Expr]
) -> Coded:
    """A procedure that sets up the globals and calls the entry function."""
    note = Note(position(entry.function.coord), "the start of the program")
    known = {v.name: start[v.name] for v in shared if start[v.name] is not STAR}
    call = Call((), entry.name, tuple(start[formal.name] for formal in entry.formals))
    code = (*(assignment(known, note) if known else ()), CodeStep(call, Note() if known else note))
    return Coded(_START, (), 0, (), code, None, note)
