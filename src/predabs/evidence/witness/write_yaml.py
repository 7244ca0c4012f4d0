"""Write a witness as YAML.

Every text is a double-quoted scalar with the escapes of JSON, which are those of YAML: so no
library is needed, and no value can be taken for something else than a string.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from ... import __version__
from ...errors import InputError
from .content import (
    FORMAT_VERSION,
    Content,
    CorrectnessContent,
    Waypoint,
    WaypointType,
    WitnessLocation,
    WitnessTask,
)


def task_of(files: Sequence[str], specification: str, data_model: str) -> WitnessTask:
    """The task of a check of these files."""
    hashes = tuple((file, file_hash(file)) for file in files)
    return WitnessTask(tuple(files), hashes, specification, data_model)


def file_hash(file: str) -> str:
    """The SHA-256 hash of a file, in hexadecimal."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError as problem:
        raise InputError(f"{file}: cannot read: {problem.strerror or problem}") from None


def witness_text(
    content: Content,
    task: WitnessTask,
    command: Sequence[str] = (),
    description: str = "",
    created: datetime | None = None,
    identity: uuid.UUID | None = None,
) -> str:
    """The witness file."""
    is_proof = isinstance(content, CorrectnessContent)
    when = created or datetime.now(UTC)
    lines = [
        f"- entry_type: {_quoted('invariant_set' if is_proof else 'violation_sequence')}",
        "  metadata:",
        f"    format_version: {_quoted(FORMAT_VERSION)}",
        f"    uuid: {_quoted(str(identity or uuid.uuid4()))}",
        f"    creation_time: {_quoted(when.strftime('%Y-%m-%dT%H:%M:%SZ'))}",
        "    producer:",
        '      name: "predabs"',
        f"      version: {_quoted(__version__)}",
    ]
    if command:
        lines.append(f"      command_line: {_quoted(shlex.join(command))}")
    if description:
        lines.append(f"      description: {_quoted(description)}")
    lines += ["    task:", "      input_files:"]
    lines += [f"        - {_quoted(file)}" for file in task.files]
    lines.append("      input_file_hashes:")
    lines += [f"        {_quoted(file)}: {_quoted(digest)}" for file, digest in task.hashes]
    lines += [
        f"      specification: {_quoted(task.specification)}",
        f"      data_model: {_quoted(task.data_model)}",
        '      language: "C"',
    ]
    lines += _content(content)
    return "\n".join(lines) + "\n"


def _content(content: Content) -> list[str]:
    if isinstance(content, CorrectnessContent):
        if not content.invariants:
            return ["  content: []"]
        lines = ["  content:"]
        for invariant in content.invariants:
            lines += ["    - invariant:", f"        type: {_quoted(invariant.type.value)}"]
            lines += _location(invariant.location, "        ")
            lines.append(f"        value: {_quoted(invariant.value)}")
            lines.append('        format: "c_expression"')
        return lines
    lines = ["  content:"]
    for segment in content.segments:
        lines.append("    - segment:")
        for waypoint in (*segment.avoided, segment.followed):
            lines += _waypoint(waypoint)
    return lines


def _waypoint(waypoint: Waypoint) -> list[str]:
    lines = [
        "        - waypoint:",
        f"            type: {_quoted(waypoint.type.value)}",
        f"            action: {_quoted(waypoint.action.value)}",
        *_location(waypoint.location, "            "),
    ]
    if waypoint.value is not None:
        lines += ["            constraint:", f"              value: {_quoted(waypoint.value)}"]
        if waypoint.type is WaypointType.FUNCTION_RETURN:
            lines.append('              format: "ext_c_expression"')
        elif waypoint.type is WaypointType.ASSUMPTION:
            lines.append('              format: "c_expression"')
    return lines


def _location(location: WitnessLocation, margin: str) -> list[str]:
    lines = [
        f"{margin}location:",
        f"{margin}  file_name: {_quoted(location.file)}",
        f"{margin}  line: {location.line}",
    ]
    if location.column is not None:
        lines.append(f"{margin}  column: {location.column}")
    if location.function is not None:
        lines.append(f"{margin}  function: {_quoted(location.function)}")
    return lines


def _quoted(text: str) -> str:
    """
    >>> _quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")
