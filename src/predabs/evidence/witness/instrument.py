"""A program with a witness in it: the product of both, as text that clang reads.

For a correctness witness, each invariant is asserted at its place. For a violation witness, the
variable `at` counts the segments that a run has passed; a run that passes a waypoint to avoid
ends, and an error counts only in the target's statement, after all other segments.

Soundness duty: beside what a run does to `at`, and where it ends early, the runs are those of the
program. An invariant that cannot be evaluated counts as wrong, and never ends a run silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...errors import InputError
from ...frontend.place import Place
from ...frontend.places import FilePlaces
from ...records import dataclass, field
from .content import (
    InvariantType,
    Segment,
    Waypoint,
    WaypointType,
    Witness,
    WitnessInvariant,
)
from .expressions import PREFIX, RESULT, guarded
from .insertions import Inserted, Insertions, Nesting
from .matching import own_file, place_of, target_range

AT = f"{PREFIX}at"
STOP = f"{PREFIX}stop"
WRONG = f"{PREFIX}wrong_"
ANYWHERE = ("", 0, 0)  # the target, if each error counts
_VALUE = f"{PREFIX}value"
_EQUALITY = re.compile(r"\s*\\result\s*==\s*\(?\s*(-?\d+)[uUlL]*\s*\)?\s*")
_MOST_CHAINED = 8  # assumptions that are passed at once


@dataclass(frozen=True, slots=True)
class CallResult:
    """The call between these offsets of a file gives this value."""

    file: str
    begin: int
    end: int
    function: str
    value: int


@dataclass(frozen=True, slots=True)
class Instrumented:
    """The files with the witness put in. `wrong` has the invariant of each function whose call says
    that it does not hold, `target` the file and the offsets of the statement where an error counts
    once `passed` segments were passed; `results` are what calls give, in the order of the run."""

    files: Mapping[str, Inserted]
    wrong: Mapping[str, WitnessInvariant] = field(default_factory=dict)
    target: tuple[str, int, int] | None = None
    passed: int = 0
    results: tuple[CallResult, ...] = ()

    @property
    def texts(self) -> dict[str, str]:
        """What to read in place of the files."""
        return {file: item.text.decode("utf-8", "replace") for file, item in self.files.items()}


def _points(segment: Segment) -> tuple[Waypoint, ...]:
    return (*segment.avoided, segment.followed)


def with_invariants(
    witness: Witness,
    invariants: Sequence[WitnessInvariant],
    sources: Mapping[str, FilePlaces],
) -> Instrumented:
    """The files with the invariants asserted."""
    insertions = {file: Insertions(file, source.text) for file, source in sources.items()}
    at: dict[tuple[str, Place, InvariantType], list[tuple[str, WitnessInvariant]]] = {}
    wrong: dict[str, WitnessInvariant] = {}
    for number, invariant in enumerate(invariants):
        where = f"{witness.file}:{invariant.entry_line}"
        file = own_file(invariant.location, tuple(sources), where)
        place = place_of(sources[file], invariant.location, invariant.type, where)
        name = f"{WRONG}{number}"
        wrong[name] = invariant
        check = f"(({guarded(invariant.value, where)}) ? (void)0 : {name}())"
        at.setdefault((file, place, invariant.type), []).append((check, invariant))
    declared: dict[tuple[str, str], list[str]] = {}
    for (file, place, type_), checks in at.items():
        for check, invariant in checks:
            line = invariant.entry_line
            if type_ is InvariantType.LOOP:
                _before_condition(insertions[file], place, f"{check}, ", line)
            elif invariant.behind:
                _behind_statement(insertions[file], place, f"{check};", line)
            else:
                _before_statement(insertions[file], place, f"{check};", line)
    for name, invariant in wrong.items():
        where = f"{witness.file}:{invariant.entry_line}"
        file = own_file(invariant.location, tuple(sources), where)
        place = place_of(sources[file], invariant.location, invariant.type, where)
        declared.setdefault((file, place.function), []).append(f"void {name}(void);")
    for (file, function), texts in declared.items():
        begin, end = sources[file].functions[function]
        insertions[file].add(begin, end, " ".join(texts) + " ", "", 0)
    return Instrumented(_applied(insertions), wrong)


def with_waypoints(
    witness: Witness,
    segments: Sequence[Segment],
    sources: Mapping[str, FilePlaces],
    *,
    strict: bool,
    open_end: bool = False,
    anywhere: bool = False,
) -> Instrumented:
    """The files with the waypoints. If it is `strict`, a run that comes to the place of the
    waypoint that it has to follow next must pass it at once: there are fewer runs to search. With
    an `open_end`, there is no target: it is the error to pass the last segment. With the target
    `anywhere`, each error counts once all other segments are passed."""
    insertions = {file: Insertions(file, source.text) for file, source in sources.items()}
    visits: dict[tuple[str, Place, WaypointType, bool], dict[int, _Leaf]] = {}
    results: list[CallResult] = []
    for number, segment in enumerate(segments):
        for point in _points(segment):
            if point.type is WaypointType.TARGET:
                continue
            where = f"{witness.file}:{point.entry_line}"
            file = own_file(point.location, tuple(sources), where)
            place = place_of(sources[file], point.location, point.type, where)
            here = visits.setdefault((file, place, point.type, point.behind), {})
            leaf = here.setdefault(number, _Leaf())
            if point is segment.followed:
                leaf.followed = point
                told = _EQUALITY.fullmatch(point.value or "")
                if point.type is WaypointType.FUNCTION_RETURN and told is not None:
                    where_ = file, place.begin, place.end, place.form
                    results.append(CallResult(*where_, int(told[1])))
            else:
                leaf.avoided.append(point)
    touched: set[tuple[str, str]] = set()
    for (file, place, type_, behind), leaves in visits.items():
        touched.add((file, place.function))
        _visit(insertions[file], witness, place, type_, leaves, strict=strict, behind=behind)
    for file, function in touched:
        begin, end = sources[file].functions[function]
        insertions[file].add(begin, end, f"int {AT}; void {STOP}(void); ", "", 0)
    if open_end:
        return Instrumented(_applied(insertions), passed=len(segments))
    goal = segments[-1].followed
    where = f"{witness.file}:{goal.entry_line}"
    target = ANYWHERE
    if not anywhere:
        file = own_file(goal.location, tuple(sources), where)
        target = file, *target_range(sources[file], goal.location, where)
    return Instrumented(_applied(insertions), {}, target, len(segments) - 1, tuple(results))


@dataclass(slots=True)
class _Leaf:
    """The waypoints of one segment at one place."""

    avoided: list[Waypoint] = field(default_factory=list)
    followed: Waypoint | None = None

    @property
    def line(self) -> int:
        return (self.followed or self.avoided[0]).entry_line


def _applied(insertions: Mapping[str, Insertions]) -> dict[str, Inserted]:
    return {file: item.applied() for file, item in insertions.items()}


# --- where texts are put in -----------------------------------------------------------------------


def _before_statement(insertions: Insertions, place: Place, code: str, owner: int) -> None:
    if place.form == "{":
        insertions.add(place.begin + 1, place.end - 1, f" {code} ", "", owner)
    elif place.braced:
        insertions.add(place.begin, place.end, f"{code} ", "", owner)
    else:
        insertions.add(place.begin, place.end, f"{{ {code} ", " }", owner)


def _behind_statement(insertions: Insertions, place: Place, code: str, owner: int) -> None:
    before, behind = ("", f" {code}") if place.braced else ("{ ", f" {code} }}")
    insertions.add(place.begin, place.end, before, behind, owner)


def _before_condition(insertions: Insertions, place: Place, code: str, owner: int) -> None:
    assert place.head is not None
    begin, end = place.head
    if insertions.text[begin:end].strip():
        insertions.add(begin, end, f" {code} (", ")", owner, Nesting.CONDITION)
    else:
        insertions.add(begin, end, f" {code} 1", "", owner, Nesting.CONDITION)


def _visit(
    insertions: Insertions,
    witness: Witness,
    place: Place,
    type_: WaypointType,
    leaves: Mapping[int, _Leaf],
    *,
    strict: bool,
    behind: bool,
) -> None:
    """Put in what happens when a run comes to the place."""
    owner = min(leaf.line for leaf in leaves.values())

    def code(condition: Callable[[Waypoint], str]) -> str:
        steps = [(k, _step(leaf, k, condition, strict)) for k, leaf in sorted(leaves.items())]
        if type_ is WaypointType.ASSUMPTION:
            steps = _chained(steps, leaves, condition)
        return _dispatch(steps)

    def where(point: Waypoint) -> str:
        return f"{witness.file}:{point.entry_line}"

    match type_:
        case WaypointType.ASSUMPTION:
            text = code(lambda point: f"({guarded(point.value or '', where(point))})")
            put = _behind_statement if behind else _before_statement
            put(insertions, place, text, owner)
        case WaypointType.FUNCTION_ENTER:
            at_entry(insertions, place, code(lambda point: "1"), owner)
        case WaypointType.FUNCTION_RETURN:
            _return(insertions, place, code, where, owner)
        case WaypointType.BRANCHING:
            _branching(insertions, place, code, where, owner)
        case WaypointType.TARGET:
            pass


def at_entry(insertions: Insertions, place: Place, code: str, owner: int) -> None:
    """Put in what happens when a function is called, after its arguments were evaluated."""
    if place.head is None:
        begin, end = place.begin, place.end
        insertions.add(begin, end, f"({{ {code} ", "; })", owner, Nesting.CALL)
        return
    begin, end = place.head
    if b"(" in insertions.text[begin:end]:
        before, behind = f"({{ __auto_type {_VALUE} = (", f"); {code} {_VALUE}; }})"
    else:  # there is nothing to wait for
        before, behind = f"(({{ {code} }}), (", "))"
    insertions.add(begin, end, before, behind, owner, Nesting.ARGUMENT)


def at_return(insertions: Insertions, place: Place, code: str, owner: int) -> None:
    """Put in what happens when a call has returned; `RESULT` is its value."""
    before, behind = f"({{ __auto_type {RESULT} = ", f"; {code} {RESULT}; }})"
    if place.is_void:
        before, behind = "({ ", f"; {code} }})"
    insertions.add(place.begin, place.end, before, behind, owner, Nesting.RESULT)


def at_outcome(insertions: Insertions, place: Place, yes: str, no: str, owner: int) -> None:
    """Put in what happens when a condition has turned out to be true, or false."""
    assert place.head is not None
    begin, end = place.head
    if place.form == "?":
        for (start, stop), text in zip(place.sides, (yes, no), strict=True):
            insertions.add(start, stop, f"(({{ {text} }}), (", "))", owner, Nesting.CONDITION)
    elif not insertions.text[begin:end].strip():
        insertions.add(begin, end, f" ({{ {yes} 1; }})", "", owner, Nesting.CONDITION)
    else:
        behind = f") ? ({{ {yes} 1; }}) : ({{ {no} 0; }}))"
        insertions.add(begin, end, " ((", behind, owner, Nesting.CONDITION)


def at_choice(insertions: Insertions, place: Place, code: str, name: str, owner: int) -> None:
    """Put in what happens when a switch has its value, which has that name there."""
    assert place.head is not None
    before, behind = f"({{ __auto_type {name} = (", f") + 0; {code} {name}; }})"
    insertions.add(*place.head, before, behind, owner, Nesting.CONDITION)


def _return(
    insertions: Insertions,
    place: Place,
    code: Callable[[Callable[[Waypoint], str]], str],
    where: Callable[[Waypoint], str],
    owner: int,
) -> None:
    def condition(point: Waypoint) -> str:
        if point.value is None:
            return "1"
        if place.is_void:
            raise InputError(f"{where(point)}: {place.form} returns nothing to be constrained")
        return f"({guarded(point.value, where(point), result=True)})"

    at_return(insertions, place, code(condition), owner)


def _branching(
    insertions: Insertions,
    place: Place,
    code: Callable[[Callable[[Waypoint], str]], str],
    where: Callable[[Waypoint], str],
    owner: int,
) -> None:
    if place.form == "switch":

        def chosen(point: Waypoint) -> str:
            value = (point.value or "").strip()
            if value == "default":
                tests = [f"{_VALUE} != {_literal(case)}" for case in place.cases]
                return f"({' && '.join(tests) or '1'})"
            return f"({_VALUE} == ({guarded(value, where(point))}))"

        at_choice(insertions, place, code(chosen), _VALUE, owner)
        return

    def outcome(side: bool) -> str:
        def condition(point: Waypoint) -> str:
            value = (point.value or "").strip().lower()
            if value not in ("true", "false"):
                problem = f"a branch of `{place.form}` is true or false, not {point.value!r}"
                raise InputError(f"{where(point)}: {problem}")
            if (value == "true") != side:
                return "0"
            return "1" if point.also is None else f"({guarded(point.also, where(point))})"

        return code(condition)

    at_outcome(insertions, place, outcome(True), outcome(False), owner)


def _literal(value: int) -> str:
    return f"{value}LL" if -(2**63) < value < 2**63 else f"{value}ULL"


# --- what happens there ---------------------------------------------------------------------------


def _step(leaf: _Leaf, number: int, condition: Callable[[Waypoint], str], strict: bool) -> str:
    """What happens to a run that has passed so many segments and comes to a place of the next."""
    text = "".join(_when(condition(point), f"{STOP}();", "") for point in leaf.avoided)
    if leaf.followed is not None:
        other = f"{STOP}();" if strict else ""
        text += _when(condition(leaf.followed), f"{AT} = {number + 1};", other)
    return text


def _when(condition: str, then: str, other: str) -> str:
    match condition:
        case "1":
            return then
        case "0":
            return other
    return f"if ({condition}) {{ {then} }}" + (f" else {{ {other} }}" if other else "")


def _dispatch(steps: Sequence[tuple[int, str]]) -> str:
    """Do the step of the segment that a run is in: a balanced tree of comparisons, as a witness may
    come to one place a thousand times."""
    steps = [(number, text) for number, text in steps if text]
    if not steps:
        return ""
    if len(steps) == 1:
        number, text = steps[0]
        return f"if ({AT} == {number}) {{ {text} }}"
    middle = len(steps) // 2
    low, high = _dispatch(steps[:middle]), _dispatch(steps[middle:])
    return f"if ({AT} < {steps[middle][0]}) {{ {low} }} else {{ {high} }}"


def _chained(
    steps: Iterable[tuple[int, str]],
    leaves: Mapping[int, _Leaf],
    condition: Callable[[Waypoint], str],
) -> list[tuple[int, str]]:
    """The steps for assumptions: a run can pass several of them at one place, one by one."""
    longer = []
    for number, text in steps:
        for further in range(number + 1, number + 1 + _MOST_CHAINED):
            leaf = leaves.get(further)
            if leaf is None or leaf.followed is None or leaf.avoided:
                break
            test = f"{AT} == {further} && {condition(leaf.followed)}"
            text += f" if ({test}) {{ {AT} = {further + 1}; }}"
        longer.append((number, text))
    return longer
