"""The dialect of Boom [BHK+10] and of Boppo, the checkers of SATABS: `begin`, `fi`, `od`.

It has assertions, so the property is the program's own. What the dialect has beyond the core
(`constrain`, `schoose`, `enforce`) is not used.
"""

from __future__ import annotations

from ..show import show
from ..syntax import Program
from .core import core
from .names import with_legal_names

_WORDS = """
    begin end decl void bool goto while do skip od enforce abortif start_thread end_thread
    thread_local sync atomic_begin atomic_end constrain dead return if then else elsif fi dfs
    schoose assert assume T F _
    boolean branch choose true false async fork join lock unlock
"""  # in the last line what only our own reader keeps for itself
_KEYWORDS = frozenset(_WORDS.split())


def write(program: Program, label: str | None = None) -> str:
    """The text; the error is a failed assertion."""
    return show(with_legal_names(core(program, label), _KEYWORDS))
