"""Certificates as files: a JSON object with a proof, and with what it is a proof of.

The object says which files were read, with their digests, which options had a say in what the
program means, how the proof goes, and its invariants by configuration. `docs/certificates.md`
describes each field.

Soundness duty: reading gives a proof about the very program that is at hand, or an `InputError`;
texts that are there for readers (`place`, `text`, `trusted`, `assumptions`) count for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import InputError
from ..ir.cfa import Edge, Location, Program
from ..ir.configuration import CallStack, Configuration
from ..ir.expr import And, Expr
from ..ir.make import conj
from ..ir.ops import Call
from ..records import dataclass
from ..verdict import Invariant, Method, Proof, ShapesAt
from .certificate_terms import TermReader, TermWriter
from .invariant_text import invariant_text
from .proof_program import trusted

Json: TypeAlias = Any

FORMAT = "predabs certificate"
VERSION = 1
_METHODS = {method.value: method for method in Method}
_LONGEST_TEXT = 400  # of an invariant, for readers
_MOST = 1 << 30


@dataclass(frozen=True, slots=True)
class ProofData:
    """What a certificate says about how its program is proved."""

    proof: Proof
    invariants: tuple[Invariant, ...]
    pieces: int | None
    recursion: int | None
    shapes: tuple[ShapesAt, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """What a certificate is about: files with their digests, options, digest of the program."""

    files: tuple[tuple[str, str], ...]
    options: Mapping[str, Json]
    program: str


def file_digest(path: str) -> str:
    """The digest of a file's bytes."""
    try:
        return sha256(Path(path).read_bytes()).hexdigest()
    except OSError as problem:
        raise InputError(f"{path}: cannot read: {problem.strerror or problem}") from problem


# --- writing --------------------------------------------------------------------------------------


