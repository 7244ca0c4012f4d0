"""Numeric domains by name.

>>> create("octagon").name
'octagon'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import InputError
from .lattice import Domain

# the module and the class; a domain is loaded when it is asked for, because ppl loads slowly
_CLASSES = {
    "box": ("box", "BoxDomain"),
    "octagon": ("octagon", "OctagonDomain"),
    "polyhedra": ("polyhedra", "PolyhedraDomain"),
}
NAMES = tuple(_CLASSES)


def create(name: str) -> Domain[Any]:
    """The domain of that name; InputError if there is none or it is not installed."""
    if name not in _CLASSES:
        raise InputError(f"no numeric domain '{name}': choose one of {', '.join(NAMES)}")
    module, kind = _CLASSES[name]
    try:
        domain: Domain[Any] = getattr(import_module(f".{module}", __package__), kind)()
    except ModuleNotFoundError as error:
        raise InputError(
            f"the numeric domain '{name}' is not installed: pip install passagemath-ppl"
        ) from error
    return domain
