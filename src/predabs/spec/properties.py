"""Properties: which errors count, and the function that a run begins in.

`assert` is the default; a `.prp` file has the form of the SV-COMP competition, and a `.rule` file
says how an interface must be used. Soundness duty: a property that predabs does not check is
refused by its name, never taken for one that it does.

>>> reading = parse("CHECK( init(main()), LTL(G ! call(reach_error())) )", "unreach-call.prp")
>>> reading.entry, [kind.value for kind in reading.kinds]
('main', ['error call'])
>>> reading = parse("CHECK( init(main()), LTL(G valid-free) )", "valid-free.prp")
>>> sorted(reading.checks), reading.violated("free"), reading.violated("shift")
(['free'], 'valid-free', 'shift')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ..errors import InputError, UnsupportedFeature
from ..ir.cfa import Edge, Function, Program
from ..ir.ops import Error, ErrorKind, Halt
from ..options.checks import GROUPS
from ..records import dataclass, field, replace
from . import rules
from .rules import Rule


@dataclass(frozen=True, slots=True)
class Property:
    """A run violates the property if it comes to an error of one of the `kinds`, or of a check that
    is one of its `subproperties`: for each, how the property calls it.

    `entry` is the function that a run begins in, where the property names one. Of a `rule`, the
    program has yet to be made part (see `rules_product`).
    """

    name: str
    kinds: frozenset[ErrorKind]
    entry: str | None = None
    rule: Rule | None = None
    subproperties: Mapping[str, str] = field(default_factory=dict)

    @property
    def checks(self) -> frozenset[str]:
        """The checks that the property asks for."""
        return frozenset(self.subproperties)

    def violated(self, check: str | None) -> str | None:
        """What a fault that a check finds violates; a check beside the property speaks for
        itself."""
        return None if check is None else self.subproperties.get(check, check)


ASSERT = Property("assert", frozenset([ErrorKind.ASSERTION, ErrorKind.ERROR_CALL]))

_ERROR_CALLS = frozenset(["__VERIFIER_error", "reach_error"])
_TOKEN = re.compile(r"[\w-]+|\S")
# the tokens of one check, with a space between any two
_CHECK = re.compile(r"CHECK \( init \( (\w+) \( \) \) , LTL \( (.+) \) \)")
_CALL = re.compile(r"G ! call \( (\w+) \( \) \)")
_ASSERTIONS = "G assert"  # assertions and error calls, as a witness of predabs has it
# formulas that checks decide: the name of each, and the checks
_CHECKED = {
    "G valid-deref": ("valid-deref", ("deref",)),
    "G valid-free": ("valid-free", ("free",)),
    "G valid-memtrack": ("valid-memtrack", ("leak",)),
    "G valid-memcleanup": ("valid-memcleanup", ("cleanup",)),
    "G ! overflow": ("no-overflow", ("signed-overflow",)),
    "G def-behavior": (
        "def-behavior",
        tuple(check for check in GROUPS["all"] if check != "leak"),
    ),
}
_OTHERS = {
    "G ! data-race": "data-race (no data races)",
    "F end": "termination (F end)",
}


def property_of(text: str) -> Property:
    """The property that a user names: `assert`, or a file."""
    if text == ASSERT.name:
        return ASSERT
    path = Path(text)
    match path.suffix:
        case ".prp":
            return parse(_contents(path, text), text)
        case ".rule":
            rule = rules.parse(_contents(path, text), text)
            return Property(text, frozenset([ErrorKind.RULE]), rule=rule)
    raise InputError(
        f"{text}: no such property; use assert (the default), a .prp file or a .rule file"
    )


def specification_text(property_: str, entry: str, error_calls: bool) -> str:
    """The property that a user names, in the words of SV-COMP; `error_calls` says that `assert` is
    about nothing but calls of error functions.

    >>> specification_text("assert", "main", True)
    'CHECK( init(main()), LTL(G ! call(reach_error())) )'
    """
    if property_ != ASSERT.name:
        return " ".join(_contents(Path(property_), property_).split())
    formula = "G ! call(reach_error())" if error_calls else _ASSERTIONS
    return f"CHECK( init({entry}()), LTL({formula}) )"


def _contents(path: Path, name: str) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not text"
        raise InputError(f"{name}: cannot read the property: {why}") from problem


def parse(text: str, name: str) -> Property:
    """Read the text of a `.prp` file; `name` is its name in messages and reports."""
    entries: set[str] = set()
    kinds: set[ErrorKind] = set()
    subproperties: dict[str, str] = {}
    for check in _statements(text, name):
        matched = _CHECK.fullmatch(check)
        if matched is None:
            raise _malformed(name, check)
        entry, formula = matched.groups()
        entries.add(entry)
        if formula == _ASSERTIONS:
            kinds |= ASSERT.kinds
        elif formula in _CHECKED:
            title, checks = _CHECKED[formula]
            for found in checks:
                subproperties.setdefault(found, title)
        else:
            _accept_error_call(formula, name)
            kinds.add(ErrorKind.ERROR_CALL)
    if len(entries) > 1:
        raise InputError(f"{name}: the checks start in different functions: {sorted(entries)}")
    return Property(name, frozenset(kinds), entries.pop(), subproperties=subproperties)


def _statements(text: str, name: str) -> list[str]:
    """The checks of the file, their tokens with single spaces between."""
    joined = " ".join(_TOKEN.findall(text))
    parts = re.split(r"(?:^| )(?=CHECK \(|COVER \()", joined)
    if parts[0] or len(parts) == 1:
        raise _malformed(name, joined)
    for part in parts[1:]:
        if part.startswith("COVER"):
            raise UnsupportedFeature(f"{name}: coverage properties (COVER) are not supported")
    return parts[1:]


def _accept_error_call(formula: str, name: str) -> None:
    if (called := _CALL.fullmatch(formula)) is not None:
        if called[1] not in _ERROR_CALLS:
            raise UnsupportedFeature(
                f"{name}: calls of {called[1]} are not supported as errors; "
                f"only those of {' and '.join(sorted(_ERROR_CALLS))}"
            )
    elif formula in _OTHERS:
        raise UnsupportedFeature(f"{name}: the property {_OTHERS[formula]} is not supported")
    else:
        raise _malformed(name, formula)


def _malformed(name: str, found: str) -> InputError:
    shown = found if len(found) <= 60 else f"{found[:57]}..."
    return InputError(
        f"{name}: not a property: '{shown}'; "
        "expected CHECK( init(main()), LTL(G ! call(reach_error())) )"
    )


def restrict(program: Program, wanted: Property, checks: frozenset[str] = frozenset()) -> Program:
    """The program in which an error edge of a kind that does not count ends the run; of the checks
    that a front end has found, those that were asked for count.

    Soundness duty: such an error still ends the run, as it does in the real program; and what is
    not supported keeps its edge, so that no proof holds if it can be reached.
    """
    return replace(
        program,
        functions={
            name: _restricted_function(f, wanted, checks) for name, f in program.functions.items()
        },
    )


def _restricted_function(function: Function, wanted: Property, checks: frozenset[str]) -> Function:
    edges = tuple(_restricted_edge(edge, wanted, checks) for edge in function.edges)
    if all(old is new for old, new in zip(function.edges, edges, strict=True)):
        return function
    return replace(function, edges=edges)


def _restricted_edge(edge: Edge, wanted: Property, checks: frozenset[str]) -> Edge:
    match edge.op:
        case Error(ErrorKind.CHECK, _, check) if check in checks:
            return edge
        case Error(kind, text) if kind not in wanted.kinds and kind is not ErrorKind.UNSUPPORTED:
            return replace(edge, op=Halt(text, None))
    return edge
