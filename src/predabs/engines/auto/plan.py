"""What a program is, and which time slices follow from that.

First a short look for shallow bugs: a few concrete runs and a third of a second of the bounded
engine find most of them, and prove programs whose loops are short; it stops early if a program is
too large for that. What another engine decides, it mostly decides soon, too: so each
that may has a glance or two, before anybody has much time. Then bounded engine and prover
alternate; the prover has most of the time, the last slice is the bounded engine's.

- The smg engine looks at the shapes of lists, if the program allocates memory: mostly it has a
  proof or has given up in a tenth of a second; lists in lists take seconds, in a later slice.
- The kinduction engine has a proof at once or not at all: so it looks first, and once more when the
  others have proved facts.
- The cells engine looks at programs with arrays or pointers: if no error depends directly on
  memory, or its candidates are not enough, it gives up; else it has a proof within seconds.
- Where functions are recursive, the slam engine takes the place of the lazy one. It has no glance:
  its proofs take longer than that. Elsewhere it follows when the lazy engine has given up.
- Where there are floating-point variables, a question may take a solver long, which is asked again
  in the next slice: so the bounded engine has a long one before the provers.
- The explicit engine looks at programs whose control flow depends on variables that hold a few
  constants; elsewhere it follows when the others have given up.
- The fuzz engine runs programs of many functions that use memory and ask for inputs: what a driver
  does after a sequence of events is far away for a formula, and near for a run. It finds what it
  finds within seconds. It also runs programs that read text, for a shorter while.
- The numpred engine has short slices of its own, and takes over when both have given up.
- What an earlier check has learned comes before all that: its invariants are checked again
  (recheck), then the engine that had the proof looks for it, in somewhat more time than it took.
- A vast program has no slices of smg, numpred and kinduction, and no glances: it takes seconds to
  compute the facts that a prover begins with. The lazy engine is the prover there, also of
  recursive functions.

>>> [(piece.who, piece.seconds) for piece in slices_of(Features(), lanes=1)[:4]]
[('bounded', 0.7), ('kinduction', 0.7), ('provers', 1.0), ('bounded', 1.2)]
"""

from __future__ import annotations

from collections.abc import Collection

from ...concrete.text_inputs import reads_text
from ...ir.call_graph import call_graph, direct_targets, recursive_functions
from ...ir.cfa import Edge, Program
from ...ir.def_use import op_reads, op_writes
from ...ir.expr import Deref, Index
from ...ir.ops import Alloc, AllocKind, Havoc, Source
from ...ir.types import FloatType
from ...ir.walk import root_of
from ...records import dataclass
from ..engine import RECHECK
from ..explicit.aptness import is_machine
from ..lazy.program_size import is_vast
from ..learned import Learned

PROVERS, ANYONE = "provers", "anyone"
_MANY_FUNCTIONS = 30
_LONGEST = 20.0  # seconds of engines that find soon what they find, while others wait
_SHARE = 0.1  # of the time that is left, for the looks together and for a glance, at most


@dataclass(frozen=True, slots=True)
class Features:
    """What the schedule has to know of a program. Recursion through function pointers is not seen;
    the lazy engine may give up because of it."""

    recursive: bool = False
    allocates: bool = False
    """Does it make objects on the heap, which may be lists?"""
    vast: bool = False
    memory: bool = False
    """Are there arrays, or objects that pointers lead to, and loops?"""
    machine: bool = False
    """Does the control flow depend on variables that hold a few constants?"""
    eventful: bool = False
    """Are there many functions, memory and inputs, as in a driver with its environment?"""
    textual: bool = False
    """Are characters among the inputs?"""
    floating: bool = False
    """Has it floating-point variables? Then few questions take a solver long."""


def features_of(program: Program) -> Features:
    memory = any(_uses_memory(edge) for f in program.functions.values() for edge in f.edges)
    return Features(
        recursive=bool(recursive_functions(call_graph(program, direct_targets))),
        allocates=any(
            isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.HEAP
            for function in program.functions.values()
            for edge in function.edges
        ),
        vast=is_vast(program),
        textual=reads_text(program),
        floating=any(
            isinstance(var.type, FloatType)
            for function in program.functions.values()
            for var in (*function.params, *function.locals)
        ),
        machine=is_machine(program),
        memory=memory,
        eventful=memory and _is_eventful(program),
    )


def _is_eventful(program: Program) -> bool:
    functions = program.functions.values()
    return len(functions) >= _MANY_FUNCTIONS and any(
        isinstance(edge.op, Havoc) and edge.op.source is Source.NONDET
        for function in functions
        for edge in function.edges
    )


def _uses_memory(edge: Edge) -> bool:
    """Does it read or write an element of an array, or what a pointer leads to?"""
    lvalues = (*op_reads(edge.op), *op_writes(edge.op))
    return any(
        isinstance(root_of(lvalue), Deref) or isinstance(lvalue, Index) for lvalue in lvalues
    )


