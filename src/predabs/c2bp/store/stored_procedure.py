"""A procedure that was abstracted for all callers, and its use by a caller without its source.

What is kept is the Boolean code, the interface [BMR05, section 4.4.1], and a
side-effect summary of the function. In the caller's program the summary stands for the missing
body, for the analyses; the code takes that of its abstraction.

Soundness duty: the code was made from a program `with_open_environment`, so it holds for each call;
whatever it speaks of means the same in the caller's program, or it is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from ...analysis.points_to.sets import points_to
from ...boolprog import syntax as boolean
from ...errors import InputError, InternalError, UnsupportedFeature
from ...ir.cfa import Coord, Edge, Function, Global, Location, Program
from ...ir.def_use import op_target, op_values
from ...ir.expr import Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Assign, Havoc, Operation, Return, Source
from ...ir.show import show_type
from ...ir.types import VOID, ArrayType, FunctionType, PointerType, Record, RecordType, Type
from ...ir.walk import subterms, variables
from ...records import dataclass, replace
from ..boolean_code import (
    BooleanProcedure,
    BooleanProgram,
    Code,
    CodeBranch,
    CodeDoWhile,
    CodeIf,
    CodeLabel,
    CodeStep,
    CodeWhile,
    Node,
)
from ..boolean_variables import Boolean
from ..interface import Interface
from ..names import MAIN, plain_name
from .side_effect_summary import side_effect_summary


@dataclass(frozen=True, slots=True)
class StoredProcedure:
    """A procedure for callers that do not have its source.

    `steps` are its side-effect summary over `params`, `locals` and `globals`, which all files
    share; `own` are the predicates that callers see, `shared` the global ones; `code` has the
    procedure itself first, then those that it calls.
    """

    name: str
    type: FunctionType
    params: tuple[Var, ...]
    locals: tuple[Var, ...]
    result: Var | None
    steps: tuple[Assign | Havoc, ...]
    globals: tuple[Var, ...]
    records: tuple[Record, ...]
    externals: tuple[str, ...]
    constants: tuple[tuple[Var, Lvalue], ...]
    shared: tuple[Boolean, ...]
    own: tuple[Boolean, ...]
    code: tuple[BooleanProcedure, ...]
    model: str
    file: str
    line: int


# --- writing --------------------------------------------------------------------------------------


def stored(
    program: Program,
    mine: Interface,
    shared: tuple[Boolean, ...],
    code: BooleanProgram,
    found: Mapping[str, StoredProcedure],
) -> StoredProcedure:
    """The entry function of a program with an open environment, in which some functions may be
    stored ones; an `UnsupportedFeature` says why it cannot be kept."""
    function = mine.function
    summary = side_effect_summary(points_to(program), function.name)
    seen = frozenset((*mine.formals, *mine.returned))
    own = tuple(variable for variable in mine.own if variable in seen)
    linked = {item.var for item in program.globals if item.linked}
    private = {item.var for item in program.globals if not item.linked}
    used: dict[Var, None] = dict.fromkeys(summary.globals)
    exprs = [
        *(variable.expr for variable in (*shared, *own)),
        *(value for _, value in mine.constants.items()),
    ]
    for expr in exprs:
        for var in variables(expr):
            if var in private:
                raise UnsupportedFeature(f"a predicate speaks of {var.name}, which is static")
            if var in linked:
                used[var] = None
    types: list[Type] = [function.type, *(var.type for var in (*used, *summary.locals))]
    for step in summary.steps:
        exprs += [step.target, *op_values(step)]
    types += [term.type for expr in exprs for term in subterms(expr)]
    procedures = [p for p in code.procedures if p.name == mine.name or p.name != MAIN]
    procedures.sort(key=lambda procedure: procedure.name != mine.name)
    externals = dict.fromkeys(
        [*summary.externals, *(e for k in found.values() for e in k.externals)]
    )
    return StoredProcedure(
        function.name,
        function.type,
        function.params,
        summary.locals,
        mine.result,
        summary.steps,
        tuple(used),
        tuple(_records(types, program)),
        tuple(externals),
        tuple(mine.constants.items()),
        shared,
        own,
        tuple(procedures),
        program.data_model.name,
        function.coord.file,
        function.coord.line,
    )


def _records(types: Iterable[Type], program: Program) -> list[Record]:
    """The layouts of all records that the types have in them, by name or behind pointers."""
    found: dict[str, Record] = {}
    waiting = list(types)
    seen: set[Type] = set()
    while waiting:
        type_ = waiting.pop()
        if type_ in seen:
            continue
        seen.add(type_)
        match type_:
            case PointerType(target, _):
                waiting.append(target)
            case ArrayType(element, _):
                waiting.append(element)
            case FunctionType(result, params, _):
                waiting += (result, *params)
            case RecordType(tag, _) if tag in program.records:
                found[tag] = program.records[tag]
                waiting += [member.type for member in found[tag].members]
    return list(found.values())


# --- reading --------------------------------------------------------------------------------------


def attached(program: Program, found: Mapping[str, StoredProcedure]) -> Program:
    """The program with side-effect summaries as bodies of functions that it does not have."""
    if not found:
        return program
    functions = dict(program.functions)
    records = dict(program.records)
    globals_ = {item.var.name: item for item in program.globals}
    declared = _declared(program)
    for name, kept in found.items():
        at = program.externals[name]
        if kept.model != program.data_model.name:
            raise _refused(at, name, f"it was abstracted for the data model {kept.model}")
        for type_ in declared.get(name, ()):
            there, own = show_type(kept.type, name), show_type(type_, name)
            if there != own:
                raise _refused(at, name, f"it is `{there}` there and `{own}` here")
            if type_ is not kept.type:
                raise _refused(at, name, "a struct that it uses is another one here")
        for other in kept.externals:
            if other in functions or other in found:
                raise _refused(at, name, f"it was abstracted without the body of {other}")
        for record in kept.records:
            if records.setdefault(record.type.tag, record) != record:
                raise _refused(at, name, f"{record.type.tag} is laid out differently here")
        for var in kept.globals:
            known = globals_.setdefault(var.name, Global(var, (), True, at, True))
            if known.var is not var or not known.linked:
                raise _refused(at, name, f"{var.name} is another variable here")
        functions[name] = _body(kept, at)
    rest = {name: at for name, at in program.externals.items() if name not in found}
    return replace(
        program,
        functions=functions,
        records=records,
        globals=tuple(globals_.values()),
        externals=rest,
    )


def _refused(at: Coord, name: str, why: str) -> InputError:
    return InputError(f"{at}: the stored abstraction of {name} cannot be used: {why}")


def _declared(program: Program) -> dict[str, dict[FunctionType, None]]:
    """How functions are declared, by all that refer to them."""
    roots: list[Expr] = [a.value for item in program.globals for a in item.init]
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            roots += [*op_values(edge.op), *(() if target is None else (target,))]
    found: dict[str, dict[FunctionType, None]] = {}
    for root in dict.fromkeys(roots):
        for term in subterms(root):
            if isinstance(term, FunctionAddress) and isinstance(term.type.target, FunctionType):
                found.setdefault(term.name, {})[term.type.target] = None
    return found


def _body(kept: StoredProcedure, at: Coord) -> Function:
    """The side-effect summary as a function: its operations happen in any order, any number of
    times."""
    head, leave = Location(kept.name, 0), Location(kept.name, 1)
    steps: list[Operation] = list(kept.steps)
    locals_ = kept.locals
    value: Var | None = kept.result
    if value is None and kept.type.result is not VOID:
        value = Var(f"{kept.name}::result", kept.type.result)
        locals_ += (value,)
        steps.append(Havoc(value, Source.EXTERN, kept.name))
    edges = [Edge(head, step, head, at) for step in steps]
    edges.append(Edge(head, Return(value), leave, at))
    return Function(kept.name, kept.type, kept.params, locals_, head, leave, tuple(edges), at)


# --- the code among the procedures of another program ---------------------------------------------


def renamed_code(
    kept: StoredProcedure, mine: Interface, taken: Collection[str]
) -> tuple[BooleanProcedure, ...]:
    """The procedures of a stored one with names of their own, itself first; its comment says that
    it was stored."""
    first, *others = kept.code
    if first.params != tuple(v.name for v in mine.formals) or first.returns != len(mine.returned):
        raise InternalError(f"the interface of {kept.name} changed while it was stored")
    names = {first.name: mine.name}
    for other in others:
        names[other.name] = plain_name(other.name, {*taken, *names.values()})
    text = f"{kept.name}(), from its stored abstraction"
    first = replace(first, note=replace(first.note, text=text))
    return tuple(_renamed(procedure, names) for procedure in (first, *others))


def _renamed(coded: BooleanProcedure, names: Mapping[str, str]) -> BooleanProcedure:
    return replace(coded, name=names[coded.name], code=_code(coded.code, names))


def _code(code: Code, names: Mapping[str, str]) -> Code:
    return tuple(_node(node, names) for node in code)


def _node(node: Node, names: Mapping[str, str]) -> Node:
    match node:
        case CodeStep(boolean.Call() as call, _):
            return replace(node, action=replace(call, procedure=names[call.procedure]))
        case CodeStep() | CodeLabel():
            return node
        case CodeIf(_, then, otherwise, _):
            return replace(node, then=_code(then, names), otherwise=_code(otherwise, names))
        case CodeWhile(_, body, _) | CodeDoWhile(body, _, _):
            return replace(node, body=_code(body, names))
        case CodeBranch(bodies, _):
            return replace(node, bodies=tuple(_code(body, names) for body in bodies))
    assert_never(node)
