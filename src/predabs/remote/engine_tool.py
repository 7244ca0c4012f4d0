"""Engines of predabs on a worker of a cluster: the whole result comes back."""

from __future__ import annotations

import base64
import sys

from .. import __version__
from ..bench.tools.tool import Output, Request, Told, Tool

_RESULT = "result"


class EngineTool(Tool):
    """`predabs.remote.engine_run`; its words are the options, and the path of the first file below
    the folder of the program."""

    name = "predabs-engine"
    keeps_limits = True

    def executable(self) -> str:
        return sys.executable

    def version(self) -> str:
        return f"predabs {__version__}"

    def command(self, request: Request) -> list[str]:
        task, (options, first) = request.task, request.words
        files = [str(file) for file in task.files]
        root = files[0].removesuffix(first)
        wanted = "" if request.property_file is None else str(request.property_file)
        words = [self.executable(), "-m", "predabs.remote.engine_run", options, wanted, root]
        return [*words, str(request.folder / _RESULT), *task.flags, "--", *files]

    def told(self, output: Output) -> Told:
        try:
            data = (output.folder / _RESULT).read_bytes()
        except OSError:
            return Told("ERROR", output.last_line)
        return Told("UNKNOWN", details={_RESULT: encoded(data)})


def encoded(data: bytes) -> str:
    """Bytes as they are in the details of an answer."""
    return base64.b64encode(data).decode()


def result_of(told: object) -> bytes:
    """The result, of the details of an answer."""
    return base64.b64decode(str(told))
