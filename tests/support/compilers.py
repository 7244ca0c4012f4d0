"""Whether C programs can be compiled here."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from predabs.evidence import native_run


@cache
def builds(option: str) -> bool:
    """Whether there is a compiler that builds and links programs with this option."""
    compiler = next(filter(None, map(shutil.which, native_run.COMPILERS)), None)
    if compiler is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "a.c")
        source.write_text('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n')
        command = [compiler, option, str(source), "-o", str(Path(folder, "a"))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


needs_compiler = pytest.mark.skipif(not builds("-m64"), reason="no C compiler here")
