"""What a person should know about a verdict that is no bug, and what to try next."""

from __future__ import annotations

from .result import Answer, Result, Vacuity

_CHECKS = "--check memory (invalid accesses and frees), --check all, or an assert() in the program"


def advice(result: Result) -> list[str]:
    """Lines for a person: notes on a TRUE that says nothing, and hints for an UNKNOWN."""
    match result.verdict, result.vacuity:
        case Answer.TRUE, Vacuity.NOTHING:
            return _nothing(result)
        case Answer.TRUE, Vacuity.UNREACHED:
            return [
                "note: it holds vacuously: no run comes to a place where something is checked",
                "try: look for assumptions that contradict each other, and for an exit or an"
                " endless loop before the first check",
            ]
        case Answer.UNKNOWN, _:
            return _hints(result)
    return []


def _nothing(result: Result) -> list[str]:
    if result.checks:
        listed = ", ".join(result.checks)
        return [
            f"note: there was nothing to check: the program has no operation that {listed} could"
            " find fault with, and no assertion or error call that counts"
        ]
    if result.property.endswith(".rule"):
        return [
            f"note: there was nothing to check: no event of {result.property} that can be wrong"
            " happens in the program",
            "try: compare the functions that the rule names with those that the program calls",
        ]
    return [
        "note: there was nothing to check: no check is on, and the program has no assertion and no"
        " error call, apart from those that plainly hold or are never reached",
        f"try: {_CHECKS}",
    ]


def _hints(result: Result) -> list[str]:
    reason = result.reason
    if "time limit" in reason or "CPU time" in reason:
        other = "bounded (finds bugs), lazy, slam and numpred (prove)"
        return [f"try: more time (--timeout), or one engine alone (--engine): {other}"]
    if "memory limit" in reason or "not enough memory" in reason:
        return ["try: more memory (--memory), or one engine alone (--engine)"]
    if "has no model" in reason:
        return ["try: give the function a body that does what it may do"]
    return []


def short_reason(result: Result) -> str:
    """The reason in one line; where `tried:` lines say the rest, without what engines said."""
    text = " ".join(result.reason.split())
    first, _, rest = text.partition("; ")
    return first if result.tried and rest and "time limit" in first else text


def tried_lines(result: Result) -> list[str]:
    """A line for each time slice; what another one has said before is not repeated."""
    lines: list[str] = []
    said: set[str] = set()
    for text in result.tried:
        line = " ".join(text.split())
        engine, _, rest = line.partition(": ")
        lines.append(f"tried: {engine}: the same" if rest in said else f"tried: {line}")
        said.add(rest)
    return lines
