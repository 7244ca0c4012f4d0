"""From the files to the program that engines work on: load, add the property, slice.

Soundness duty: each step keeps all runs that reach an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeAlias

from ..analysis.address_comparison import with_open_layout
from ..analysis.block_lifetimes import with_block_lifetimes
from ..analysis.comparison_results import with_any_magnitude
from ..analysis.dead_branches import without_dead_branches
from ..analysis.facts import ProgramFacts
from ..analysis.initialised_objects import without_initialised
from ..analysis.intervals.linear_loops import computes_in_loops
from ..analysis.library_bounds import with_library_bounds
from ..analysis.program_arguments import with_arguments
from ..analysis.slice import slice_program
from ..analysis.unset_globals import with_unset_globals
from ..analysis.unset_members import with_unset_members
from ..errors import InputError
from ..frontend.compiler_flags import SourceFlags
from ..frontend.language import language_of
from ..frontend.load import load
from ..frontend.lower.scopes import MODELS
from ..ir.cfa import Coord, ExternPointers, Language, Program
from ..ir.types import DataModel
from ..options import Options, expanded
from ..options.checks import RUNTIME
from ..records import dataclass
from ..spec.checks import add_checks
from ..spec.properties import Property, restrict
from ..spec.rules import Rule
from ..spec.rules_events import CompiledRule, compile_rule
from ..spec.rules_product import with_rule
from ..statistics import Phase
from ..supervise.garbage import uncollected
from ..verdict import Input

PhaseOf: TypeAlias = Callable[[Phase], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Product:
    """The program is checked together with something else: texts stand in for files, and what was
    loaded is changed."""

    texts: Mapping[str, str]
    change: Callable[[Program], Program]
    original: Callable[[Coord], Coord] | None = None
    """Where in the unchanged files something is: a violation must be one of those, too."""
    inputs: Callable[[Program], list[Input]] | None = None
    """Inputs to try before all else."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be checked: files, how they are read, and what must not happen."""

    files: tuple[str, ...]
    property: Property
    entry: str
    data_model: DataModel
    flags: SourceFlags
    options: Options

    def language(self) -> Language:
        return language_of(self.files)

    def checks(self) -> frozenset[str]:
        """The faults that count: those that the property asks for, and those of the options. Of
        SPARK, the run-time checks count if nothing else is said."""
        if self.language() is Language.SPARK and not self.options.checks:
            return RUNTIME
        return self.property.checks | expanded(self.options.checks)


def loaded(subject: Subject, phase: PhaseOf, product: Product | None = None) -> Program:
    """The program, or a product of it, with its property as error edges."""
    rule, options = subject.property.rule, subject.options
    with phase(Phase.FRONT_END), uncollected():
        program = load(
            subject.files,
            subject.data_model,
            subject.entry,
            subject.flags,
            partial(phase, Phase.CLANG),
            watched={} if rule is None else rule.watched,
            extern_pointers=ExternPointers(options.extern_pointers),
            conversions="conversion" in subject.checks(),
            block_lifetimes=subject.checks() & {"deref", "cleanup"} == {"deref"},
            malloc_may_fail=options.malloc_may_fail,
            volatile=options.volatile,
            texts={} if product is None else product.texts,
        )
        program = with_block_lifetimes(restrict(program, subject.property, subject.checks()))
        program = add_checks(program, subject.checks())
        program = with_arguments(program)
        if options.monotone_functions:
            program = with_library_bounds(program)
        if rule is not None:
            program = with_rule(program, _compiled(subject, rule, phase))
        program = program if product is None else product.change(program)
        return with_any_magnitude(program, MODELS)


def _compiled(subject: Subject, rule: Rule, phase: PhaseOf) -> CompiledRule:
    files, texts = (rule.file,), {rule.file: rule.text}
    watch = partial(phase, Phase.CLANG)
    program = load(files, subject.data_model, None, subject.flags, watch, texts=texts)
    return compile_rule(rule, program)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The whole program as engines see it, and the one in which violations are replayed."""

    whole: ProgramFacts
    replayed: Program


def prepared(program: Program, single: bool = True) -> Prepared:
    """The program with inputs for all that C leaves open; with scalar variables for `single` places
    in memory?"""
    with uncollected():
        program = with_unset_members(program)
        layout = with_open_layout(with_unset_globals(ProgramFacts(program, single=single)))
        return Prepared(without_initialised(layout.facts), layout.replayed)


def smaller(subject: Subject, whole: ProgramFacts, certified: bool = False) -> ProgramFacts:
    """What errors depend on; for a certificate, nothing is left out because of loops whose bounds
    nobody proves again."""
    with uncollected():
        # there are many checks, and numbers alone say that most faults never happen
        bounded = not certified and rests_on_linear_loops(subject, whole)
        return sliced(without_dead_branches(whole) if subject.checks() or bounded else whole)


def rests_on_linear_loops(subject: Subject, whole: ProgramFacts) -> bool:
    """Are branches left out that bounds of linear loops exclude? What these say of a digital
    filter, no engine finds."""
    return (
        subject.options.float_intervals
        and not subject.checks()
        and computes_in_loops(whole.modref, whole.program)
        and whole.intervals.linear_loops > 0
    )


def sliced(facts: ProgramFacts) -> ProgramFacts:
    """The facts of the part of a program that its errors depend on."""
    cut = slice_program(facts.program, facts.partition, facts.modref)
    return facts.of_part(cut.program, cut.origin)


def entry_of(wanted: Property, entry: str) -> str:
    """The entry function, of which both a user and the property may have an opinion.

    >>> from ..spec.properties import ASSERT
    >>> entry_of(ASSERT, "start")
    'start'
    """
    named = wanted.entry or entry
    if entry not in ("main", named):
        raise InputError(f"{wanted.name} starts in {named}, but --entry asks for {entry}")
    return named
