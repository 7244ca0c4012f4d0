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

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError
from .open_verdict import what_to_try, why_open

_NO_BODY = " has no body: "
_INDUCTION = "kinduction: proved"
_FEW = 3  # of a list, before the rest is counted
_LONGEST = 160  # letters of one of them


def explanation(report: Mapping[str, Any]) -> list[str]:
    """Three sentences about the result. Raises `InputError` if it is none."""
    try:
        match report["verdict"]:
            case "TRUE":
                told = [_why_true(report), _assumed(report), _after_true(report)]
            case "FALSE":
                told = [_why_false(report), _assumed(report), _after_false(report)]
            case "UNKNOWN":
                told = [why_open(report), _assumed(report), what_to_try(report)]
            case other:
                raise InputError(f"there is no verdict {other!r}")
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as problem:
        raise InputError(f"this is no result of `predabs check --json` ({problem})") from None
    return told


def _why_true(report: Mapping[str, Any]) -> str:
    what = f"No run violates the property `{report['property']}`{_with_checks(report)}"
    if report["vacuous"] == "nothing":
        return f"{what}, because there is no place in the program where it could be violated."
    if report["vacuous"] == "unreached":
        return f"{what}, because no run comes to a place where something is checked."
    count, engine = report["predicates"]["total"], answering(report)
    what_for = "variable" if engine == "explicit" else "predicate"
    how = f" with {count} {what_for}{'s'[: count != 1]}" if count else ""
    if engine == "bounded":
        how = " by following all runs to their ends"
    for line in report["stats"]["tried"]:
        how = line.removeprefix(_INDUCTION) if line.startswith(_INDUCTION) else how
    kept = [f"{_shortened(item['text'])} at {item['place']}" for item in report["invariants"]]
    return f"{what}: {engine} proved it{how}{_listed('; ', kept)}."


def _why_false(report: Mapping[str, Any]) -> str:
    error = report["error"]
    given = [f"{item['name']} = {_shortened(str(item['value']))}" for item in report["inputs"]]
    last = report["trace"][-1]["function"] if report["trace"] else ""
    where = f" in {last}" if last else ""
    told = f"A run comes to an error at {error['place']}{where}: {error['text']}"
    return f"{told}{_listed('; it gets ', given)}; the run was replayed step by step."


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


def _shortened(text: str) -> str:
    """A text that has room in a sentence: the content of an array may be very long, and so may the
    states of a machine."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
