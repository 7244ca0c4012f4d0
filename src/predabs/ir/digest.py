"""A digest of a program: two programs with the same one have the same automata, term for term.

Source coordinates and comments do not count, nor does the order of functions.

>>> from .cfa import Program
>>> from .types import DataModel
>>> one = Program({}, (), {}, "main", DataModel.LP64, {}, (), ())
>>> digest(one) == digest(Program({}, (), {}, "main", DataModel.LP64, {}, (), ()))
True
>>> digest(one) == digest(Program({}, (), {}, "start", DataModel.LP64, {}, (), ()))
False
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any

from ..errors import InternalError
from .cfa import Coord, Function, Program
from .intern import Term


def digest(program: Program) -> str:
    """The digest, as hexadecimal digits."""
    made = _Digests()
    parts = [
        *(_function(made, program.functions[name]) for name in sorted(program.functions)),
        *(made.of((g.var, g.init, g.external)) for g in program.globals),
        *(
            made.of((record.type, record.union, tuple(map(_plain, record.members))))
            for _, record in sorted(program.records.items())
        ),
        made.of(tuple(sorted(program.externals))),
        made.of((program.entry, program.data_model, program.extern_pointers)),
        made.of(program.steady_volatile),
    ]
    return _hash("program", *parts)


def _function(made: _Digests, function: Function) -> str:
    edges = tuple((edge.src.index, edge.op, edge.dst.index) for edge in function.edges)
    ends = (function.name, function.type, function.entry.index, function.exit.index)
    return made.of((ends, function.params, function.locals, edges))


def _hash(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def _plain(value: Any) -> tuple[object, ...]:
    kept = [item for item in fields(value) if item.init]
    return type(value).__name__, *(getattr(value, item.name) for item in kept)


class _Digests:
    """Digests of terms, each made once; terms may be thousands of levels deep."""

    def __init__(self) -> None:
        self._known: dict[Term, str] = {}

    def of(self, value: object) -> str:
        """The digest of a value that is no deeper than its terms."""
        if isinstance(value, Term):
            return self._term(value)
        if isinstance(value, tuple):
            return _hash("(", *map(self.of, value), ")")
        if value is None or isinstance(value, bool | int | str):
            return f"{type(value).__name__} {value}"
        if isinstance(value, Enum):
            return f"{type(value).__name__}.{value.name}"
        if isinstance(value, Coord):
            return ""
        if is_dataclass(value):
            return self.of(_plain(value))
        raise InternalError(f"a {type(value).__name__} has no digest")

    def _term(self, root: Term) -> str:
        stack = [root]
        while stack:
            term = stack[-1]
            if term in self._known:
                stack.pop()
                continue
            parts = [getattr(term, name) for name in type(term).__match_args__]  # type: ignore[attr-defined]
            inner = [part for part in _flat(parts) if isinstance(part, Term)]
            open_ = [part for part in inner if part not in self._known]
            if open_:
                stack += open_
                continue
            stack.pop()
            self._known[term] = _hash(type(term).__name__, *map(self.of, parts))
        return self._known[root]


def _flat(parts: list[Any]) -> list[Any]:
    return [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]
