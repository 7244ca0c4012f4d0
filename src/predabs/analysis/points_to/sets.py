"""Points-to sets: what every pointer may point to, the result of the points-to analysis.

Flow-insensitive, inclusion-based, and by byte offsets inside objects; see `constraints` for what
the answers mean and rest on. One call analyses a whole program; after that, questions may be asked
about any expression over the program's variables, also one that the program does not contain.
"""

from __future__ import annotations

from ...errors import InternalError
from ...ir.cfa import Edge, Program
from ...ir.expr import Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Call
from .access_paths import AccessPath, AccessPaths
from .address_taken import address_taken
from .constraints import Constraints
from .objects import UNKNOWN, Object, Target, Variable
from .offsets import Offsets, overlap


class PointsTo:
    """The result of the analysis of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.address_taken = address_taken(program)
        self._constraints = Constraints(program, self.address_taken)
        self._memory = self._constraints.memory
        self._targets: dict[Expr, frozenset[Target]] = {}

    @property
    def access_paths(self) -> AccessPaths:
        return self._constraints.access_paths

    def targets(self, pointer: Expr) -> frozenset[Target]:
        """Where the pointer (or a number that holds an address) may point.

        Empty if it can only be null or no address at all. `UNKNOWN` stands for memory of the open
        environment and for every object that has escaped.
        """
        known = self._targets.get(pointer)
        if known is None:
            node = self._constraints.values.of(pointer)
            self._memory.inclusions.solve()
            elements = () if node is None else self._memory.inclusions.elements(node)
            known = frozenset(self._memory.targets[element] for element in elements)
            self._targets[pointer] = known
        return known

    def escaped(self, object_: Object) -> bool:
        """May an unknown address be one in this object?"""
        return object_ in self._memory.escaped

    def size(self, object_: Object) -> int | None:
        """The object's size in bytes, if it is always the same."""
        return self._memory.size(object_)

    def within(self, object_: Object, offsets: Offsets, size: int) -> Offsets | None:
        """The offsets at which so many bytes lie in the object, or None if they never do."""
        return self._memory.within(object_, offsets, size)

    def reached(self, lvalue: Lvalue) -> frozenset[Target]:
        """The targets (objects with offsets) that a read or write of the lvalue may touch without a
        fault."""
        return self.reached_by(self.access_paths.accessed(lvalue))

    def reached_by(self, path: AccessPath) -> frozenset[Target]:
        """The same for an access path."""
        if isinstance(path.root, Var):
            starts = frozenset((Target(self.variable(path.root), path.displacement.start),))
        else:
            starts = frozenset(
                Target(t.object, path.displacement.apply(t.offsets))
                for t in self.targets(path.root.pointer)
            )
        found = set()
        for target in starts:
            if target.object == UNKNOWN:
                found.add(target)
            elif inside := self._memory.within(target.object, target.offsets, path.size):
                found.add(Target(target.object, inside))
        return frozenset(found)

    def variable(self, var: Var) -> Variable:
        """The object that a variable is."""
        return self._constraints.values.object(var)

    def may_alias(self, one: Lvalue, two: Lvalue) -> bool:
        """May the two lvalues have a byte in common, in some state that a run can come to?

        Instances of a local in different calls of its function count as one.
        """
        one_size = self.access_paths.accessed(one).size
        two_size = self.access_paths.accessed(two).size
        return any(
            self._overlap(a, one_size, b, two_size)
            for a in self.reached(one)
            for b in self.reached(two)
        )

    def _overlap(self, one: Target, one_size: int, two: Target, two_size: int) -> bool:
        if one.object == two.object:
            return one.object == UNKNOWN or overlap(one.offsets, one_size, two.offsets, two_size)
        if one.object == UNKNOWN:
            return self.escaped(two.object)
        return two.object == UNKNOWN and self.escaped(one.object)

    def call_targets(self, edge: Edge) -> tuple[str, ...]:
        """The functions that a call may reach, in a fixed order; some may have no body."""
        if not isinstance(edge.op, Call):
            raise InternalError(f"{edge.coord}: not a call, so it has no targets")
        if isinstance(edge.op.callee, FunctionAddress):
            return (edge.op.callee.name,)
        return tuple(sorted(self._constraints.calls[edge]))

    def may_be_unknown(self, edge: Edge) -> bool:
        """May the call go through an address of the open environment?

        Then it may reach code that is not in the program, besides all of `call_targets`.
        """
        return edge in self._constraints.unknown_calls


def points_to(program: Program) -> PointsTo:
    """Analyse a program."""
    return PointsTo(program)
