"""The certificate of a TRUE: made from what an engine hands on, checked, and checked again later.

Soundness duty: 'certified' only if the checker has proved the program from the certificate alone,
with a solver that has not found the proof. A certificate that is refuted is an alarm: there is no
TRUE then.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from ..analysis.facts import ProgramFacts
from ..engines.engine import EngineTask, decide
from ..errors import InputError, PredabsError, ResourceExhausted, UnsupportedFeature
from ..evidence.certificate_file import (
    Heading,
    ProofData,
    certificate_text,
    file_digest,
    parsed,
    read_heading,
    read_method,
    read_proof,
)
from ..evidence.obligations import Certificate, CertificateRefuted, Certified, Unchecked
from ..evidence.proof_check import ProofCheck
from ..evidence.proof_program import ProofPrograms, trusted
from ..frontend.compile_commands import sources_of
from ..ir.cfa import Program
from ..ir.digest import digest
from ..ir.types import DataModel
from ..options import Budget, Options
from ..options.option import rows
from ..records import dataclass, replace
from ..spec.checks import refuse_unsupported
from ..spec.properties import property_of
from ..statistics import Phase
from ..verdict import Method, Proof, Safe
from .preparation import Subject, entry_of, loaded, prepared, smaller
from .result import Alarm, Certification

# the options that have a say in what the program is, and in what must not happen in it
_OPTIONS = (
    "property",
    "checks",
    "entry",
    "data_model",
    "include",
    "define",
    "undefine",
    "force_include",
    "std",
    "compile_commands",
    "extern_pointers",
    "malloc_may_fail",
    "volatile",
    "slice",
)
_LONG = 86400.0  # seconds, if there is no limit
_FIRST_SHARE = 0.8  # of the time, before graphs of memory are searched


def certified(
    subject: Subject,
    facts: ProgramFacts,
    safe: Safe,
    assumptions: Sequence[str],
    seconds: float,
    is_slice: bool,
) -> Certification | Alarm:
    """Make and check the certificate of a proof about the program of the facts, in so much time."""
    begun = time.monotonic()
    if safe.proof is None:
        return Certification(False, reason="the engine does not say how it was proved")
    programs = ProofPrograms(facts)
    check = ProofCheck(
        programs,
        safe.proof,
        safe.invariants,
        search=True,
        support=safe.support,
        shapes=safe.shapes,
    )
    may_shape = safe.proof.method is not Method.SHAPES and _has_memory(facts)
    answer = check.run((_FIRST_SHARE if may_shape else 1.0) * seconds)
    if isinstance(answer, Unchecked) and may_shape:
        shaped = _by_shapes(programs, safe.proof, begun + seconds)
        answer = shaped if isinstance(shaped, Certified) else answer
    used = time.monotonic() - begun
    match answer:
        case Certified(solvers, invariants, pieces, recursion, proof, shapes):
            used_proof = proof or safe.proof
            data = ProofData(used_proof, invariants, pieces or None, recursion or None, shapes)
            about = programs.of(data.proof.method)
            heading = _heading(subject, about, is_slice)
            try:
                text = certificate_text(about.program, heading, data, solvers, assumptions)
            except PredabsError as problem:
                return Certification(False, reason=str(problem), seconds=used)
            return Certification(
                True,
                solvers,
                text=text,
                seconds=time.monotonic() - begun,
                method=used_proof.method.value,
                trusted=trusted(used_proof.method),
            )
        case CertificateRefuted(where, why):
            return Alarm(f"the certificate of {safe.proof.engine} is refuted: {where}: {why}")
        case Unchecked(reason):
            return Certification(False, reason=reason, seconds=used)


def _has_memory(facts: ProgramFacts) -> bool:
    """Is there anything that memory graphs know more about than formulas?"""
    return len(facts.partition.regions) > 1 or bool(facts.partition.single_lvalues)


def _by_shapes(programs: ProofPrograms, proof: Proof, until: float) -> Certificate:
    """Formulas do not know which objects live; memory graphs do. They are searched, and checked."""
    task = EngineTask(programs.facts, Options(certify=True))
    left = until - time.monotonic()
    try:
        found = decide("smg", task, Budget.of(left / 2))
    except (UnsupportedFeature, ResourceExhausted) as problem:
        return Unchecked(str(problem))
    if not isinstance(found, Safe):
        return Unchecked("there is no proof by shapes")
    shaped = replace(proof, method=Method.SHAPES, depth=0)
    check = ProofCheck(programs, shaped, (), shapes=found.shapes)
    return check.run(until - time.monotonic())


def _heading(subject: Subject, facts: ProgramFacts, is_slice: bool) -> Heading:
    options: dict[str, object] = {}
    for name in _OPTIONS:
        value = getattr(subject.options, name)
        options[name] = value if value is None or isinstance(value, str | bool) else list(value)
    options["slice"] = is_slice
    options["checks"] = sorted(subject.options.checks)
    files = tuple((file, file_digest(file)) for file in subject.files)
    return Heading(files, options, digest(facts.program))


# --- a certificate that somebody hands in ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CheckedCertificate:
    """What became of a certificate, and what it is about, in words."""

    answer: Certificate
    about: str
    method: str


def unchecked(reason: str) -> CheckedCertificate:
    """A check that was ended."""
    return CheckedCertificate(Unchecked(reason), "it is not known yet", "")


def check_certificate(
    text: str, files: Sequence[str], seconds: float | None = None
) -> CheckedCertificate:
    """Check a certificate for these files. Raises `InputError` if it is none, or one for another
    program."""
    data = parsed(text)
    heading = read_heading(data)
    subject = _subject(heading, files)
    programs = ProofPrograms(_facts(subject))
    about = _about_program(programs, read_method(data))
    if digest(about) != heading.program:
        raise InputError(
            "it is for another program: the files are the same, but not what they include, or "
            "predabs reads them in another way"
        )
    found = read_proof(about, data)
    check = ProofCheck(
        programs,
        found.proof,
        found.invariants,
        found.pieces or None,
        found.recursion or None,
        shapes=found.shapes,
    )
    answer = check.run(_LONG if seconds is None else seconds)
    return CheckedCertificate(answer, _about(subject), _method(found))


def _about_program(programs: ProofPrograms, method: Method) -> Program:
    try:
        return programs.of(method).program
    except UnsupportedFeature as problem:
        raise InputError(f"its method does not fit the program: {problem}") from None


def _subject(heading: Heading, files: Sequence[str]) -> Subject:
    options = _read_options(heading)
    read = sources_of(list(files), options)
    if len(read.files) != len(heading.files):
        raise InputError(f"it is for {len(heading.files)} files, and {len(read.files)} are given")
    for file, (name, wanted) in zip(read.files, heading.files, strict=True):
        if file_digest(file) != wanted:
            raise InputError(f"it is for another program: {file} is not the {name} that was proved")
    wanted_property = property_of(options.property)
    subject = Subject(
        read.files,
        wanted_property,
        entry_of(wanted_property, options.entry),
        DataModel[options.data_model],
        read.flags,
        options,
    )
    refuse_unsupported(subject.checks(), subject.language())
    return subject


def _read_options(heading: Heading) -> Options:
    """The options of the certificate, if they are options and have possible values."""
    given = dict(heading.options)
    if given.keys() != set(_OPTIONS):
        odd = sorted(given.keys() ^ set(_OPTIONS))
        raise InputError(f"'options' are not those of this version: {', '.join(odd)}")
    defaults = Options()
    for row in rows(Options):
        if row.name in given and not _fits(given[row.name], getattr(defaults, row.name)):
            raise InputError(f"'options': {row.name} cannot be {given[row.name]!r}")
    return Options(**given)


def _fits(value: object, default: object) -> bool:
    """Has a value the type that an option with this default has?"""
    if default is None:
        return value is None or isinstance(value, str)
    if isinstance(default, bool | str):
        return type(value) is type(default)
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _facts(subject: Subject) -> ProgramFacts:
    """The program that the proof is about, as a check prepares it."""
    whole = prepared(loaded(subject, _unwatched)).whole
    return smaller(subject, whole, certified=True) if subject.options.slice else whole


def _unwatched(phase: Phase) -> AbstractContextManager[None]:
    return nullcontext()


def _about(subject: Subject) -> str:
    checks = ", ".join(sorted(subject.checks()))
    options = subject.options
    told = [
        f"property {subject.property.name}",
        f"checks {checks}" if checks else "no checks",
        f"entry {subject.entry}",
        options.data_model,
    ]
    usual = Options()
    for name in ("extern_pointers", "malloc_may_fail", "volatile"):
        value = getattr(options, name)
        if value != getattr(usual, name):
            told.append(f"{name.replace('_', '-')} {value}")
    told += [f"-D {text}" for text in options.define]
    return ", ".join(told)


def _method(data: ProofData) -> str:
    proof = data.proof
    match proof.method:
        case Method.INDUCTION:
            how = f"k-induction with k = {proof.depth}"
        case Method.UNROLLING:
            how = f"unrolling into {data.pieces} pieces"
            if data.recursion:
                how += f", recursion down to depth {data.recursion}"
        case Method.INVARIANTS:
            how = "invariants"
        case Method.SUMMARIES:
            how = "invariants, with summaries of recursive functions"
        case Method.CELLS:
            how = "invariants about distinguished cells"
        case Method.CURSORS:
            how = "invariants about distinguished cells and cursors"
        case Method.EXECUTION:
            return f"the only run of the program, found by {proof.engine}"
        case Method.SHAPES:
            count = sum(len(item.graphs) for item in data.shapes)
            return f"{count} memory graphs at {len(data.shapes)} places, found by {proof.engine}"
    return f"{how}, {len(data.invariants)} cut points, found by {proof.engine} with {proof.solver}"
