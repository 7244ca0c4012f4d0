"""Read a witness of the format 1.0: an automaton, as GraphML [BDD+15]. What is wrong with it is
said as `file:line: ...`.

The text is given to expat, and a document type is refused: so no entity of the file is ever
expanded, and nothing outside of it is read. Keys that are not known are passed over, as producers
add their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat

from ...errors import InputError
from ...records import dataclass, field
from .content import Automaton, AutomatonEdge, AutomatonNode, Witness, WitnessTask

_KINDS = {"violation_witness": False, "correctness_witness": True}
_MODELS = {"32bit": "ILP32", "64bit": "LP64"}
_HASH = re.compile(r"[0-9a-fA-F]{40}|[0-9a-fA-F]{64}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_ASSIGNED = re.compile(r"^([^=!<>]*[^=!<>\s+*/%&|^-])\s*=\s*([^=].*)", re.DOTALL)
_OUTCOMES = {"condition-true": True, "condition-false": False}


def is_graphml(text: str) -> bool:
    """Is it XML, and so nothing that YAML could be?

    >>> is_graphml('<?xml version="1.0"?>'), is_graphml("- entry_type: invariant_set")
    (True, False)
    """
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def parse_graphml(text: str, file: str) -> Witness:
    """The witness that a text is; `file` is its name in messages."""
    reading = _Reading(file)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reading.refuse_doctype
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.characters
    reading.parser = parser
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as problem:
        what = expat.errors.messages.get(problem.code, "it cannot be read")
        raise InputError(f"{file}:{problem.lineno}: this is no XML: {what}") from None
    return reading.witness()


@dataclass(slots=True)
class _Element:
    """A graph, node or edge, with its data: for each key, texts and the lines that they are on."""

    line: int
    attributes: Mapping[str, str]
    data: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def get(self, key: str) -> str | None:
        found = self.data.get(key)
        return found[0][0] if found else None

    def is_set(self, key: str) -> bool:
        return (self.get(key) or "").strip().lower() == "true"

    def line_of(self, key: str) -> int:
        found = self.data.get(key)
        return found[0][1] if found else self.line


class _Reading:
    """What was read so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.parser = expat.ParserCreate()
        self._begun = False
        self._defaults: dict[str, str] = {}
        self._graph: _Element | None = None
        self._nodes: dict[str, _Element] = {}
        self._edges: list[_Element] = []
        self._open: list[_Element] = []
        self._key: str | None = None
        self._key_line = 0
        self._default_of: str | None = None
        self._text: list[str] = []

    def _problem(self, line: int, text: str) -> InputError:
        return InputError(f"{self.file}:{line}: {text}")

    # --- events of expat --------------------------------------------------------------------------

    def refuse_doctype(self, *_: object) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise self._problem(line, "a witness has no document type (<!DOCTYPE ...>)")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        name = tag.rpartition(" ")[2]
        if not self._begun and name != "graphml":
            raise self._problem(line, f"this is no witness: <{name}> is not <graphml>")
        self._begun = True
        match name:
            case "key":
                self._default_of = attributes.get("id", "")
            case "graph":
                if self._graph is not None:
                    raise self._problem(line, "a witness has one graph only")
                self._graph = _Element(line, attributes)
                self._open.append(self._graph)
            case "node":
                node = _Element(line, attributes)
                self._nodes[self._attribute(node, "id")] = node
                self._open.append(node)
            case "edge":
                edge = _Element(line, attributes)
                self._edges.append(edge)
                self._open.append(edge)
            case "data":
                self._key, self._key_line = attributes.get("key", ""), line
                self._text.clear()
            case "default":
                self._text.clear()

    def end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        match tag.rpartition(" ")[2]:
            case "data" if self._key is not None and self._open:
                found = self._open[-1].data.setdefault(self._key, [])
                found.append((text, self._key_line))
                self._key = None
            case "default" if self._default_of is not None:
                self._defaults[self._default_of] = text
            case "key":
                self._default_of = None
            case "graph" | "node" | "edge" if self._open:
                self._open.pop()

    def characters(self, text: str) -> None:
        self._text.append(text)

    # --- the whole --------------------------------------------------------------------------------

    def witness(self) -> Witness:
        graph = self._graph
        if graph is None:
            raise self._problem(1, "this is no witness: there is no <graph>")
        kind = self._needed(graph, "witness-type")
        if kind not in _KINDS:
            known = " and ".join(_KINDS)
            line = graph.line_of("witness-type")
            raise self._problem(line, f"witness-type {kind}: there are {known}")
        task = self._task(graph)
        nodes = {name: self._node(name, element) for name, element in self._nodes.items()}
        entries = [name for name, element in self._nodes.items() if element.is_set("entry")]
        if len(entries) != 1:
            raise self._problem(graph.line, f"{len(entries)} nodes are the entry; one is expected")
        edges = tuple(self._edge(element) for element in self._edges)
        automaton = Automaton(_KINDS[kind], nodes, edges, entries[0], graph.line)
        return Witness(self.file, graph.get("producer") or "?", task, automaton)

    def _attribute(self, element: _Element, name: str) -> str:
        if name not in element.attributes:
            raise self._problem(element.line, f"the attribute {name} is missing here")
        return element.attributes[name]

    def _needed(self, graph: _Element, key: str) -> str:
        text = graph.get(key)
        if not text:
            raise self._problem(graph.line, f"the graph has no data for {key}")
        return text

    def _task(self, graph: _Element) -> WitnessTask:
        language = self._needed(graph, "sourcecodelang")
        if language != "C":
            line = graph.line_of("sourcecodelang")
            raise self._problem(line, f"sourcecodelang {language}: predabs reads C only")
        architecture = self._needed(graph, "architecture")
        if architecture not in _MODELS:
            line = graph.line_of("architecture")
            raise self._problem(line, f"architecture {architecture}: there are 32bit and 64bit")
        digest = self._needed(graph, "programhash")
        if not _HASH.fullmatch(digest):
            line = graph.line_of("programhash")
            raise self._problem(line, "programhash is no hash of SHA-256 or SHA-1")
        file = self._needed(graph, "programfile")
        self._needed(graph, "specification")
        specification = "\n".join(text for text, _ in graph.data["specification"])
        return WitnessTask(
            (file,),
            ((file, digest.lower()),),
            specification,
            _MODELS[architecture],
            graph.line_of("specification"),
            graph.line_of("programhash"),
            every_file=False,
        )

    def _node(self, name: str, element: _Element) -> AutomatonNode:
        return AutomatonNode(
            name,
            element.is_set("violation"),
            element.is_set("sink"),
            element.get("invariant"),
            element.get("invariant.scope"),
            element.line_of("invariant"),
        )

    def _edge(self, element: _Element) -> AutomatonEdge:
        ends = []
        for end in ("source", "target"):
            name = self._attribute(element, end)
            if name not in self._nodes:
                raise self._problem(element.line, f"there is no node {name}")
            ends.append(name)
        control = element.get("control")
        if control is not None and control not in _OUTCOMES:
            known = " and ".join(_OUTCOMES)
            raise self._problem(element.line_of("control"), f"control {control}: there are {known}")
        return AutomatonEdge(
            ends[0],
            ends[1],
            element.get("originfile") or self._defaults.get("originfile") or "",
            self._number(element, "startline"),
            self._number(element, "startoffset"),
            None if control is None else _OUTCOMES[control],
            element.get("enterFunction") or "",
            element.get("returnFromFunction") or element.get("returnFrom") or "",
            element.is_set("enterLoopHead"),
            self._assumption(element),
            element.get("assumption.resultfunction") or "",
            element.line,
        )

    def _number(self, element: _Element, key: str) -> int | None:
        text = element.get(key)
        if text is None:
            return None
        if not _NUMBER.fullmatch(text):
            line = element.line_of(key)
            raise self._problem(line, f"{key} is expected to be a number, not {text!r}")
        return int(text)

    def _assumption(self, element: _Element) -> str:
        """The conjunction of all that is assumed; the parts end with semicolons. Some producers
        write what a variable has got as an assignment."""
        parts = [
            _ASSIGNED.sub(r"\1 == (\2)", part.strip())
            for text, _ in element.data.get("assumption", ())
            for part in text.split(";")
            if part.strip()
        ]
        return parts[0] if len(parts) == 1 else " && ".join(f"({part})" for part in parts)
