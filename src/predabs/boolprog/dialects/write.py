"""The dialects by name: `predabs bebop FILE.bp --write DIALECT OUT`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..syntax import Program
from . import boom, getafix, moped

WRITERS: Mapping[str, Callable[[Program, str | None], str]] = {
    "moped": moped.write,
    "getafix": getafix.write,
    "boom": boom.write,
}
