"""Why an UNKNOWN is one, and what to try: from the JSON report, in plain words.

Named are the loop or the recursion that goes on, the place and the construct at which an engine has
given up, and the option or the change to the program that may help.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ..obstacles import ObstacleKind, words
from .imprecise_memory import Imprecision

_FEW = 2  # obstacles and refusals that are told
_LONG = 220  # characters of one reason
_LINE = re.compile(r"(?P<engine>[a-z]+)(?: \([^)]*\), [\d.]+ s)?: (?P<text>.*)")
_NO_REASON = re.compile(
    r"no proof yet|loops were followed|\d+ graphs were explored|it has not begun|ended, as|"
    r"the time limit|the same$|nothing was learned|no error depends directly|"
    r"what was found about cells|the limit of CPU time|.* so far$"
)
_FOLDERS = re.compile(r"(?<![^\s(])[^\s:()]+/(?=[^\s/:]+:\d)")  # of a place
_PLACE = re.compile(r"(\S+?:\d+)(?::\d+)?: ")
# words of a reason, and what to try
_ADVICE = (
    ("has no model", "give the function a body that does what it may do"),
    ("--volatile", "say with --volatile whether others write volatile objects"),
    ("memory limit", "give it more memory (--memory), or one engine alone (--engine)"),
    ("not enough memory", "give it more memory (--memory), or one engine alone (--engine)"),
    (
        "did not replay",
        "look at the run that is shown as unconfirmed, and at what it gets from outside",
    ),
    ("is none of the program", "look at what the run gets from outside"),
    ("any function", "assign the function pointer a function of the program before it is called"),
    (
        "pointer from outside",
        "give the functions that return pointers a body, or say --extern-pointers null",
    ),
)


def why_open(report: Mapping[str, Any]) -> str:
    """What stands in the way, in one sentence."""
    checks = report["checks"]
    asked = f", with the checks {', '.join(checks)}," if checks else ""
    parts = [_end(report), *_blocking(report), *_refusals(report), _little_known(report)]
    told = "; ".join(dict.fromkeys(filter(None, parts)))
    return f"The property `{report['property']}`{asked} is neither proved nor violated: {told}."


def what_to_try(report: Mapping[str, Any]) -> str:
    """What may help, in one sentence."""
    reason = report["reason"] + " ".join(report["stats"]["tried"])
    advice = [text for word, text in _ADVICE if word in reason]
    obstacles = _obstacles(report)
    first = obstacles[0] if obstacles else None
    late = _is_late(report)
    if first is not None and not advice:
        advice += _about(first)
    advice += [_about_memory(item) for item in _imprecise(report)[:1]]
    if late:
        advice.append("give it more time (--timeout) or one engine alone (--engine)")
    places = [found[1] for text in _reasons(report).values() if (found := _PLACE.match(text))]
    if places and not first:
        advice.insert(0, f"look at {places[0]}, where an engine has given up")
    if not advice:
        advice.append("try one engine alone (--engine), or --no-slice")
    return f"What to try: {'; '.join(dict.fromkeys(advice))}."


def _about(obstacle: Mapping[str, Any]) -> list[str]:
    place, function = obstacle["place"], obstacle["function"]
    match ObstacleKind(obstacle["kind"]):
        case ObstacleKind.LOOP | ObstacleKind.PATH if not place.startswith("predabs-"):
            return [
                f"limit the rounds of the loop at {place} (__VERIFIER_assume before it, or a"
                " smaller constant), or state what always holds at its head with assert()"
            ]
        case ObstacleKind.LOOP | ObstacleKind.PATH:
            return [f"limit the length of what is given to {function}"]
        case ObstacleKind.RECURSION:
            return [f"limit the depth of {function} with __VERIFIER_assume, or try --engine slam"]
        case ObstacleKind.INDUCTION | ObstacleKind.ERROR:
            return [f"state what always holds at {place} with assert()"]
        case ObstacleKind.SHAPES:
            return [f"look at the data structure at {place}"]


def _imprecise(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What formulas know little about: first what is in the functions of the obstacles."""
    functions = {item["function"] for item in _obstacles(report)}
    kinds = [kind.value for kind in Imprecision]
    found: list[Mapping[str, Any]] = [
        {**item, "place": PurePath(item["place"]).name} for item in report.get("imprecise", ())
    ]
    return sorted(
        found, key=lambda item: (item["function"] not in functions, kinds.index(item["kind"]))
    )


