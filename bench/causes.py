"""What holds an unsolved task back: a cause, told from the reason and the costs of an answer.

The reason that the engine gives decides first; where engines took turns, that of the lazy one, as
proofs are its duty. A task that only ran out of time is told apart by what it was doing: a
refinement that goes on and on, a solver that takes most of the time, or else the phase that took
longest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from predabs.bench.text_table import Table

from .answers import Answer

# what the reason says, and what that means; the first that fits
_REASONS = tuple(
    (re.compile(pattern, re.IGNORECASE), cause)
    for pattern, cause in (
        (r"crash", "the analysis crashes"),
        (r"did not replay", "a violation does not replay"),
        (r"memory limit|not enough memory|too large to|out of memory", "memory limit"),
        (r"recurs|calls are open|call depth", "recursion"),
        (
            r"diverge|no new predicate|no progress|same path|no predicate|cannot be refined"
            r"|not refute",
            "refinement diverges",
        ),
        (r"all-sat|too many models|more than \S+ (cubes|models)", "all-sat"),
        (r"solver could not decide|solver (gave|gives) up", "solver time"),
        (
            r"pointer|address|overlap|object|block of memory|allocat|aggregate|string literal"
            r"|memory is copied|is a union|written as .* and read as|is filled",
            "memory model",
        ),
        (r"floating-point|conversion from|has no formula", "no exact formula"),
        (r"more than \S+ moves", "block too large"),
        (r"not supported|nested too deep", "front end"),
    )
)
_ENDED = re.compile(r"reached \((\w[\w -]*)")  # by force, while it was doing this
_LAZY = re.compile(r"\blazy: (.*?)(?:; bounded: .*)?$")
_MANY_REFINEMENTS = 30
_MOST = 0.5  # of the time


def cause_of(answer: Answer) -> str:
    """The cause in words.

    >>> cause_of(Answer("t", "c", True, "UNKNOWN", "a.c:3:1: a vector type is not supported"))
    'front end'
    >>> cause_of(Answer("t", "c", True, "UNKNOWN", "a limit of CPU time was reached (slicing)"))
    'time limit: slicing'
    """
    if answer.verdict == "ERROR":
        return "failure of the tool"
    ended = _ENDED.search(answer.reason)
    said = answer.reason[: ended.start()] if ended else answer.reason
    lazy = _LAZY.search(said)
    if lazy:
        said = lazy[1]
    for pattern, cause in _REASONS:
        if pattern.search(said):
            return cause
    if "limit" not in answer.reason:
        return "other"
    if (answer.refinements or 0) >= _MANY_REFINEMENTS:
        return "refinement diverges"
    if (answer.solver or 0.0) > _MOST * answer.wall > 0:
        return "solver time"
    phases = answer.seconds_by_phase
    if phases:
        return f"time limit: {max(phases, key=lambda name: phases[name])}"
    doing = ended[1].strip() if ended else answer.engine
    return f"time limit: {doing}"


def causes(answers: Sequence[Answer]) -> Table:
    """The unsolved tasks by cause, the most frequent first."""
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        if not answer.solved and not answer.wrong:
            found.setdefault(cause_of(answer), []).append(answer)
    rows = [
        (cause, str(len(group)), _where(group))
        for cause, group in sorted(found.items(), key=lambda item: -len(item[1]))
    ]
    if rows:
        rows.append(("all", str(sum(map(len, found.values()))), ""))
    return Table("unsolved tasks by cause", ("cause", "tasks", "where"), rows, frozenset({0, 2}))


def _where(answers: Sequence[Answer]) -> str:
    """The categories of the tasks, the most frequent first."""
    counts: dict[str, int] = {}
    for answer in answers:
        counts[answer.category] = counts.get(answer.category, 0) + 1
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{name} {count}" if count > 1 else name for name, count in most[:6]]
    return ", ".join(shown + (["..."] if len(most) > 6 else []))
