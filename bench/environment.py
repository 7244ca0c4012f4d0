"""The environment of what is measured: as for a user, whose predabs is compiled to bytecode."""

from __future__ import annotations

import os

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"  # each process would compile hundreds of modules again


def environment(**more: str) -> dict[str, str]:
    """Ours, save what makes Python slow to start."""
    return {name: value for name, value in os.environ.items() if name != _NO_BYTECODE} | more
