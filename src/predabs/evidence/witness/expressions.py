"""The C expressions of a witness, before they are put into the source.

clang decides what they mean. Here is only checked that they are one expression, without calls and
assignments: then they cannot change the program that is validated, whatever the witness says.

>>> guarded("x <= 10 && (long long)y != 0", "w.yml:7")
'x <= 10 && (long long)y != 0'
>>> guarded("x = 1", "w.yml:7")
Traceback (most recent call last):
predabs.errors.InputError: w.yml:7: `x = 1`: `=` has no place in an expression without side effects
"""

from __future__ import annotations

import re

from ...errors import InputError

PREFIX = "__predabs_w_"  # of the names that are put into the source
RESULT = f"{PREFIX}result"
_LONGEST = 1_000_000

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<name>[A-Za-z_]\w*)
  | (?P<number>(?:\.\d|\d)(?:[eEpP][+-]|[\w.])*)
  | (?P<char>(?:[LuU]|u8)?'(?:[^'\\\n]|\\.)+')
  | (?P<result>\\result\b)
  | (?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^!~<>?:.,()\[\]=])
    )""",
    re.VERBOSE,
)
_ASSIGNMENT = frozenset(
    ["=", "++", "--", "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="]
)
_TYPE_WORDS = ("void", "char", "short", "int", "long", "signed", "unsigned", "float", "double")
_BEFORE_PARENTHESIS = frozenset(
    ["sizeof", "_Alignof", "alignof", "_Bool", "__int128", "const", "volatile", *_TYPE_WORDS]
)
_TRUTH = {"true": "1", "false": "0"}
_COMMENTS_AND_DIGRAPHS = re.compile(r"//|/\*|\*/|<%|%>|<:|:>|%:")
_PAIRS = {")": "(", "]": "["}


def guarded(text: str, where: str, *, result: bool = False) -> str:
    """The expression as it can be put between parentheses; `result` allows `\\result` in it.
    Raises `InputError`, with `where`, for what is no harmless expression."""
    shown = text if len(text) <= 60 else f"{text[:57]}..."

    def problem(what: str) -> InputError:
        return InputError(f"{where}: `{shown}`: {what}")

    if not text.strip():
        raise InputError(f"{where}: an expression is missing")
    if len(text) > _LONGEST:
        raise problem("this expression is too long")
    if found := _COMMENTS_AND_DIGRAPHS.search(text):
        raise problem(f"`{found[0]}` has no place in an expression")
    words: list[str] = []
    opened: list[str] = []
    at, before = 0, ""
    body = text.rstrip()
    while at < len(body):
        match = _TOKEN.match(body, at)
        if match is None or match.end() == at:
            raise problem(f"`{body[at:].strip()[:1]}` has no place in an expression")
        at = match.end()
        word = match[0].strip()
        if word in _ASSIGNMENT:
            raise problem(f"`{word}` has no place in an expression without side effects")
        if word in ("(", "["):
            is_call = word == "(" and re.fullmatch(r"[A-Za-z_]\w*", before)
            if is_call and before not in _BEFORE_PARENTHESIS:
                raise problem(f"a call of {before} has no place in it")
            opened.append(word)
        elif word in _PAIRS and (not opened or opened.pop() != _PAIRS[word]):
            raise problem("its parentheses do not match")
        if match["name"] and word.startswith(PREFIX):
            raise problem(f"names that begin with {PREFIX} are taken")
        if match["result"] and not result:
            raise problem("\\result is only known where a function returns")
        written = RESULT if match["result"] else _TRUTH.get(word, word)
        words.append(match[0].replace(word, written))
        before = word
    if opened:
        raise problem("its parentheses do not match")
    return " ".join("".join(words).split())
