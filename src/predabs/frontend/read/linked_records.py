"""Structs and unions of several files: which of them are the same.

In C each file has its own types. A struct that one file only declares is the one that another
defines; two files may define a struct of the same name differently, and then these are two.
Soundness duty: types that C calls compatible are one type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ...ir.cfa import Coord
from ...records import dataclass, field

Shape: TypeAlias = tuple[object, ...]
"""Names, places and written types of the members, and the size of the whole."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A struct or union that a file defines outside of functions; its shape is rarely needed."""

    size: int
    place: Coord
    shape: Callable[[], Shape]


@dataclass(frozen=True, slots=True)
class RecordLinks:
    """For one file: the tags that mean something else than in other files, with their new names;
    the sizes of records that only other files define."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)


def link_records(files: Sequence[tuple[str, Mapping[str, Definition]]]) -> list[RecordLinks]:
    """What each file has to know of the others; a name is that of the first file that defines it.

    >>> one = {"struct s": Definition(4, Coord("a.c", 1, 8), lambda: (4,))}
    >>> two = {"struct s": Definition(8, Coord("b.c", 1, 8), lambda: (8,))}
    >>> [links.renamed for links in link_records([("a.c", one), ("b.c", two)])]
    [{}, {'struct s': 'struct s@b.c'}]
    >>> [dict(links.sizes) for links in link_records([("a.c", one), ("b.c", {})])]
    [{}, {'struct s': 4}]
    """
    first: dict[str, Definition] = {}
    ambiguous: set[str] = set()
    renamed: list[dict[str, str]] = []
    for file, definitions in files:
        mine: dict[str, str] = {}
        for tag, definition in definitions.items():
            earlier = first.setdefault(tag, definition)
            if not _alike(earlier, definition):
                mine[tag] = f"{tag}@{file}"
                ambiguous.add(tag)
        renamed.append(mine)
    whole = {tag: known.size for tag, known in first.items() if tag not in ambiguous}
    return [
        RecordLinks(names, {tag: size for tag, size in whole.items() if tag not in definitions})
        for names, (_, definitions) in zip(renamed, files, strict=True)
    ]


def _alike(one: Definition, other: Definition) -> bool:
    """What stands in one place, in a header, is the same; if macros make it differ all the same,
    that shows when it is used."""
    if one.place == other.place and one.size == other.size:
        return True
    return one.shape() == other.shape()
