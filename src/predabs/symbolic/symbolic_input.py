"""The inputs that an exploration takes, with the conditions under which a run takes them."""

from __future__ import annotations

from ..analysis.memory.views import View
from ..ir.cfa import Coord
from ..ir.ops import Source
from ..ir.types import Type
from ..records import dataclass
from ..smt.term import Term
from .content import Initial
from .environment_addresses import EnvironmentAddresses
from .state import Guard


@dataclass(frozen=True, slots=True)
class EnvironmentContent:
    """What memory of the environment holds at an address in the beginning."""

    addresses: EnvironmentAddresses
    address: Term
    content: Term


@dataclass(frozen=True, slots=True)
class EnvironmentAccess:
    """Where `guard` holds, memory of the environment is read or written, as the view says; as any
    bytes, if there is none."""

    guard: Guard
    address: Term
    size: int
    view: View | None
    writes: bool


@dataclass(frozen=True, slots=True)
class SymbolicInput:
    """An input that is taken where `guard` holds; `order` sorts the inputs of one run."""

    order: tuple[int, ...]
    guard: Guard
    source: Source
    name: str
    type: Type
    coord: Coord
    value: Term | Initial | EnvironmentContent
    size: int | Term  # of the bytes, if the value is no term
