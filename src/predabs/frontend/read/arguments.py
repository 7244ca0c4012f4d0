"""The arguments that clang gets: the language, the data model, the user's flags, where headers are.

Soundness duty: types and macros are those of gcc for the data model; what gcc has built in and
clang has not is defined here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from functools import lru_cache
from pathlib import Path

from ...ir.types import DataModel
from ..compiler_flags import CompilerFlags

# types that gcc has built in and clang has not; from its headers, clang knows those it needs
_GCC_TYPES = (
    "_Float32=float",
    "_Float64=double",
    "_Float32x=double",
    "_Float64x=long double",
    "_Float128=__float128",
)
_USES_GCC_TYPE = re.compile(rb"\b_Float(32|64|128)x?\b")
_HAS_HEADERS = re.compile(rb"^[ \t]*#[ \t]*include\b|\btypedef\b[^;]*\b_Float(32|64)x?\s*;", re.M)
# a directive that asks for a header, or one that is not what it looks like
_MAY_INCLUDE = re.compile(rb"(#|%:|\?\?=)\s*(include|import|if|elif|/\*|\w*\s*(\\|\?\?/))")
_HEADERS = Path(__file__).parent / "headers"
_FIRST = _HEADERS / "first"  # before those of the system
_ATOMIC = ("-include", str(_FIRST / "atomic_builtins.h"))


def arguments(data_model: DataModel, text: bytes, flags: CompilerFlags) -> list[str]:
    """The arguments for a file with this text."""
    # to ask gcc where they are takes a while
    folders = _system_folders() if flags.reads_files or _MAY_INCLUDE.search(text) else ()
    target = "x86_64-linux-gnu" if data_model is DataModel.LP64 else "i386-linux-gnu"
    return [
        "-xc",
        "-std=gnu11",
        f"--target={target}",
        "-fbracket-depth=20000",  # what fits into the stack
        "-ferror-limit=0",
        "-Wno-everything",  # old code: undeclared functions, implicit int, wrong pointer types
        *(f"-D{name}" for name in _gcc_types(text)),
        *(_ATOMIC if folders or b"__atomic_" in text else ()),
        *flags.words,
        "-nostdinc",
        *(("-isystem", str(_FIRST)) if folders else ()),
        *(part for folder in folders for part in ("-isystem", folder)),
        "-idirafter",
        str(_HEADERS),
        "-idirafter",
        str(_FIRST),
    ]


def _gcc_types(text: bytes) -> tuple[str, ...]:
    """Macros for types that only gcc has built in, if gcc has preprocessed the text.

    >>> len(_gcc_types(b"extern _Float32 sqrtf32 (_Float32 x);"))
    5
    >>> _gcc_types(b"#include <math.h>\\n_Float32 x;"), _gcc_types(b"typedef float _Float32;")
    ((), ())
    """
    return _GCC_TYPES if _USES_GCC_TYPE.search(text) and not _HAS_HEADERS.search(text) else ()


@lru_cache(maxsize=1)
def _system_folders() -> tuple[str, ...]:
    """The compiler's own headers, then the C library's, as far as they are there."""
    folders = [_from_gcc("-print-file-name=include")]
    machine = _from_gcc("-print-multiarch") or sysconfig.get_config_var("MULTIARCH") or "."
    folders += ["/usr/local/include", f"/usr/include/{machine}", "/usr/include"]
    return tuple(f for f in folders if os.path.isabs(f) and os.path.isdir(f))


def _from_gcc(question: str) -> str:
    try:
        answer = subprocess.run(
            ["gcc", question], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.strip()
