"""Validate a witness: does the program behave as it says, and does the verdict follow?

A correctness witness is confirmed if all its invariants hold and, with them, no run violates the
specification. A violation witness is confirmed by a replayed run that passes its waypoints and
violates the specification at its target. Soundness duty: TRUE and FALSE come from a check of the
product of program and witness, with the duties of every check.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from .api import Progressing, check_with
from .errors import InputError, UnsupportedFeature
from .evidence.witness.content import (
    CorrectnessContent,
    Segment,
    ViolationContent,
    Waypoint,
    Witness,
)
from .evidence.witness.instrument import (
    Instrumented,
    locations_of,
    with_invariants,
    with_waypoints,
)
from .evidence.witness.matching import lines_of
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
    sources = sources_of(list(files), options)
    check_hashes(witness, sources.files)
    wanted = property_of(options.property) if own_property else specification_of(witness)
    read = _places(witness, sources, DataModel[options.data_model])
    run = _Run(witness, tuple(sources.files), options, wanted, read, progress)
    match witness.content:
        case CorrectnessContent():
            return run.correctness(witness.content)
        case ViolationContent():
            return run.violation(witness.content)


def check_hashes(witness: Witness, files: Sequence[str]) -> None:
    """Raise `InputError` if the witness is about other files than these."""
    where = f"{witness.file}:{witness.task.hashes_line}"
    known = {digest for _, digest in witness.task.hashes}
    for file in files:
        digest = file_hash(file)
        if digest not in known:
            name = PurePath(file).name
            told = [d for path, d in witness.task.hashes if PurePath(path).name == name]
            about = f" (SHA-256 {told[0][:12]}..., not {digest[:12]}...)" if told else ""
            raise InputError(f"{where}: the witness is about another file than {file}{about}")
    if len(known) > len({file_hash(file) for file in files}):
        raise InputError(f"{where}: the task of the witness has more files than were given")


def specification_of(witness: Witness) -> Property:
    """The property that the witness is about."""
    where = f"{witness.file}:{witness.task.specification_line}"
    try:
        return parse(witness.task.specification, where)
    except (InputError, UnsupportedFeature) as problem:
        text = str(problem)
        raise type(problem)(text if text.startswith(where) else f"{where}: {text}") from None


def _places(witness: Witness, sources: Sources, model: DataModel) -> dict[str, FilePlaces]:
    locations = locations_of(witness)
    found = {}
    for file in sources.files:
        lines = sorted(lines_of(locations, sources.files, file))

        def wanted(first: int, last: int, lines: list[int] = lines) -> bool:
            return any(first <= line <= last for line in lines)

        found[file] = file_places(file, model, sources.flags.of(file), wanted)
    return found


@dataclass(slots=True)
class _Run:
    """One validation."""

    witness: Witness
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
                count = len(content.invariants)
                all_ = f"{count} invariant{'s' if count != 1 else ''} of the witness"
                note = f"confirmed: {all_} proved, and no run violates the specification"
                return Validation(Answer.TRUE, "", result, (note,))
            case Answer.UNKNOWN:
                return Validation(Answer.UNKNOWN, f"not confirmed: {result.reason}", result)
        assert result.violation is not None
        error = result.violation.coord
        line = product.owner(error)
        place = product.original(error)
        if line is None:
            reason = f"{self.witness.file}: the program violates the specification at {place}"
        else:
            reason = f"{self.witness.file}:{line}: {self._about(line, place)}"
        return Validation(Answer.UNKNOWN, f"not confirmed: {reason}", result)

    def _about(self, line: int, place: Coord) -> str:
        content = self.witness.content
        assert isinstance(content, CorrectnessContent)
        invariant = next(i for i in content.invariants if i.entry_line == line)
        what = invariant.type.value.replace("_", " ")
        return f"wrong {what}: `{invariant.value}` does not hold at {invariant.location}"

    def violation(self, content: ViolationContent) -> Validation:
        begun = time.monotonic()
        limit = self.options.timeout
        strict = with_waypoints(self.witness, content.segments, self.places, strict=True)
        first = _SEARCH_SECONDS if limit is None else limit * _STRICT
        product = WitnessProduct(strict)
        result = self._check(product, replace(self.options, timeout=first))
        if result.verdict is not Answer.FALSE:
            lenient = with_waypoints(self.witness, content.segments, self.places, strict=False)
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
        if point.type.value == "target":
            return f"no run violates the specification at {point.location}{after}"
        value = f" ({point.value})" if point.value is not None else ""
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


def _is_told_at(result: Result, product: WitnessProduct) -> bool:
    """Is the violation in the target's statement?"""
    assert result.violation is not None
    coord = result.violation.coord
    return coord.file not in product.instrumented.files or product.is_target(coord)


def _counted(content: ViolationContent) -> str:
    count = len(content.segments)
    return f"{count} waypoint{'s' if count != 1 else ''}"
