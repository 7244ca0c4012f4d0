"""Citations: every `[KEY, place]` has an entry in docs/papers.md, and every entry is of use."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest

from support.places import ROOT

PAPERS = ROOT / "docs" / "papers.md"
FOLDERS = ("src", "tests", "bench", "fuzz", "docs", "examples")
TEXTS = {".py", ".md", ".c", ".h", ".bp", ".preds", ".rule", ".sh"}

KEY = r"[A-Z][A-Za-z]*\+?\d\d[a-z]?"
CITATION = re.compile(rf"\[({KEY}(?:[,;][^\[\]]*)?)\]")
LINK = re.compile(rf"\[({KEY})[^\[\]]*\]\((?:[\w./-]*/)?papers\.md#([^)]*)\)")
PLACE = re.compile(
    r"\b(?:sections?|figures?|tables?|theorems?|lemmas?|definitions?|algorithms?) \d", re.IGNORECASE
)
NUMBERED = re.compile(
    r"papers?[ _]00\d|\b00[0-4],? (?:section|figure|table|theorem)", re.IGNORECASE
)
UNNAMED = re.compile(r"\b(?:the|this|that) papers?\b(?!/)", re.IGNORECASE)
NO_KEYS = {"LP64", "ILP32"}  # data models look like keys

ENTRIES = dict(re.findall(r"^### (\S+)\n\n(.*?)(?=^##|\Z)", PAPERS.read_text("utf-8"), re.M | re.S))


def files() -> list[Path]:
    found = chain.from_iterable((ROOT / folder).rglob("*") for folder in FOLDERS)
    inside = [path for path in found if path.suffix in TEXTS and path.is_file()]
    return sorted([*inside, *ROOT.glob("*.md")])


FILES = files()


def prose(text: str) -> Iterator[str]:
    """The strings of a Python file, and its comments, those of neighbouring lines together."""
    comments: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if comments and token.start[0] != last + 1:
                yield " ".join(comments)
                comments = []
            comments.append(token.string.lstrip("# "))
            last = token.start[0]
        elif token.type == tokenize.STRING:
            yield token.string
    if comments:
        yield " ".join(comments)


def read(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def pieces(path: Path) -> list[str]:
    return list(prose(read(path))) if path.suffix == ".py" else [read(path)]


PIECES = {path: pieces(path) for path in FILES}


def keys(text: str) -> list[str]:
    """The keys that a text cites."""
    parts = [part.strip() for found in CITATION.findall(text) for part in found.split(";")]
    cited = [match[0] for part in parts if (match := re.match(KEY, part)) is not None]
    return [key for key in cited if key not in NO_KEYS]


def where(entry: str) -> list[str]:
    """The modules that an entry names."""
    line = entry.partition("Where: ")[2]
    return re.findall(r"`([^`]*)`", line)


def exists(module: str) -> bool:
    starts = (ROOT / "src" / "predabs" / module, ROOT / module)
    return any(
        start.with_suffix(".py").is_file() or (start / "__init__.py").is_file() for start in starts
    )


def test_how_citations_are_read() -> None:
    assert keys("as in [GC10, section 5.3] and [BMR05;\nBPR01, section 7]") == [
        *("GC10", "BMR05", "BPR01")
    ]
    assert keys("[BCG+09](papers.md#bcg09), [LP64, ILP32], [value], a[X1], [1, 2]") == ["BCG+09"]
    assert list(prose('"""[A]"""\n# one\n# two\nx = y[Z]  # three\n')) == [
        '"""[A]"""',
        "one two three",
    ]
    assert NUMBERED.search("of_" + "paper_00" + "3") and NUMBERED.search("00" + "1, theorem")
    assert UNNAMED.search("as in the" + " paper") and not UNNAMED.search("the papers/ folder")
    assert exists("bdd") and exists("numpred/domain") and exists("fuzz/reduce")
    assert not exists("bdd/none") and not exists("refine/none")


def offending(wrong: Callable[[Path, str], object]) -> list[tuple[str, str]]:
    """The files with the pieces of text that are wrong."""
    found = ((path, piece) for path in FILES for piece in PIECES[path])
    return [(str(path.relative_to(ROOT)), piece) for path, piece in found if wrong(path, piece)]


def test_citations_have_entries() -> None:
    assert offending(lambda _, piece: set(keys(piece)) - set(ENTRIES)) == []


def test_no_paper_goes_by_a_number() -> None:
    assert [path for path in FILES if NUMBERED.search(read(path))] == []


def test_no_paper_goes_without_a_key() -> None:
    """Whoever speaks of a paper, or of a section, says of which."""
    assert offending(lambda _, piece: UNNAMED.search(piece)) == []
    assert (
        offending(
            lambda path, piece: path.suffix == ".py" and PLACE.search(piece) and not keys(piece)
        )
        == []
    )


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry(key: str) -> None:
    """It has a title, a year that its key bears, what is taken from it, and where that is."""
    entry = ENTRIES[key]
    assert re.fullmatch(KEY, key)
    data, taken, *_ = entry.split("\n\n")
    assert re.search(r"\*[^*]+\*", data) and taken.strip()
    assert any(year[2:] == key.rstrip("abc")[-2:] for year in re.findall(r"\b\d{4}\b", data))
    assert [module for module in where(entry) if not exists(module)] == []
    assert where(entry) or any(
        key in keys(piece) for path in FILES if path != PAPERS for piece in PIECES[path]
    )


def test_the_five_are_cited() -> None:
    """Those that define the system, each by several modules."""
    for key in ("BPR01", "BMR05", "Mir13", "GC10", "HJMS02"):
        citing = [
            path
            for path in FILES
            if "src" in path.parts and any(key in keys(p) for p in PIECES[path])
        ]
        assert len(citing) > 3


def test_links_lead_to_their_entries() -> None:
    found = [link for path in FILES for link in LINK.findall("\n".join(PIECES[path]))]
    assert len(found) > 20
    assert [(key, anchor) for key, anchor in found if anchor != key.lower().replace("+", "")] == []
