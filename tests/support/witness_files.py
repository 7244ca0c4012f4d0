"""Witnesses as other producers write them, and the schema of the format, apart from the writer."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

SPECIFICATION = "CHECK( init(main()), LTL(G ! call(reach_error())) )"


def head(kind: str, file: Path, specification: str = SPECIFICATION, model: str = "LP64") -> str:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return f"""- entry_type: {kind}
  metadata:
    format_version: '2.0'
    uuid: 91023a0f-9f45-4385-88c4-1152ade45537
    creation_time: '2023-05-05T13:18:43+02:00'
    producer:
      name: Someone
      version: 1.2.3
    task:
      input_files:
      - some/where/{file.name}
      input_file_hashes:
        some/where/{file.name}: {digest}
      specification: {specification}
      data_model: {model}
      language: C
  content:
"""


def position(file: Path, text: str, behind: int = 0, nth: int = 1) -> tuple[int, int]:
    """The line and column of the n-th time that the text is in the file."""
    source = file.read_text()
    at = -1
    for _ in range(nth):
        at = source.index(text, at + 1)
    at += behind
    line = source.count("\n", 0, at) + 1
    return line, at - (source.rfind("\n", 0, at) + 1) + 1


def _location(file: Path, at: tuple[int, int]) -> str:
    return f"{{file_name: some/where/{file.name}, line: {at[0]}, column: {at[1]}, function: main}}"


def invariant(file: Path, at: tuple[int, int], value: str, kind: str = "loop_invariant") -> str:
    return f"""  - invariant:
      type: {kind}
      location: {_location(file, at)}
      value: '{value}'
      format: c_expression
"""


def waypoint(
    file: Path, kind: str, at: tuple[int, int], value: str | None = None, action: str = "follow"
) -> str:
    text = f"""    - waypoint:
        type: {kind}
        action: {action}
        location: {_location(file, at)}
"""
    if value is not None:
        text += f"        constraint:\n          value: '{value}'\n"
        text += "          format: c_expression\n"
    return text


def segment(*waypoints: str) -> str:
    return "  - segment:\n" + "".join(waypoints)


def correctness(file: Path, *invariants: str, model: str = "LP64") -> str:
    return head("invariant_set", file, model=model) + "".join(invariants)


def violation(file: Path, *segments: str) -> str:
    return head("violation_sequence", file) + "".join(segments)


# --- the schema -----------------------------------------------------------------------------------


def schema_problems(document: Any) -> list[str]:
    """What is wrong with a loaded witness, by the description of format 2.0."""
    problems: list[str] = []

    def need(condition: bool, text: str) -> None:
        if not condition:
            problems.append(text)

    need(isinstance(document, list) and len(document) == 1, "a list of one entry")
    for entry in document:
        need(set(entry) == {"entry_type", "metadata", "content"}, f"keys {set(entry)}")
        _metadata(entry["metadata"], need)
        if entry["entry_type"] == "invariant_set":
            for item in entry["content"]:
                need(set(item) == {"invariant"}, "invariant")
                _invariant(item["invariant"], need)
        else:
            need(entry["entry_type"] == "violation_sequence", "entry_type")
            _segments([item["segment"] for item in entry["content"]], need)
    return problems


def _metadata(metadata: Any, need: Any) -> None:
    keys = {"format_version", "uuid", "creation_time", "producer", "task"}
    need(set(metadata) == keys, f"metadata {set(metadata)}")
    need(metadata["format_version"] == "2.0", "format_version")
    uuid.UUID(metadata["uuid"])
    need(isinstance(metadata["creation_time"], str), "creation_time")
    need(datetime.fromisoformat(metadata["creation_time"]).tzinfo is not None, "no time zone")
    producer = metadata["producer"]
    need({"name", "version"} <= set(producer), "producer")
    known = {"name", "version", "configuration", "command_line", "description"}
    need(set(producer) <= known, f"producer {set(producer)}")
    need(all(isinstance(value, str) for value in producer.values()), "producer's types")
    task = metadata["task"]
    keys = {"input_files", "input_file_hashes", "specification", "data_model", "language"}
    need(set(task) == keys, f"task {set(task)}")
    need(set(task["input_files"]) == set(task["input_file_hashes"]), "files and hashes")
    for digest in task["input_file_hashes"].values():
        need(re.fullmatch("[0-9a-f]{64}", digest) is not None, "a hash")
    need(task["data_model"] in ("ILP32", "LP64"), "data_model")
    need(task["language"] == "C", "language")
    need(task["specification"].startswith("CHECK( init("), "specification")


def _place(location: Any, need: Any) -> None:
    need({"file_name", "line"} <= set(location), "location")
    need(set(location) <= {"file_name", "line", "column", "function"}, "location")
    need(isinstance(location["line"], int) and location["line"] >= 1, "line")
    need(isinstance(location.get("column", 1), int) and location.get("column", 1) >= 1, "column")


def _invariant(invariant: Any, need: Any) -> None:
    need(set(invariant) == {"type", "location", "value", "format"}, "invariant")
    need(invariant["type"] in ("loop_invariant", "location_invariant"), "type")
    need(invariant["format"] == "c_expression", "format")
    need(isinstance(invariant["value"], str) and invariant["value"] != "", "value")
    _place(invariant["location"], need)


def _segments(segments: Sequence[Any], need: Any) -> None:
    need(len(segments) >= 1, "no segment")
    for number, items in enumerate(segments, 1):
        points = [item["waypoint"] for item in items]
        need(all(set(item) == {"waypoint"} for item in items), "waypoint")
        need([p["action"] for p in points] == ["avoid"] * (len(points) - 1) + ["follow"], "action")
        need((points[-1]["type"] == "target") == (number == len(segments)), "target")
        for point in points:
            need({"type", "action", "location"} <= set(point), "waypoint")
            need(set(point) <= {"type", "action", "location", "constraint"}, "waypoint")
            _place(point["location"], need)
            constraint = point.get("constraint")
            match point["type"]:
                case "assumption":
                    need(constraint["format"] == "c_expression", "assumption")
                case "branching":
                    need(re.fullmatch("true|false|default|-?[0-9]+", constraint["value"]), "branch")
                case "function_return":
                    need(constraint["format"] == "ext_c_expression", "function_return")
                    pattern = r"\\result (==|!=|<|<=|>|>=) .*"
                    need(re.fullmatch(pattern, constraint["value"]), "function_return")
                case "function_enter" | "target":
                    need(constraint is None, "a constraint too many")
                case other:
                    need(False, f"type {other}")
