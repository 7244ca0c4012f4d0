"""Whether a TRUE says anything: was there something to check, and does a run come to it?

Soundness duty: `UNREACHED` only if it is proved; where that takes long, nothing is said.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from ..analysis.facts import ProgramFacts
from ..analysis.slice import slice_program
from ..engines.engine import EngineTask, decide, load
from ..errors import ResourceExhausted, UnsupportedFeature
from ..evidence.vacuity import has_errors, reached_in_a_run, with_reached_errors
from ..ir.cfa import Program
from ..options import Budget, Options, cpu_limit
from ..records import dataclass, replace
from ..supervise import cpu_seconds
from ..verdict import Safe, Unsafe
from .result import Vacuity

_SHARE = 0.1  # of the time that the verdict took
_LEAST, _MOST = 1.0, 5.0  # seconds
_RUNS = 0.4  # the share of that for runs of the interpreter


@dataclass(frozen=True, slots=True)
class VacuityAnswer:
    """What is wrong with a truth, None if nothing is known to be; `is_open` if that was not found
    out."""

    vacuity: Vacuity | None
    is_open: bool = False


OPEN = VacuityAnswer(None, is_open=True)


def vacuity(
    program: Program,
    options: Options,
    begun: float,
    last: float | None,
    progress: Callable[[str], None],
) -> VacuityAnswer:
    """What is wrong with the truth of a property that was proved since `begun`, if that is found
    out in a short time (before `last`)."""
    if not has_errors(program):
        return VacuityAnswer(Vacuity.NOTHING)
    seconds = _seconds(begun, last, cpu_limit(options.cpu_time))
    if seconds <= 0:
        return OPEN
    progress("does a run come to what was checked?")
    try:
        reaching = with_reached_errors(program)
        if reaching is None or reached_in_a_run(reaching, time.monotonic() + _RUNS * seconds):
            return VacuityAnswer(None)
        whole = ProgramFacts(reaching)
        cut = slice_program(reaching, whole.partition, whole.modref)
        task = EngineTask(whole.of_part(cut.program, cut.origin), replace(options, record=False))
        load("lazy")  # its libraries take longer than there is time for the question
        verdict = decide("auto", task, Budget.of((1 - _RUNS) * seconds))
    except (UnsupportedFeature, ResourceExhausted, RecursionError):
        return OPEN
    match verdict:
        case Safe():
            return VacuityAnswer(Vacuity.UNREACHED)
        case Unsafe():
            return VacuityAnswer(None)
    return OPEN


def _seconds(begun: float, last: float | None, cpu: float | None) -> float:
    """How long to try: a small part of the time so far, and of that which is left."""
    now = time.monotonic()
    seconds = min(max(_SHARE * (now - begun), _LEAST), _MOST)
    if last is not None:
        seconds = min(seconds, (last - now) / 2)
    if cpu is not None:
        seconds = min(seconds, (cpu - cpu_seconds(os.getpid())) / 2)
    return seconds
