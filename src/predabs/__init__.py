"""A software model checker for C, and a laboratory for predicate abstraction.

    import predabs
    result = predabs.check(["driver.c"], timeout=60)

See `predabs.api` for the arguments and `predabs.pipeline.result` for what comes back.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import check as check
    from .pipeline.result import Answer as Answer
    from .pipeline.result import Result as Result

__version__ = "0.1.0"

# where the public names come from; loaded when used, as a command may need none of them
_PUBLIC = {"check": "api", "Answer": "pipeline.result", "Result": "pipeline.result"}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_PUBLIC[name]}", __name__), name)
