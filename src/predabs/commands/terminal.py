"""Lines for a person: with colours on a terminal, plain elsewhere.

The text is the same in both. NO_COLOR (https://no-color.org) and TERM=dumb ask for plain text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TextIO, TypeAlias

from ..evidence.trace.text import TraceLine

Line: TypeAlias = str | TraceLine
LinePrinter: TypeAlias = Callable[[Line], None]


def line_printer(stream: TextIO | None = None) -> LinePrinter:
    """Prints lines to standard output, or to the stream."""
    out = sys.stdout if stream is None else stream
    if wants_colours(out):
        # rich takes a while to load, and output into files and pipes does without
        colours = import_module(".colours", __package__)
        shown: LinePrinter = colours.coloured(out)
        return shown
    return lambda line: print(line, file=out)


def wants_colours(stream: TextIO) -> bool:
    """Is the stream a terminal whose user has nothing against colours?"""
    environment = os.environ
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return stream.isatty() and not plain
