"""What is known about a program before it is searched, however its numbers are written.

A search that begins again with bit-vectors goes on with the same analyses of pointers, effects,
live variables and intervals. Soundness duty: that of each analysis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..analysis.flow import Flow
from ..analysis.liveness import Liveness, liveness
from ..analysis.modref import modref
from ..analysis.partition import Partition, partition
from ..analysis.points_to import points_to
from ..ir.cfa import Program
from ..ir.stack import Config
from ..logic.environment import Limits
from ..logic.limits import limits_of
from ..options import Block
from .cuts import cuts


@dataclass(frozen=True, slots=True)
class Groundwork:
    """Where runs go, how storage is split, and what is live and within which limits; `is_cut` says
    where abstraction takes place."""

    flow: Flow
    partition: Partition
    live: Liveness
    limits: Limits
    is_cut: Callable[[Config], bool]


def groundwork(program: Program, block: Block) -> Groundwork:
    """Analyse a program."""
    where = points_to(program)
    split = partition(program, where)
    effects = modref(program, split)
    live = liveness(program, effects)
    flow = Flow(program, where)
    return Groundwork(flow, split, live, limits_of(split, effects, live), cuts(flow, block))