def _little_known(report: Mapping[str, Any]) -> str:
    """The first of these in words."""
    told = dict.fromkeys(_memory_words(item) for item in _imprecise(report))
    return f"formulas know little where {' and '.join(list(told)[:_FEW])}" if told else ""


def _memory_words(item: Mapping[str, Any]) -> str:
    """What is imprecise, and where."""
    name, at, among = f"`{item['name']}`", f"at {item['place']}", list(item["among"])
    match Imprecision(item["kind"]):
        case Imprecision.CALLEE:
            return f"{name} is called {at}, and no function of the program is bound to it"
        case Imprecision.UNKNOWN:
            return f"the pointer {name} {at} may lead to memory from outside"
        case Imprecision.BYTES:
            whole = f", as all of {' and '.join(among)}" if among else ""
            return f"{name} {at} is seen byte by byte{whole}"
        case Imprecision.CALLEES:
            return f"{name} is called {at}, which may be {' or '.join(among)}"
        case Imprecision.OBJECTS:
            return f"the pointer {name} {at} may point to {' or '.join(among)}"
        case Imprecision.ELEMENTS:
            return f"the array {name} is accessed {at} at an index that changes"


def _about_memory(item: Mapping[str, Any]) -> str:
    name, place = item["name"], item["place"]
    match Imprecision(item["kind"]):
        case Imprecision.CALLEE:
            return f"assign {name} a function of the program before {place}"
        case Imprecision.UNKNOWN:
            return f"give the function that {name} comes from a body, or say --extern-pointers null"
        case Imprecision.BYTES:
            what = " and ".join(item["among"]) or name
            return f"access {what} with one type everywhere, or try --engine bounded"
        case Imprecision.CALLEES | Imprecision.OBJECTS:
            return "try --engine bounded, which follows each of them"
        case Imprecision.ELEMENTS:
            return f"try --engine cells, which looks for what holds for all elements of {name}"


def _is_late(report: Mapping[str, Any]) -> bool:
    return any(word in report["reason"] for word in ("time limit", "CPU time"))


def _end(report: Mapping[str, Any]) -> str:
    """How the check has ended."""
    reason = " ".join(report["reason"].split())
    if _is_late(report):
        return f"the time was over after {report['seconds']:.0f} s"
    if report["stats"]["tried"] and _LINE.match(reason):
        return "all engines have given up"
    return _shortened(reason.rstrip("."))


def _obstacles(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Those of all engines, the most telling first: a loop that goes on, and what comes back.
    Files are named without their folders."""
    order = [kind.value for kind in ObstacleKind]
    found: list[Mapping[str, Any]] = [
        {**obstacle, "engine": engine, "place": PurePath(obstacle["place"]).name}
        for engine, used in report["engines"].items()
        for obstacle in used.get("obstacles", ())
    ]
    found.sort(key=lambda item: (order.index(item["kind"]), -item["count"]))
    return found


def _blocking(report: Mapping[str, Any]) -> list[str]:
    """The obstacles in words; what several engines meet at one place is told once."""
    places: dict[str, str] = {}
    for item in _obstacles(report):
        error = item.get("text", "")
        text = words(item["kind"], item["place"], item["function"], item["count"], error)
        if item["kind"] == ObstacleKind.PATH.value:
            text += f" ({item['engine']})"
        places.setdefault(item["place"], text)
    return list(places.values())[:_FEW]


def _reasons(report: Mapping[str, Any]) -> dict[str, str]:
    """By engine, why it has given up; none for those that only had no more time."""
    found: dict[str, str] = {}
    for line in report["stats"]["tried"]:
        told = _LINE.fullmatch(" ".join(line.split()))
        if told is not None:
            found[told["engine"]] = told["text"]
    return {
        engine: _FOLDERS.sub("", text)
        for engine, text in found.items()
        if not _NO_REASON.match(text)
    }


def _refusals(report: Mapping[str, Any]) -> list[str]:
    """Why engines have given up, with those together that say the same."""
    by_text: dict[str, list[str]] = {}
    for engine, text in _reasons(report).items():
        by_text.setdefault(_shortened(text), []).append(engine)
    # what names a place tells more
    order = sorted(by_text, key=lambda text: _PLACE.match(text) is None)
    return [f"{' and '.join(by_text[text])} gave up ({text})" for text in order[:_FEW]]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 4]} ..."
