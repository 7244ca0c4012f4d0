"""C programs for tests: loaded from a text."""

from __future__ import annotations

import tempfile
from pathlib import Path

from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel

DECLARATIONS = """
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_error(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void *malloc(unsigned long);
"""


def write_c(folder: Path, text: str, name: str = "a.c") -> str:
    """The path of a file with this text; its lines are those of the text."""
    path = folder / name
    path.write_text(DECLARATIONS.replace("\n", " ") + text)
    return str(path)


def program_of_c(text: str, entry: str = "main", data_model: DataModel = DataModel.LP64) -> Program:
    """The program with this text."""
    with tempfile.TemporaryDirectory() as folder:
        return load([write_c(Path(folder), text)], data_model, entry)
