"""What a check took, as text: the columns of [HJMS02, table 1], where the time went, and the share
of each engine if there was more than one."""

from __future__ import annotations

from collections.abc import Iterable

from .result import EngineUse, Result


def statistics_text(result: Result) -> str:
    """A line for each kind of figure."""
    work, solver = result.work, result.solver
    native = sum(seconds for _, seconds in work.native)
    share = native / result.seconds if result.seconds else 0.0
    other = result.seconds - sum(seconds for _, seconds in work.seconds)
    rows = {
        "predicates": f"{work.predicates} total, {work.active} active",
        "solver calls": f"{solver.calls + solver.cached} total, {solver.cached} cached",
        "nodes": str(work.nodes),
        "refinements": str(work.refinements),
        "abstractions": f"{work.abstractions} total, {work.cached} cached",
        "seconds": f"{result.seconds:.2f}: {_parts([*work.seconds, ('other', other)])}",
        "native code": f"{native:.2f} s, {share:.0%}: {_parts(work.native)}",
    }
    if work.operations:
        operations = sorted(work.operations, key=lambda item: -item.seconds)
        rows["operations"] = ", ".join(
            f"{item.name} {item.seconds:.2f} ({item.calls})" for item in operations
        )
    if len(result.engines) > 1:
        rows |= {f"  {item.name}": _engine(item) for item in result.engines}
    width = max(map(len, rows))
    return "\n".join(f"{name + ':':{width + 1}} {text}" for name, text in rows.items())


def _engine(item: EngineUse) -> str:
    work, solver = item.work, item.solver
    seconds = sum(seconds for _, seconds in work.seconds)
    return (
        f"{work.predicates} predicates, {solver.calls + solver.cached} solver calls, "
        f"{work.nodes} nodes, {work.refinements} refinements, {seconds:.2f} s"
    )


def _parts(seconds: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in seconds)
