"""Compile a test with the program, run it under limits, and say whether it reached the error.

This is the only place where a program under check is executed natively, and only if the user asks
for it. It happens in a scratch folder that is removed afterwards, in a process group that is ended
as a whole.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ..records import dataclass
from ..supervise import die_with_parent
from . import test_pieces
from .preset_variables import preset_copy
from .sanitizers import ENVIRONMENT, reported
from .testcase import CTest

COMPILERS = ("cc", "gcc", "clang")
_COMPILE_SECONDS = 60
_RUN_SECONDS = 10
_MEGABYTES = 2048
_FILE_MEGABYTES = 16
# newer compilers refuse what C once allowed
_LENIENT = (
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-mismatch",
)
# in C99 an inline function may lack a definition that could be called; in older C it does not
_NOT_INLINE = ("-Dinline=", "-D__inline=", "-D__inline__=")
# a function that the run does not call may lack anything
_UNRESOLVED = ("-no-pie", "-Wl,--unresolved-symbols=ignore-all")
_ATTEMPTS: tuple[tuple[str, ...], ...] = ((), _NOT_INLINE, (*_NOT_INLINE, *_UNRESOLVED))
_INITIALISED = "-ftrivial-auto-var-init=zero"  # not every compiler knows it
_UNKNOWN_OPTION = re.compile(r"unrecognized|unknown argument")
_COMPLAINT = re.compile(r"error|undefined")
_TAIL = 16_000  # bytes of output that are looked at


@dataclass(frozen=True, slots=True)
class NativeRun:
    """Whether the compiled test reached the error; None if it was not run. `text` says more."""

    reached: bool | None
    text: str


def run_test(test: CTest, test_file: Path, files: Sequence[str]) -> NativeRun:
    """Compile the test file with the program's files and run the result."""
    if not test.observable:
        return NativeRun(None, "not run: a compiled program does not show this kind of error")
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return NativeRun(None, f"not run: no C compiler ({', '.join(COMPILERS)}) was found")
    with tempfile.TemporaryDirectory(prefix="predabs-") as scratch:
        folder = Path(scratch)
        binary = folder / "test"
        options, sources = list(test.options), list(files)
        if test.presets:
            sources = _copies(test, files, folder)
            options += [f"-iquote{Path(file).resolve().parent}" for file in files]
        own = [list(test.own.get(file, ())) for file in files]
        work = _Work(compiler, dict(zip(sources, own, strict=True)), str(test_file), folder)
        problem = _compile(work, options, binary)
        if problem is not None:
            return NativeRun(None, f"not run: it does not compile: {problem}")
        # the address sanitizer reserves much more than it uses, and has a limit of its own
        megabytes = None if test.sanitized else _MEGABYTES
        ended = _limited([str(binary)], folder, folder, _RUN_SECONDS, megabytes)
    run = _judge_sanitized(ended) if test.sanitized else _judge(ended)
    if test.presets and run.reached:
        return NativeRun(True, f"{run.text}, with values put into uninitialised variables")
    return run


def _copies(test: CTest, files: Sequence[str], folder: Path) -> list[str]:
    """Copies of the program's files in which uninitialised variables get their values."""
    copies = []
    for number, file in enumerate(files):
        copy = folder / f"{number}-{Path(file).name}"
        copy.write_bytes(preset_copy(file, test.presets))
        copies.append(str(copy))
    return copies


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a process ended; the status is None if it was out of time, negative for a signal."""

    status: int | None
    errors: str


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be compiled: the program's files with the options of each, and the test."""

    compiler: str
    files: Mapping[str, Sequence[str]]
    test_file: str
    folder: Path  # for whatever comes up


def _compile(work: _Work, options: Sequence[str], binary: Path) -> str | None:
    """Build the test; the compiler's complaint if that fails."""
    problem = ""
    for more in _ATTEMPTS:
        problem = _compile_once(work, [*options, *more], binary)
        if _UNKNOWN_OPTION.search(problem) and _INITIALISED in options:
            known = [option for option in options if option != _INITIALISED]
            return _compile(work, known, binary)
        if not problem:
            return None
    return problem


def _compile_once(work: _Work, options: Sequence[str], binary: Path) -> str:
    """What the compiler says; nothing if it is content."""
    together, objects = [], []
    for number, (file, own) in enumerate(work.files.items()):
        if not own:
            together.append(file)
            continue
        made = str(work.folder / f"{number}.o")
        problem = _run_compiler(work, [*options, *own, "-c", file, "-o", made])
        if problem:
            return problem
        objects.append(made)
    linked = ["-x", "none", *objects] if objects else []
    files = [*together, work.test_file, *linked]
    return _run_compiler(work, [*options, *files, "-o", str(binary), "-lm"])


def _run_compiler(work: _Work, words: Sequence[str]) -> str:
    command = [work.compiler, *_LENIENT, *words]
    ended = _limited(command, Path.cwd(), work.folder, _COMPILE_SECONDS, None)
    if ended.status == 0:
        return ""
    if ended.status is None:
        return f"the compiler took more than {_COMPILE_SECONDS} s"
    lines = [line for line in ended.errors.splitlines() if _COMPLAINT.search(line)]
    return lines[0] if lines else ended.errors.strip() or f"exit code {ended.status}"


def _judge(ended: _Ended) -> NativeRun:
    match ended.status:
        case None:
            return NativeRun(False, f"not reached: no end within {_RUN_SECONDS} s")
        case test_pieces.REACHED if test_pieces.MARKER in ended.errors:
            return NativeRun(True, "reached")
        case test_pieces.ASSUMPTION_FAILED:
            return NativeRun(False, "not reached: an assumption fails")
        case test_pieces.LEFT_THE_RUN:
            return NativeRun(False, "not reached: the program calls other functions than expected")
        case status if status < 0:
            return NativeRun(False, f"not reached: ended by {signal.Signals(-status).name}")
        case status:
            return NativeRun(False, f"not reached: ended with exit code {status}")


def _judge_sanitized(ended: _Ended) -> NativeRun:
    said = reported(ended.errors)
    return NativeRun(True, f"reached: {said}") if said is not None else _judge(ended)


def _limited(
    command: Sequence[str], cwd: Path, scratch: Path, seconds: float, megabytes: int | None
) -> _Ended:
    """Run a command under limits; its whole process group is gone afterwards."""
    errors = scratch / "stderr"
    with errors.open("wb") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
            cwd=cwd,
            env={**os.environ, **ENVIRONMENT, "TMPDIR": str(scratch), "LC_ALL": "C"},
            start_new_session=True,
            preexec_fn=_limits(os.getpid(), int(seconds), megabytes),
        )
        try:
            status: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with errors.open("rb") as stream:
        stream.seek(max(0, errors.stat().st_size - _TAIL))
        return _Ended(status, stream.read().decode("utf-8", "backslashreplace"))


def _limits(parent: int, seconds: int, megabytes: int | None) -> Callable[[], None]:
    """What the child does before it becomes the command."""

    def apply() -> None:
        die_with_parent(parent)
        _at_most(resource.RLIMIT_CORE, 0)
        _at_most(resource.RLIMIT_CPU, seconds)
        _at_most(resource.RLIMIT_FSIZE, _FILE_MEGABYTES << 20)
        if megabytes is not None:
            _at_most(resource.RLIMIT_AS, megabytes << 20)

    return apply


def _at_most(kind: int, value: int) -> None:
    """Set a limit; one that is in force already may be lower."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))
