"""The graph of blocks: all cut points that control can get to, and the exits between them.

Soundness duty: every run of the program is a sequence of exits of this graph, from the root on.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ResourceExhausted
from ..ir.configuration import Configuration
from ..records import dataclass, field
from .blocks import Block, Blocks, Exit
from .initial_states import initial_environment

MOST_BLOCKS = 400


@dataclass(frozen=True, slots=True, eq=False)
class BlockGraph:
    """The block in which runs begin, and those of all cut points."""

    root: Block
    blocks: dict[Configuration, Block]
    into: dict[Configuration, list[Exit]] = field(init=False)
    """The exits that lead from a cut point to this one."""

    def __post_init__(self) -> None:
        into: dict[Configuration, list[Exit]] = {target: [] for target in self.blocks}
        for block in self.blocks.values():
            for exit_ in block.exits:
                if exit_.target is not None:
                    into[exit_.target].append(exit_)
        object.__setattr__(self, "into", into)

    def bad(self) -> list[Exit]:
        """The exits to errors and limits."""
        blocks = (self.root, *self.blocks.values())
        return [exit_ for block in blocks for exit_ in block.exits if exit_.target is None]


def root_block(blocks: Blocks) -> Block:
    """The block of the initial states; if a run can come back to the entry location, it is a cut
    point like any other."""
    flow, program = blocks.flow, blocks.flow.program
    start, storage = flow.entry, initial_environment(blocks.formulas)[0]
    if program.functions[program.entry].incoming[start.location]:
        return blocks.entering(start, storage)
    return blocks.make(start, storage)


def block_graph(blocks: Blocks, root: Block, tick: Callable[[], None] = lambda: None) -> BlockGraph:
    """The blocks that control can get to from the root; `tick` may raise to end it."""
    found: dict[Configuration, Block] = {}
    todo = [root]
    while todo:
        for exit_ in todo.pop().exits:
            target = exit_.target
            if target is not None and target not in found:
                tick()
                if len(found) >= MOST_BLOCKS:
                    raise ResourceExhausted(f"there are more than {MOST_BLOCKS} blocks")
                found[target] = blocks.at(target)
                todo.append(found[target])
    return BlockGraph(root, found)
