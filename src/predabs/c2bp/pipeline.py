"""From a C program and a predicates file to its Boolean abstraction: the stages in their order.

1. Bodies of missing functions are replaced by the side-effect summaries of stored procedures.
2. The predicates file is read for the program in which each function has a result variable.
3. If the entry function may be called by anyone, the environment of the program is open.
4. The predicates of the file become Boolean variables, and the conditions of branches too if asked.
5. Each procedure is abstracted: Cartesian, statement by statement, or by the direct method.

Nothing here reads or writes files: the store of answers is asked through its protocol.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnsupportedFeature
from ..ir.cfa import Program
from ..ir.result_variables import with_results
from ..predicates.syntax.file import PredicatesFile
from ..records import dataclass
from .boolean_code import BooleanProgram
from .branch_predicates import with_conditions
from .direct.method import DirectMethod
from .file_predicates import predicates_of_file, with_used_results
from .open_environment import with_open_environment
from .program import AbstractProgram, ProgramPredicates, abstract
from .store.answers import AnswerStore
from .store.stored_procedure import StoredProcedure, attached, stored

_QUERY_SECONDS = 10.0  # for one query of a solver; then the predicate becomes unknown


@dataclass(frozen=True, slots=True)
class AbstractionOptions:
    """How a program is abstracted.

    `open_environment`: the entry function is abstracted for all callers. `branch_predicates`: the
    conditions of branches are predicates too. `checked`: no operation of the program overflows.
    `post_cube` chooses the direct method, with so many predicates looked at together after a block
    (0: all); None is the Cartesian method, with cubes of up to `max_cube` literals.
    """

    max_cube: int = 3
    post_cube: int | None = None
    branch_predicates: bool = False
    open_environment: bool = False
    checked: bool = False


@dataclass(frozen=True, slots=True)
class BooleanAbstraction:
    """The Boolean program, and what is needed to report on it and to store it.

    `open_questions` is how many queries no solver answered in time, `large_tables` how many
    assignment tables were too large.
    """

    program: Program
    predicates: ProgramPredicates
    result: AbstractProgram
    large_tables: int

    @property
    def code(self) -> BooleanProgram:
        return self.result.code

    @property
    def open_questions(self) -> int:
        return self.result.open_questions


def with_stored_bodies(program: Program, found: Mapping[str, StoredProcedure]) -> Program:
    """The program for whose names a predicates file is read: functions that only a store knows have
    bodies, and each function has a result variable."""
    return with_results(attached(program, found))


def abstraction_of(
    program: Program,
    file: PredicatesFile,
    options: AbstractionOptions,
    found: Mapping[str, StoredProcedure] | None = None,
    store: AnswerStore | None = None,
) -> BooleanAbstraction:
    """The abstraction of a program by the predicates of a file, which was read for the program
    `with_stored_bodies`; `found` are the stored procedures that it calls, `store` has the answers
    of solvers from before and gets the new ones."""
    found = found or {}
    program = with_used_results(attached(program, found), file)
    if options.open_environment:
        program = with_open_environment(program)
    predicates = predicates_of_file(file, found)
    tracked = with_conditions(program, predicates) if options.branch_predicates else predicates
    method = None if options.post_cube is None else DirectMethod(options.post_cube)
    result = abstract(
        program,
        tracked,
        options.max_cube,
        lambda: _QUERY_SECONDS,
        store=store,
        open_environment=options.open_environment,
        method=method,
        tests_as_variables=options.branch_predicates,
        stored=found,
        checked=options.checked,
    )
    return BooleanAbstraction(
        program, predicates, result, 0 if method is None else method.counts.large
    )


def entry_for_callers(
    abstraction: BooleanAbstraction, found: Mapping[str, StoredProcedure]
) -> StoredProcedure | UnsupportedFeature:
    """The entry function of an open environment, for callers that do not have its source; or why it
    cannot be stored for them."""
    program, result = abstraction.program, abstraction.result
    interface = result.interfaces[program.entry]
    try:
        return stored(program, interface, abstraction.predicates.shared, result.code, found)
    except UnsupportedFeature as problem:
        return problem
