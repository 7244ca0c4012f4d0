"""Where the arguments of calls come from: each is an input.

Numbers, structs and unions are new in each call. Of pointers there is one for each type, the same
in all calls, so that what one call leaves in an object the next one finds. A pointer to a struct or
union leads to an object of the harness that holds anything, other pointers lead outside of the
program. A pointer to a function leads to a function of the harness that does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..frontend.written_types import (
    Alias,
    ArrayOf,
    Basic,
    FunctionOf,
    Pointer,
    Tagged,
    WrittenType,
    declaration,
    parts,
    resolved,
    unqualified,
    without_aliases,
)
from ..records import dataclass

NONDET = "__VERIFIER_nondet_"
_NONDET_OF = {
    "_Bool": "bool",
    "char": "char",
    "signed char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    "__int128": "int128",
    "unsigned __int128": "uint128",
    "float": "float",
    "double": "double",
}
_RESULTS = {suffix: name for name, suffix in _NONDET_OF.items() if name != "signed char"}
INTEGERS = frozenset(_NONDET_OF) - {"_Bool", "float", "double"}
_VOID = Basic("void")


@dataclass(frozen=True, slots=True)
class Maker:
    """A function without a body that gives any value of a type."""

    name: str
    type: WrittenType


@dataclass(frozen=True, slots=True)
class Kept:
    """A pointer that is the same in all calls, and the object of the harness that it leads to. The
    maker makes that object, or the pointer if there is none."""

    name: str
    type: WrittenType
    maker: Maker
    object: str = ""


@dataclass(frozen=True, slots=True)
class Stub:
    """A function of the harness for pointers to functions of a type."""

    name: str
    type: FunctionOf


@dataclass(frozen=True, slots=True)
class New:
    """A value that each call gets anew, from a call of a function."""

    type: WrittenType
    text: str


class Sources:
    """The sources of all arguments, found while they are asked for."""

    def __init__(self, taken: Iterable[str], *, objects: bool = True, null: bool = True) -> None:
        """`taken` are names that mean something else. `objects`: there are some of the harness's
        own; `null`: other pointers may be null."""
        self.kept: dict[WrittenType, Kept] = {}
        self.makers: dict[WrittenType, Maker] = {}
        self.stubs: dict[WrittenType, Stub] = {}
        self.nondets: dict[str, str] = {}  # the functions, and the types of their results
        self.taken = set(taken)
        self._objects = objects
        self._null = null

    def argument(self, type_: WrittenType, hint: str) -> New | str:
        """For a parameter of a type: a new value, or the text of what is there already. The hint
        helps to find a name."""
        bare = resolved(type_)
        if not isinstance(bare, Pointer):
            return New(unqualified(type_), self.value(type_))
        target = resolved(bare.target)
        if isinstance(target, FunctionOf):
            name = self._stub(target, type_.name if isinstance(type_, Alias) else hint).name
            if not self._null:
                return name
            return New(unqualified(type_), f"{self.nondet()} ? {name} : 0")
        if _is_handle(target):
            return f"&{self._pointer(bare.target).name}"
        return self._pointer(type_).name

    def nondet(self, suffix: str = "int") -> str:
        """A call of the function that gives any number of a type."""
        self.nondets[f"{NONDET}{suffix}"] = _RESULTS[suffix]
        return f"{NONDET}{suffix}()"

    def value(self, type_: WrittenType) -> str:
        """A call that gives any value of a type."""
        bare = resolved(type_)
        if isinstance(bare, Tagged) and bare.number is not None:
            bare = bare.number
        if isinstance(bare, Basic) and bare.name in _NONDET_OF:
            return self.nondet(_NONDET_OF[bare.name])
        return f"{self._maker(type_).name}()"

    def kept_pointer(self, type_: WrittenType) -> Kept | None:
        """The pointer of this type that is the same in all calls, if some call has one."""
        return self.kept.get(_key(type_))

    def unique(self, *wishes: str) -> str:
        """The first name that nobody has, or one with a number."""
        wishes = (*wishes, *(f"{wishes[-1]}_{number}" for number in range(2, len(self.taken) + 3)))
        name = next(wish for wish in wishes if wish not in self.taken)
        self.taken.add(name)
        return name

    def _pointer(self, type_: WrittenType) -> Kept:
        key = _key(type_)
        found = self.kept.get(key)
        if found is None:
            found = self.kept[key] = self._new_pointer(_given(type_))
        return found

    def _new_pointer(self, type_: WrittenType) -> Kept:
        bare = resolved(type_)
        assert isinstance(bare, Pointer)
        own = self._objects and _is_complete(bare.target)
        maker = self._maker(bare.target if own else type_)
        base = _base(type_)
        name = self.unique(base, f"the_{base}")
        return Kept(name, type_, maker, self.unique(f"{base}_object") if own else "")

    def _maker(self, type_: WrittenType) -> Maker:
        key = _key(type_)
        found = self.makers.get(key)
        if found is None:
            given = _given(type_)
            name = f"any_{_base(given)}"
            kind = "pointer" if isinstance(resolved(given), Pointer) else "value"
            found = self.makers[key] = Maker(self.unique(name, f"{name}_{kind}"), given)
        return found

    def _stub(self, type_: FunctionOf, hint: str) -> Stub:
        key = without_aliases(type_)
        found = self.stubs.get(key)
        if found is None:
            found = self.stubs[key] = Stub(self.unique(f"some_{hint or 'function'}"), type_)
        return found


def _is_handle(type_: WrittenType) -> bool:
    """Is it a pointer to a struct or union that can be written to? A caller who passes a pointer to
    such a pointer has a variable for it."""
    if not isinstance(type_, Pointer) or type_.qualifiers:
        return False
    target = without_aliases(type_.target)
    return (
        isinstance(target, Tagged)
        and target.number is None
        and not target.qualifiers
        and not _is_nameless(type_)
    )


def _is_complete(type_: WrittenType) -> bool:
    """Is it a struct or union whose members are known?"""
    bare = resolved(type_)
    return isinstance(bare, Tagged) and bare.number is None and bare.complete


def _key(type_: WrittenType) -> WrittenType:
    return without_aliases(_given(type_))


def _given(type_: WrittenType) -> WrittenType:
    """The type of a variable whose value is passed for a parameter: not const, and for a pointer to
    const not that either."""
    type_ = unqualified(type_)
    bare = resolved(type_)
    if not isinstance(bare, Pointer):
        return type_
    if _is_nameless(bare):
        return Pointer(_VOID)
    target = resolved(bare.target)
    if isinstance(target, ArrayOf | FunctionOf) or not target.qualifiers:
        return type_
    named = unqualified(bare.target)
    stays = resolved(named)
    plain = isinstance(stays, ArrayOf | FunctionOf) or not stays.qualifiers
    return Pointer(named if plain else unqualified(target))


def _is_nameless(type_: WrittenType) -> bool:
    """Does it speak of a struct or union that has neither a tag nor a typedef name?"""
    return any(isinstance(part, Tagged) and not part.tag for part in parts(type_))


def _base(type_: WrittenType) -> str:
    """A name for a thing of this type."""
    match type_:
        case Alias(name, _, _):
            return name.removesuffix("_t") or name
        case Tagged(_, tag):
            return tag
        case Basic(name, _):
            return name.lstrip("_").replace(" ", "_")
        case Pointer(target, _):
            is_object = isinstance(without_aliases(target), Tagged)
            return _base(target) if is_object else f"{_base(target)}_pointer"
        case ArrayOf(element, _):
            return f"{_base(element)}_array"
        case FunctionOf():
            return "function"


def stub_lines(stub: Stub, sources: Sources) -> list[str]:
    """The definition of a function that returns anything and does nothing."""
    params = [declaration(type_, f"argument{n}") for n, type_ in enumerate(stub.type.params, 1)]
    params += ["..."] * stub.type.variadic
    head = f"{stub.name}({', '.join(params) or 'void'})"
    result = unqualified(stub.type.result)
    value = "" if resolved(result) == _VOID else f"    return {sources.value(result)};"
    whole = declaration(result, head)
    return [f"static {whole}", "{", *([value] if value else []), "}"]
