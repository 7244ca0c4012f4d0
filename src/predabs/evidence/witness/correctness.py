"""The invariants of a proof as the content of a correctness witness.

Soundness duty: what is written holds in the program as the user has it. So an invariant of a slice
is only written where all that is written to its variables is in the slice, and one that holds
inside certain calls only if there are no other calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from ...analysis.facts import ProgramFacts
from ...analysis.memory.partition import lvalue_of
from ...frontend.place import Place, PlaceKind
from ...frontend.places import Declaration, FilePlaces
from ...ir import make
from ...ir.cfa import Edge, Function, Location, Program
from ...ir.def_use import op_target, op_values
from ...ir.expr import AddressOf, Deref, Expr, Field, FunctionAddress, Index, Var
from ...ir.ops import Call, Copy, Fill
from ...ir.order import loop_heads
from ...ir.types import IntType
from ...ir.walk import subterms, variables
from ...records import dataclass
from ...verdict import Invariant
from ..invariant_text import in_c_types
from .c_text import c_condition, conjuncts
from .content import CorrectnessContent, InvariantType, WitnessInvariant, WitnessLocation

_MOST_CALLS = 64  # chains of calls that lead to a function
_MOST_TEXT = 100_000
_LARGE = 1 << 30  # bounds beyond say only that something does not overflow


def correctness_content(
    program: Program,
    part: Program,
    invariants: Sequence[Invariant],
    bounds: Sequence[Invariant],
    sources: Mapping[str, FilePlaces],
) -> CorrectnessContent:
    """What can be said in C of the invariants of a proof about `part`, a slice of the program, and
    of bounds that hold in the program itself."""
    writer = _Writer(program, _unchanged(program, part), sources)
    everything = _Writer(program, _unchanged(program, program), sources)
    found: dict[tuple[InvariantType, WitnessLocation], list[str]] = {}
    for item in (*writer.written(invariants), *everything.written(bounds)):
        texts = found.setdefault((item.type, item.location), [])
        texts += [item.value] if item.value not in texts else []
    order = sorted(found.items(), key=lambda item: (item[0][1].file, item[0][1].line))
    return CorrectnessContent(
        tuple(WitnessInvariant(*key, _conjunction(texts)) for key, texts in order)
    )


def _conjunction(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else " && ".join(f"({text})" for text in texts)


def interval_bounds(facts: ProgramFacts, files: Collection[str]) -> list[Invariant]:
    """What the interval facts say at the loop heads of these files' functions, of their own
    variables and of globals."""
    found = []
    for function in facts.program.functions.values():
        if function.coord.file not in files:
            continue
        for head in loop_heads(function):
            parts: list[Expr] = []
            for var, (low, high) in facts.intervals.at(head).items():
                if isinstance(var.type, IntType):
                    lvalue = lvalue_of(facts.partition, var)
                    parts += _bounds(lvalue, var.type, low, high)
            if parts:
                found.append(Invariant(head, (), make.conj(parts)))
    return found


def _bounds(lvalue: Expr, type_: IntType, low: int, high: int) -> list[Expr]:
    if low == high and abs(low) < _LARGE:
        return [make.equal(lvalue, make.const(low, type_))]
    lower = (
        [make.less_equal(make.const(low, type_), lvalue)] if low > max(type_.low, -_LARGE) else []
    )
    upper = (
        [make.less_equal(lvalue, make.const(high, type_))] if high < min(type_.high, _LARGE) else []
    )
    return lower + upper


@dataclass(frozen=True, slots=True)
class _Writer:
    program: Program
    unchanged: _Unchanged
    sources: Mapping[str, FilePlaces]

    def written(self, invariants: Sequence[Invariant]) -> list[WitnessInvariant]:
        by_location: dict[Location, list[Invariant]] = {}
        for invariant in invariants:
            by_location.setdefault(invariant.location, []).append(invariant)
        found: dict[WitnessInvariant, None] = {}
        for location, group in by_location.items():
            for written in self._at(location, group):
                found[written] = None
        return list(found)

    def _at(self, location: Location, group: list[Invariant]) -> list[WitnessInvariant]:
        function = self.program.functions.get(location.function)
        if function is None or not function.outgoing.get(location):
            return []
        found = self._place(function, location)
        if found is None:
            return []
        file, place, type_ = found
        at = place.head[1] if type_ is InvariantType.LOOP and place.head else place.begin
        if not self._all_contexts(function, group):
            return []
        condition = make.disj(
            [make.conj(self._sayable(item.expr, file, place, at)) for item in group]
        )
        naming = _Scope(self.sources[file], place.function, at)
        texts = [c_condition(part, naming.name) for part in conjuncts(condition)]
        where = WitnessLocation(file, place.line, place.column, place.function)
        return [
            WitnessInvariant(type_, where, text)
            for text in texts
            if text is not None and text != "1" and len(text) <= _MOST_TEXT
        ]

    def _sayable(self, condition: Expr, file: str, place: Place, at: int) -> list[Expr]:
        naming = _Scope(self.sources[file], place.function, at)
        return [
            part
            for part in conjuncts(in_c_types(condition))
            if all(self.unchanged(var) for var in variables(part))
            and c_condition(part, naming.name) is not None
        ]

    # --- where ------------------------------------------------------------------------------------

    def _place(
        self, function: Function, location: Location
    ) -> tuple[str, Place, InvariantType] | None:
        """The loop whose condition is evaluated next, or the statement that begins there."""
        coord = function.outgoing[location][0].coord
        source = self.sources.get(coord.file)
        if source is None:
            return None
        at = source.offset(coord.line, coord.column)
        around = [p for p in source.places if p.begin <= at < p.end]
        loops = [p for p in around if p.kind is PlaceKind.LOOP]
        for loop in sorted(loops, key=lambda p: p.end - p.begin):
            assert loop.head is not None
            begin, end = loop.head
            if loop.form == "do":
                continue
            inside = (begin, end) if begin <= at < end else (end, loop.end)
            if _entries(function, source, inside) == {location}:
                return coord.file, loop, InvariantType.LOOP
        statements = [p for p in around if p.kind is PlaceKind.STATEMENT and p.form != "{"]
        for place in sorted(statements, key=lambda p: p.end - p.begin)[:3]:
            if _entries(function, source, (place.begin, place.end)) == {location}:
                return coord.file, place, InvariantType.LOCATION
        return None

    # --- inside which calls -----------------------------------------------------------------------

    def _all_contexts(self, function: Function, group: list[Invariant]) -> bool:
        """Do the invariants together cover all calls that lead to the function?"""
        if any(not item.stack for item in group) and len(group) == 1:
            return True
        chains = self._chains(function.name)
        if chains is None:
            return False
        stacks = {tuple(_call_site(edge) for edge in item.stack) for item in group}
        return chains <= stacks

    def _chains(self, function: str) -> set[tuple[object, ...]] | None:
        """The chains of calls from the entry to the function; None if they are not known."""
        sites: dict[str, list[Edge]] = {}
        for caller in self.program.functions.values():
            for edge in caller.edges:
                values = op_values(edge.op)
                if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
                    sites.setdefault(edge.op.callee.name, []).append(edge)
                    values = edge.op.args
                for value in values:
                    if any(isinstance(t, FunctionAddress) for t in subterms(value)):
                        return None
        found: set[tuple[object, ...]] = set()
        todo: list[tuple[str, tuple[Edge, ...]]] = [(function, ())]
        while todo:
            name, chain = todo.pop()
            if name == self.program.entry:
                found.add(tuple(_call_site(edge) for edge in chain))
            if len(chain) > _MOST_CALLS or len(found) > _MOST_CALLS or len(todo) > _MOST_CALLS:
                return None
            todo += [(edge.src.function, (edge, *chain)) for edge in sites.get(name, ())]
        return found


def _call_site(edge: Edge) -> object:
    return edge.src.function, edge.coord, getattr(edge.op, "callee", None)


def _entries(function: Function, source: FilePlaces, inside: tuple[int, int]) -> set[Location]:
    """The locations at which a run comes from outside into that part of the text."""
    begin, end = inside

    def is_in(edge: Edge) -> bool:
        coord = edge.coord
        return coord.file == source.file and begin <= source.offset(coord.line, coord.column) < end

    found = set()
    for edge in function.edges:
        if is_in(edge):
            before = function.incoming[edge.src]
            if edge.src is function.entry or any(not is_in(other) for other in before):
                found.add(edge.src)
    return found


@dataclass(frozen=True, slots=True)
class _Scope:
    """The names at an offset of a function."""

    source: FilePlaces
    function: str
    at: int

    def name(self, var: Var) -> str | None:
        """The name of the variable, if it means that variable there."""
        if var.function and var.function != self.function:
            return None
        if var.function:
            name, _, number = var.short.partition("#")
            declared = self._visible(name)
            fits = declared is not None and declared.number == int(number or "1")
            return name if fits else None
        function, _, name = var.name.rpartition(".")
        if function:  # a static local
            declared = self._visible(name)
            fits = function == self.function and declared is not None and declared.is_static
            return name if fits and name.isidentifier() else None
        declared_at = self.source.globals.get(name)
        in_scope = declared_at is not None and declared_at < self.at
        return name if in_scope and self._visible(name) is None else None

    def _visible(self, name: str) -> Declaration | None:
        """The local declaration that the name means."""
        found = [
            d
            for d in self.source.declarations
            if d.name == name and d.function == self.function and d.begin <= self.at < d.end
        ]
        return max(found, key=lambda d: d.begin, default=None)


# --- slices ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Unchanged:
    """Is all that may be written to a variable in the part, too?"""

    whole: Counter[str]
    part: Counter[str]
    addressed: frozenset[str]

    def __call__(self, var: Var) -> bool:
        if self.whole[var.name] != self.part[var.name]:
            return False
        return var.name not in self.addressed or self.whole[""] == self.part[""]


def _unchanged(program: Program, part: Program) -> _Unchanged:
    addressed = frozenset(
        root.name
        for function in program.functions.values()
        for edge in function.edges
        for value in op_values(edge.op)
        for term in subterms(value)
        if isinstance(term, AddressOf) and (root := _root(term.target)) is not None
    )
    return _Unchanged(_writes(program), _writes(part), addressed)


def _writes(program: Program) -> Counter[str]:
    """How many edges write to each variable; those that write through a pointer have no name."""
    counts: Counter[str] = Counter()
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            if target is not None:
                root = _root(target)
                counts["" if root is None else root.name] += 1
            if isinstance(edge.op, Fill | Copy):
                counts[""] += 1
            if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
                for param in _params(program, edge.op.callee.name):
                    counts[param] += 1
    return counts


def _params(program: Program, name: str) -> list[str]:
    function = program.functions.get(name)
    return [] if function is None else [param.name for param in function.params]


def _root(lvalue: Expr) -> Var | None:
    """The variable that a part of is meant; None behind a pointer."""
    while True:
        match lvalue:
            case Var():
                return lvalue
            case Field(base, _, _) | Index(base, _, _):
                lvalue = base
            case Deref():
                return None
            case _:
                return None
