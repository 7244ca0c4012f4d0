"""Records are dataclasses: what the standard decorator gives a class, ours gives it too."""

from __future__ import annotations

import copy
import dataclasses
import operator
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar

import pytest

from predabs.records import dataclass

Decorator = Callable[..., Callable[[type[Any]], type[Any]]]
DECORATORS: list[Decorator] = [dataclass, dataclasses.dataclass]


def pair_of(decorator: Decorator, **words: bool) -> Any:
    @decorator(**words)
    class Pair:
        left: int
        right: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False)
        kind: ClassVar[str] = "pair"

    return Pair


@dataclass(frozen=True, slots=True)
class Point:
    """Two numbers."""

    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = ""
    size: int = field(init=False, default=3)


@pytest.mark.parametrize("decorator", DECORATORS)
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("slots", [False, True])
def test_fields_and_defaults(decorator: Decorator, frozen: bool, slots: bool) -> None:
    pair = pair_of(decorator, frozen=frozen, slots=slots)
    one, other = pair(1), pair(1, note="other")
    assert (one.left, one.right, one.note, one.kind) == (1, [], "", "pair")
    assert one.right is not other.right
    assert one == other and one != pair(2) and one != (1, [], "")
    assert repr(one).endswith("Pair(left=1, right=[], note='')")
    assert [item.name for item in fields(one)] == ["left", "right", "note"]
    assert pair.__match_args__ == ("left", "right", "note")
    assert replace(one, left=5) == pair(5)
    assert hasattr(one, "__dict__") is not slots
    for bad in (pair, lambda: pair(1, [], "", 2), lambda: pair(1, wrong=2)):
        with pytest.raises(TypeError):
            bad()


@pytest.mark.parametrize("decorator", DECORATORS)
def test_what_is_frozen(decorator: Decorator) -> None:
    frozen, free = pair_of(decorator, frozen=True)(1), pair_of(decorator)(1)
    with pytest.raises(FrozenInstanceError):
        frozen.left = 2
    with pytest.raises(FrozenInstanceError):
        del frozen.left
    free.left = 2
    assert (frozen.left, free.left) == (1, 2)


@pytest.mark.parametrize("decorator", DECORATORS)
def test_hashes(decorator: Decorator) -> None:
    @decorator(frozen=True, slots=True)
    class Value:
        number: int
        other: list[int] = field(hash=False)
        note: str = field(default="", compare=False)

    value: Any = Value
    assert hash(value(1, [], "a")) == hash(value(1, [2], "b")) == hash((1,))
    with pytest.raises(TypeError):
        hash(pair_of(decorator)(1))  # it may change
    identity = pair_of(decorator, frozen=True, slots=True, eq=False, weakref_slot=True)
    one, other = identity(1), identity(1)
    assert one != other and len({one, other}) == 2


@pytest.mark.parametrize("decorator", DECORATORS)
def test_order(decorator: Decorator) -> None:
    @decorator(frozen=True, slots=True, order=True)
    class Version:
        major: int
        minor: int

    version: Any = Version
    versions = [version(2, 0), version(1, 5), version(1, 2)]
    assert sorted(versions) == versions[::-1]
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        assert compare(versions[0], versions[1]) == compare((2, 0), (1, 5))
        with pytest.raises(TypeError):
            compare(versions[0], (2, 0))


@pytest.mark.parametrize("decorator", DECORATORS)
def test_a_method_of_its_own_stays(decorator: Decorator) -> None:
    @decorator(frozen=True, slots=True)
    class Odd:
        number: int
        double: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "double", 2 * self.number)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Odd)

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return f"odd {self.number}"

    odd: Any = Odd
    assert (odd(1), hash(odd(1)), repr(odd(3)), odd(4).double) == (odd(2), 7, "odd 3", 8)


@pytest.mark.parametrize("decorator", DECORATORS)
def test_words_only(decorator: Decorator) -> None:
    @decorator(frozen=True, slots=True, kw_only=True)
    class Settings:
        first: int
        second: int = 2

    settings: Any = Settings
    assert (settings(first=1).first, settings(first=1, second=3).second) == (1, 3)
    with pytest.raises(TypeError):
        settings(1)


def test_inheritance_and_copies() -> None:
    named = Named(1, 2, "a")
    assert (named.x, named.name, named.size) == (1, "a", 3)
    assert repr(named) == "Named(x=1, y=2, name='a', size=3)"
    assert named != Point(1, 2) and Point(1, 2) == Point(1, 2)
    for same in (pickle.loads(pickle.dumps(named)), copy.copy(named), copy.deepcopy(named)):
        assert same == named and same is not named and hash(same) == hash(named)
    match named:
        case Named(x, y, name):
            assert (x, y, name) == (1, 2, "a")
    assert Point.__doc__ == "Two numbers."


def test_methods_are_written_when_they_are_called() -> None:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        number: int

    before = Fresh.__init__
    assert Fresh(1) == Fresh(1)
    assert Fresh.__init__ is not before
    after = Fresh.__init__
    assert Fresh(2).number == 2 and Fresh.__init__ is after
    with pytest.raises(TypeError, match=r"Fresh\.__init__\(\) missing"):
        Fresh()  # type: ignore[call-arg]
