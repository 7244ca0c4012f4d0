"""A configuration: a tool with words of its own, under a name. Several are compared in one run."""

from __future__ import annotations

import contextlib
import importlib
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from ..errors import InputError
from ..records import dataclass
from .tools.tool import Tool

# the tools that come with predabs; loaded when used
TOOLS: Mapping[str, str] = {
    "predabs": "predabs.bench.tools.predabs_tool:PredabsTool",
    "cbmc": "predabs.bench.tools.cbmc:Cbmc",
    "esbmc": "predabs.bench.tools.esbmc:Esbmc",
    "cpachecker": "predabs.bench.tools.cpachecker:Cpachecker",
}
_NAME = re.compile(r"[\w.+-]+")


@dataclass(frozen=True, slots=True)
class Configuration:
    """`tool` is a name of `TOOLS`, or MODULE:CLASS or FILE.py:CLASS; of a file, `text` is what it
    says, so that it can be used on another machine."""

    name: str
    tool: str = "predabs"
    words: tuple[str, ...] = ()
    text: str = ""

    def load(self) -> Tool:
        return _tool(self.tool, self.text)

    def version(self) -> str:
        """What its tool calls itself. Raises `InputError` if the tool is not there."""
        with blamed(self, "version"):
            return str(self.load().version())


def configuration_of(text: str) -> Configuration:
    """Read `NAME=TOOL WORDS`; without a tool it is predabs.

    >>> configuration_of("nex=--engine numpred --domain nex").words
    ('--engine', 'numpred', '--domain', 'nex')
    >>> configuration_of("deep=cbmc --unwind 100").tool
    'cbmc'
    """
    name, sign, rest = text.partition("=")
    if not (sign and _NAME.fullmatch(name)):
        raise InputError(f"{text}: write NAME=TOOL WORDS, with a name of letters and digits")
    try:
        words = shlex.split(rest)
    except ValueError as problem:
        raise InputError(f"{text}: {problem}") from problem
    tool = words.pop(0) if words and not words[0].startswith("-") else "predabs"
    if tool not in TOOLS and ":" not in tool:
        raise InputError(
            f"{text}: no tool is called {tool}; there is {', '.join(TOOLS)}, "
            "or name a class of your own: FILE.py:CLASS"
        )
    file = Path(tool.rpartition(":")[0])
    try:
        source = file.read_text("utf-8") if file.suffix == ".py" and file.is_file() else ""
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{tool}: this tool cannot be loaded: {problem}") from problem
    return Configuration(name, tool, tuple(words), source)


def configurations_of(texts: Sequence[str]) -> list[Configuration]:
    """All of them, each name once; predabs as it is if none is given."""
    found = [configuration_of(text) for text in texts] or [Configuration("predabs")]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name}: two configurations have this name")
    return found


@cache
def _tool(word: str, text: str) -> Tool:
    """The tool of a name; raises `InputError` where there is none."""
    place, _, name = TOOLS.get(word, word).rpartition(":")
    try:
        if text or place.endswith(".py"):
            module = _from_file(place, text)
        else:
            module = importlib.import_module(place)
        made = getattr(module, name)()
    except InputError:
        raise
    except Exception as problem:  # whatever a file of the user does
        if word in TOOLS:
            raise
        raise InputError(f"{word}: this tool cannot be loaded: {_told(problem)}") from problem
    if not isinstance(made, Tool):
        raise InputError(
            f"{word}: this is no tool: it must be a subclass of {Tool.__module__}.Tool"
        )
    return made


@contextlib.contextmanager
def blamed(configuration: Configuration, what: str) -> Iterator[None]:
    """A tool of the user's own may have bugs of its own: they are told as such (`InputError`)."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as problem:
        if configuration.tool in TOOLS:
            raise
        raise InputError(
            f"{configuration.tool}: its {what}() failed: {_told(problem)}"
        ) from problem


def _told(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"


def _from_file(place: str, text: str) -> ModuleType:
    module = ModuleType(Path(place).stem)
    exec(compile(text or Path(place).read_text("utf-8"), place, "exec"), module.__dict__)
    return module
