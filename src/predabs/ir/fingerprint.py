"""Fingerprints: what a program is, as hashes that do not tell where in the source it stands.

Two programs with the same fingerprint differ in coordinates and in the numbers of locations at
most: a run of one is a run of the other. Of the layouts of records those count that are used.

Soundness duty: everything that a run can depend on is hashed; a collision of hashes would still
only offer a proof or inputs that are checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from ..records import dataclass
from .cfa import Function, Global, Location, Program
from .intern import Term
from .types import RecordType

_SIZE = 16


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The hash of a program, and those of its functions and of the records that it uses."""

    whole: str
    functions: Mapping[str, str]
    records: Mapping[str, str]


def fingerprint(program: Program) -> Fingerprint:
    """The hashes of a program."""
    hashes = _Hashes()
    functions = {name: hashes.function(f) for name, f in program.functions.items()}
    globals_ = [hashes.globally(item) for item in program.globals]
    records = _records(hashes, program)
    whole = _joined(
        *(f"{name} {found}" for name, found in sorted(functions.items())),
        *globals_,
        *(f"{tag} {found}" for tag, found in sorted(records.items())),
        program.entry,
        program.data_model.name,
        program.extern_pointers.name,
        program.language.name,
        str(program.steady_volatile),
    )
    return Fingerprint(whole, functions, records)


def location_numbers(function: Function) -> dict[Location, int]:
    """Numbers of locations that depend on the edges alone."""
    found = {function.entry: 0, function.exit: 1}
    for edge in function.edges:
        found.setdefault(edge.src, len(found))
        found.setdefault(edge.dst, len(found))
    return found


def _records(hashes: _Hashes, program: Program) -> dict[str, str]:
    """The layouts of the records that were met, and of those in them."""
    found: dict[str, str] = {}
    while new := [tag for tag in hashes.tags if tag not in found]:
        for tag in new:
            record = program.records.get(tag)
            found[tag] = "" if record is None else hashes.value(record).hex()
    return found


class _Hashes:
    """The hashes of terms that were met; each is computed once."""

    def __init__(self) -> None:
        self._terms: dict[Term, bytes] = {}
        self._atoms: dict[tuple[type, Any], bytes] = {}
        self.tags: dict[str, None] = {}  # of records

    def function(self, function: Function) -> str:
        number = location_numbers(function)
        head = (function.name, function.type, function.params, function.locals)
        return _joined(
            self.value(head).hex(),
            *(f"{name} {sorted(others)}" for name, others in sorted(function.blocks.items())),
            *(
                f"{number[edge.src]} {number[edge.dst]} {self.value(edge.op).hex()}"
                for edge in function.edges
            ),
        )

    def globally(self, item: Global) -> str:
        return self.value((item.var, item.init, item.external, item.linked)).hex()

    def value(self, value: Any) -> bytes:
        """The hash of a term, an operation, a record, or a tuple of such."""
        if isinstance(value, Term):
            return self._terms.get(value) or self._term(value)
        if isinstance(value, _ATOMS):
            if isinstance(value, float):  # 0.0 == -0.0
                return _digest(_name_of(value))
            key = value.__class__, value  # 1 == True
            known = self._atoms.get(key)
            if known is None:
                known = self._atoms[key] = _digest(_name_of(value))
            return known
        return _digest(_name(value.__class__), *map(self.value, _parts(value)))

    def _term(self, root: Term) -> bytes:
        """Terms may be very deep: those below come first."""
        known = self._terms
        todo: list[tuple[Term, tuple[Any, ...]]] = [(root, _parts(root))]
        while todo:
            term, parts = todo[-1]
            below = [part for part in _terms_in(parts) if part not in known]
            if below:
                todo += [(part, _parts(part)) for part in below]
                continue
            todo.pop()
            if term in known:
                continue
            if isinstance(term, RecordType):
                self.tags[term.tag] = None
            known[term] = _digest(_name(term.__class__), *map(self.value, parts))
        return known[root]


_ATOMS = (str, int, float, Enum, type(None))


def _name_of(atom: Any) -> bytes:
    """What an atom is, in bytes."""
    name = type(atom).__name__
    text = atom.name if isinstance(atom, Enum) else repr(atom)
    return f"{name} {text}".encode("utf-8", "surrogatepass")


@cache
def _name(of: type) -> bytes:
    return of.__name__.encode()


def _digest(*parts: bytes) -> bytes:
    """The hash of a name and of hashes, which are of one length."""
    return blake2b(b"".join(parts), digest_size=_SIZE).digest()


def _parts(value: Any) -> tuple[Any, ...]:
    """What a value is made of."""
    if isinstance(value, tuple):
        return value
    return _getter(value.__class__)(value)


@cache
def _getter(of: type) -> Callable[[Any], tuple[Any, ...]]:
    """Reads what values of a class are made of."""
    names: tuple[str, ...] = vars(of)["__match_args__"]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _terms_in(parts: tuple[Any, ...]) -> Iterable[Term]:
    for part in parts:
        if isinstance(part, Term):
            yield part
        elif isinstance(part, tuple):
            yield from (item for item in part if isinstance(item, Term))


def _joined(*parts: str) -> str:
    digest = blake2b(digest_size=_SIZE)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
