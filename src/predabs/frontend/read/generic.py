"""`_Generic`: which branch clang chose, as libclang does not tell.

If only one branch has the type of the whole, it is that one. Otherwise the listed types are read
from the source and compared with the type of the controlling expression, one spelling of each;
what could be compatible without being written alike (typedefs, enums, functions) is refused.
"""

from __future__ import annotations

from . import clang
from .clang import Cursor
from .literals import code_tokens
from .reader import ExpressionReader

_QUALIFIERS = ("const", "volatile", "restrict")
_NUMBERS = {
    "char": ["char"],
    "signed char": ["char signed"],
    "unsigned char": ["char unsigned"],
    "_Bool": ["_Bool"],
    "short": ["short", "int short", "short signed", "int short signed"],
    "unsigned short": ["short unsigned", "int short unsigned"],
    "int": ["int", "signed", "int signed"],
    "unsigned int": ["unsigned", "int unsigned"],
    "long": ["long", "int long", "long signed", "int long signed"],
    "unsigned long": ["long unsigned", "int long unsigned"],
    "long long": ["long long", "int long long", "long long signed", "int long long signed"],
    "unsigned long long": ["long long unsigned", "int long long unsigned"],
    "float": ["float"],
    "double": ["double"],
    "long double": ["double long"],
    "void": ["void"],
}
_NAMES = {spelling: name for name, spellings in _NUMBERS.items() for spelling in spellings}


def chosen_branch(reader: ExpressionReader, cursor: Cursor) -> Cursor:
    """The branch of a generic selection that is evaluated."""
    control, *branches = clang.expressions(clang.children(cursor))
    wanted = clang.canonical_type(clang.cursor_type(cursor)).a
    fitting = [b for b in branches if clang.canonical_type(clang.cursor_type(b)).a == wanted]
    if len(fitting) == 1:
        return fitting[0]
    source = reader.source
    if not source.in_macro(cursor) or source.macro_at(cursor).count("_Generic") == 1:
        names = listed_types(source.tokens_at(cursor))
        if len(names) == len(branches):
            own = clang.type_spelling(clang.canonical_type(clang.cursor_type(control)))
            index = choose(type_name(code_tokens(own)), names)
            if index is not None:
                return branches[index]
    raise reader.source.unsupported(cursor, "it is not clear which branch of _Generic is meant")


def choose(own: str | None, names: list[str | None]) -> int | None:
    """The index of the type in the list, or of `default` if it surely is not there.

    >>> choose("int", ["long", "int", None]), choose("int", ["long", "default"])
    (1, 1)
    >>> choose("int", [None, "default"]) is None
    True
    """
    if own is None:
        return None
    if own in names:
        return names.index(own)
    sure = None not in names and not any("enum" in (name or "") for name in [own, *names])
    return names.index("default") if sure and "default" in names else None


def listed_types(tokens: list[str]) -> list[str | None]:
    """The types that a generic selection lists; None for one that needs declarations.

    >>> listed_types(code_tokens("_Generic(x, long unsigned: 1, char const*: f(a, b), T: 2)"))
    ['unsigned long', 'const char *', None]
    """
    if "_Generic" not in tokens:
        return []
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens[tokens.index("_Generic") + 2 :]:
        if depth == 0 and token == ")":
            break
        if depth == 0 and token == ",":
            parts.append([])
            continue
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        parts[-1].append(token)
    return [type_name(part[: part.index(":")]) for part in parts[1:] if ":" in part]


def type_name(tokens: list[str]) -> str | None:
    """One spelling of a type: `const char *`, `unsigned int`, `struct S`, or `default`.

    >>> type_name(code_tokens("int unsigned volatile const * const *"))
    'const volatile unsigned int * const *'
    """
    spelled = [token.strip("_") if token.strip("_") in _QUALIFIERS else token for token in tokens]
    if spelled == ["default"]:
        return "default"
    first = spelled.index("*") if "*" in spelled else len(spelled)
    levels: list[list[str]] = []
    for token in spelled[first:]:
        if token == "*":
            levels.append(["*"])
        elif token in _QUALIFIERS:
            levels[-1].append(token)
        else:
            return None
    base = [token for token in spelled[:first] if token not in _QUALIFIERS]
    if len(base) == 2 and base[0] in ("struct", "union", "enum"):
        name: str | None = " ".join(base)
    else:
        name = _NAMES.get(" ".join(sorted(base)))
    if name is None:
        return None
    qualifiers = sorted(set(spelled[:first]) & set(_QUALIFIERS))
    pointers = [" ".join(["*", *sorted(set(level[1:]))]) for level in levels]
    return " ".join([*qualifiers, name, *pointers])
