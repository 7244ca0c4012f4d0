"""The address space of formulas: where functions, variables and allocated objects lie.

From low to high: functions, global variables, local variables (the stack), allocated objects (the
heap). Soundness duty: nothing that a program may do depends on these addresses, and no two objects
share a byte; a variable that each call of its function has elsewhere gets a range of addresses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ..analysis.memory.partition import Partition
from ..analysis.points_to.objects import Variable
from ..errors import UnsupportedFeature
from ..ir.address_space import FIRST_OBJECT
from ..ir.expr import Var
from ..records import dataclass, field
from .expressions import FIRST_ADDRESS

_ALIGNMENT = 16


@dataclass(slots=True)
class AddressLayout:
    """Addresses of `bits` bits for the variables and functions of a program; the variables in
    `several` have many instances, one for each call of their function."""

    partition: Partition
    bits: int
    several: frozenset[Var]
    _variables: dict[str, int] = field(default_factory=dict)
    _functions: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        program = self.partition.program
        variables = self.partition.points_to.address_taken.declared
        names = {item.var.name for item in program.globals}
        self._lay_out([var for name, var in variables.items() if name in names], *self.globals)
        self._lay_out([var for name, var in variables.items() if name not in names], *self.stack)
        for name in (*program.functions, *program.externals):
            self.function(name)

    def _lay_out(self, variables: Iterable[Var], low: int, high: int) -> None:
        """Give the variables addresses, with gaps between them."""
        endless = 1 << (self.bits - 8)  # for a global that is declared without a size
        for var in variables:
            self._variables[var.name] = low
            low += self._room if var in self.several else 0
            size = self.partition.points_to.size(Variable(var))
            low += (endless if size is None else size) // _ALIGNMENT * _ALIGNMENT + 2 * _ALIGNMENT
            if low > high:
                raise UnsupportedFeature(f"{var.name} does not fit into the address space")

    @property
    def _room(self) -> int:
        """For all instances of a variable that has several."""
        return 1 << (self.bits - 16)

    @property
    def globals(self) -> tuple[int, int]:
        """Where global variables lie; functions lie below."""
        return FIRST_OBJECT, (1 << (self.bits - 2)) - 1

    @property
    def stack(self) -> tuple[int, int]:
        """Where local variables lie."""
        return 1 << (self.bits - 2), self.heap[0] - 1

    @property
    def heap(self) -> tuple[int, int]:
        """Where allocated objects lie: even the largest one has room there, with a gap behind."""
        half = 1 << (self.bits - 1)
        return half - (1 << 16), 2 * half - 1

    def variable(self, var: Var) -> tuple[int, int]:
        """The lowest and the highest address that a variable of the program may have."""
        if var.name not in self._variables:
            raise UnsupportedFeature(f"{var.name} is a name for a value, which has no address")
        low = self._variables[var.name]
        return low, low + (self._room if var in self.several else 0)

    def variables_near(self, address: int) -> list[tuple[Var, int]]:
        """The variables around an address with their own: first the one that may have it inside."""
        ascending = list(self._variables.items())
        above = bisect_right(ascending, address, key=lambda item: item[1])
        declared = self.partition.points_to.address_taken.declared
        return [(declared[name], at) for name, at in ascending[max(0, above - 1) : above + 1]]

    def function(self, name: str) -> int:
        """The address of a function, which may be one that only a formula names."""
        return self._functions.setdefault(name, FIRST_ADDRESS + 16 * len(self._functions))
