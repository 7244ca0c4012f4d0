"""The parts of a check with `--changed-since`: the errors that depend on a change, and the others.

Soundness duty: each error of the program is in exactly one part.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import PredabsError
from ..ir.cfa import Program
from ..ir.fingerprint import fingerprint
from ..records import dataclass, replace
from .changes import ErrorName, changes, errors_of, with_errors
from .preparation import PhaseOf, Subject, loaded, prepared, smaller
from .result import Answer, Result
from .revisions import sources_at

_MOST_SHOWN = 5
_WORST = (Answer.FALSE, Answer.UNKNOWN, Answer.TRUE)


@dataclass(frozen=True, slots=True)
class Parts:
    """The programs to check, one after the other, and what to tell the user; `unchanged` is the
    number of the part that depends on no change, if there is one."""

    programs: tuple[Program, ...]
    told: tuple[str, ...]
    unchanged: int | None = None

    def together(self, results: Sequence[Result]) -> Result:
        """The result of all parts: a violation, else a part that is not decided, else a proof, and
        that takes for granted whatever the proofs of the parts do."""
        worst = min(results, key=lambda one: _WORST.index(one.verdict))
        every = [text for one in results for text in one.assumptions]
        vacuous = all(one.vacuity is not None for one in results)
        return replace(
            worst,
            assumptions=tuple(dict.fromkeys(every))
            if worst.violation is None
            else worst.assumptions,
            invariants=tuple(dict.fromkeys(item for one in results for item in one.invariants)),
            vacuity=worst.vacuity if vacuous else None,
            seconds=results[-1].seconds,
            changes=(*self.told, *self.ends(results)),
        )

    def ends(self, results: Sequence[Result]) -> tuple[str, ...]:
        """What became of the errors that depend on no change."""
        if self.unchanged is None:
            return ()
        if self.unchanged >= len(results):
            return ("the other properties were skipped, as there is a violation",)
        result = results[self.unchanged]
        use = result.store
        if use is not None and use.given:
            how = "from the store, checked again"
        elif use is None:
            how = "checked in full: there is no store"
        elif use.had == "similar":
            how = "checked, with what the store knows of a similar check"
        elif use.had == "same":
            how = "checked in full: the verdict in the store could not be confirmed"
        else:
            how = "checked in full: the store has no verdict for them"
        return (f"properties that depend on no change: {result.verdict.value}, {how}",)


def parts_of(program: Program, subject: Subject, phase: PhaseOf) -> Parts:
    """Compare a program with what it was at the revision that the options name."""
    revision = subject.options.changed_since
    assert revision is not None
    with sources_at(revision, subject.files, subject.flags) as old:
        if not old.files:
            return Parts((program,), (f"the files are new since {revision}: all was checked",))
        before_subject = replace(subject, files=old.files, flags=old.flags)
        try:
            before = loaded(before_subject, phase)
        except PredabsError as problem:
            told = (
                f"the program cannot be read as it was at {revision}: all was checked ({problem})"
            )
            return Parts((program,), (told,))
    found = changes(program, before, lambda one: _slice_print(subject, one))
    whole = len(found.changed) + len(found.unchanged)
    if not found.changed:
        told = f"none of {whole} properties depends on what changed since {revision}"
        return Parts((program,), (told,), 0)
    names = _shown(program, found.changed)
    told = f"{len(found.changed)} of {whole} properties depend on what changed since {revision}: "
    if not found.unchanged:
        return Parts((program,), (told + names,))
    programs = tuple(with_errors(program, part) for part in (found.changed, found.unchanged))
    return Parts(programs, (told + names,), 1)


def _slice_print(subject: Subject, program: Program) -> str:
    """The fingerprint of what the errors of a program depend on."""
    return fingerprint(smaller(subject, prepared(program).whole).program).whole


def _shown(program: Program, names: Sequence[ErrorName]) -> str:
    edges = errors_of(program)
    shown = [f"{edges[name].coord}: {name[2]}" for name in names[:_MOST_SHOWN]]
    more = len(names) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")
