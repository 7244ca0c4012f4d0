"""Program facts: what the analyses say about one program, each of them run at most once.

Whoever works on a program is handed its bundle, and asks for what it needs; an analysis runs when
it is asked for first. Points-to, the partition of storage, mod/ref, live variables, intervals and
control flow build on each other in this order.

Soundness duty: that of each analysis. Facts are those of one `Program`, object for object: a slice,
or a program in which functions were given result variables, has other variables and locations, and
needs a bundle of its own (of a slice, only points-to sets come from those of the whole). Nothing
here changes an answer once it was given, so the engines of one check can share a bundle.

>>> from ..ir.cfa import Program
>>> from ..ir.types import DataModel
>>> facts = ProgramFacts(Program({}, (), {}, "main", DataModel.LP64, {}, (), ()))
>>> facts.points_to is facts.partition.points_to
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from ..ir.call_graph import call_graph
from ..ir.cfa import Edge, Location, Program
from ..ir.expr import Var
from ..ir.types import FloatType
from .control_flow import ControlFlow
from .effects import Slot
from .ghosts.instrument import with_ghosts
from .influences import influences
from .intervals.analysis import Intervals, intervals
from .intervals.float_bounds import number
from .intervals.interval import Interval
from .liveness import Liveness, liveness
from .memory.partition import Partition, partition
from .modref import ModRef, modref
from .points_to.sets import PointsTo, points_to


class ProgramFacts:
    """The facts of one program, made when they are asked for."""

    def __init__(
        self,
        program: Program,
        known: PointsTo | None = None,
        has_ghosts: bool = False,
        single: bool = True,
    ) -> None:
        self._program = program
        self.has_ghosts = has_ghosts  # is it the program with ghost state?
        self._known = known  # the points-to sets, if they come from those of another program
        self._single = single  # are single places in memory scalar variables?

    @property
    def program(self) -> Program:
        return self._program

    def of_part(self, program: Program, origin: Mapping[Edge, Edge]) -> ProgramFacts:
        """The facts of a part of the program, see `PointsTo.of_part`."""
        return self.of(program, self.points_to.of_part(program, origin))

    def of(
        self, program: Program, known: PointsTo | None = None, has_ghosts: bool = False
    ) -> ProgramFacts:
        """The facts of a program that was made from this one, with its points-to sets if they are
        known."""
        return ProgramFacts(program, known, has_ghosts, self._single)

    @cached_property
    def points_to(self) -> PointsTo:
        """What each pointer may point to, and which functions a call may reach."""
        return points_to(self._program) if self._known is None else self._known

    @cached_property
    def call_graph(self) -> Mapping[str, tuple[str, ...]]:
        """The functions with a body that each function may call."""
        return call_graph(self._program, self.points_to.call_targets)

    @cached_property
    def partition(self) -> Partition:
        """The partition of storage into scalar variables and memory regions."""
        return partition(self._program, self.points_to, self._single)

    @cached_property
    def in_regions(self) -> ProgramFacts:
        """The facts with all of memory in regions, single places too."""
        if not self._single:
            return self
        return ProgramFacts(self._program, self.points_to, self.has_ghosts, single=False)

    @cached_property
    def modref(self) -> ModRef:
        """What each function may read and write."""
        return modref(self._program, self.partition, self.call_graph)

    @cached_property
    def liveness(self) -> Liveness:
        """Which scalar variables are live where."""
        return liveness(self._program, self.modref)

    @cached_property
    def intervals(self) -> Intervals:
        """The interval facts: bounds of the scalar integer variables at each location."""
        return intervals(self._program, self.partition, self.modref, self.liveness)

    @cached_property
    def flow(self) -> ControlFlow:
        """The transitions from one configuration to the next."""
        return ControlFlow(self._program, self.points_to)

    @cached_property
    def ghosts(self) -> ProgramFacts:
        """The facts of the program with ghost state instead of conditions about objects."""
        made = with_ghosts(
            self._program,
            self.points_to,
            self.call_graph,
            lambda location: self.intervals.reachable(location),
            lambda location, product: self.intervals.wraps(location, product),
        )
        return self if made is self._program else self.of(made, has_ghosts=True)

    def interval(self, location: Location, var: Var) -> Interval | None:
        """The interval fact: bounds of a scalar integer variable whenever a run is at the location.
        Terms may leave wrap-around out because of it; it need not hold in a state that no run comes
        to."""
        return self.intervals.of(location, var)

    def sparse_intervals(self, slots: Iterable[Slot]) -> Intervals:
        """Interval facts of these variables and of what their values come from, from an analysis
        that looks at nothing else: in a large program it takes a small part of the time."""
        wanted = influences(self._program, self.modref, slots)
        return intervals(self._program, self.partition, self.modref, self.liveness, wanted)

    def float_interval(self, location: Location, var: Var) -> tuple[float, float] | None:
        """The same for a floating-point variable, which then is no NaN."""
        found: Interval | None = self.intervals.at(location).get(var)
        if found is None or not isinstance(var.type, FloatType):
            return None
        return number(found[0]), number(found[1])
