"""The tool-info module of predabs for BenchExec: `<benchmark tool="predabs.benchexec">`.

It tells BenchExec how predabs is started on a task of SV-COMP and how its answer is read [BLW19].
BenchExec limits time and memory; predabs is told the limits too, so that it ends with a reason.
"""

from __future__ import annotations

import re
from typing import Any

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

_MODELS = ("ILP32", "LP64")
_RESERVE = 0.97  # of the time that is there, so that it ends before BenchExec ends it
_MEBIBYTE = 1 << 20
_VERDICT = re.compile(r"VERDICT: (TRUE|FALSE|UNKNOWN)(?: \((.*)\))?")
_PART = re.compile(r"[\w-]+")
_UNKNOWN = (
    (re.compile(r"time limit|limit of CPU time|of CPU time was"), "TIMEOUT"),
    (re.compile(r"memory limit|not enough memory"), "OUT OF MEMORY"),
)
_BAD_INPUT, _BUG = 2, 70


class Tool(BaseTool2):  # type: ignore[misc]
    """How BenchExec sees predabs."""

    REQUIRED_PATHS = ()

    def name(self) -> str:
        return "predabs"

    def executable(self, tool_locator: Any) -> str:
        return str(tool_locator.find_executable("predabs", subdir="bin"))

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, line_prefix="predabs"))

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """`predabs check` with one job, as CPU time is what counts."""
        words = [executable, "check"]
        words += ["--svcomp", task.property_file] if task.property_file else []
        model = (task.options or {}).get("data_model")
        if model is not None:
            if model not in _MODELS:
                raise UnsupportedFeatureException(f"data_model {model} is not supported")
            words += ["--data-model", model]
        if rlimits.cputime:
            words += ["--cpu-time", f"{rlimits.cputime * _RESERVE:g}"]
        if rlimits.walltime:
            words += ["--timeout", f"{rlimits.walltime * _RESERVE:g}"]
        if rlimits.memory:
            words += ["--memory", str(max(1, int(rlimits.memory * _RESERVE) // _MEBIBYTE))]
        given = {option.partition("=")[0] for option in options}
        if "--store" not in given:
            words.append("--no-store")
        if "--jobs" not in given:
            words += ["--jobs", "1"]
        return [*words, *options, *task.input_files_or_identifier]

    def determine_result(self, run: Any) -> str:
        """By the last line; whatever is no verdict is none."""
        for line in reversed(list(run.output)):
            if (found := _VERDICT.fullmatch(line.strip())) is not None:
                return _status(found[1], found[2] or "")
        if run.was_timeout:
            return "TIMEOUT"
        match run.exit_code.value:
            case code if code == _BAD_INPUT:
                return f"{result.RESULT_ERROR} (input)"
            case code if code == _BUG:
                return f"{result.RESULT_ERROR} (bug)"
        return str(result.RESULT_ERROR)


def _status(verdict: str, note: str) -> str:
    """The name that BenchExec has for a verdict."""
    match verdict:
        case "TRUE":
            return str(result.RESULT_TRUE_PROP)
        case "FALSE":
            if _PART.fullmatch(note) and note != "unreach-call":
                return f"{result.RESULT_FALSE_PROP}({note})"
            return str(result.RESULT_FALSE_PROP)
    for pattern, status in _UNKNOWN:
        if pattern.search(note):
            return status
    return str(result.RESULT_UNKNOWN)
