"""predabs itself. It is told the limits, so that it ends with what it knows."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from typing import Any

from ... import __version__
from ..task import ASSERT
from .tool import Output, Request, Told, Tool, Verdict

_ANSWER = "answer.json"
_VERDICTS: dict[str, Verdict] = {"TRUE": "TRUE", "FALSE": "FALSE", "UNKNOWN": "UNKNOWN"}
# what of a report is kept: all but the trace and other long texts
_KEPT = (
    *("engine", "seconds", "predicates", "solver", "iterations", "stats", "tried", "test"),
    "certificate",
)
_UNKNOWN = re.compile(r"^VERDICT: UNKNOWN \((.*)\)\s*\Z", re.MULTILINE)
_SUBPROPERTY = re.compile(r"^VERDICT: FALSE \(([\w-]+)\)\s*\Z", re.MULTILINE)


class PredabsTool(Tool):
    """`predabs check`, one engine after the other unless the words say otherwise."""

    name = "predabs"
    keeps_limits = True
    own_modules = True

    def executable(self) -> str:
        return sys.executable

    def version(self) -> str:
        return f"predabs {__version__}"

    def command(self, request: Request) -> list[str]:
        task, limits = request.task, request.limits
        # -P: modules of the folder that the user is in are not ours
        words = [
            self.executable(),
            "-P",
            "-m",
            "predabs",
            "check",
            *map(str, task.files),
            *task.flags,
        ]
        words += ["--data-model", task.data_model]
        if request.property_file is not None:
            svcomp = request.property_file.suffix == ".prp"
            words += ["--svcomp" if svcomp else "--property", str(request.property_file)]
        elif task.wanted.name != ASSERT:
            words += ["--check", task.wanted.name]
        words += ["--timeout", f"{limits.wall:g}", "--cpu-time", f"{limits.cpu:g}"]
        words += ["--memory", str(limits.memory), "--json", str(request.folder / _ANSWER)]
        if "--store" not in {word.partition("=")[0] for word in request.words}:
            words.append("--no-store")  # what is measured is the work
        return [*words, "--jobs", "1", *request.words]

    def told(self, output: Output) -> Told:
        try:
            report: Mapping[str, Any] = json.loads((output.folder / _ANSWER).read_text("utf-8"))
            verdict = _VERDICTS[report["verdict"]]
        except (OSError, ValueError, KeyError):
            unknown = _UNKNOWN.search(
                output.stdout
            )  # without a report: the property is none of ours
            if unknown is not None:
                return Told("UNKNOWN", _without_folder(unknown[1], output))
            return Told("ERROR", _without_folder(output.last_line, output))
        named = _SUBPROPERTY.search(output.stdout)
        kept = {key: report[key] for key in _KEPT if report.get(key) not in (None, [], {})}
        reason = " ".join(str(report.get("reason") or "").split())
        return Told(verdict, reason, named[1] if named else "", kept)


def _without_folder(text: str, output: Output) -> str:
    """A message without where the property file was put for this run."""
    return text.removeprefix("predabs: ").replace(f"{output.folder}/", "")
