"""How many TRUEs are certified, why the others are not, and how long that takes beside the check.

Each of the chosen tasks that are expected to hold is checked with `--certify`; `--option` has more
words for the check, as for `python -m bench check`, and the limits are the same as there, for check
and certificate together. A certificate that is refuted is told as an alarm, with the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from predabs.bench.answer import Answer
from predabs.bench.configuration import Configuration
from predabs.bench.text_table import Table, print_tables

from .series import add_run_arguments, run_answers
from .tasks import chosen_tasks

_TIMES = 2.0  # the time of the check: a certificate should not take more
_LEAST = 0.5  # seconds that nobody counts


@dataclass(frozen=True, slots=True)
class Measured:
    """A TRUE: seconds of the check and of its certificate, and why there is none."""

    task: str
    check: float
    certificate: float
    certified: bool
    note: str

    @property
    def in_time(self) -> bool:
        return self.certified and self.certificate <= max(_LEAST, _TIMES * self.check)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench certificates", description=__doc__)
    add_run_arguments(parser)
    parser.set_defaults(jobs=1, limit=20)
    parser.add_argument("--option", action="append", default=[], metavar="WORD")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args(words)
    args.only = args.only or "true"
    tasks = chosen_tasks(args)
    configuration = Configuration("certify", words=("--certify", *args.option))
    answers = run_answers(args, tasks, [configuration])
    found = [item for answer in answers if (item := measured(answer)) is not None]
    for item in found:
        print(_line(item), file=sys.stderr)
    alarms = [answer for answer in answers if answer.verdict != "TRUE" and _refuted(answer)]
    for answer in alarms:
        print(f"ALARM {answer.title}: {answer.reason}", file=sys.stderr)
    certified = [item for item in found if item.certified]
    row = (
        str(len(tasks)),
        str(len(found)),
        str(len(certified)),
        str(sum(item.in_time for item in found)),
        f"{sum(item.check for item in found):.0f}",
        f"{sum(item.certificate for item in found):.0f}",
    )
    heads = ("tasks", "TRUE", "certified", "in twice the time", "check s", "certificate s")
    print_tables([Table("certificates", heads, [row])], args.markdown)
    return 1 if alarms else 0


def measured(answer: Answer) -> Measured | None:
    """A TRUE with what is told of its certificate; None if there is no TRUE or nothing is told."""
    told = answer.details.get("certificate")
    if answer.verdict != "TRUE" or told is None:
        return None
    seconds = float(told["seconds"])
    tried = answer.details.get("stats", {}).get("tried") or answer.details.get("tried") or ()
    last = " ".join(tried[-1:])
    note = f"{told['reason']} [{last}]" if told["reason"] else " ".join(told["solvers"])
    check = float(answer.details["seconds"]) - seconds
    return Measured(answer.title, check, seconds, bool(told["certified"]), note)


def _refuted(answer: Answer) -> bool:
    told = answer.details.get("certificate") or {}
    return "refuted" in f"{answer.reason} {told.get('reason', '')}"


def _line(item: Measured) -> str:
    word = ("yes" if item.in_time else "late") if item.certified else "NO"
    return f"{word:5} {item.check:5.1f} s {item.certificate:5.1f} s {item.task}  {item.note}"
