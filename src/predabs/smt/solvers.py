"""Solvers by name.

>>> create("z3", Statistics()).name
'z3'
"""

from __future__ import annotations

from importlib import import_module

from ..errors import InputError
from .solver import Solver, Statistics

# the package that a back end needs; a back end is loaded when it is asked for
PACKAGES = {"z3": "z3-solver", "bitwuzla": "bitwuzla", "cvc5": "cvc5"}


def create(name: str, statistics: Statistics) -> Solver:
    """A solver with nothing asserted."""
    if name not in PACKAGES:
        raise InputError(f"no solver '{name}': choose one of {', '.join(PACKAGES)}")
    try:
        module = import_module(f".backends.{name}", __package__)
    except ModuleNotFoundError as error:
        raise InputError(
            f"the solver '{name}' is not installed: pip install {PACKAGES[name]}"
        ) from error
    solver: Solver = module.create(statistics)
    return solver
