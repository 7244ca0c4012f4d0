"""The options of all commands, in one table, and the budget of time that comes with them.

`table` has a line for each option: the command line (`commands.arguments`), the keyword arguments
of `predabs.check` and the page docs/options.md (`python -m predabs.options`) are made from it.

>>> Options(engine="lazy").block
'loop'
>>> Options(block="line")
Traceback (most recent call last):
predabs.errors.InputError: no such block: line; there is loop, basic, edge
"""

from .budget import Budget, TimeOver, cpu_limit
from .checks import CHECKS, GROUPS, expanded
from .table import ENGINES, PROVERS, Block, Numbers, Options, Scope, Structure, Traversal

__all__ = [
    "CHECKS",
    "ENGINES",
    "GROUPS",
    "PROVERS",
    "Block",
    "Budget",
    "Numbers",
    "Options",
    "Scope",
    "Structure",
    "TimeOver",
    "Traversal",
    "cpu_limit",
    "expanded",
]
