"""The body of a subprogram as a function of the IR: its beginning, its statements, its end.

At the beginning `out` parameters have any value, and what contracts call 'Old is kept; at the end
the postcondition is an assertion. A function that comes to its end without a result is an error.
"""

from __future__ import annotations

from ...errors import InputError
from ...ir import make
from ...ir.cfa import Function
from ...ir.expr import TRUE, Expr, Var
from ...ir.ops import Error, ErrorKind, Return, Source
from ...ir.types import CBOOL
from .calls import LowerCalls, result_slot, returned_by_slot, signature, slot
from .composites import MODEL
from .entities import Scope, Subprogram
from .frame import Frame
from .statements import LowerStatements
from .syntax import Association
from .text import show
from .tree import Node, child
from .types import Array, Scalar
from .world import Body, World


def lower_body(world: World, one: Subprogram) -> Function:
    """The function of a subprogram that has a body."""
    given = one.body
    assert isinstance(given, Body) and one.inside is not None
    frame = Frame(one.path)
    graph = frame.graph
    for formal in one.formals:
        world.describe(f"{one.path}::{formal.spelling}", formal.type)
    finish = graph.fresh()
    result: Var | None = None
    if one.result is not None:
        result = Var(f"{one.path}::{one.path.rpartition('.')[2]}'Result", one.result.ir)
        frame.locals.append(result)
    inside = Scope(one.inside, one.inside.path)  # contracts do not see the body's declarations
    one.declared = inside
    low = LowerStatements(frame, inside, world, given.source, given.lifted, one, result, finish)
    params = _begin(low, one, given.lifted)
    contract = low.contract_of(one, {})
    contract.result = result
    for post in one.contract.post:
        contract.save_old(post, one.coord)
    guards = [_guards(contract, cases, one) for cases in one.contract.cases]
    if one.value is not None:
        assert one.result is not None and result is not None
        low.assign(result, one.result, one.value)
        graph.jump(finish, one.coord)
    else:
        node = given.node
        part = child(node, "non_empty_declarative_part")
        if part is not None:
            low.declare(part.children)
        low.annotated(_comments_before_begin(node))
        low.body(child(node, "handled_sequence_of_statements"))
        end = given.source.at(node.end)
        if one.result is not None:
            frame.graph.emit(Error(ErrorKind.ASSERTION, f"{one.path} ends without a result"), end)
        graph.jump(finish, end)
    graph.here = finish
    _end(contract, one, guards)
    for formal in one.formals:
        if returned_by_slot(formal):
            place = one.parameters[formal.name].place
            var = slot(one, formal)
            world.demands.slots.setdefault(var, formal.coord)
            frame.assign(var, place, one.coord)
    if isinstance(one.result, Array) and result is not None:
        made = result_slot(one, one.result)
        world.demands.slots.setdefault(made, one.coord)
        low.copy(made, result, one.result, one.coord)
        result = None
    graph.emit(Return(result), one.coord)
    done = graph.finish({})
    return Function(
        one.path,
        signature(one),
        params,
        tuple(frame.locals),
        done.entry,
        done.exit,
        done.edges,
        one.coord,
    )


def _begin(low: LowerStatements, one: Subprogram, lifted: frozenset[str]) -> tuple[Var, ...]:
    """The parameters in the IR; `out` ones begin with any value."""
    params: list[Var] = []
    for formal in one.formals:
        item = one.parameters[formal.name]
        name = f"{one.path}::{formal.spelling}"
        if not isinstance(formal.type, Scalar):
            params.append(Var(name, MODEL.pointer(formal.type.ir)))
            if formal.name in lifted:
                raise InputError(
                    f"{formal.coord}: {formal.spelling} is an array or record that a nested "
                    "subprogram may use; pass it as a parameter"
                )
            continue
        var = Var(name, formal.type.ir)
        if formal.name in lifted:
            item.place = low.lift(formal.spelling, formal.type, formal.coord)
        if formal.reads:
            params.append(var)
            if item.place is not var:
                low.frame.assign(item.place, var, formal.coord)
        else:
            if item.place is var:
                low.frame.locals.append(var)
            low.any_value(
                item.place, formal.type, Source.UNINITIALIZED, formal.spelling, formal.coord
            )
    return tuple(params)


def _comments_before_begin(node: Node) -> list[Node]:
    """Those behind the last declaration; others are in the declarative part."""
    found: list[Node] = []
    inside = False
    for one in node.children:
        inside = inside or one.type == "is"
        if one.type == "begin":
            break
        if inside and one.type == "comment":
            found.append(one)
    return found


def _guards(
    low: LowerCalls, cases: tuple[Association, ...], one: Subprogram
) -> list[tuple[Expr, Association]]:
    """The guards of contract cases, as they are at the beginning: just one must hold."""
    found: list[tuple[Expr, Association]] = []
    before: list[Expr] = []
    for case in cases:
        if case.value is not None:
            low.save_old(case.value, case.coord)
        if case.others:
            guard = make.negate(make.disj(before))
        else:
            kept = low.frame.saved(make.cast(low.condition(case.choices[0]), CBOOL), case.coord)
            guard = make.as_condition(kept)
            low.frame.claim(
                make.negate(make.conj((guard, make.disj(before)))) if before else TRUE,
                f"contract cases of {one.path} overlap",
                case.coord,
            )
        before.append(guard)
        found.append((guard, case))
    low.frame.claim(
        make.disj(before) if not any(case.others for case in cases) else TRUE,
        f"no contract case of {one.path} applies",
        cases[0].coord,
    )
    return found


def _end(low: LowerCalls, one: Subprogram, guards: list[list[tuple[Expr, Association]]]) -> None:
    for post in one.contract.post:
        what = f"postcondition of {one.path}: {show(post)}"
        low.frame.claim(low.condition(post), what, post.coord)
    for group in guards:
        for guard, case in group:
            value = case.value
            assert value is not None
            holds = low.implied(guard, value)
            low.frame.claim(holds, f"contract case of {one.path}: {show(value)}", case.coord)
