"""Inputs for programs that read text: the characters come in words of the program.

A parser takes few branches for random bytes. So the characters that a run asks for, one after the
other, are a text of tokens: string literals of the program, characters that it compares with,
names, numbers, white space, now and then a long run of the same letter. Fuzzers call such tokens a
dictionary. Half of the text is in lines such as `name = value`, as many formats have them.

Soundness duty: none; these are inputs like any others, the same for the same seed.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

from ..ir.cfa import Edge, Global, Program
from ..ir.expr import Binary, Cast, Const, Expr, Index
from ..ir.ops import Assume, Call, Havoc, Source
from ..ir.types import ArrayType, IntType, ScalarType, Type
from ..ir.walk import subterms
from .compared_constants import ComparedConstants
from .inputs import RandomInputs

_MOST_WORDS, _LONGEST = 200, 40
_NAMES, _SIGNS, _ENDS = ("a", "x", "0", "42"), ("-", " ", "\n"), ("\n", "\n", "\n", "", " ", ";")
_FAVOURED = 3
_CHARACTERS = range(1, 128)
_PUNCTUATION = frozenset(map(ord, string.punctuation))
_END_SHARE = 0.4  # of the phrases in memory of the environment: there, strings end


def reads_text(program: Program) -> bool:
    """Does a program take characters as inputs?"""
    return any(
        isinstance(edge.op, Havoc) and _is_character(edge.op.target.type)
        for function in program.functions.values()
        for edge in function.edges
    )


def words_of(program: Program) -> tuple[str, ...]:
    """The string literals of a program, and the characters that it compares with or looks for, in
    order."""
    found: dict[str, None] = {}
    for item in program.globals:
        for word in _strings(item):
            found[word] = None
    for function in program.functions.values():
        for edge in function.edges:
            match edge.op:
                case Assume(cond):
                    found.update((chr(number), None) for number in _compared(cond))
                case Call(_, _, args):  # such as strchr(line, '=')
                    numbers = (arg.value for arg in args if isinstance(arg, Const))
                    found.update((chr(n), None) for n in numbers if n in _PUNCTUATION)
    return tuple(found)[:_MOST_WORDS]


def _strings(item: Global) -> Iterator[str]:
    """What an array of characters holds at the start, up to its first null."""
    if not (isinstance(item.var.type, ArrayType) and _is_character(item.var.type.element)):
        return
    letters: list[str] = []
    for number, assign in enumerate(item.init):
        match assign.target, assign.value:
            case Index(_, Const(place, _), _), Const(letter, _) if place == number and letter > 0:
                letters.append(chr(letter))
            case _:
                break
    if 0 < len(letters) <= _LONGEST:
        yield "".join(letters)


def _compared(cond: Expr) -> Iterator[int]:
    """The characters that something is equal to or not."""
    for term in subterms(cond):
        match term:
            case Binary(op, left, right, _) if op.is_comparison:
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, Const) and one.value in _CHARACTERS and _widened(other):
                        yield one.value


def _widened(e: Expr) -> bool:
    """Is it a character, maybe converted to a wider type?"""
    while isinstance(e, Cast):
        e = e.arg
    return _is_character(e.type)


def _is_character(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits == 8


class TextInputs(RandomInputs):
    """Random inputs whose characters are a text of these words."""

    def __init__(
        self,
        seed: int,
        fresh: bool = False,
        compared: ComparedConstants | None = None,
        words: tuple[str, ...] = (),
        pointers: int = 0,
    ) -> None:
        super().__init__(seed, fresh, compared, pointers)
        self._text = random.Random(seed)
        self._names = self._some([word for word in words if len(word) > 1], _NAMES)
        own = [word for word in words if len(word) == 1]
        self._signs = self._some([one for one in own if ord(one) in _PUNCTUATION], (*own, *_SIGNS))
        self._left: dict[bool, list[int]] = {False: [], True: []}

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        if not _is_character(type_):
            return super().scalar(source, name, type_, edge)
        number = self._next(source is Source.ENVIRONMENT)
        assert isinstance(type_, IntType)
        return number if number <= type_.high else number - 256

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        if source is Source.ENVIRONMENT or size > _LONGEST * _LONGEST:
            return super().memory(source, name, size, edge)
        return bytes(self._next(in_memory=True) for _ in range(size))

    def _next(self, in_memory: bool) -> int:
        """The next character of a text; one that is in memory comes to an end."""
        left = self._left[in_memory]
        if not left:
            ends = in_memory and self._text.random() < _END_SHARE
            left += [0] if ends else reversed(self._phrase().encode("latin-1"))
        return left.pop()

    def _some(self, words: list[str], plain: tuple[str, ...]) -> list[str]:
        """The words of this text: those of the program are met more often, and a few of them very
        often."""
        favoured = self._text.sample(words, min(len(words), _FAVOURED))
        return [*plain, *words * 2, *favoured * 4]

    def _phrase(self) -> str:
        choose = self._text.choice
        if self._text.random() < 0.5:
            return choose(self._names) + choose(self._signs) + self._token() + choose(_ENDS)
        return "".join(self._token() for _ in range(self._text.randint(1, 4)))

    def _token(self) -> str:
        choose, share = self._text.choice, self._text.random()
        if share < 0.2:
            return choose("ab0 ") * self._text.randint(1, _LONGEST)
        if share < 0.25:
            return chr(self._text.randint(0, 255))
        return choose(self._names if share < 0.65 else self._signs)
