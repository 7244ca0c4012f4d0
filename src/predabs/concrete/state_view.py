"""What a run's state holds, for whoever watches it step by step.

Soundness duty: values and places are those that the next edge finds. To look at a term has the
effects of reading it: memory of the environment that is first read here is asked for here.
"""

from __future__ import annotations

from typing import TypeAlias

from ..ir.expr import Expr, Field, Lvalue, Var
from ..ir.types import IntType, size_of
from ..records import dataclass
from .conversions import Frame
from .memory import ByteObject
from .outcome import Value
from .runtime import Runtime
from .storage_layout import Register


@dataclass(frozen=True, slots=True)
class ByteRange:
    """`size` bytes from an address on; `partly` if only some of their bits are meant."""

    address: int
    size: int
    partly: bool = False


Place: TypeAlias = Register | ByteRange


class StateView:
    """The state of a run; `frame` is that of the function in which it is."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._sizes: dict[Lvalue, tuple[int, bool]] = {}
        self.frame: Frame = []

    @property
    def depth(self) -> int:
        """How many calls are open, that of the entry function included."""
        return self._runtime.depth

    def value(self, term: Expr) -> Value:
        """The value of a term."""
        runtime = self._runtime
        value: Value = runtime.name(runtime.translation.value(term))(self.frame)
        return value

    def place(self, lvalue: Lvalue) -> Place:
        """Where an lvalue lies."""
        runtime = self._runtime
        if isinstance(lvalue, Var):
            home = runtime.translation.layout.home(lvalue)
            if isinstance(home, Register):
                return home
        address = runtime.name(runtime.translation.address(lvalue))(self.frame)
        return ByteRange(address, *self._size(lvalue))

    def address(self, var: Var) -> int | None:
        """Where a global or a variable of the function at hand lies, if it has bytes."""
        home = self._runtime.translation.layout.home(var)
        if isinstance(home, Register):
            return None
        if home.address.isdigit():
            return int(home.address)
        address: int = self.frame[int(home.address[2:-1])]  # a slot of the frame: `r[5]`
        return address

    def end_of_object(self, address: int) -> int | None:
        """Where the object of the program ends that the address lies in, if it lies in one."""
        return self._runtime.memory.end_at(address)

    def object_near(self, address: int) -> ByteObject | None:
        """The object of the program, live or not, that the address lies in or little behind."""
        return self._runtime.memory.near(address)

    def function_at(self, address: int) -> str | None:
        """The function that has the address."""
        return self._runtime.function_at.get(address)

    def _size(self, lvalue: Lvalue) -> tuple[int, bool]:
        """The number of bytes, and whether they hold other members as well."""
        found = self._sizes.get(lvalue)
        if found is None:
            found = size_of(lvalue.type), False
            if isinstance(lvalue, Field):
                member, _ = self._runtime.translation.layout.member(lvalue.base.type, lvalue.name)
                if member.bitfield and isinstance(member.type, IntType):
                    found = (member.bit % 8 + member.type.bits + 7) // 8, True
            self._sizes[lvalue] = found
        return found
