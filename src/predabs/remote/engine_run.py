"""One engine, or some of them, on a program: a process that a worker of a cluster starts.

    python -m predabs.remote.engine_run OPTIONS PROPERTY ROOT RESULT FLAG... -- FILE...

The result is written as bytes. Names of files below the folder ROOT are marked in it, so that who
reads it can put their own names there.

Soundness duty: the result is that of `predabs.check`, whole.
"""

from __future__ import annotations

import base64
import io
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..api import check_with
from ..errors import PredabsError
from ..options import Options
from ..pipeline.result import Result
from ..records import replace

_HERE = "\0program\0"  # stands for the folder of the program


def written_options(options: Options) -> str:
    """Options as a word of a command line."""
    return base64.urlsafe_b64encode(pickle.dumps(options)).decode()


def with_names(data: bytes, names: Mapping[str, str], root: str) -> Result:
    """The result in these bytes; a file of the program is called by its name in `names`, by its
    path below the folder; any other is below `root`."""
    result = _Reader(io.BytesIO(data), names, root).load()
    assert isinstance(result, Result)
    return result


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, root: str) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._root = root

    def persistent_id(self, obj: Any) -> str | None:
        if isinstance(obj, str) and self._root in obj:
            return obj.replace(self._root, _HERE)
        return None


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, names: Mapping[str, str], root: str) -> None:
        super().__init__(file)
        self._names = names
        self._root = root

    def persistent_load(self, pid: Any) -> str:
        text = str(pid)
        for path in sorted(self._names, key=len, reverse=True):
            text = text.replace(f"{_HERE}{path}", self._names[path])
        return text.replace(_HERE, self._root)


def main(words: list[str]) -> int:
    """Check, and write the result."""
    given, wanted, root, target, *rest = words
    flags, files = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    options: Options = pickle.loads(base64.urlsafe_b64decode(given))
    pairs = list(zip(flags[::2], flags[1::2], strict=True))
    options = replace(
        options,
        include=tuple(place for flag, place in pairs if flag == "-I"),
        force_include=tuple(place for flag, place in pairs if flag == "-include"),
        property=wanted or options.property,
    )
    try:
        result = check_with(files, options)
    except PredabsError as problem:
        print(f"predabs: {problem}", file=sys.stderr)
        return 2
    file = io.BytesIO()
    _Writer(file, root).dump(result)
    Path(target).write_bytes(file.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
