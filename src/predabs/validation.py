"""Validate a witness: does the program behave as it says, and does the verdict follow?

A correctness witness is confirmed if all its invariants hold and, with them, no run violates the
specification. A violation witness is confirmed by a replayed run that passes its waypoints and
violates the specification at its target. Soundness duty: TRUE and FALSE come from a check of the
product of program and witness, with the duties of every check.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from .api import Progressing, check_with
from .errors import InputError, UnsupportedFeature
from .evidence.trace.text import values_text
from .evidence.witness.automaton import placed
from .evidence.witness.content import (
    Automaton,
    Content,
    CorrectnessContent,
    Segment,
    ViolationContent,
    Waypoint,
    WaypointType,
    Witness,
    WitnessInvariant,
)
from .evidence.witness.instrument import (
    Instrumented,
    with_invariants,
    with_waypoints,
)
from .evidence.witness.matching import lines_of, locations_of
from .evidence.witness.product import WitnessProduct
from .evidence.witness.write_yaml import file_hash
from .frontend.compile_commands import Sources, sources_of
from .frontend.places import FilePlaces, file_places
from .ir.cfa import Coord
from .ir.types import DataModel
from .options import Options
from .pipeline.preparation import Product
from .pipeline.result import Answer, Result
from .records import dataclass, replace
from .spec.properties import Property, parse, property_of

_STRICT = 0.4  # of the time goes to runs that pass each waypoint at once
_SEARCH_SECONDS = 20.0  # for that, if there is no limit
_BLAME_SECONDS = 60.0  # for the first waypoint that no run passes
_LONG = 300  # characters of an invariant that a message repeats
# the induction needs one round at most, and nothing but the invariants and interval facts
_INDUCTIVE = re.compile(r"kinduction: proved with k = [01] and 0 facts")


@dataclass(frozen=True, slots=True)
class Validation:
    """The verdict about a witness; `result` is that of the check behind it."""

    verdict: Answer
    reason: str
    result: Result
    notes: tuple[str, ...] = ()


def validate(
    witness: Witness,
    files: Sequence[str],
    options: Options,
    progress: Progressing | None = None,
    *,
    own_property: bool = False,
) -> Validation:
    """Validate a witness for these files. The specification and the data model are those of the
    witness; with `own_property`, the property of the options counts."""
    options = replace(options, data_model=witness.task.data_model)
    if options.data_model == DataModel.ILP32.name:  # no type of the machine, but of invariants
        options = replace(options, define=(*options.define, "__int128=_BitInt(128)"))
    sources = sources_of(list(files), options)
    check_hashes(witness, sources.files)
    wanted = property_of(options.property) if own_property else specification_of(witness)
    read = _places(witness, sources, DataModel[options.data_model])
    content, notes = placed(witness, read)
    run = _Run(witness, content, tuple(sources.files), options, wanted, read, progress)
    match content:
        case CorrectnessContent():
            found = run.correctness(content)
        case ViolationContent():
            found = run.violation(content)
    return replace(found, notes=(*notes, *found.notes))


def check_hashes(witness: Witness, files: Sequence[str]) -> None:
    """Raise `InputError` if the witness is about other files than these."""
    where = f"{witness.file}:{witness.task.hashes_line}"
    known = {digest for _, digest in witness.task.hashes}
    if not witness.task.every_file:
        if not any(known & {file_hash(file), _old_hash(file)} for file in files):
            others = ", ".join(files)
            raise InputError(f"{where}: the witness is about another file than {others}")
        return
    for file in files:
        digest = file_hash(file)
        if digest not in known:
            name = PurePath(file).name
            told = [d for path, d in witness.task.hashes if PurePath(path).name == name]
            about = f" (SHA-256 {told[0][:12]}..., not {digest[:12]}...)" if told else ""
            raise InputError(f"{where}: the witness is about another file than {file}{about}")
    if len(known) > len({file_hash(file) for file in files}):
        raise InputError(f"{where}: the task of the witness has more files than were given")


def _old_hash(file: str) -> str:
    """The SHA-1 hash of a file, as early producers of the format 1.0 have it."""
    return hashlib.sha1(Path(file).read_bytes(), usedforsecurity=False).hexdigest()


def _whole(specification: str) -> str:
    """The specification with what some producers leave out around the formula: the entry.

    >>> _whole("G ! call(reach_error())")
    'CHECK( init(main()), LTL(G ! call(reach_error())) )'
    """
    lines = [line.strip() for line in specification.splitlines() if line.strip()]
    return "\n".join(
        f"CHECK( init(main()), LTL({line}) )" if line.startswith("G ") else line for line in lines
    )


def specification_of(witness: Witness) -> Property:
    """The property that the witness is about."""
    where = f"{witness.file}:{witness.task.specification_line}"
    try:
        return parse(_whole(witness.task.specification), where)
    except (InputError, UnsupportedFeature) as problem:
        text = str(problem)
        raise type(problem)(text if text.startswith(where) else f"{where}: {text}") from None


def _places(witness: Witness, sources: Sources, model: DataModel) -> dict[str, FilePlaces]:
    locations = locations_of(witness)
    found = {}
    for file in sources.files:
        lines = sorted(lines_of(locations, sources.files, file))
        if isinstance(witness.content, Automaton) and len(sources.files) == 1:
            lines = sorted({location.line for location in locations})  # whatever its name is

        def wanted(first: int, last: int, lines: list[int] = lines) -> bool:
            return any(first <= line <= last for line in lines)

        found[file] = file_places(file, model, sources.flags.of(file), wanted)
    return found


@dataclass(slots=True)
class _Run:
    """One validation."""

    witness: Witness
    content: Content
    files: tuple[str, ...]
    options: Options
    wanted: Property
    places: Mapping[str, FilePlaces]
    progress: Progressing | None

    def correctness(self, content: CorrectnessContent) -> Validation:
        instrumented = with_invariants(self.witness, content.invariants, self.places)
        product = WitnessProduct(instrumented)
        result = self._check(product, self.options)
        match result.verdict:
            case Answer.TRUE:
                return Validation(Answer.TRUE, "", result, (_proved(content, result),))
            case Answer.UNKNOWN:
                return Validation(Answer.UNKNOWN, f"not confirmed: {result.reason}", result)
        assert result.violation is not None
        error = result.violation.coord
        line = product.owner(error)
        if line is None:
            place = product.original(error)
            reason = f"{self.witness.file}: the program violates the specification at {place}"
        else:
            wrong = next(i for i in content.invariants if i.entry_line == line)
            reason = f"{self.witness.file}:{line}: {_wrong(wrong, result)}"
        return Validation(Answer.UNKNOWN, f"not confirmed: {reason}", result)

    def violation(self, content: ViolationContent) -> Validation:
        begun = time.monotonic()
        limit = self.options.timeout
        segments, any_error = content.segments, content.anywhere
        strict = with_waypoints(
            self.witness, segments, self.places, strict=True, anywhere=any_error
        )
        first = _SEARCH_SECONDS if limit is None else limit * _STRICT
        product = WitnessProduct(strict)
        result = self._check(product, replace(self.options, timeout=first))
        if result.verdict is not Answer.FALSE:
            lenient = with_waypoints(
                self.witness, segments, self.places, strict=False, anywhere=any_error
            )
            left = None if limit is None else max(1.0, limit - (time.monotonic() - begun))
            options = replace(self.options, timeout=left)
            result = self._check(WitnessProduct(lenient), options)
        match result.verdict:
            case Answer.FALSE if not _is_told_at(result, product):
                assert result.violation is not None
                goal = content.segments[-1].followed
                where = f"{self.witness.file}:{goal.entry_line}"
                reason = f"{where}: the violation that was found is at {result.violation.coord}"
                return Validation(Answer.UNKNOWN, f"not confirmed: {reason}", result)
            case Answer.FALSE:
                note = f"confirmed: a run passes {_counted(content)} and violates the specification"
                return Validation(Answer.FALSE, "", result, (note,))
            case Answer.UNKNOWN:
                return Validation(Answer.UNKNOWN, f"not confirmed: {result.reason}", result)
        left = _BLAME_SECONDS if limit is None else limit - (time.monotonic() - begun)
        reason = self._blamed(content, left)
        return Validation(Answer.UNKNOWN, f"not confirmed: {reason}", result)

    def _blamed(self, content: ViolationContent, seconds: float) -> str:
        """Which waypoint no run passes after those before it: looked for by bisection."""
        until = time.monotonic() + seconds
        low, high = 0, len(content.segments) - 1  # `low` segments can be passed
        while low < high and time.monotonic() < until:
            middle = (low + high + 1) // 2
            verdict = self._passable(content.segments[:middle], until)
            if verdict is Answer.FALSE:
                low = middle
            elif verdict is Answer.TRUE:
                high = middle - 1
            else:
                break
        if low < high:
            return f"{self.witness.file}: no run of the program passes the waypoints"
        point = content.segments[low].followed
        return f"{self.witness.file}:{point.entry_line}: {self._impassable(point, low)}"

    def _impassable(self, point: Waypoint, before: int) -> str:
        after = " after the waypoints before it" if before else ""
        what = f"the waypoint {point.type.value} at {point.location}"
        if point.type is WaypointType.TARGET:
            assert isinstance(self.content, ViolationContent)
            at = "" if self.content.anywhere else f" at {point.location}"
            return f"no run violates the specification{at}{after}"
        told = [text for text in (point.value, point.also) if text is not None]
        value = f" ({', '.join(told)})" if told else ""
        return f"no run passes {what}{value}{after}"

    def _passable(self, segments: Sequence[Segment], until: float) -> Answer:
        """FALSE if a run passes all these segments."""
        instrumented = with_waypoints(
            self.witness, segments, self.places, strict=False, open_end=True
        )
        left = until - time.monotonic()
        if left <= 0:
            return Answer.UNKNOWN
        result = self._check(WitnessProduct(instrumented), replace(self.options, timeout=left))
        return result.verdict

    def _check(self, product: WitnessProduct, options: Options) -> Result:
        instrumented = product.instrumented
        unchanged = product.original if instrumented.target is not None else None
        inputs = product.inputs if instrumented.target is not None else None
        changed = Product(instrumented.texts, product, unchanged, inputs)
        try:
            return check_with(self.files, options, self.progress, self.wanted, changed)
        except InputError as problem:
            raise self._at_home(problem, product, instrumented) from None

    def _at_home(
        self, problem: InputError, product: WitnessProduct, instrumented: Instrumented
    ) -> InputError:
        """What clang says about an expression of the witness, where the witness has it."""
        for line in str(problem).splitlines():
            for file in instrumented.files:
                rest = line.removeprefix(f"{file}:")
                parts = rest.split(":", 2)
                if rest != line and len(parts) == 3 and parts[0].isdigit() and parts[1].isdigit():
                    coord = Coord(file, int(parts[0]), int(parts[1]))
                    owner = product.owner(coord)
                    if owner:
                        return InputError(f"{self.witness.file}:{owner}:{parts[2]}")
        return problem


def _proved(content: CorrectnessContent, result: Result) -> str:
    """That all invariants are proved, and what that took."""
    count = len(content.invariants)
    all_ = f"{count} invariant{'s' if count != 1 else ''} of the witness"
    how = ""
    if count and result.engine == "auto":
        alone = any(_INDUCTIVE.fullmatch(line) for line in result.tried)
        how = " by induction from them and bounds" if alone else ", completed by what engines found"
    return f"confirmed: {all_} proved{how}; no run violates the specification"


def _wrong(invariant: WitnessInvariant, result: Result) -> str:
    """Which invariant does not hold, and with which values."""
    violation = result.violation
    assert violation is not None
    what = invariant.type.value.replace("_", " ")
    shown = invariant.value if len(invariant.value) <= _LONG else f"{invariant.value[:_LONG]} ..."
    error = violation.trace.error
    values = "" if error is None or not error.values else f", where {values_text(error.values)}"
    at = f"{'behind' if invariant.behind else 'at'} {invariant.location}"
    if violation.subproperty is not None:
        text = f"`{shown}` cannot be evaluated {at}: {violation.text}"
        return f"wrong {what}: {text}{values}"
    return f"wrong {what}: `{shown}` does not hold {at}{values}"


def _is_told_at(result: Result, product: WitnessProduct) -> bool:
    """Is the violation in the target's statement?"""
    assert result.violation is not None
    coord = result.violation.coord
    return coord.file not in product.instrumented.files or product.is_target(coord)


def _counted(content: ViolationContent) -> str:
    count = len(content.segments)
    return f"{count} waypoint{'s' if count != 1 else ''}"
