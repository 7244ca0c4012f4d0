"""Which file the store of a user is; this loads no database.

The environment variable `PREDABS_STORE` names another file, or is `off` (or empty).
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "PREDABS_STORE"


def users_store() -> str | None:
    """The file of the user's store, there or not; None if there shall be none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named in ("", "off") else named
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):  # a relative one counts as none, as its specification says
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return None  # there is no home
        cache = os.path.join(home, ".cache")
    return str(Path(cache, "predabs", "store.sqlite"))
