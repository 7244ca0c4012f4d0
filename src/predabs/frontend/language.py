"""Which language files are in: by the ends of their names.

>>> language_of(["stack.ads", "Stack.ADB"]).value, language_of(["a.c"]).value
('SPARK', 'C')
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..ir.cfa import Language

_OF_SPARK = frozenset([".adb", ".ads"])


def language_of(files: Sequence[str]) -> Language:
    """The one language of all files."""
    spark = [file for file in files if Path(file).suffix.lower() in _OF_SPARK]
    if not spark:
        return Language.C
    if len(spark) < len(files):
        other = next(file for file in files if file not in spark)
        raise InputError(f"{spark[0]} is SPARK and {other} is not; a program has one language")
    return Language.SPARK
