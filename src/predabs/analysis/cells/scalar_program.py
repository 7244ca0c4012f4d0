"""The scalar program of a program: distinguished cells are chosen, memory becomes scalars, and what
no error depends on is left out.

Soundness duty: that of `morphing` and of the slice. The same program has the same scalar program
each time, location for location, so that a proof about it can be checked by somebody else.
"""

from __future__ import annotations

from ...ir.cfa import Program
from ...records import dataclass
from ..facts import ProgramFacts
from ..slice import slice_program
from .bags import Bags
from .choice import Chooser
from .cursors import Cursors
from .distinguished import Cells
from .memory_accesses import MemoryAccesses
from .morphing import morphed
from .nested_reads import flattened
from .prefix_sums import PrefixSums
from .record_copies import by_members


@dataclass(frozen=True, slots=True)
class ScalarProgram:
    """The scalar program, and what it was made of: the facts of the program whose records are
    copied member by member, and what was chosen for it."""

    program: Program
    facts: ProgramFacts
    accesses: MemoryAccesses
    chooser: Chooser
    cells: Cells
    sums: PrefixSums
    cursors: Cursors
    bags: Bags


def scalar_program(
    facts: ProgramFacts, *, moving: bool = False, summed: bool = False
) -> ScalarProgram | None:
    """None if no error depends directly on an array or on the heap. It may have cells that are
    `moving`, cursors, and bags; and cells for what is `summed` up. It is None if there are none of
    what is asked for."""
    facts = flattened(by_members(facts))
    accesses = MemoryAccesses(facts)
    chooser, sums = Chooser(facts, accesses), PrefixSums(facts, accesses)
    cells = chooser.choose(summed=summed)
    bags = Bags(facts, accesses, wanted=moving)
    regions = {cell.region for cell in cells.cells}
    regions.update(item.array.region for item in sums.sums)
    regions.update(array.region for array in bags.arrays)
    cursors = Cursors(facts, accesses, regions if moving else ())
    if not (cells.cells or sums.sums or bags.all):
        return None
    if (moving and not (cursors.all or bags.all)) or (summed and not chooser.has_summed):
        return None
    whole = ProgramFacts(morphed(facts, accesses, cells, sums, cursors, bags))
    smaller = slice_program(whole.program, whole.partition, whole.modref)
    return ScalarProgram(smaller.program, facts, accesses, chooser, cells, sums, cursors, bags)
