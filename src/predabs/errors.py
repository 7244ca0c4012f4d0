"""Everything predabs raises on purpose: the user's fault, a limit, or a bug of ours.

The four are kept apart because they end differently: bad input and unsupported C are told to the
user (exit code 2 or an UNKNOWN verdict), a spent budget is an UNKNOWN verdict, and an internal
error is a bug report (exit code 70). None of them may ever turn into TRUE or FALSE.
"""

from __future__ import annotations


class PredabsError(Exception):
    """The common base; `str()` is the message for a person, `file:line:col: what` where known."""


class InputError(PredabsError):
    """The input cannot be read as asked: no such file, a syntax error, no entry function."""


class NotInstalled(InputError):
    """What was asked for needs a library that is not there; the message says how to install it."""


class UnsupportedFeature(PredabsError):
    """The input is legal, but uses something that predabs does not model."""


class ResourceExhausted(PredabsError):
    """A limit of time, memory or steps was reached before an answer was found."""


def too_deep(problem: RecursionError) -> ResourceExhausted:
    """What to say where Python's stack was not enough.

    Walks over terms and syntax trees have stacks of their own, so that this is a last resort; where
    it happened is said, because that walk should get one too.
    """
    trace = problem.__traceback__
    name = "?"
    while trace is not None:
        name = trace.tb_frame.f_code.co_qualname
        trace = trace.tb_next
    return ResourceExhausted(f"something is nested too deeply for predabs (in {name})")


class InternalError(PredabsError):
    """An invariant of predabs itself is broken: a bug of ours, never the user's fault."""
