"""Rules: how an interface must be used, in the manner of SLIC [BR01b].

    state { int locked = 0; }
    event lock.entry() {
        if (locked) error "the lock is taken twice";
        locked = 1;
    }

A rule is C but for three keywords, so it is turned into C by overwriting these in place: what is
said about the C text (a compiler's message, a step of a trace) has the line and column of the rule.

Soundness duty: what is not understood is refused with its source position, never skipped.

>>> rule = parse('event f.exit() { error "f returns"; }', "f.rule")
>>> rule.text
'void  f$exit() { $fail ()         ; }'
>>> [(event.name, str(event.coord)) for event in rule.events]
[('f.exit', 'f.rule:1:1')]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from ..errors import InputError
from ..ir.cfa import Coord
from ..records import dataclass

FAIL = "$fail"  # what the C text calls where the rule says `error`

_TOKEN = re.compile(
    r"""
    (?P<directive>  ^[ \t]*\#(?:\\\r?\n|[^\n])* )
    | (?P<space>    \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<text>     "(?:\\.|[^"\\\n])*" )
    | (?P<char>     '(?:\\.|[^'\\\n])*' )
    | (?P<name>     [A-Za-z_]\w* )
    | (?P<number>   \d[\w.]* )
    | (?P<other>    . )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_CLOSING = {"(": ")", "{": "}"}


class Moment(Enum):
    """When an event happens: as the function is called, or as it returns."""

    ENTRY = "entry"
    EXIT = "exit"


@dataclass(frozen=True, slots=True)
class Event:
    """`event function.moment(...)`, and where the rule says so."""

    function: str
    moment: Moment
    coord: Coord

    @property
    def name(self) -> str:
        return f"{self.function}.{self.moment.value}"

    @property
    def c_name(self) -> str:
        """The name of its function in the C text."""
        return f"{self.function}${self.moment.value}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that was read: its C text, its events, and the message of each `error`."""

    file: str
    text: str
    events: tuple[Event, ...]
    messages: Mapping[Coord, str]

    @property
    def watched(self) -> Mapping[str, Coord]:
        """The functions that the events are about, with where they are named first."""
        found: dict[str, Coord] = {}
        for event in self.events:
            found.setdefault(event.function, event.coord)
        return found


def is_event(function: str) -> bool:
    """Is this function of a program an event of a rule? No function of C has a dot in its name,
    save for the name of its file behind an @."""
    return "@" not in function and function.endswith((".entry", ".exit"))


def parse(text: str, file: str) -> Rule:
    """Read the text of a rule; `file` is its name in messages."""
    return _Parser(text, file).rule()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def shown(self) -> str:
        return self.text if self.kind != "end" else "the end of the file"


class _Parser:
    """Goes through the tokens of a rule once; the C text grows in `_pieces`."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._tokens = [
            _Token(str(found.lastgroup), found[0], found.start())
            for found in _TOKEN.finditer(text)
            if found.lastgroup != "space"
        ]
        self._tokens.append(_Token("end", "", len(text)))
        self._at = 0
        self._pieces: list[str] = []
        self._copied = 0  # how much of the text is in the pieces
        self._events: dict[str, Event] = {}
        self._messages: dict[Coord, str] = {}

    def rule(self) -> Rule:
        for token in self._tokens:
            self._check_token(token)
        while self._next.kind != "end":
            self._declaration()
        if not self._events:
            raise self._wrong(
                self._next, "the rule has no event; add one, like: event f.entry() { ... }"
            )
        self._pieces.append(self._text[self._copied :])
        events = tuple(self._events.values())
        return Rule(self._file, "".join(self._pieces), events, self._messages)

    def _declaration(self) -> None:
        token = self._take()
        match token.text:
            case _ if token.kind == "directive":
                return
            case "state":
                self._overwrite(token, "")
                opening = self._expect("{", "after state")
                self._overwrite(opening, "")
                self._overwrite(self._skip_block(opening, events=False), "")
            case "event":
                self._event(token)
            case _:
                raise self._wrong(token, f"expected state or event, not {token.shown}")

    def _event(self, keyword: _Token) -> None:
        form = "an event is named as FUNCTION.entry or FUNCTION.exit"
        function = self._take()
        if function.kind != "name":
            raise self._wrong(function, f"{form}, not {function.shown}")
        dot = self._take()
        if dot.text != ".":
            raise self._wrong(dot, f"{form}: expected . and not {dot.shown}")
        moment = self._take()
        if moment.text not in (Moment.ENTRY.value, Moment.EXIT.value):
            raise self._wrong(moment, f"{form}: expected entry or exit, not {moment.shown}")
        event = Event(function.text, Moment(moment.text), self._coord(keyword))
        if (earlier := self._events.get(event.name)) is not None:
            raise self._wrong(
                keyword, f"there is an event {event.name} at {earlier.coord}; put the two together"
            )
        self._events[event.name] = event
        self._overwrite(keyword, "void")
        self._overwrite(dot, "$")
        self._skip_block(self._expect("(", f"after {event.name}"), events=False)
        self._skip_block(self._expect("{", "before what the event does"), events=True)

    def _skip_block(self, opening: _Token, *, events: bool) -> _Token:
        """Go to the end of a block; in that of an event, `error` is something special."""
        closing = _CLOSING[opening.text]
        depth = 1
        while True:
            token = self._take()
            if token.kind == "end":
                raise self._wrong(opening, f"this {opening.text} is never closed; add a {closing}")
            depth += (token.text == opening.text) - (token.text == closing)
            if depth == 0:
                return token
            if events and token.text == "error" and token.kind == "name":
                self._error(token)

    def _error(self, keyword: _Token) -> None:
        message = self._take()
        if message.kind != "text" or not message.text.strip('"'):
            raise self._wrong(keyword, 'an error needs a message: error "what is wrong";')
        self._overwrite(keyword, FAIL)
        self._overwrite(message, "()")
        self._messages[self._coord(keyword)] = re.sub(r'\\(["\\])', r"\1", message.text[1:-1])

    # --- tokens -----------------------------------------------------------------------------------

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        token = self._next
        self._at += token.kind != "end"
        return token

    def _expect(self, text: str, where: str) -> _Token:
        token = self._take()
        if token.text != text:
            raise self._wrong(token, f"expected {text} {where}, not {token.shown}")
        return token

    def _check_token(self, token: _Token) -> None:
        if token.kind == "other" and token.text in "\"'":
            raise self._wrong(token, f"this {token.text} is not closed on its line")
        if token.kind == "other" and self._text.startswith("/*", token.start):
            raise self._wrong(token, "this comment is never closed; add a */")
        if "$" in token.text and token.kind == "other":
            raise self._wrong(token, "a rule has no $; name the parameters of the event")

    def _overwrite(self, token: _Token, new: str) -> None:
        """Put something in the place of a token; as clang counts bytes, it has as many of them."""
        self._pieces.append(self._text[self._copied : token.start])
        self._pieces.append(new.ljust(len(token.text.encode())))
        self._copied = token.start + len(token.text)

    def _coord(self, token: _Token) -> Coord:
        before = self._text[: token.start]
        line = before.rpartition("\n")[2]
        return Coord(self._file, before.count("\n") + 1, len(line.encode()) + 1)

    def _wrong(self, token: _Token, what: str) -> InputError:
        return InputError(f"{self._coord(token)}: {what}")
