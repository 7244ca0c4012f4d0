"""Witnesses of the format 1.0 as other producers write them, apart from the reader."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from support.witness_files import SPECIFICATION

_KEYS = """ <key attr.name="originFileName" attr.type="string" for="edge" id="originfile">
  <default>program.c</default>
 </key>
 <key attr.name="invariant" attr.type="string" for="node" id="invariant"/>
 <key attr.name="invariant.scope" attr.type="string" for="node" id="invariant.scope"/>
 <key attr.name="nodeType" attr.type="string" for="node" id="nodetype"><default>path</default></key>
 <key attr.name="isViolationNode" attr.type="boolean" for="node" id="violation">
  <default>false</default>
 </key>
 <key attr.name="isEntryNode" attr.type="boolean" for="node" id="entry">
  <default>false</default>
 </key>
 <key attr.name="isSinkNode" attr.type="boolean" for="node" id="sink"><default>false</default></key>
 <key attr.name="enterLoopHead" attr.type="boolean" for="edge" id="enterLoopHead"/>
 <key attr.name="sourcecodeLanguage" attr.type="string" for="graph" id="sourcecodelang"/>
 <key attr.name="programFile" attr.type="string" for="graph" id="programfile"/>
 <key attr.name="programHash" attr.type="string" for="graph" id="programhash"/>
 <key attr.name="specification" attr.type="string" for="graph" id="specification"/>
 <key attr.name="architecture" attr.type="string" for="graph" id="architecture"/>
 <key attr.name="producer" attr.type="string" for="graph" id="producer"/>
 <key attr.name="startline" attr.type="int" for="edge" id="startline"/>
 <key attr.name="startoffset" attr.type="int" for="edge" id="startoffset"/>
 <key attr.name="control" attr.type="string" for="edge" id="control"/>
 <key attr.name="assumption" attr.type="string" for="edge" id="assumption"/>
 <key attr.name="assumption.resultfunction" for="edge" id="assumption.resultfunction"/>
 <key attr.name="enterFunction" attr.type="string" for="edge" id="enterFunction"/>
 <key attr.name="returnFromFunction" attr.type="string" for="edge" id="returnFrom"/>
 <key attr.name="witness-type" attr.type="string" for="graph" id="witness-type"/>
"""


def node(name: str, **data: str) -> str:
    return f'  <node id="{name}">{_data(data)}</node>\n'


def edge(source: str, target: str, **data: str) -> str:
    return f'  <edge source="{source}" target="{target}">{_data(data)}</edge>\n'


def _data(data: Mapping[str, str]) -> str:
    """A key with a dot in it has `__` for that."""
    lines = [
        f'   <data key="{key.replace("__", ".")}">{escape(value)}</data>'
        for key, value in data.items()
    ]
    return "\n" + "\n".join(lines) + "\n  " if lines else ""


def graphml(kind: str, file: Path, *parts: str, digest: str = "") -> str:
    digest = digest or hashlib.sha256(file.read_bytes()).hexdigest()
    about = {
        "witness-type": kind,
        "sourcecodelang": "C",
        "producer": "Someone 1.2.3",
        "specification": SPECIFICATION,
        "programfile": f"some/where/{file.name}",
        "programhash": digest,
        "architecture": "64bit",
        "creationtime": "2023-05-05T13:18:43+02:00",
    }
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        f'{_KEYS} <graph edgedefault="directed">{_data(about)}\n{"".join(parts)} </graph>\n'
        "</graphml>\n"
    )
