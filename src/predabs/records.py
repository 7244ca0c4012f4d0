"""Dataclasses that cost little until they are used, and less when they are.

`dataclasses` writes and compiles up to six methods for each class when its module is loaded: half a
millisecond, for hundreds of classes of which a check of a small program uses a few. Here those that
differ from class to class (`__init__`, `__eq__`, `__hash__`) are written when they are first
called, and a frozen object is filled through its slots, which takes two thirds of the time.

Soundness duty: in all else it is the decorator of the standard library, and a type checker takes it
for that.

>>> @dataclass(frozen=True, slots=True)
... class Point:
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, 0), len({Point(1), Point(1)})
(Point(x=1, y=0), True, 1)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from dataclasses import field as field
from functools import partial
from inspect import get_annotations
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

_Class = TypeVar("_Class", bound=type[Any])
_COMPARISONS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:
    _COPIES: dict[type[Any], Callable[..., Any]] = {}

    def replace(item: Any, /, **changes: Any) -> Any:
        """As `dataclasses.replace`, with a function for each class that is written once."""
        cls = item.__class__
        copy = _COPIES.get(cls)
        if copy is None:
            copy = _COPIES[cls] = _copy(cls)
        return copy(item, **changes)

    def dataclass(
        *,
        frozen: bool = False,
        eq: bool = True,
        order: bool = False,
        repr: bool = True,
        kw_only: bool = False,
        slots: bool = False,
        weakref_slot: bool = False,
    ) -> Callable[[_Class], _Class]:
        """As `dataclasses.dataclass`; the words that nobody here has a use for are left out."""

        def decorate(plain: _Class) -> _Class:
            plain.__doc__ = plain.__doc__ or plain.__name__
            cls = _with_fields(plain, kw_only)
            if slots:
                cls = _with_slots(cls, weakref_slot)
            _add(cls, "__init__", _when_called(cls, "__init__", partial(_init, cls, frozen, slots)))
            if repr:
                _add(cls, "__repr__", _repr)
            if eq:
                explicit = plain.__dict__.get("__hash__") is not None
                for name, sign in _COMPARISONS.items() if order else (("__eq__", "=="),):
                    _add(cls, name, _when_called(cls, name, partial(_compare, cls, name, sign)))
                if not explicit:
                    hashed = _when_called(cls, "__hash__", partial(_hash, cls)) if frozen else None
                    cls.__hash__ = hashed
            if frozen:
                cls.__setattr__, cls.__delattr__ = _frozen_setattr, _frozen_delattr
                if slots:
                    _add(cls, "__getstate__", _getstate)
                    _add(cls, "__setstate__", _setstate)
            return cls

        return decorate


# --- fields ---------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Sample:
    field: int


_sample: Any = fields(_Sample)[0]
_KIND = _sample._field_type  # of what is a field, for `fields`
_PARAMETERS: Any = vars(_Sample)["__dataclass_params__"]  # that others look at who inherit


def _with_fields(plain: _Class, kw_only: bool) -> _Class:
    """The class with its fields, as `dataclasses` notes them. Annotations are text: to find out
    what they mean, it takes most of its time."""
    found: dict[str, Field[Any]] = {}
    for base in plain.__mro__[-1:0:-1]:
        found.update(base.__dict__.get("__dataclass_fields__", ()))
    for name, type_ in get_annotations(plain).items():
        if type_.startswith("ClassVar"):
            continue
        given = plain.__dict__.get(name, MISSING)
        if isinstance(given, Field):
            item: Any = given
            if item.default is MISSING:
                delattr(plain, name)
            else:
                setattr(plain, name, item.default)
        else:
            item = field(default=given) if given is not MISSING else field()
        if item.default.__class__.__hash__ is None:
            raise ValueError(f"the default of {name} may change: use default_factory")
        item.name, item.type, item._field_type = name, type_, _KIND
        if item.kw_only is MISSING:
            item.kw_only = kw_only
        found[name] = item
    made: Any = plain
    made.__dataclass_fields__, made.__dataclass_params__ = found, _PARAMETERS
    names = (item.name for item in found.values() if item.init and not item.kw_only)
    _add(plain, "__match_args__", tuple(names))
    return plain


def _with_slots(plain: _Class, weakref_slot: bool) -> _Class:
    """The class again, with a slot for each of its own fields."""
    inherited: set[str] = set()
    for base in plain.__mro__[1:-1]:
        names = base.__dict__.get("__slots__", ())
        inherited.update((names,) if isinstance(names, str) else names)
    body = dict(plain.__dict__)
    fields_of: dict[str, Any] = body["__dataclass_fields__"]
    own = (*fields_of, *(("__weakref__",) if weakref_slot else ()))
    body["__slots__"] = tuple(name for name in own if name not in inherited)
    for name in (*fields_of, "__dict__", "__weakref__"):
        body.pop(name, None)
    metaclass: Any = type(plain)
    made: _Class = metaclass(plain.__name__, plain.__bases__, body)
    made.__qualname__ = plain.__qualname__
    return made


def _add(cls: type[Any], name: str, method: Any) -> None:
    """Add a method or a value, unless the class has one of its own."""
    if name not in cls.__dict__:
        setattr(cls, name, method)


def _when_called(
    cls: type[Any], name: str, make: Callable[[], Callable[..., Any]]
) -> Callable[..., Any]:
    """A method that is replaced by another one at its first call."""

    def first(self: Any, /, *args: Any, **named: Any) -> Any:
        method = make()
        setattr(cls, name, method)
        return method(self, *args, **named)

    return first


# --- methods that differ --------------------------------------------------------------------------


def _init(cls: type[Any], frozen: bool, slots: bool) -> Callable[..., Any]:
    names: dict[str, Any] = {"absent__": MISSING, "setattr__": object.__setattr__}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for item in fields(cls):
        name, value = item.name, item.name
        names[f"{name}__default"], names[f"{name}__make"] = item.default, item.default_factory
        parameter = name
        if item.default is not MISSING:
            parameter = f"{name}={name}__default"
            value = name if item.init else f"{name}__default"
        elif item.default_factory is not MISSING:
            parameter = f"{name}=absent__"
            made = f"{name}__make()"
            value = f"{made} if {name} is absent__ else {name}" if item.init else made
        elif not item.init:
            continue  # `__post_init__` sets it
        if item.init:
            (named if item.kw_only else positional).append(parameter)
        if not frozen:
            lines.append(f"self.{name} = {value}")
        elif slots:
            names[f"{name}__set"] = getattr(cls, name).__set__
            lines.append(f"{name}__set(self, {value})")
        else:
            lines.append(f"setattr__(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *named] if named else ())])
    return _written(cls, "__init__", parameters, lines or ["pass"], names)


def _copy(cls: type[Any]) -> Callable[..., Any]:
    """Makes a changed copy; what is not given is that of the original."""
    given = [item for item in fields(cls) if item.init]
    parameters = ", ".join(["self", "/", *(["*"] if given else ())])
    parameters += "".join(f", {item.name}=absent__" for item in given)
    values = ", ".join(
        f"{f'{item.name}=' if item.kw_only else ''}"
        f"self.{item.name} if {item.name} is absent__ else {item.name}"
        for item in given
    )
    names = {"absent__": MISSING, "make__": cls}
    return _written(cls, "replace", parameters, [f"return make__({values})"], names)


def _compare(cls: type[Any], name: str, sign: str) -> Callable[..., Any]:
    compared = [item for item in fields(cls) if item.compare]
    lines = [
        "if other.__class__ is self.__class__:",
        f" return {_values('self', compared)} {sign} {_values('other', compared)}",
        "return NotImplemented",
    ]
    return _written(cls, name, "self, other", lines, {})


def _hash(cls: type[Any]) -> Callable[..., Any]:
    hashed = [item for item in fields(cls) if (item.compare if item.hash is None else item.hash)]
    return _written(cls, "__hash__", "self", [f"return hash({_values('self', hashed)})"], {})


def _values(owner: str, items: list[Field[Any]]) -> str:
    return f"({''.join(f'{owner}.{item.name}, ' for item in items)})"


def _written(
    cls: type[Any], name: str, parameters: str, lines: list[str], names: dict[str, Any]
) -> Callable[..., Any]:
    text = "\n ".join([f"def {name}({parameters}):", *lines])
    exec(text, names)
    method: Callable[..., Any] = names.pop(name)
    method.__module__, method.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
    return method


# --- methods that all classes share ---------------------------------------------------------------


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(
        f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr
    )
    return f"{type(self).__qualname__}({shown})"


def _frozen_setattr(self: Any, name: str, value: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _frozen_delattr(self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)
