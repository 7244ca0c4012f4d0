"""A result in three sentences: why it holds or fails, what was assumed, and what to do next.

It is made from the JSON report, so that a result which was kept can be explained later.

>>> report = {"verdict": "TRUE", "property": "assert", "checks": [], "assumptions": [],
...     "vacuous": None, "invariants": [{"place": "x.c:3", "text": "n >= 0"}], "predicates":
...     {"total": 2}, "stats": {"tried": ["lazy (predicates that prove it), 1.6 s: proved"]}}
>>> for sentence in explanation(report):
...     print(sentence)
No run violates the property `assert`: lazy proved it with 2 predicates; n >= 0 at x.c:3.
Nothing was assumed.
Accesses to memory were not checked: --check memory does that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError

_NO_BODY = " has no body: "
_INDUCTION = "kinduction: proved"
_FEW = 3  # of a list, before the rest is counted
_ROUNDS = re.compile(r"loops were followed for (\d+) rounds?")
_AT = re.compile(r"\S+:\d+:\d+")
_ADVICE = (
    ("has no model", "give the function a body that does what it may do"),
    ("--volatile", "say with --volatile whether others write volatile objects"),
    ("memory limit", "give it more memory (--memory)"),
    ("not enough memory", "give it more memory (--memory)"),
    (
        "did not replay",
        "look at the run that is shown as unconfirmed, and at what it gets from outside",
    ),
    ("pointer", "give functions that return pointers a body, or try --extern-pointers null"),
)


def explanation(report: Mapping[str, Any]) -> list[str]:
    """Three sentences about the result. Raises `InputError` if it is none."""
    try:
        match report["verdict"]:
            case "TRUE":
                told = [_why_true(report), _assumed(report), _after_true(report)]
            case "FALSE":
                told = [_why_false(report), _assumed(report), _after_false(report)]
            case "UNKNOWN":
                told = [_why_unknown(report), _assumed(report), _after_unknown(report)]
            case other:
                raise InputError(f"there is no verdict {other!r}")
    except (KeyError, TypeError, AttributeError, IndexError) as problem:
        raise InputError(f"this is no result of `predabs check --json` ({problem})") from None
    return told


def _why_true(report: Mapping[str, Any]) -> str:
    what = f"No run violates the property `{report['property']}`{_with_checks(report)}"
    if report["vacuous"] == "nothing":
        return f"{what}, because there is no place in the program where it could be violated."
    if report["vacuous"] == "unreached":
        return f"{what}, because no run comes to a place where something is checked."
    count, engine = report["predicates"]["total"], answering(report)
    how = f" with {count} predicate{'s'[: count != 1]}" if count else ""
    if engine == "bounded":
        how = " by following all runs to their ends"
    for line in report["stats"]["tried"]:
        how = line.removeprefix(_INDUCTION) if line.startswith(_INDUCTION) else how
    kept = [f"{item['text']} at {item['place']}" for item in report["invariants"]]
    return f"{what}: {engine} proved it{how}{_listed('; ', kept)}."


def _why_false(report: Mapping[str, Any]) -> str:
    error = report["error"]
    given = [f"{item['name']} = {item['value']}" for item in report["inputs"]]
    last = report["trace"][-1]["function"] if report["trace"] else ""
    where = f" in {last}" if last else ""
    told = f"A run comes to an error at {error['place']}{where}: {error['text']}"
    return f"{told}{_listed('; it gets ', given)}; the run was replayed step by step."


def _why_unknown(report: Mapping[str, Any]) -> str:
    reason = " ".join(report["reason"].split()).rstrip(".")
    what = f"The property `{report['property']}`{_with_checks(report)}"
    return f"{what} is neither proved nor violated: {reason}."


def _with_checks(report: Mapping[str, Any]) -> str:
    checks = report["checks"]
    return f", with the checks {', '.join(checks)}" if checks else ""


def _assumed(report: Mapping[str, Any]) -> str:
    assumed = report["assumptions"]
    missing = [text.partition(" ")[0] for text in assumed if _NO_BODY in text]
    others = [text for text in assumed if _NO_BODY not in text]
    if missing:
        others.insert(
            0, f"functions without a body return anything and do nothing: {', '.join(missing)}"
        )
    return f"This was assumed{_listed(': ', others)}." if others else "Nothing was assumed."


def _is_spark(report: Mapping[str, Any]) -> bool:
    return bool(report.get("language") == "SPARK")


def _after_true(report: Mapping[str, Any]) -> str:
    if _is_spark(report):
        return "-v shows the invariants of the loops."
    if report["vacuous"] is not None:
        return "Add an assert(), or let --check look for faults of C."
    if "deref" not in report["checks"]:
        return "Accesses to memory were not checked: --check memory does that."
    return "-v shows the invariants of the loops."


def _after_false(report: Mapping[str, Any]) -> str:
    decisive = [step for step in report["trace"] if step["relevant"]]
    lines = list(dict.fromkeys(f"{step['line']}" for step in decisive))
    look = (
        f"Look at the lines that decide it ({', '.join(lines[-5:])})" if lines else "Read the run"
    )
    return f"{look}." if _is_spark(report) else f"{look}, and repeat it natively with --test OUT.c."


def _after_unknown(report: Mapping[str, Any]) -> str:
    reason, tried = report["reason"], report["stats"]["tried"]
    advice = [text for word, text in _ADVICE if word in reason]
    rounds = [int(count) for line in tried for count in _ROUNDS.findall(line)]
    if not advice and rounds:
        advice.append(
            f"bound the loops, which were followed for {max(rounds)} rounds, with __VERIFIER_assume"
        )
    places = [place for line in tried for place in _AT.findall(line)]
    if places:
        advice.append(f"look at {places[-1].rstrip(':')}, where an engine was stuck")
    if "time limit" in reason or "CPU time" in reason or not advice:
        advice.insert(0, "give it more time (--timeout), or one engine alone (--engine)")
    return f"What to try: {'; '.join(advice)}."


def answering(report: Mapping[str, Any]) -> str:
    """The engine that has the answer."""
    for line in report["stats"]["tried"]:
        if line.endswith(": proved"):
            return str(line).partition(" ")[0]
    return str(report.get("engine", "an engine"))


def _listed(lead: str, items: Sequence[str]) -> str:
    if not items:
        return ""
    more = len(items) - _FEW
    return lead + "; ".join(items[:_FEW]) + (f"; and {more} more" if more > 0 else "")
