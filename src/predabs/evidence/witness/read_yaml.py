"""Read a witness from YAML. What is wrong with it is said as `file:line: ...`.

The text is only composed, never constructed: no tag of the file can make an object. Keys that the
format does not have are passed over, as producers add their own.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import yaml

from ...errors import InputError
from ...records import dataclass
from .content import (
    READ_VERSIONS,
    Action,
    Content,
    CorrectnessContent,
    InvariantType,
    Segment,
    ViolationContent,
    Waypoint,
    WaypointType,
    Witness,
    WitnessInvariant,
    WitnessLocation,
    WitnessTask,
)

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Node: TypeAlias = yaml.Node
_DATA_MODELS = ("ILP32", "LP64")
_HASH = re.compile(r"[0-9a-fA-F]{64}")
_MOST_NUMBER = 10**9
_FORMATS = ("c_expression", "ext_c_expression", "acsl_expression")
_CONSTRAINED = frozenset(
    [WaypointType.ASSUMPTION, WaypointType.BRANCHING]
)  # a function_return may have a constraint


def parse_yaml(text: str, file: str) -> Witness:
    """The witness that a text is; `file` is its name in messages."""
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = 1 if mark is None else mark.line + 1
        raise InputError(f"{file}:{line}: this is no YAML: {problem.problem}") from None
    except (yaml.YAMLError, ValueError) as problem:
        raise InputError(f"{file}:1: this is no YAML: {problem}") from None
    except RecursionError:
        raise InputError(f"{file}:1: this is no witness: it is nested too deep") from None
    if root is None:
        raise InputError(f"{file}:1: this is no witness: the file is empty")
    return _Reader(file).witness(root)


@dataclass(frozen=True, slots=True)
class _Reader:
    file: str

    def witness(self, root: _Node) -> Witness:
        entries = self._list(root, "a witness")
        if not entries:
            raise self._problem(root, "a witness has at least one entry")
        read = [self._entry(entry) for entry in entries]
        kinds = {type(content) for _, _, content in read}
        if len(kinds) > 1:
            raise self._problem(root, "a witness has entries of one entry_type only")
        producer, task, first = read[0]
        if isinstance(first, ViolationContent):
            if len(read) > 1:
                raise self._problem(entries[1], "more than one violation_sequence")
            return Witness(self.file, producer, task, first)
        for (_, other, _), entry in zip(read[1:], entries[1:], strict=True):
            if (other.specification, other.data_model, other.hashes) != (
                task.specification,
                task.data_model,
                task.hashes,
            ):
                raise self._problem(entry, "the entries are about different tasks")
        invariants = tuple(
            invariant
            for _, _, content in read
            if isinstance(content, CorrectnessContent)
            for invariant in content.invariants
        )
        return Witness(self.file, producer, task, CorrectnessContent(invariants))

    def _entry(self, node: _Node) -> tuple[str, WitnessTask, Content]:
        entry = self._mapping(node, "an entry")
        kind = self._text(self._get(entry, node, "entry_type"), "entry_type")
        metadata_node = self._get(entry, node, "metadata")
        metadata = self._mapping(metadata_node, "metadata")
        version_node = self._get(metadata, metadata_node, "format_version")
        version = self._text(version_node, "format_version")
        if version not in READ_VERSIONS:
            known = " and ".join(READ_VERSIONS)
            raise self._problem(
                version_node, f"format_version {version}: only {known} are known here"
            )
        for name in ("uuid", "creation_time"):
            self._text(self._get(metadata, metadata_node, name), name)
        producer_node = self._get(metadata, metadata_node, "producer")
        producer = self._mapping(producer_node, "producer")
        name = self._text(self._get(producer, producer_node, "name"), "name")
        release = self._text(self._get(producer, producer_node, "version"), "version")
        task = self._task(self._get(metadata, metadata_node, "task"))
        content = self._get(entry, node, "content")
        match kind:
            case "invariant_set":
                return f"{name} {release}", task, self._invariants(content)
            case "violation_sequence":
                return f"{name} {release}", task, self._sequence(content)
        raise self._problem(
            entry["entry_type"],
            f"entry_type {kind}: only invariant_set and violation_sequence are known here",
        )

    def _task(self, node: _Node) -> WitnessTask:
        task = self._mapping(node, "task")
        files_node = self._get(task, node, "input_files")
        if isinstance(files_node, yaml.ScalarNode):
            files: list[_Node] = [files_node]  # some producers have no list for one file
        else:
            files = self._list(files_node, "input_files")
        hashes_node = self._get(task, node, "input_file_hashes")
        hashes = self._mapping(hashes_node, "input_file_hashes")
        read: list[tuple[str, str]] = []
        for key, value in hashes.items():
            digest = self._text(value, "a hash")
            if not _HASH.fullmatch(digest):
                raise self._problem(value, f"the hash of {key} is not one of SHA-256")
            read.append((key, digest.lower()))
        model_node = self._get(task, node, "data_model")
        model = self._text(model_node, "data_model")
        if model not in _DATA_MODELS:
            raise self._problem(model_node, f"data_model {model}: there are ILP32 and LP64")
        language_node = self._get(task, node, "language")
        language = self._text(language_node, "language")
        if language != "C":
            raise self._problem(language_node, f"language {language}: predabs reads C only")
        specification = self._get(task, node, "specification")
        return WitnessTask(
            tuple(self._text(name, "a file name") for name in files),
            tuple(read),
            self._text(specification, "specification"),
            model,
            self._line(specification),
            self._line(hashes_node),
        )

    # --- contents ---------------------------------------------------------------------------------

    def _invariants(self, node: _Node) -> CorrectnessContent:
        found = []
        for item in self._list(node, "content"):
            wrapped = self._mapping(item, "an item of content")
            inner = self._get(wrapped, item, "invariant")
            invariant = self._mapping(inner, "invariant")
            type_node = self._get(invariant, inner, "type")
            kind = self._one_of(InvariantType, type_node, "type")
            location = self._location(self._get(invariant, inner, "location"))
            value = self._text(self._get(invariant, inner, "value"), "value")
            format_node = self._get(invariant, inner, "format")
            self._check_format(format_node)
            found.append(WitnessInvariant(kind, location, value, self._line(inner)))
        return CorrectnessContent(tuple(found))

    def _sequence(self, node: _Node) -> ViolationContent:
        items = self._list(node, "content")
        if not items:
            raise self._problem(node, "a violation_sequence has at least one segment")
        segments = []
        for number, item in enumerate(items, 1):
            wrapped = self._mapping(item, "an item of content")
            inner = self._get(wrapped, item, "segment")
            waypoints = [self._waypoint(part) for part in self._list(inner, "segment")]
            if not waypoints:
                raise self._problem(inner, "a segment has at least one waypoint")
            *avoided, last = waypoints
            if last.action is not Action.FOLLOW:
                raise self._problem(inner, "the last waypoint of a segment is one to follow")
            if any(waypoint.action is not Action.AVOID for waypoint in avoided):
                raise self._problem(inner, "a segment has only one waypoint to follow, the last")
            if any(waypoint.type is WaypointType.TARGET for waypoint in avoided):
                raise self._problem(inner, "a target cannot be avoided")
            if (last.type is WaypointType.TARGET) != (number == len(items)):
                raise self._problem(inner, "the last segment, and no other, follows the target")
            segments.append(Segment(tuple(avoided), last))
        return ViolationContent(tuple(segments))

    def _waypoint(self, node: _Node) -> Waypoint:
        wrapped = self._mapping(node, "an item of a segment")
        inner = self._get(wrapped, node, "waypoint")
        waypoint = self._mapping(inner, "waypoint")
        kind = self._one_of(WaypointType, self._get(waypoint, inner, "type"), "type")
        action = self._one_of(Action, self._get(waypoint, inner, "action"), "action")
        location = self._location(self._get(waypoint, inner, "location"))
        value: str | None = None
        if "constraint" in waypoint:
            constraint_node = waypoint["constraint"]
            constraint = self._mapping(constraint_node, "constraint")
            value = self._text(self._get(constraint, constraint_node, "value"), "value")
            if "format" in constraint:
                self._check_format(constraint["format"])
            if kind in (WaypointType.TARGET, WaypointType.FUNCTION_ENTER):
                raise self._problem(constraint_node, f"a {kind.value} has no constraint")
        elif kind in _CONSTRAINED:
            raise self._problem(inner, f"a waypoint of type {kind.value} needs a constraint")
        return Waypoint(kind, action, location, value, self._line(inner))

    def _check_format(self, node: _Node) -> None:
        name = self._text(node, "format")
        if name not in _FORMATS:
            raise self._problem(node, f"format {name}: only C expressions are known here")

    def _location(self, node: _Node) -> WitnessLocation:
        location = self._mapping(node, "location")
        file = self._text(self._get(location, node, "file_name"), "file_name")
        line = self._number(self._get(location, node, "line"), "line")
        column = self._number(location["column"], "column") if "column" in location else None
        function = self._text(location["function"], "function") if "function" in location else None
        return WitnessLocation(file, line, column, function)

    # --- nodes ------------------------------------------------------------------------------------

    def _mapping(self, node: _Node, what: str) -> dict[str, _Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self._problem(node, f"{what} is expected to be a mapping (`key: value`)")
        found: dict[str, _Node] = {}
        for key, value in node.value:
            name = self._text(key, "a key")
            if name in found:
                raise self._problem(key, f"{name} is given twice")
            found[name] = value
        return found

    def _list(self, node: _Node, what: str) -> list[_Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise self._problem(node, f"{what} is expected to be a list (`- item`)")
        return list(node.value)

    def _get(self, mapping: dict[str, _Node], node: _Node, name: str) -> _Node:
        if name not in mapping:
            raise self._problem(node, f"{name} is missing here")
        return mapping[name]

    def _text(self, node: _Node, what: str) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self._problem(node, f"{what} is expected to be a text")
        return str(node.value)

    def _number(self, node: _Node, what: str) -> int:
        text = self._text(node, what)
        if not re.fullmatch(r"[0-9]{1,10}", text) or not 1 <= int(text) <= _MOST_NUMBER:
            raise self._problem(node, f"{what} is expected to be a number from 1 on, not {text!r}")
        return int(text)

    def _one_of(self, kinds: Any, node: _Node, what: str) -> Any:
        text = self._text(node, what)
        for kind in kinds:
            if kind.value == text:
                return kind
        known = ", ".join(kind.value for kind in kinds)
        raise self._problem(node, f"{what} {text!r} is not one of {known}")

    @staticmethod
    def _line(node: _Node) -> int:
        return int(node.start_mark.line) + 1

    def _problem(self, node: _Node, text: str) -> InputError:
        return InputError(f"{self.file}:{self._line(node)}: {text}")
