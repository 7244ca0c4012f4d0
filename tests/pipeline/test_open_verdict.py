"""Why an UNKNOWN is one: the loop, the recursion, the place where an engine has given up."""

from __future__ import annotations

from typing import Any

import pytest

from predabs.pipeline.explanation import explanation


def report(
    reason: str = "the time limit was reached",
    tried: list[str] | None = None,
    **obstacles: list[dict[str, Any]],
) -> dict[str, Any]:
    return {
        "verdict": "UNKNOWN",
        "reason": reason,
        "property": "assert",
        "checks": [],
        "assumptions": [],
        "seconds": 60.2,
        "engines": {name: {"obstacles": found} for name, found in obstacles.items()},
        "stats": {"tried": tried or []},
    }


def obstacle(kind: str, place: str, function: str, count: int) -> dict[str, Any]:
    return {"kind": kind, "place": place, "function": function, "count": count}


LOOP = obstacle("loop", "src/a.c:12", "main", 512)


def test_a_loop_is_named_with_its_rounds() -> None:
    why, assumed, after = explanation(report(bounded=[LOOP]))
    assert why == (
        "The property `assert` is neither proved nor violated: the time was over after 60 s;"
        " the loop at a.c:12 (main) goes on after 512 rounds."
    )
    assert assumed == "Nothing was assumed."
    assert "limit the rounds of the loop at a.c:12" in after and "--timeout" in after


def test_one_place_is_told_once() -> None:
    path = obstacle("path", "src/a.c:12", "main", 5)
    other = obstacle("induction", "src/a.c:30", "f", 3)
    why, _, _ = explanation(report(lazy=[path], kinduction=[other], bounded=[LOOP]))
    assert why.count("a.c:12") == 1 and "goes on after 512 rounds" in why
    assert "induction with k = 3 does not exclude the error at a.c:30 (f)" in why


@pytest.mark.parametrize(
    ("found", "told", "advice"),
    [
        (obstacle("recursion", "a.c:3", "fib", 9), "the recursion of fib", "the depth of fib"),
        (obstacle("path", "a.c:3", "f", 1), "take the loop at a.c:3 (f) once", "loop at a.c:3"),
        (obstacle("error", "a.c:3", "f", 0), "at a.c:3 (f) are excluded one by one", "at a.c:3"),
        (
            obstacle("loop", "predabs-models.c:7", "strlen", 8),
            "a loop inside of strlen goes on after 8 rounds",
            "what is given to strlen",
        ),
    ],
)
def test_other_obstacles(found: dict[str, Any], told: str, advice: str) -> None:
    why, _, after = explanation(report(lazy=[found]))
    assert told in why
    assert advice in after


def test_who_has_given_up_and_where() -> None:
    tried = [
        "bounded (shallow bugs, short loops), 1.5 s: x/a.c:7:3: a call of any function",
        "lazy (predicates that prove it), 2.0 s: no proof yet with 3 predicates",
        "slam: x/a.c:7:3: a call of any function",
        "smg (shapes of lists that prove it), 0.1 s: too many shapes",
    ]
    reason = "bounded: x/a.c:7:3: a call of any function; lazy: no proof yet"
    why, _, after = explanation(report(reason, tried))
    assert "all engines have given up" in why
    assert "bounded and slam gave up (a.c:7:3: a call of any function)" in why
    assert "smg gave up (too many shapes)" in why and "no proof yet" not in why
    assert "look at a.c:7" in after and "function pointer" in after


def test_an_engine_alone_gives_its_reason() -> None:
    why, _, after = explanation(report("a.c:3:1: qsort has no model"))
    assert why.endswith("neither proved nor violated: a.c:3:1: qsort has no model.")
    assert "give the function a body" in after


def imprecise(kind: str, name: str, *among: str, function: str = "main") -> dict[str, Any]:
    return {
        "kind": kind,
        "place": "src/a.c:9",
        "function": function,
        "name": name,
        "among": list(among),
    }


@pytest.mark.parametrize(
    ("found", "told", "advice"),
    [
        (imprecise("unknown", "p"), "the pointer `p` at a.c:9 may lead", "--extern-pointers null"),
        (imprecise("callee", "d->op"), "`d->op` is called at a.c:9, and no", "assign d->op"),
        (imprecise("bytes", "g.i", "g"), "`g.i` at a.c:9 is seen byte by byte", "access g with"),
        (imprecise("callees", "f", "a", "b"), "which may be a or b", "--engine bounded"),
        (imprecise("objects", "q", "x", "y"), "may point to x or y", "--engine bounded"),
        (imprecise("elements", "a"), "the array `a` is accessed at a.c:9", "--engine cells"),
    ],
)
def test_memory_is_named(found: dict[str, Any], told: str, advice: str) -> None:
    why, _, after = explanation({**report(), "imprecise": [found]})
    assert told in why
    assert advice in after


def test_memory_where_the_obstacle_is_comes_first() -> None:
    far, near = imprecise("unknown", "p", function="f"), imprecise("elements", "a")
    why, _, after = explanation({**report(bounded=[LOOP]), "imprecise": [far, near]})
    assert why.index("`a`") < why.index("`p`")
    assert "--engine cells" in after


def test_an_access_that_is_not_excluded_is_named() -> None:
    access = {**obstacle("error", "a.c:3", "f", 0), "text": "invalid read of a[i]"}
    why, _, _ = explanation(report(lazy=[access]))
    assert "paths to the error at a.c:3 (f), invalid read of a[i], are excluded" in why
