"""Points-to sets: what every pointer may point to, the result of the points-to analysis.

Flow-insensitive, inclusion-based, and by byte offsets inside objects; see `constraints` for what
the answers mean and rest on. One call analyses a whole program; after that, questions may be asked
about any expression over the program's variables, also one that the program does not contain.

A part of a program has the facts of the whole, but for addresses that the part does not take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ...errors import InternalError
from ...ir.cfa import Edge, ExternPointers, Program
from ...ir.expr import Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Alloc, Call
from .access_paths import AccessPath, AccessPaths, Displacement
from .address_taken import AddressTaken, address_taken
from .constraints import Constraints
from .contents import COARSE, FINE
from .inclusion import TooMuchWork, members
from .objects import UNKNOWN, Allocated, FunctionObject, Object, Target, Variable
from .offsets import Offsets, at, overlap

# elements passed on: the limit of the work
_WORK, _WORK_PER_EDGE = 100_000, 10
# Edges of a program in which all precision is tried for a moment only, and of one in which that is
# not enough for sure. In drivers of that size it makes hardly a difference to the partition.
_LARGE, _VAST = 5_000, 10_000
_WORK_OF_LARGE = 50_000

# where accesses lead: from targets, by a displacement, so many bytes
_Reached: TypeAlias = dict[tuple[frozenset[Target], Displacement, int], frozenset[Target]]

# a part of a program with fewer of its edges is analysed anew, if that tells more apart
_SMALL_PART = 0.5


class PointsTo:
    """The result of the analysis of one program; `origin` has the edges that were analysed for
    those of a part of it, unless they are the same, `reached` what is known of the whole."""

    def __init__(
        self,
        program: Program,
        addressed: AddressTaken,
        constraints: Constraints,
        origin: Mapping[Edge, Edge] | None = None,
        reached: _Reached | None = None,
    ) -> None:
        self.program = program
        self.address_taken = addressed
        self._constraints = constraints
        self._memory = constraints.memory
        self._origin = origin or {}
        self._made = (  # the allocations of this program, if it is a part
            None
            if origin is None
            else {old: Allocated(new) for new, old in origin.items() if isinstance(new.op, Alloc)}
        )
        self._call_targets: dict[Edge, tuple[str, ...]] = {}
        self._targets: dict[Expr, frozenset[Target]] = {}
        self._sets: dict[int, frozenset[Target]] = {}  # equal sets are one
        self._reached = {} if reached is None else reached

    @property
    def is_coarse(self) -> bool:
        """Was so much told apart as time allowed, and not all?"""
        return self._constraints.is_coarse

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
                found = (self._memory.targets[element] for element in members(elements))
                known = frozenset(self._own(target) for target in found if self._is_taken(target))
                self._sets[elements] = known
            self._targets[pointer] = known
        return known

    def _is_taken(self, target: Target) -> bool:
        """Does this very program, maybe a part of what was analysed, take the object's address?"""
        match target.object:
            case Variable(var):
                return var.name in self.address_taken.variables
            case FunctionObject(name):
                return name in self.address_taken.functions
            case Allocated(edge):
                return self._made is None or edge in self._made
        return True

    def _own(self, target: Target) -> Target:
        """The target as one of this program."""
        match target.object:
            case Allocated(edge) if self._made is not None:
                return Target(self._made[edge], target.offsets)
        return target

    def escaped(self, object_: Object) -> bool:
        """May an unknown address be one in this object?"""
        if isinstance(object_, Allocated):
            object_ = Allocated(self._origin.get(object_.edge, object_.edge))
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
            apply, within, size = path.displacement.apply, self._memory.within, path.size
            for target in starts:
                object_ = target.object
                if object_ is UNKNOWN:
                    found.add(target)
                elif inside := within(object_, apply(target.offsets), size):
                    found.add(Target(object_, inside))
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
        known = self._call_targets.get(edge)
        if known is None:
            found = self._constraints.calls[self._origin.get(edge, edge)]
            known = tuple(sorted(found.keys() & self.address_taken.functions))
            self._call_targets[edge] = known
        return known

    def may_be_unknown(self, edge: Edge) -> bool:
        """May the call go through an address of the open environment?

        Then it may reach code that is not in the program, besides all of `call_targets`.
        """
        return self._origin.get(edge, edge) in self._constraints.unknown_calls

    # --- other programs that were made from this one ----------------------------------------------

    def handing_on(self, variables: Iterable[Var], pointers: Iterable[Expr]) -> list[Var]:
        """Those of the scalar variables whose values one of the pointers may get; all of them point
        to nothing so far."""
        values, inclusions = self._constraints.values, self._memory.inclusions
        registers = {node: var for var in variables if (node := values.register(var)) is not None}
        nodes = [node for pointer in pointers if (node := values.of(pointer)) is not None]
        return [registers[node] for node in inclusions.feeding(registers, nodes)]

    def with_inputs(self, program: Program, variables: Iterable[Var]) -> PointsTo:
        """The facts of the program in which these globals are inputs. They take the place of these
        here, which are not asked any more."""
        self._constraints.inputs(variables)
        origin = None if self._made is None else self._origin
        return PointsTo(program, self.address_taken, self._constraints, origin, self._reached)

    def of_part(self, program: Program, origin: Mapping[Edge, Edge]) -> PointsTo:
        """The facts of a part of the program, whose edges come from these; an edge has lost or
        changed values that hold no address, or is the same.

        Soundness duty: the part has no constraint that the whole has not. Only a pointer that
        nothing writes any more might come from outside: whoever leaves out all that writes a
        pointer leaves out what reads it.
        """
        addressed = address_taken(program)
        if self.is_coarse and _size(program) < _SMALL_PART * _size(self.program):
            try:
                return PointsTo(program, addressed, _fine(program, self.access_paths, addressed))
            except TooMuchWork:
                pass
        old = {
            edge: self._origin.get(from_, from_)
            for function in program.functions.values()
            for edge in function.edges
            if isinstance(edge.op, Alloc | Call) and (from_ := origin.get(edge, edge))
        }
        return PointsTo(program, addressed, self._constraints, old, self._reached)


def points_to(program: Program) -> PointsTo:
    """Analyse a program, with less precision if the work is too much for one of this size."""
    addressed, paths = address_taken(program), AccessPaths(program)
    if _size(program) < _VAST:
        try:
            return PointsTo(program, addressed, _fine(program, paths, addressed))
        except TooMuchWork:
            pass
    coarse = Constraints(program, paths, addressed, COARSE, 2 * _most_work(program))
    return PointsTo(program, addressed, coarse)


def _fine(program: Program, paths: AccessPaths, addressed: AddressTaken) -> Constraints:
    work = _most_work(program) if _size(program) < _LARGE else _WORK_OF_LARGE
    return Constraints(program, paths, addressed, FINE, work)


def _most_work(program: Program) -> int:
    return _WORK + _size(program) * _WORK_PER_EDGE


def _size(program: Program) -> int:
    return sum(len(function.edges) for function in program.functions.values())
