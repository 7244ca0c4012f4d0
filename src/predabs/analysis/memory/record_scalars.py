"""The scalars that a record is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...ir.expr import Const, Field, Index, Lvalue
from ...ir.types import ArrayType, DataModel, Record, RecordType


class RecordScalars:
    """Finds the scalar parts of lvalues."""

    def __init__(self, records: Mapping[str, Record], data_model: DataModel) -> None:
        self._records = records
        self._index_type = data_model.diff_type

    def all(self, lvalue: Lvalue, most: int) -> tuple[Lvalue, ...] | None:
        """Every scalar of a record or array; None if a union hides them or they are too many."""
        found: list[Lvalue] = []
        for leaf in self._parts(lvalue, most):
            if leaf is None or len(found) == most:
                return None
            found.append(leaf)
        return tuple(found)

    def members(self, lvalue: Lvalue) -> Iterator[Lvalue]:
        """The scalars that member names alone lead to, through structs but not unions or arrays."""
        for leaf in self._parts(lvalue, 0):
            if leaf is not None:
                yield leaf

    def _parts(self, lvalue: Lvalue, longest: int) -> Iterator[Lvalue | None]:
        """The scalars, with None for each union and each array that is longer than `longest`."""
        todo = [lvalue]
        while todo:
            part = todo.pop()
            match part.type:
                case RecordType(tag, _):
                    record = self._records.get(tag)
                    if record is None or record.union:
                        yield None
                        continue
                    todo += [Field(part, m.name, m.type) for m in reversed(record.members)]
                case ArrayType(element, length):
                    if length > longest:
                        yield None
                        continue
                    numbers = [Const(n, self._index_type) for n in reversed(range(length))]
                    todo += [Index(part, number, element) for number in numbers]
                case _:
                    yield part
