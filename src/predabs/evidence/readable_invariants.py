"""The invariants of a proof for readers: short, and without bounds that the proof does not need.

It takes solver calls, and most checks show no invariants: so this module is loaded by name.

Soundness duty: that of `shorten` and of `needed_bounds`: what is shown holds wherever the
invariants do.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.facts import ProgramFacts
from ..ir.cfa import Program
from ..ir.expr import Lvalue
from ..records import dataclass
from ..verdict import Invariant
from .invariants import LoopInvariant, loop_invariants
from .needed_bounds import bounded, with_needed_bounds
from .shorten import shortened


@dataclass(frozen=True, slots=True)
class Readable:
    """Invariants, `shown` as text, and the lvalues whose bounds were left out."""

    invariants: tuple[Invariant, ...]
    shown: tuple[LoopInvariant, ...]
    needless: tuple[Lvalue, ...]


def readable(
    program: Program,
    facts: ProgramFacts,
    invariants: Sequence[Invariant],
    until: float | None,
    needless: Sequence[Lvalue] | None = None,
) -> Readable:
    """The invariants of a part of a program (that of the facts) for readers; no solver is asked
    after `until`. `needless` are the lvalues whose bounds an earlier proof did not need, and only
    those are tried then."""
    shorter = shortened(program, invariants, until=until)
    of = facts.ghosts if shorter else facts
    needed = with_needed_bounds(of, shorter, until=until, tried=needless)
    left = set(bounded(needed))
    needless = tuple(lvalue for lvalue in bounded(shorter) if lvalue not in left)
    return Readable(needed, loop_invariants(program, needed), needless)
