"""Read a witness file of either format: YAML (2.0) or GraphML (1.0)."""

from __future__ import annotations

from pathlib import Path

from ...errors import InputError
from .content import Witness
from .read_graphml import is_graphml, parse_graphml
from .read_yaml import parse_yaml


def read_witness(file: str) -> Witness:
    """The witness in a file; raises `InputError` if there is none."""
    try:
        text = Path(file).read_bytes().decode("utf-8")
    except OSError as problem:
        raise InputError(f"{file}: cannot read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: this is no witness: it is not text in UTF-8") from None
    return parse_graphml(text, file) if is_graphml(text) else parse_yaml(text, file)
