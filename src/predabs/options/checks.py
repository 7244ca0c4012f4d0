"""The names of the checks: faults of C that count as errors on request, alone or in groups.

Of SPARK, the run-time checks of the language count unless others are named.

>>> sorted(expanded(["memory", "leak"]))
['deref', 'free', 'leak']
>>> "conversion" in expanded(["all"])
False
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

CHECKS: Mapping[str, str] = {
    "deref": "an access that is not inside one live object",
    "free": "a free of something else than the start of a live object from malloc",
    "leak": "an object from malloc that nothing points to any more",
    "cleanup": "an object from malloc that was not freed when the program ends",
    "uninit": "an uninitialised value that decides something",
    "div-by-zero": "a division or remainder by zero",
    "signed-overflow": "a signed result that its type cannot hold",
    "shift": "a shift by a negative amount or by the width or more, and of signed numbers to the "
    "left a negative one or a result that its type cannot hold",
    "float-cast-overflow": "a floating-point number that is converted to an integer type without "
    "such a value",
    "unreachable": "code that is declared unreachable (__builtin_unreachable, __builtin_assume)",
    "vla-bound": "an array of variable length, or alloca, of a negative size",
    "conversion": "a conversion between integer types that changes the value",
    "bounds": "an index outside an array of known length",
    "null": "an access through a null pointer",
    "range": "a value outside the subtype that it is needed in (SPARK)",
}

RUNTIME = frozenset(["range", "bounds", "signed-overflow", "div-by-zero"])
"""The checks of a SPARK program, which its front end finds."""

# `null` and `bounds` are parts of `deref`; a program may convert and end with objects on purpose
GROUPS: Mapping[str, tuple[str, ...]] = {
    "memory": ("deref", "free"),
    "runtime": ("range", "bounds", "signed-overflow", "div-by-zero"),
    "none": (),
    "all": (
        "deref",
        "free",
        "leak",
        "uninit",
        "div-by-zero",
        "signed-overflow",
        "shift",
        "float-cast-overflow",
        "unreachable",
        "vla-bound",
    ),
}


def expanded(words: Collection[str]) -> frozenset[str]:
    """The checks that the words name, of which each is a check or a group."""
    return frozenset(check for word in words for check in GROUPS.get(word, (word,)))
