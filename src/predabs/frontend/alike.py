"""Are two pieces of syntax the same but for where they stand?

Inline functions of a header come with each file that includes it; C leaves open whose definition a
call uses, so they must agree. Soundness duty: what is called alike means the same in both files, as
long as the variables and functions that they share by name do.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ..ir.cfa import Coord
from .symbols import Symbol


def alike(one: object, other: object) -> bool:
    """The same tree with the same names, types and values, whatever the coordinates are.

    >>> alike((1, Coord("a.c", 1, 2)), (1, Coord("b.c", 3, 4))), alike((1, 2), (1,))
    (True, False)
    """
    todo = [(one, other)]
    while todo:
        left, right = todo.pop()
        if left is right:
            continue
        if type(left) is not type(right):
            return False
        if isinstance(left, Coord):
            continue
        if isinstance(left, Symbol) and isinstance(right, Symbol) and left.external:
            # one file may say more of it than the other: that it returns, how long it is
            if not right.external or left.name != right.name:
                return False
        elif isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return False
            todo += zip(left, right, strict=True)
        elif is_dataclass(left):
            names = [field.name for field in fields(left) if field.name != "inline"]
            todo += [(getattr(left, name), getattr(right, name)) for name in names]
        elif left != right:
            return False
    return True
