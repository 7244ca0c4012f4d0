"""The log that `--sarif` writes: a result in SARIF 2.1.0 (OASIS, 2020), for code review and CI.

A violation is a result of the kind `fail` with its trace as a code flow; a proof is one of the kind
`pass`, and UNKNOWN one of the kind `open`. Fingerprints are made from the function, the statement
and what is wrong with it, so that they stay when lines are added above.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..evidence.invariants import LoopInvariant
from ..evidence.trace.steps import StepKind, TraceStep
from ..evidence.trace.trace import Trace
from ..options.checks import CHECKS
from .result import Answer, Result, Violation

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_EXIT_CODES = {Answer.TRUE: 0, Answer.FALSE: 1, Answer.UNKNOWN: 3}
_KINDS = {Answer.TRUE: "pass", Answer.FALSE: "fail", Answer.UNKNOWN: "open"}
_PLACE = re.compile(r"(?:[^\s:]*/)?([^\s/:]+):\d+(?::\d+)?\b")
_LINE = re.compile(r"\bline \d+")
# the parts of SV-COMP's properties are checks under other names
_PROPERTIES = {
    "valid-deref": CHECKS["deref"],
    "valid-free": CHECKS["free"],
    "valid-memtrack": CHECKS["leak"],
    "valid-memcleanup": CHECKS["cleanup"],
    "no-overflow": "an arithmetic fault: a signed result that its type cannot hold, or its like",
    "assert": "a failed assertion, or a call of reach_error or __VERIFIER_error",
}


def sarif_log(result: Result, files: tuple[str, ...]) -> dict[str, Any]:
    """The log of one check of these files."""
    rule = _rule_of(result)
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(rule)},
                "invocations": [_invocation(result)],
                "columnKind": "utf16CodeUnits",
                "results": [_result(result, rule, files)],
            }
        ],
    }


def _rule_of(result: Result) -> str:
    if result.violation is not None and result.violation.subproperty is not None:
        return result.violation.subproperty
    return PurePosixPath(result.property).stem


def _driver(rule: str) -> dict[str, Any]:
    meaning = CHECKS.get(rule) or _PROPERTIES.get(rule) or f"a violation of the rule {rule}"
    return {
        "name": "predabs",
        "semanticVersion": __version__,
        "rules": [
            {
                "id": rule,
                "shortDescription": {"text": f"{meaning[0].upper()}{meaning[1:]}."},
                "help": {
                    "text": "A violation is a run of the program that was replayed, step by step;"
                    " the code flow shows it. `pass` is a proof for all runs, under the assumptions"
                    " that are named. `open` means that neither was found."
                },
                "defaultConfiguration": {"level": "error"},
            }
        ],
    }


def _invocation(result: Result) -> dict[str, Any]:
    notes = [{"level": "note", "message": {"text": text}} for text in _notes(result)]
    return {
        "executionSuccessful": True,
        "exitCode": _EXIT_CODES[result.verdict],
        "exitCodeDescription": f"VERDICT: {result.verdict.value}",
        "toolExecutionNotifications": notes,
    }


def _notes(result: Result) -> list[str]:
    """What a reader of the verdict should know: what was assumed, and what was tried."""
    tried = result.tried if result.verdict is Answer.UNKNOWN else ()
    return [
        *(f"assumed: {text}" for text in result.all_assumptions()),
        *(f"tried: {text}" for text in tried),
    ]


def _result(result: Result, rule: str, files: tuple[str, ...]) -> dict[str, Any]:
    common = {"ruleId": rule, "ruleIndex": 0, "kind": _KINDS[result.verdict]}
    if result.violation is not None:
        return common | _violation(result.violation, rule)
    whole = [{"physicalLocation": {"artifactLocation": _artifact(files[0])}}]
    if result.verdict is Answer.UNKNOWN:
        text = f"{result.property}: neither proved nor violated: {result.reason}"
        flows = {} if result.unconfirmed is None else {"codeFlows": [_flow(result.unconfirmed)]}
        return common | {"level": "none", "message": {"text": text}, "locations": whole} | flows
    text = f"{result.property} holds in all runs"
    invariants = [_invariant(item) for item in result.invariants]
    return common | {
        "level": "none",
        "message": {"text": text},
        "locations": whole,
        "properties": {"invariants": invariants, "vacuous": result.vacuity is not None},
    }


def _violation(violation: Violation, rule: str) -> dict[str, Any]:
    coord, trace = violation.coord, violation.trace
    related = [
        {
            **_location(step),
            "id": number,
            "message": {"text": f"input {_values(step) or step.statement}"},
        }
        for number, step in enumerate(trace.inputs, 1)
    ]
    return {
        "level": "error",
        "message": {"text": violation.text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _artifact(coord.file),
                    "region": _region(coord.line, coord.column),
                }
            }
        ],
        "relatedLocations": related,
        "codeFlows": [_flow(trace)],
        "partialFingerprints": {"predabs/v1": _fingerprint(violation, rule)},
    }


def _fingerprint(violation: Violation, rule: str) -> str:
    """The same after lines were added or taken away elsewhere, and in another folder."""
    error = violation.trace.error
    function, statement = ("", "") if error is None else (error.function, error.statement)
    parts = (
        rule,
        PurePosixPath(violation.coord.file).name,
        function,
        _anywhere(statement),
        _anywhere(violation.text),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _anywhere(text: str) -> str:
    """A message without the places in it.

    >>> _anywhere("the 4 bytes allocated at src/x.c:12:3, which was freed in line 14")
    'the 4 bytes allocated at x.c, which was freed in line'
    """
    return _LINE.sub("line", _PLACE.sub(r"\1", text))


def _flow(trace: Trace) -> dict[str, Any]:
    steps = [step for step in trace.steps if step.kind is not StepKind.OMITTED]
    return {
        "threadFlows": [
            {
                "locations": [
                    {
                        "location": {**_location(step), "message": {"text": _told(step)}},
                        "nestingLevel": step.depth,
                        "executionOrder": number,
                        "importance": "essential" if step.marked else "unimportant",
                        "state": {item.name: {"text": str(item.value)} for item in step.values},
                    }
                    for number, step in enumerate(steps, 1)
                ]
            }
        ]
    }


def _told(step: TraceStep) -> str:
    values = _values(step)
    return f"{step.statement} ({values})" if values else step.statement


def _values(step: TraceStep) -> str:
    return ", ".join(str(item) for item in step.values)


def _location(step: TraceStep) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(step.file),
            "region": _region(step.line, step.column),
        },
        "logicalLocations": [{"name": step.function, "kind": "function"}],
    }


def _region(line: int, column: int) -> dict[str, int]:
    return {"startLine": max(1, line), "startColumn": max(1, column)}


def _artifact(file: str) -> dict[str, str]:
    """A file as a URI: relative to where predabs was called, if it was given so."""
    path = Path(file)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _invariant(item: LoopInvariant) -> dict[str, str]:
    return {"place": item.place, "function": item.function, "text": item.text}
