"""Numeric domains by name.

Polyhedra need a library with a licence of its own, so they are an extra of the package; whoever
goes over to a better domain unasked looks first whether it is installed.

>>> create("octagon").name
'octagon'
>>> installed("box")
True
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import InputError, NotInstalled
from .numeric_domain import NumericDomain
from .ppl_library import load, require

# the module and the class; a domain is loaded when it is asked for, because ppl loads slowly
_CLASSES = {
    "box": ("box", "BoxDomain"),
    "octagon": ("octagon", "OctagonDomain"),
    "polyhedra": ("polyhedra", "PolyhedraDomain"),
}
NAMES = tuple(_CLASSES)
_WITH_PPL = ("polyhedra",)


def installed(name: str) -> bool:
    """Whether what the domain needs can be loaded."""
    try:
        create(name)
    except NotInstalled:
        return False
    return True


def need(name: str) -> None:
    """Raise `InputError` if there is no such domain, `NotInstalled` if its library is missing; the
    library is not loaded for that."""
    if name not in _CLASSES:
        raise InputError(f"no numeric domain '{name}': choose one of {', '.join(NAMES)}")
    if name in _WITH_PPL:
        require()


def create(name: str) -> NumericDomain[Any]:
    """The domain of that name, or an error as `need` has it."""
    need(name)
    if name in _WITH_PPL:
        load()
    module, kind = _CLASSES[name]
    domain: NumericDomain[Any] = getattr(import_module(f".{module}", __package__), kind)()
    return domain
