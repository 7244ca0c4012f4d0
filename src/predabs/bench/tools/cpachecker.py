"""CPAchecker, a configurable checker in Java (https://cpachecker.sosy-lab.org)."""

from __future__ import annotations

import re
import shutil

from ...errors import InputError
from ..task import ASSERT
from .tool import Output, Request, Told, Tool, Verdict, first_line

_RESULT = re.compile(r"^Verification result: (TRUE|FALSE|UNKNOWN)(.*)$", re.MULTILINE)
_PART = re.compile(r"\(([\w-]+)[:)]")
_VERDICTS: dict[str, Verdict] = {"TRUE": "TRUE", "FALSE": "FALSE", "UNKNOWN": "UNKNOWN"}
_HEAP_SHARE = 0.75  # of the memory: Java needs some beside its heap


class Cpachecker(Tool):
    """`cpachecker` with `--predicateAnalysis`, unless the words name a configuration."""

    name = "cpachecker"

    def executable(self) -> str:
        return shutil.which("cpachecker") or shutil.which("cpa.sh") or super().executable()

    def version(self) -> str:
        return first_line([self.executable(), "--version"])

    def command(self, request: Request) -> list[str]:
        task, limits = request.task, request.limits
        words = [self.executable()]
        words += request.words or ["--predicateAnalysis"]
        words += ["--32" if task.data_model == "ILP32" else "--64", "--preprocess"]
        words += [
            "--timelimit",
            f"{limits.cpu:g}s",
            "--output-path",
            str(request.folder / "output"),
        ]
        words += ["--heap", f"{int(limits.memory * _HEAP_SHARE)}M"]
        if request.property_file is not None:
            words += ["--spec", str(request.property_file)]
        elif task.wanted.name != ASSERT:
            raise InputError(f"cpachecker is not told how to check {task.wanted.name}")
        return [*words, *map(str, task.files)]

    def told(self, output: Output) -> Told:
        found = _RESULT.search(output.stdout)
        if found is None:
            return Told("ERROR", output.last_line)
        verdict = _VERDICTS[found[1]]
        part = _PART.search(found[2]) if verdict == "FALSE" else None
        known = part is not None and part[1].startswith(("valid-", "no-"))
        reason = found[2].strip(" .") if verdict == "UNKNOWN" else ""
        return Told(verdict, reason, part[1] if part is not None and known else "")
