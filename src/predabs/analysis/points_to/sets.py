"""Points-to sets: what every pointer may point to, the result of the points-to analysis.

Flow-insensitive, inclusion-based, and by byte offsets inside objects; see `constraints` for what
the answers mean and rest on. One call analyses a whole program; after that, questions may be asked
about any expression over the program's variables, also one that the program does not contain.
"""

from __future__ import annotations

from ...errors import InternalError
from ...ir.cfa import Edge, ExternPointers, Program
from ...ir.expr import Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Call
from .access_paths import AccessPath, AccessPaths, Displacement
from .address_taken import AddressTaken, address_taken
from .constraints import Constraints
from .contents import COARSE, FINE
from .inclusion import TooMuchWork, members
from .objects import UNKNOWN, FunctionObject, Object, Target, Variable
from .offsets import Offsets, at, overlap

# elements passed on: the limit of the work
_WORK, _WORK_PER_EDGE = 100_000, 10


class PointsTo:
    """The result of the analysis of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.address_taken = address_taken(program)
        self._constraints = _solved(program, self.address_taken)
        self._memory = self._constraints.memory
        self._targets: dict[Expr, frozenset[Target]] = {}
        self._sets: dict[int, frozenset[Target]] = {}  # equal sets are one
        self._reached: dict[tuple[frozenset[Target], Displacement, int], frozenset[Target]] = {}

    @property
    def access_paths(self) -> AccessPaths:
        return self._constraints.access_paths

    def targets(self, pointer: Expr) -> frozenset[Target]:
        """Where the pointer (or a number that holds an address) may point.

        Empty if it can only be null or no address at all. `UNKNOWN` stands for memory of the
        environment and for every object that has escaped (none, if pointers from outside are apart
        from the program's objects).
        """
        known = self._targets.get(pointer)
        if known is None:
            node = self._constraints.values.of(pointer)
            self._memory.inclusions.solve()
            elements = 0 if node is None else self._memory.inclusions.elements(node)
            known = self._sets.get(elements)
            if known is None:
                known = frozenset(self._memory.targets[element] for element in members(elements))
                self._sets[elements] = known
            self._targets[pointer] = known
        return known

    def escaped(self, object_: Object) -> bool:
        """May an unknown address be one in this object?"""
        if self.program.extern_pointers is not ExternPointers.ANY:
            return isinstance(object_, FunctionObject) and object_ in self._memory.escaped
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
            starts = frozenset((Target(self.variable(path.root), at(0)),))
        else:
            starts = self.targets(path.root.pointer)
        key = (starts, path.displacement, path.size)
        known = self._reached.get(key)
        if known is None:
            found = set()
            for target in starts:
                offsets = path.displacement.apply(target.offsets)
                if target.object == UNKNOWN:
                    found.add(target)
                elif inside := self._memory.within(target.object, offsets, path.size):
                    found.add(Target(target.object, inside))
            known = self._reached[key] = frozenset(found)
        return known

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


def _solved(program: Program, addressed: AddressTaken) -> Constraints:
    """The solution, with less precision if the work is too much for a program of this size."""
    edges = sum(len(function.edges) for function in program.functions.values())
    work = _WORK + edges * _WORK_PER_EDGE
    try:
        return Constraints(program, addressed, FINE, work)
    except TooMuchWork:
        return Constraints(program, addressed, COARSE, 2 * work)


def points_to(program: Program) -> PointsTo:
    """Analyse a program."""
    return PointsTo(program)