def certificate_text(
    program: Program,
    heading: Heading,
    data: ProofData,
    checked_by: Sequence[str],
    assumptions: Sequence[str],
) -> str:
    """The file: an object with a line for each term and invariant."""
    writer = TermWriter()
    places: list[Invariant | ShapesAt] = [*data.invariants, *data.shapes]
    numbers = {
        edge: number
        for name in {call.src.function for item in places for call in item.stack}
        for number, edge in enumerate(program.functions[name].edges)
    }
    invariants = [_invariant(program, writer, numbers, item) for item in data.invariants]
    proof = data.proof
    head: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "files": [{"name": name, "sha256": digest} for name, digest in heading.files],
        "options": dict(heading.options),
        "program": {"sha256": heading.program},
        "proof": {
            "engine": proof.engine,
            "solver": proof.solver,
            "method": proof.method.value,
            "k": proof.depth,
            "pieces": data.pieces,
            "recursion": data.recursion,
        },
        "checked by": list(checked_by),
        "trusted": list(trusted(proof.method)),
        "assumptions": list(assumptions),
    }
    parts = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    parts += [_rows("terms", writer.table), _rows("invariants", invariants)]
    if data.shapes:
        parts.append(_rows("shapes", (_shapes(program, numbers, item) for item in data.shapes)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _rows(name: str, rows: Iterable[Json]) -> str:
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f" {json.dumps(name)}: [\n{lines}\n ]" if lines else f" {json.dumps(name)}: []"


def _invariant(
    program: Program, writer: TermWriter, numbers: Mapping[Edge, int], item: Invariant
) -> Json:
    parts = [{"term": writer.number(part), "text": _shown(part)} for part in conjuncts(item.expr)]
    return {**_place(program, numbers, item), "conjuncts": parts}


def _shapes(program: Program, numbers: Mapping[Edge, int], item: ShapesAt) -> Json:
    return {**_place(program, numbers, item), "graphs": [json.loads(text) for text in item.graphs]}


def _place(
    program: Program, numbers: Mapping[Edge, int], item: Invariant | ShapesAt
) -> dict[str, Json]:
    function = program.functions[item.location.function]
    leaving = function.outgoing.get(item.location, ())
    return {
        "function": function.name,
        "location": item.location.index,
        "calls": [{"function": call.src.function, "edge": numbers[call]} for call in item.stack],
        "place": str(leaving[0].coord if leaving else function.coord),
    }


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The parts of a condition that hold together."""
    return expr.args if isinstance(expr, And) else (expr,)


def _shown(expr: Expr) -> str:
    text = invariant_text(expr)
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ..."


# --- reading --------------------------------------------------------------------------------------


def parsed(text: str) -> Mapping[str, Json]:
    """The object of a file, if it is a certificate of a version that is known."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"this is no JSON: {problem}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError("this is no certificate of predabs")
    if data.get("version") != VERSION:
        raise InputError(
            f"version {data.get('version')!r} of certificates is not known, only {VERSION}"
        )
    return data


def read_heading(data: Mapping[str, Json]) -> Heading:
    """What the certificate is about."""
    files = []
    for item in _list(data, "files"):
        match item:
            case {"name": str(name), "sha256": str(digest)}:
                files.append((name, digest))
            case _:
                raise InputError("'files': each has a 'name' and a 'sha256'")
    options = data.get("options")
    match data.get("program"):
        case {"sha256": str(program)} if isinstance(options, dict):
            return Heading(tuple(files), options, program)
    raise InputError("'options' or 'program' is missing")


def read_method(data: Mapping[str, Json]) -> Method:
    """How the proof goes: that says which program it is about."""
    match data.get("proof"):
        case {"method": str(method)} if method in _METHODS:
            return _METHODS[method]
    raise InputError("'proof' has no method that is known")


def read_proof(program: Program, data: Mapping[str, Json]) -> ProofData:
    """The proof, about this program."""
    match data.get("proof"):
        case {
            "engine": str(engine),
            "solver": str(solver),
            "method": str(method),
            "k": depth,
            "pieces": pieces,
            "recursion": recursion,
        } if method in _METHODS:
            proof = Proof(engine, _METHODS[method], solver, _count("k", depth) or 0)
        case _:
            raise InputError("'proof' has no engine, solver, method, k, pieces or recursion")
    reader = TermReader(program, data.get("terms"))
    found = tuple(
        _read_invariant(program, proof.method, reader, item) for item in _list(data, "invariants")
    )
    most, deepest = _count("pieces", pieces), _count("recursion", recursion)
    if proof.method is Method.UNROLLING and not most:
        raise InputError("'pieces' must say how far the program was unrolled")
    shapes: tuple[ShapesAt, ...] = ()
    if proof.method is Method.SHAPES:
        rows = _list(data, "shapes")
        shapes = tuple(_read_shapes(program, proof.method, item) for item in rows)
    return ProofData(proof, found, most, deepest, shapes)


def _list(data: Mapping[str, Json], name: str) -> list[Json]:
    found = data.get(name)
    if not isinstance(found, list):
        raise InputError(f"'{name}' is no list")
    return found


def _count(name: str, value: Json) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MOST:
        raise InputError(f"'{name}' is no number that can be used: {value!r}")
    return value


def _read_invariant(program: Program, method: Method, reader: TermReader, item: Json) -> Invariant:
    match item:
        case {"conjuncts": list(parts)}:
            location, stack = _read_place(program, method, item)
            exprs = [_conjunct(reader, part) for part in parts]
            return Invariant(location, stack, conj(exprs))
    raise InputError("'invariants': each has a function, a location, calls and conjuncts")


def _read_shapes(program: Program, method: Method, item: Json) -> ShapesAt:
    match item:
        case {"graphs": list(graphs)}:
            location, stack = _read_place(program, method, item)
            return ShapesAt(location, stack, tuple(json.dumps(graph) for graph in graphs))
    raise InputError("'shapes': each has a function, a location, calls and graphs")


def _read_place(program: Program, method: Method, item: Json) -> tuple[Location, tuple[Edge, ...]]:
    match item:
        case {"function": str(name), "location": int(index), "calls": list(calls)}:
            function = program.functions.get(name)
            location = Location(name, index)
            if function is None or location not in function.outgoing:
                raise InputError(f"the program has no location {location}")
            stack = tuple(_call(program, call) for call in calls)
            _check_stack(program, method, location, stack)
            return location, stack
    raise InputError("a place has a function, a location and calls")


def _conjunct(reader: TermReader, part: Json) -> Expr:
    match part:
        case {"term": number}:
            return reader.condition(number)
    raise InputError("'conjuncts': each has a 'term'")


def _call(program: Program, item: Json) -> Edge:
    match item:
        case {"function": str(name), "edge": int(number)}:
            function = program.functions.get(name)
            if function is not None and 0 <= number < len(function.edges):
                edge = function.edges[number]
                if isinstance(edge.op, Call):
                    return edge
    raise InputError(f"'calls': {json.dumps(item)} is no call of the program")


def _check_stack(
    program: Program, method: Method, location: Location, stack: tuple[Edge, ...]
) -> None:
    """The outermost call is made by the entry function, unless a function with a summary makes it,
    and no function is active twice."""
    if stack and stack[0].src.function != program.entry and method is not Method.SUMMARIES:
        raise InputError(f"'calls' of {location} do not begin in {program.entry}")
    below: CallStack | None = None
    for call in stack:
        below = CallStack(call, below)
    names = [call.src.function for call in stack] + [location.function]
    if len(set(names)) < len(names):
        raise InputError(f"'calls': {Configuration(location, below)} is recursive")
