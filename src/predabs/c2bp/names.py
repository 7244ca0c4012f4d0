"""Names of the Boolean program: predicates in braces, procedures and labels as in C.

>>> predicate_name("x  ==  2", set()), predicate_name("x == 2", {"{x == 2}"})
('{x == 2}', '{x == 2 #2}')
>>> plain_name("skip", set()), plain_name("f", {"f"})
('skip_', 'f_')
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ..boolprog.parse_expressions import KEYWORDS

MAIN = "main"  # the procedure in which runs of a Boolean program begin

# other checkers have threads, and these words for them
_THREAD_WORDS = "start_thread end_thread sync async fork join atomic_begin atomic_end lock unlock"
_THREADS = frozenset(_THREAD_WORDS.split())


def predicate_name(text: str, taken: Collection[str]) -> str:
    """The text of a predicate as a name; numbered if there is one like it."""
    inside = " ".join(text.split()).translate({ord("{"): "(", ord("}"): ")"})
    name = f"{{{inside}}}"
    number = 2
    while name in taken:
        name = f"{{{inside} #{number}}}"
        number += 1
    return name


def plain_name(name: str, taken: Collection[str]) -> str:
    """A name of C that means nothing else in a Boolean program."""
    name = re.sub(r"[^A-Za-z0-9_$]", "$", name)
    while name in taken or name in KEYWORDS or name in _THREADS or name[:1].isdigit():
        name = f"_{name}" if name[:1].isdigit() else f"{name}_"
    return name
