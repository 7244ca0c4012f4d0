"""The program that a proof is about: most are about the program with its ghost state, others about
one that is made of it, always in the same way.

Soundness duty: if the program that is made has no error, then the program has none. That is a duty
of who makes it: `summaries`, `analysis/cells/morphing`, `analysis/acceleration`. `trusted` names
them in the certificate.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.acceleration.program import accelerated
from ..analysis.cells.scalar_program import scalar_program
from ..analysis.facts import ProgramFacts
from ..errors import UnsupportedFeature
from ..ir.cfa import Edge, Location, Program
from ..ir.walk import variables
from ..records import dataclass, field, replace
from ..verdict import Invariant, Method
from .recursion_copies import with_copies
from .summaries import summarized_facts

_PROGRAM = (
    "front end: C as control flow automata, with the property as error edges",
    "slice: what is left out has no say in whether an error is reached",
    "points-to sets: the targets of calls, and the partition of memory",
    "where faults are checked: interval facts that exclude some of them, and ghost state",
)
_SOLVER = (
    "encoder: operations and expressions as terms",
    "the solver that checks the certificate",
)
_ACCELERATION = "acceleration: rounds of a loop that are done at once"
_MORE = {
    Method.SUMMARIES: (
        *_SOLVER,
        "summaries: result variables and symbolic constants, mod/ref sets of calls",
    ),
    Method.CELLS: (
        *_SOLVER,
        "cell morphing: the program with distinguished cells in place of memory",
    ),
    Method.CURSORS: (
        *_SOLVER,
        "cell morphing: the program with distinguished cells and cursors in place of memory",
        "reducers: loops whose results the order of elements does not change",
    ),
    Method.UNROLLING: (*_SOLVER, _ACCELERATION),
    Method.EXECUTION: (
        "the interpreter",
        "that nothing but inputs makes two runs differ",
        _ACCELERATION,
    ),
    Method.SHAPES: ("operations on symbolic memory graphs: what one makes of a graph",),
}


def trusted(method: Method) -> tuple[str, ...]:
    """What a proof by this method rests on, in words."""
    return (*_PROGRAM, *_MORE.get(method, _SOLVER))


@dataclass(slots=True)
class ProofPrograms:
    """The programs for proofs about the program of the facts, each made once."""

    facts: ProgramFacts
    _made: dict[Method, ProgramFacts] = field(default_factory=dict)
    _copied: dict[int, ProgramFacts] = field(default_factory=dict)

    def of(self, method: Method) -> ProgramFacts:
        """Raises `UnsupportedFeature` if there is none for such a proof."""
        if method not in self._made:
            self._made[method] = self._facts(method)
        return self._made[method]

    def copied(self, facts: ProgramFacts, depth: int) -> ProgramFacts:
        """The program for unrollings with so many copies of recursive functions."""
        if depth not in self._copied:
            self._copied[depth] = ProgramFacts(with_copies(facts, depth))
        return self._copied[depth]

    def _facts(self, method: Method) -> ProgramFacts:
        match method:
            case Method.SHAPES:
                return self.facts
            case Method.EXECUTION:
                return _accelerated(self.facts, arrays=True)
            case Method.SUMMARIES:
                summarized = summarized_facts(self.facts.ghosts)
                if summarized is None:
                    raise UnsupportedFeature("no function is recursive")
                return summarized
            case Method.UNROLLING:
                return _accelerated(self.facts.ghosts, arrays=False)  # a `Sweep` has no formula
            case Method.CELLS | Method.CURSORS:
                moving = method is Method.CURSORS
                scalar = scalar_program(self.facts.ghosts.in_regions, moving=moving)
                if scalar is None:
                    raise UnsupportedFeature("no error depends on an array or on the heap")
                return ProgramFacts(scalar.program)
        return self.facts.ghosts


def _accelerated(facts: ProgramFacts, *, arrays: bool) -> ProgramFacts:
    quick = accelerated(facts.program, arrays=arrays)
    return facts if quick is facts.program else facts.of(quick, has_ghosts=facts.has_ghosts)


def told_of(program: Program, invariants: Iterable[Invariant]) -> Iterable[Invariant]:
    """The invariants with the edges of this program in their stacks. They are about the same
    program, but maybe made another time; what does not fit is left out."""
    calls: dict[tuple[Location, Location], Edge] = {}
    for function in program.functions.values():
        for edge in function.edges:
            calls.setdefault((edge.src, edge.dst), edge)
    known = {edge for function in program.functions.values() for edge in function.edges}
    declared = {item.var for item in program.globals}
    places: set[Location] = set()
    for function in program.functions.values():
        declared.update((*function.params, *function.locals))
        places.update(function.outgoing)
    for item in invariants:
        own = tuple(
            edge if edge in known else calls.get((edge.src, edge.dst)) for edge in item.stack
        )
        stack = tuple(edge for edge in own if edge is not None)
        fits = len(stack) == len(item.stack) and item.location in places
        if fits and declared.issuperset(variables(item.expr)):
            yield replace(item, stack=stack)
