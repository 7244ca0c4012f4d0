"""CBMC, a bounded model checker (https://www.cprover.org/cbmc).

By itself it unwinds loops up to a bound, and says so if one goes further: then there is no answer.
Give a bound with `--unwind N`.
"""

from __future__ import annotations

import re
from functools import cached_property

from ..task import ASSERT
from .tool import Output, Request, Told, Tool, defines, known_checks

_UNWIND = ("--unwind", "16")
_FAILED = re.compile(r"^\[([\w.:$-]+)\] (.*): FAILURE$", re.MULTILINE)
_MEMORY = ["--no-assertions", "--pointer-check", "--bounds-check", "--memory-leak-check"]
_CHECKS: dict[str, list[str]] = {
    ASSERT: [],
    "unreach-call": [],
    "valid-memsafety": _MEMORY,
    "valid-memcleanup": ["--no-assertions", "--memory-cleanup-check"],
    "no-overflow": ["--no-assertions", "--signed-overflow-check"],
}
# functions of SV-COMP that CBMC does not know, where the program has no body for them
_MODELS = {
    "__VERIFIER_error": "void __VERIFIER_error(void)"
    ' { __CPROVER_assert(0, "error call"); __CPROVER_assume(0); }',
    "reach_error": 'void reach_error(void) { __CPROVER_assert(0, "error call");'
    " __CPROVER_assume(0); }",
    "__VERIFIER_assume": "void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }",
}
_PARTS = (
    ("memory-leak", "valid-memtrack"),
    ("memory_leak", "valid-memtrack"),
    ("overflow", "no-overflow"),
    ("precondition", "valid-free"),
    ("free", "valid-free"),
    ("pointer", "valid-deref"),
    ("bounds", "valid-deref"),
    ("array", "valid-deref"),
)


class Cbmc(Tool):
    """`cbmc`, with the checks that the property asks for and no others."""

    name = "cbmc"

    @cached_property
    def _checks_by_itself(self) -> bool:
        """From version 6 on, it checks more than it is asked to."""
        number = self.version().partition(".")[0]
        return number.isdecimal() and int(number) >= 6

    def command(self, request: Request) -> list[str]:
        task = request.task
        models = request.folder / "models.c"
        models.write_text(
            "\n".join(text for name, text in _MODELS.items() if not defines(task, name)) + "\n"
        )
        words = [self.executable(), *map(str, task.files), str(models), *task.flags]
        words += ["--32" if task.data_model == "ILP32" else "--64"]
        if self._checks_by_itself:
            words += ["--no-standard-checks"]
        words += known_checks(self, _CHECKS, task)
        if "--unwind" not in request.words:
            words += _UNWIND
        return [*words, "--unwinding-assertions", *request.words]

    def told(self, output: Output) -> Told:
        """A violation that is only the end of an unwinding is no answer."""
        text = output.stdout
        if re.search(r"^VERIFICATION SUCCESSFUL$", text, re.MULTILINE):
            return Told("TRUE")
        if re.search(r"^VERIFICATION FAILED$", text, re.MULTILINE):
            failed = _FAILED.findall(text)
            real = [name for name, what in failed if "unwinding assertion" not in what]
            if real:
                part = next((part for key, part in _PARTS if f".{key}" in real[0]), "")
                return Told("FALSE", subproperty=part)
            return Told("UNKNOWN", "a loop goes on after the last unwinding")
        return Told("ERROR", output.last_line)
