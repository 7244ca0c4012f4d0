"""Which variables a subprogram reads and writes, with all that it calls: SPARK's rules about them.

A function has no side effects (SPARK RM 6.1), a `Global` aspect names all variables
(6.1.4), a variable passed by reference is not used under its own name (6.4.2), and
a subprogram whose variables nested ones use is not recursive: that is a limit of this front end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...errors import InputError, UnsupportedFeature
from ...ir.call_graph import direct_targets, recursive_functions
from ...ir.cfa import Edge, Program
from ...ir.def_use import op_reads, op_target
from ...ir.expr import AddressOf, Expr, Var
from ...ir.ops import Copy, Fill
from ...ir.walk import root_of, variables
from ...records import dataclass, field
from .calls import LowerCalls
from .entities import Subprogram
from .frame import Frame
from .world import World


@dataclass(slots=True)
class Effects:
    reads: set[Var] = field(default_factory=set)
    writes: set[Var] = field(default_factory=set)


def check_globals(program: Program, world: World) -> None:
    """Refuse a program that breaks one of the rules."""
    calls = {
        name: tuple(target for edge in function.edges for target in direct_targets(edge))
        for name, function in program.functions.items()
    }
    recursive = recursive_functions(calls)
    for var, owner in world.lifted.items():
        if owner in recursive:
            raise UnsupportedFeature(
                f"{program.functions[owner].coord}: {owner} is recursive, and nested subprograms "
                f"use its variable {var.name.rpartition('.')[2]}"
            )
    effects = _effects(program, world, calls)
    for one in world.subprograms:
        found = effects.get(one.path)
        if found is None:
            continue
        if one.result is not None and found.writes:
            name = _name(next(iter(found.writes)))
            raise UnsupportedFeature(
                f"{one.coord}: the function {one.path} writes {name}; "
                "functions have no side effects"
            )
        _check_aspect(one, found, world)
    for site in world.demands.calls:
        callee = effects.get(site.callee.path)
        if callee is None:
            continue
        for parameter, var in site.written:
            if var in callee.reads | callee.writes:
                raise InputError(
                    f"{site.coord}: {_name(var)} is passed as {parameter}, which is written, and "
                    f"{site.callee.path} uses it as a global too; SPARK forbids such aliases"
                )
        for parameter, var in site.read:
            if var in callee.writes:
                raise InputError(
                    f"{site.coord}: {_name(var)} is passed as {parameter}, and "
                    f"{site.callee.path} writes it as a global; SPARK forbids such aliases"
                )


def _effects(
    program: Program, world: World, calls: Mapping[str, tuple[str, ...]]
) -> dict[str, Effects]:
    tracked = set(world.globals)
    found: dict[str, Effects] = {}
    for name, function in program.functions.items():
        own = found[name] = Effects()
        for edge in function.edges:
            own.reads.update(var for var in _read(edge) if var in tracked)
            own.writes.update(var for var in _written(edge) if var in tracked)
    for site in world.demands.calls:
        if site.caller in found:
            found[site.caller].writes.update(var for _, var in site.written if var in tracked)
            found[site.caller].reads.update(var for _, var in site.read if var in tracked)
    for name in found:
        _drop_own(found[name], name, world)
    changed = True
    while changed:
        changed = False
        for name, targets in calls.items():
            own = found[name]
            size = len(own.reads) + len(own.writes)
            for target in targets:
                if target in found:
                    own.reads |= found[target].reads
                    own.writes |= found[target].writes
            _drop_own(own, name, world)
            changed = changed or size != len(own.reads) + len(own.writes)
    return found


def _drop_own(effects: Effects, name: str, world: World) -> None:
    """Its own variables are nobody else's business."""
    for part in (effects.reads, effects.writes):
        for var in [var for var in part if world.lifted.get(var) == name]:
            part.discard(var)


def _read(edge: Edge) -> Iterator[Var]:
    for lvalue in op_reads(edge.op):
        yield from variables(lvalue)
    if isinstance(edge.op, Copy):
        yield from _pointed(edge.op.source)


def _written(edge: Edge) -> Iterator[Var]:
    target = op_target(edge.op)
    if target is not None:
        root = root_of(target)
        if isinstance(root, Var):
            yield root
    if isinstance(edge.op, Copy | Fill):
        yield from _pointed(edge.op.pointer)


def _pointed(pointer: Expr) -> Iterator[Var]:
    if isinstance(pointer, AddressOf):
        root = root_of(pointer.target)
        if isinstance(root, Var):
            yield root


def _check_aspect(one: Subprogram, found: Effects, world: World) -> None:
    if not one.contract.globals or one.inside is None:
        return
    low = LowerCalls(Frame(""), one.inside, world.demands)
    allowed: dict[str, set[Var]] = {"input": set(), "output": set(), "in_out": set()}
    for mode, item in low.globals_of(one):
        if mode in allowed and isinstance(item.place, Var):
            allowed[mode].add(item.place)
    constants = {item.place for item in (one.item for one in world.elaborations) if item.constant}
    writable = allowed["output"] | allowed["in_out"]
    readable = writable | allowed["input"] | constants
    for verb, used, fine in (("writes", found.writes, writable), ("reads", found.reads, readable)):
        for var in sorted(used - fine, key=lambda var: var.name):
            raise InputError(
                f"{one.coord}: {one.path} {verb} {_name(var)}, "
                "which its Global aspect does not allow"
            )


def _name(var: Var) -> str:
    return var.name.rpartition("::")[2]
