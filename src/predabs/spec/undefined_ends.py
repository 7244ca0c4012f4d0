"""Faults that the front end has found: a run that comes to what C leaves undefined ends there.

Soundness duty: see `faults`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfa import Edge, Program
from ..ir.expr import TRUE
from ..ir.ops import UNREACHABLE, VLA_BOUND, Halt
from .faults import Fault


def reached(program: Program, edge: Edge) -> Iterator[Fault]:
    """Code is reached that is declared unreachable, or an assumption of the compiler's fails."""
    if isinstance(edge.op, Halt) and edge.op.text == UNREACHABLE:
        yield Fault(TRUE, "code is reached that is declared unreachable")


def vla_bound(program: Program, edge: Edge) -> Iterator[Fault]:
    """An array of variable length, or what alloca is asked for, has a negative size, or one of more
    than half of the address space."""
    if isinstance(edge.op, Halt) and edge.op.text == VLA_BOUND:
        yield Fault(TRUE, "the size of an array of variable length is negative or too large")