def provers_of(features: Features, wanted: Collection[str]) -> list[str]:
    """The engines that look for proofs, each used when those before it have given up."""
    slam_first = features.recursive and not features.vast
    order = ["slam", "lazy"] if slam_first else ["lazy", "slam"]
    if not features.recursive:
        order.append("numpred")
    if features.allocates and not features.vast:
        order.append("smg")
    if not features.recursive and not features.vast:
        order.append("kinduction")
        if features.memory:
            order.append("cells")
        order.append("explicit")
    if features.eventful or features.textual:
        order.append("fuzz")
    return [name for name in order if name in wanted]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the time, and who has it: an engine, the first of the provers that has not given
    up, or any engine that has not.

    A `look` of the bounded engine and a glance of another have so many `seconds`, and not more than
    their share of what is left. The shares of the others are of the time that is left after these;
    the share 0 stands for the rest of it."""

    who: str
    share: float
    seconds: float | None = None
    look: bool = False


def learned_slices(learned: Learned | None, provers: Collection[str]) -> tuple[Slice, ...]:
    """Time slices for what an earlier check has learned."""
    if learned is None:
        return ()
    found: list[Slice] = []
    precision, seconds = learned.precision, learned.seconds
    if learned.invariants and not (precision is not None and precision.localized):
        found.append(Slice(RECHECK, 2 * _SHARE, 1.0 + seconds))
    if learned.prover in (*provers, "bounded"):
        found.append(Slice(learned.prover, 0.5, 2.0 + 1.5 * seconds))
    return tuple(found)


def slices_of(features: Features, lanes: int) -> tuple[Slice, ...]:
    """All time slices, in their order; the last ones, one for each lane, are without end."""
    return (*_beginning(features, lanes), *_later(features), *(Slice(ANYONE, 0.0),) * lanes)


def _beginning(features: Features, lanes: int) -> tuple[Slice, ...]:
    if lanes > 1 or features.vast or features.recursive:  # with several lanes nobody waits
        return (
            Slice("bounded", _SHARE, 1.5, look=True),
            *_events(features, 2),
            *_shapes(features),
            *_induction(features),
            *_cells(features),
            *_states(features),
        )
    return (
        Slice("bounded", _SHARE / 2, 0.7, look=True),
        *_events(features, 1),
        *_shapes(features),
        *_induction(features),
        *_cells(features),
        Slice(PROVERS, _SHARE, 1.0),
        *(_events(features, 1) if features.eventful else ()),  # many proofs are there by now
        Slice("bounded", _SHARE / 2, 1.2, look=True),
        *_states(features),
        Slice(PROVERS, _SHARE, 2.5),
    )


def _shapes(features: Features) -> tuple[Slice, ...]:
    return (Slice("smg", _SHARE / 3, 0.5),) if features.allocates else ()


def _events(features: Features, halves: int) -> tuple[Slice, ...]:
    if features.eventful:
        return (Slice("fuzz", halves * _SHARE / 2, halves * 1.5),)
    return (Slice("fuzz", _SHARE / 3, 1.0),) if features.textual else ()


def _more_events(features: Features) -> tuple[Slice, ...]:
    return (Slice("fuzz", 0.1, _LONGEST),) if features.eventful else ()


def _induction(features: Features) -> tuple[Slice, ...]:
    return () if features.vast or features.recursive else (Slice("kinduction", _SHARE / 3, 0.7),)


def _cells(features: Features) -> tuple[Slice, ...]:
    apt = features.memory and not features.vast and not features.recursive
    return (Slice("cells", _SHARE / 2, 1.5),) if apt else ()


def _states(features: Features) -> tuple[Slice, ...]:
    apt = features.machine and not features.vast and not features.recursive
    return (Slice("explicit", _SHARE, 2.0),) if apt else ()


def _later(features: Features) -> tuple[Slice, ...]:
    if features.vast:
        return (
            Slice(PROVERS, 0.25),  # nobody has looked for a proof so far
            *_more_events(features),
            Slice("bounded", 0.07),
            Slice(PROVERS, 0.45),
        )
    if features.floating:
        return (
            Slice("bounded", 0.4),
            Slice("cells", 0.05),
            Slice(PROVERS, 0.15),
            Slice("kinduction", 0.05),
            Slice("bounded", 0.15),
            Slice(PROVERS, 0.15),
        )
    return (
        Slice("smg", 0.2, _LONGEST),
        Slice("cells", 0.1),
        *_more_events(features),
        Slice(PROVERS, 0.2),
        *((Slice("explicit", 0.35),) if _states(features) else ()),
        Slice("bounded", 0.07),
        Slice("numpred", 0.2),
        Slice("kinduction", 0.03),
        *_more_events(features),
        Slice(PROVERS, 0.35),
    )
