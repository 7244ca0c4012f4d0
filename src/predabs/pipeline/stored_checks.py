"""What checks have found out, in the store and back.

A check is kept under the fingerprint of what the engines saw, the slice, with the options that say
how they search. So the same check is found again, also if only comments changed, or functions that
no error depends on. If it is not there, the check that shares the most functions is taken; places
are named by function and loop then, as in precision reuse [BLN+13].

Soundness duty: whatever is read is a candidate: inputs are replayed, invariants are proved again,
predicates are where a search begins. What this program does not have, or has otherwise (a variable,
the layout of a record), is left out.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from .. import __version__
from ..analysis.facts import ProgramFacts
from ..engines.learned import Learned
from ..ir.cfa import Program
from ..ir.expr import Deref, Expr, Field, FunctionAddress, Index, Lvalue, Var
from ..ir.fingerprint import Fingerprint, fingerprint
from ..ir.flat_terms import Damaged, flattened, unflattened
from ..ir.result_variables import with_results
from ..ir.symbolic_constants import bound_to
from ..ir.types import RecordType
from ..ir.walk import subterms
from ..options import Options
from ..store.database import Store, StoreProblem
from ..verdict import Invariant, ProofPrecision, Safe, Unsafe
from .result import Violation
from .store_session import Aside, Known
from .stored_inputs import input_places, read_inputs, texts_of, written_value
from .stored_places import PlaceNames, Places

T = TypeVar("T")

_SEARCH = ("engine", "provers", "slice", "block", "traversal", "keep_subtree", "predicates_at")
_NUMBERS = ("numeric", "domain")
_MOST_NODES = 50_000  # of the terms of a proof; one that is larger would take long to check again
_MOST_PAIRS = 20_000
_Damage = (Damaged, AttributeError, KeyError, IndexError, TypeError, ValueError, zlib.error)


class StoredChecks:
    """The store, for one check."""

    def __init__(self, path: str, options: Options, files: Iterable[str]) -> None:
        self.store = Store(path)
        self._options = [getattr(options, name) for name in (*_SEARCH, *_NUMBERS)]
        self._files = [str(Path(file).absolute()) for file in files]
        self._prints: dict[Program, Fingerprint] = {}
        self.problem = ""  # why the store was not used

    @property
    def messages(self) -> tuple[str, ...]:
        """For the user."""
        return tuple(self.store.messages)

    def wait_at_most(self, seconds: float) -> None:
        """There is not more time for writing."""
        self.store.patience = min(self.store.patience, seconds)

    def known(self, facts: ProgramFacts, whole: Program) -> Known | None:
        """What is known of a program, whose violations replay in the whole one."""
        try:
            value = self.store.find(self._key(facts))
            same = value is not None
            if value is None:
                context = self._context(facts.program)
                value = self.store.nearest(context, self._features(facts))
        except StoreProblem as problem:
            self.problem = str(problem)
            return None
        if value is None:
            return None
        try:
            return self._read(json.loads(zlib.decompress(value)), same, facts, whole)
        except _Damage:
            return None

    def last_violation(self, whole: Program) -> Known | None:
        """What is known of these files, if their last check found a violation."""
        try:
            value = self.store.nearest(self._context(whole), self._of_files())
        except StoreProblem as problem:
            self.problem = str(problem)
            return None
        try:
            said = {} if value is None else json.loads(zlib.decompress(value))
            if said.get("verdict") != "FALSE":
                return None
            return _violation(said, said["files"] == texts_of(self._files), whole)
        except _Damage:
            return None

    def keep_violation(
        self, facts: ProgramFacts, whole: Program, found: Violation, seconds: float
    ) -> None:
        """Keep the inputs of a run that was replayed."""
        terms: list[Any] = []
        places = input_places(whole)
        inputs = [
            [
                item.source.name,
                item.name,
                _number(terms, item.type),
                written_value(item.value),
                *places.get(
                    item.coord, ["", item.coord.file, 0, item.coord.line, item.coord.column]
                ),
            ]
            for item in found.inputs
        ]
        said: dict[str, Any] = {"text": found.text, "inputs": inputs, "steps": found.steps}
        said |= {"terms": flattened(terms), "files": texts_of(self._files)}
        self._keep(facts, {"verdict": "FALSE", "seconds": seconds, **said})

    def keep_proof(
        self,
        facts: ProgramFacts,
        proof: Safe,
        prover: str,
        seconds: float,
        aside: Aside,
    ) -> None:
        """Keep what a proof rests on."""
        program = facts.ghosts.program
        named = PlaceNames(program)
        terms: list[Any] = []
        said: dict[str, Any] = {
            "verdict": "TRUE",
            "prover": prover,
            "seconds": seconds,
            "reached": aside.reached,
            "asked_in_vain": aside.asked_in_vain,
            "functions": self._print(program).functions,
            "records": self._print(program).records,
            "invariants": [
                [named.place(item.location), list(map(named.call, item.stack)), number]
                for item, number in _numbered((*proof.invariants, *proof.support), terms)
            ],
        }
        if aside.needless is not None:
            said["needless"] = [_number(terms, lvalue) for lvalue in aside.needless]
        tracked = proof.precision
        if tracked is not None:
            said["precision"] = {
                "predicates": [
                    [named.place(where), _number(terms, expr)] for where, expr in tracked.predicates
                ],
                "localized": tracked.localized,
                "all_intervals": tracked.all_intervals,
                "storage": [_number(terms, lvalue) for lvalue in tracked.storage],
                "entered": list(tracked.entered),
                "pairs": dict(tracked.pairs[:_MOST_PAIRS]),
                "lemmas": [
                    [[_number(terms, expr), value] for expr, value in lemma]
                    for lemma in tracked.lemmas
                ],
            }
        said["terms"] = flattened(terms)
        if len(said["terms"]["nodes"]) <= _MOST_NODES:
            self._keep(facts, said)

    def _keep(self, facts: ProgramFacts, said: dict[str, Any]) -> None:
        value = zlib.compress(json.dumps(said, separators=(",", ":")).encode(), 6)
        try:
            context = self._context(facts.program)
            self.store.keep(self._key(facts), context, self._features(facts), value)
        except StoreProblem as problem:
            self.problem = str(problem)

    # --- keys -------------------------------------------------------------------------------------

    def _print(self, program: Program) -> Fingerprint:
        if program not in self._prints:
            self._prints[program] = fingerprint(program)
        return self._prints[program]

    def _key(self, facts: ProgramFacts) -> str:
        return _hash(self._print(facts.program).whole, self._context(facts.program)).hex()

    def _context(self, program: Program) -> str:
        model = program.data_model.name
        return json.dumps([__version__, program.entry, model, *map(str, self._options)])

    def _features(self, facts: ProgramFacts) -> Iterator[int]:
        """What other checks may share: functions, and the names of the files."""
        for name, found in self._print(facts.program).functions.items():
            yield _feature(name, found)
        yield from self._of_files()

    def _of_files(self) -> Iterator[int]:
        return (_feature("file", file) for file in self._files)

    # --- reading ----------------------------------------------------------------------------------

    def _read(
        self, said: dict[str, Any], same: bool, facts: ProgramFacts, whole: Program
    ) -> Known | None:
        if said["verdict"] == "FALSE":
            return _violation(said, same, whole)
        seconds = float(said["seconds"])
        terms = unflattened(said["terms"])
        program = facts.ghosts.program
        places = Places(program, self._print(program).functions, said["functions"])
        usable = _usable(program, self._print(program).records, said["records"])
        invariants = []
        for place, calls, number in said["invariants"]:
            location, stack = places.location(place), [places.call(call) for call in calls]
            if location is not None and None not in stack and usable(terms[number]):
                whole_stack = tuple(call for call in stack if call is not None)
                invariants.append(Invariant(location, whole_stack, terms[number]))
        learned = Learned(
            str(said["prover"]),
            seconds,
            tuple(invariants),
            _precision(said.get("precision"), terms, places, usable, program),
        )
        needless = None
        if "needless" in said:
            needless = tuple(_lvalues((terms[number] for number in said["needless"]), usable))
        aside = Aside(bool(said["reached"]), bool(said["asked_in_vain"]), needless)
        return Known(same, seconds, learned=learned, aside=aside)


def _violation(said: dict[str, Any], same: bool, whole: Program) -> Known:
    found = Unsafe(
        read_inputs(said["inputs"], unflattened(said["terms"]), whole), str(said["text"])
    )
    steps = said.get("steps")
    return Known(same, float(said["seconds"]), found, None if steps is None else int(steps))


# --- reading terms --------------------------------------------------------------------------------


def _usable(program: Program, now: Any, before: Any) -> Any:
    """Does the program have all that a term speaks of, as it was?"""
    variables = {item.var for item in program.globals}
    for function in with_results(program).functions.values():
        variables.update((*function.params, *function.locals))
    known: dict[Expr, bool] = {}

    def is_known(term: Expr) -> bool:
        match term:
            case Var():
                return term in variables or bound_to(program, term) is not None
            case FunctionAddress(name, _):
                return name in program.functions or name in program.externals
            case Field(base, _, _):
                tag = base.type.tag if isinstance(base.type, RecordType) else ""
                return bool(tag) and now.get(tag) == before.get(tag)
            case Deref(_, RecordType(tag, _)) | Index(_, _, RecordType(tag, _)):
                return bool(now.get(tag) == before.get(tag))
        return True

    def usable(expr: Expr) -> bool:
        if expr not in known:
            known[expr] = all(map(is_known, subterms(expr)))
        return known[expr]

    return usable


def _precision(
    said: Any, terms: list[Expr], places: Places, usable: Any, program: Program
) -> ProofPrecision | None:
    if said is None:
        return None
    predicates = []
    for place, number in said["predicates"]:
        location = places.location(place)
        if location is not None and usable(terms[number]):
            predicates.append((location, terms[number]))
    storage = [terms[number] for number in said["storage"]]
    return ProofPrecision(
        tuple(predicates),
        bool(said["localized"]),
        tuple(_lvalues(storage, usable)),
        tuple(name for name in said["entered"] if name in program.functions),
        bool(said["all_intervals"]),
        tuple((str(key), int(mask)) for key, mask in said["pairs"].items()),
        tuple(
            tuple((terms[number], bool(value)) for number, value in lemma)
            for lemma in said["lemmas"]
            if all(usable(terms[number]) for number, _ in lemma)
        ),
    )


def _lvalues(terms: Iterable[Expr], usable: Any) -> Iterator[Lvalue]:
    for term in terms:
        if isinstance(term, Lvalue) and usable(term):
            yield term


# --- small ----------------------------------------------------------------------------------------


def _numbered(items: Iterable[Invariant], terms: list[Any]) -> Iterator[tuple[Invariant, int]]:
    for item in items:
        yield item, _number(terms, item.expr)


def _number(terms: list[Any], term: Any) -> int:
    terms.append(term)
    return len(terms) - 1


def _hash(*parts: str) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.digest()


def _feature(*parts: str) -> int:
    return int.from_bytes(_hash(*parts)[:8], "big", signed=True)
