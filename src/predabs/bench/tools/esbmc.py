"""ESBMC, a bounded model checker with k-induction (https://esbmc.org)."""

from __future__ import annotations

import re

from ..task import ASSERT
from .tool import Output, Request, Told, Tool, known_checks

_METHODS = ("--k-induction", "--incremental-bmc", "--falsification", "--unwind")
_OFF = ["--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check", "--no-align-check"]
_CHECKS = {
    ASSERT: _OFF,
    "unreach-call": _OFF,
    "valid-memsafety": ["--memory-leak-check", "--no-assertions", "--no-div-by-zero-check"],
    "no-overflow": [*_OFF, "--overflow-check", "--no-assertions"],
}
_RESULT = re.compile(r"^VERIFICATION (SUCCESSFUL|FAILED|UNKNOWN)$", re.MULTILINE)
_PARTS = (
    ("forgotten memory", "valid-memtrack"),
    ("invalid pointer freed", "valid-free"),
    ("Operand of free", "valid-free"),
    ("dereference failure", "valid-deref"),
    ("array bounds violated", "valid-deref"),
    ("overflow", "no-overflow"),
)


class Esbmc(Tool):
    """`esbmc`, with k-induction unless the words name another method."""

    name = "esbmc"

    def command(self, request: Request) -> list[str]:
        task = request.task
        words = [self.executable(), *map(str, task.files), *task.flags]
        words += ["--32" if task.data_model == "ILP32" else "--64"]
        words += known_checks(self, _CHECKS, task)
        if not set(_METHODS) & set(request.words):
            words += ["--k-induction", "--max-inductive-step", "3"]
        return [*words, *request.words]

    def told(self, output: Output) -> Told:
        text = output.stdout + output.stderr
        match _RESULT.findall(text)[-1:]:
            case ["SUCCESSFUL"]:
                return Told("TRUE")
            case ["FAILED"]:
                part = next((part for key, part in _PARTS if key in text), "")
                return Told("FALSE", subproperty=part)
            case ["UNKNOWN"]:
                return Told("UNKNOWN", "neither proved nor refuted")
        return Told("ERROR", output.last_line)
