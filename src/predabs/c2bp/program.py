"""The Boolean program of a C program and its predicates (paper 001; 000 section 5).

Each function becomes one procedure, abstracted from its own text and the interfaces of what it
calls. The entry function starts with the initial values of the globals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..boolprog.syntax import STAR, Call, Expr
from ..ir.cfa import Program
from ..ir.expr import Lvalue, Var
from ..ir.ops import Call as CCall
from ..logic.solver import Statistics
from .booleans import Boolean
from .code import Code, Coded, CodedProgram, Note, Step
from .context import Context, context
from .interface import Interface, interface
from .names import plain_name
from .procedure import Abstraction, assignment, position
from .start import values_at_start

_START = "main"


@dataclass(frozen=True, slots=True)
class Predicates:
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


def abstract(
    program: Program,
    predicates: Predicates,
    max_cube: int = 3,
    seconds: Callable[[], float | None] = lambda: None,
    statistics: Statistics | None = None,
) -> Abstract:
    """Abstract a program."""
    constants = {c: v for table in predicates.constants.values() for c, v in table.items()}
    here = context(program, constants, max_cube, seconds, statistics or Statistics())
    direct = _starts(here, program)
    interfaces = _interfaces(program, predicates, direct and program.entry == _START)
    entry = interfaces[program.entry]
    start = values_at_start(here.logics, (*predicates.shared, *entry.own), seconds)
    procedures: list[Coded] = []
    begin: Code = ()
    if direct:
        known = {name: value for name, value in start.items() if value is not STAR}
        note = Note(position(entry.function.coord), "the start of the program")
        begin = assignment(known, note) if known else ()
    else:
        procedures.append(_start(entry, predicates.shared, start))
    for name, mine in interfaces.items():
        abstraction = Abstraction(here, mine, interfaces, predicates.shared)
        procedures.append(abstraction.code(begin if name == program.entry else ()))
    heading = (
        f"the Boolean abstraction of {' '.join(program.files)}",
        "{p} is the value of the predicate p",
    )
    shared = tuple(variable.name for variable in predicates.shared)
    code = CodedProgram(heading, shared, tuple(procedures))
    return Abstract(code, here.cubes.counts.unknown)


def _interfaces(
    program: Program, predicates: Predicates, plain_start: bool
) -> dict[str, Interface]:
    """The interfaces of all functions, the entry first. Only a function that runs begin with may
    be called `main`."""
    globals_ = frozenset(item.var for item in program.globals)
    found: dict[str, Interface] = {}
    taken: set[str] = set() if plain_start else {_START}
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


def _starts(here: Context, program: Program) -> bool:
    """Do runs of the Boolean program begin in the entry function, and never call it? They begin in
    `main`, or else in the only procedure that no other one calls."""
    called = {
        callee
        for function in program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, CCall)
        for callee in here.effects.callees(edge)
    }
    others = program.functions.keys() - called - {program.entry}
    return program.entry not in called and (program.entry == _START or not others)


def _start(entry: Interface, shared: Sequence[Boolean], start: Mapping[str, Expr]) -> Coded:
    """A procedure that sets up the globals and calls the entry function."""
    note = Note(position(entry.function.coord), "the start of the program")
    known = {v.name: start[v.name] for v in shared if start[v.name] is not STAR}
    call = Call((), entry.name, tuple(start[formal.name] for formal in entry.formals))
    code = (*(assignment(known, note) if known else ()), Step(call, Note() if known else note))
    return Coded(_START, (), 0, (), code, None, note)
