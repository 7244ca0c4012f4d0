"""What a program under construction knows: its dice, its names, its budget and its scopes.

Scopes are values; the dice, the counter of names and the budget are the only things that change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeVar

from fuzz.types import CType, Int, Struct, has_pointer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Var:
    """A variable; `level` is the nesting depth of its block, 0 for static storage.

    A `private` variable never has its address taken: no call and no pointer can change it.
    `below` is nonzero for a loop counter that stays in 0 .. below - 1.
    """

    name: str
    type: CType
    level: int
    private: bool = False
    writable: bool = True
    below: int = 0


@dataclass(frozen=True, slots=True)
class Function:
    """A function that can be called; a `pure` one changes no object of its caller.

    `table` > 0: `name` is a table of that many functions. `depth_first`: the first argument
    bounds a recursion and must be small.
    """

    name: str
    params: tuple[CType, ...]
    result: CType | None
    pure: bool
    cost: int
    table: int = 0
    depth_first: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression or statement may use at its place.

    `owned` are private scalars that only this part of the full expression may touch, so that a
    side effect on them cannot clash with a read or write elsewhere in the same expression.
    """

    vars: tuple[Var, ...]
    functions: tuple[Function, ...] = ()
    owned: tuple[Var, ...] = ()
    level: int = 0
    pure: bool = False
    in_loop: bool = False
    in_switch: bool = False
    result: CType | None = None

    def declare(self, var: Var) -> Scope:
        """The scope after a declaration, which hides an outer variable of the same name."""
        return replace(self, vars=(*self.hide(var).vars, var))

    def hide(self, *gone: Var) -> Scope:
        """The scope without some variables."""
        names = {v.name for v in gone}
        return replace(self, vars=tuple(v for v in self.vars if v.name not in names))

    def owning(self, *owned: Var) -> Scope:
        """The scope of a part of a full expression that owns exactly these variables."""
        return replace(self, owned=owned)

    def reading_owned(self) -> Scope:
        """The scope after a sequence point: what was owned may be read again, not changed."""
        return replace(self, vars=(*self.vars, *self.owned), owned=())

    def inner(self) -> Scope:
        """The scope of a nested block."""
        return replace(self, level=self.level + 1)

    def private_view(self) -> Scope:
        """Only what no call can change: for operands beside a call with side effects."""
        keep = tuple(v for v in self.vars if v.private and not has_pointer(v.type))
        return replace(self, vars=keep, functions=())

    def may_own(self) -> list[Var]:
        """The scalars that an expression may change as a side effect."""
        return [
            v
            for v in self.vars
            if v.private and v.writable and isinstance(v.type, Int) and v.level > 0
        ]


@dataclass(frozen=True, slots=True)
class Expr:
    """The text of an expression, safe to use as an operand, and its type."""

    text: str
    type: Int


@dataclass(slots=True)
class Budget:
    """Bounds the size of the text and the number of statements executed.

    `weight` says how often the place being written runs for one call of its function.
    """

    lines: int
    steps: int
    weight: int = 1
    spent: int = 0

    def affords(self, cost: int) -> bool:
        """Whether `cost` steps at this place still fit."""
        return self.spent + self.weight * cost <= self.steps

    def spend(self, cost: int) -> None:
        """Book `cost` steps at this place."""
        self.spent += self.weight * cost

    @contextmanager
    def repeated(self, times: int) -> Iterator[None]:
        """Write a part that runs `times` times."""
        outer = self.weight
        self.weight = outer * times
        try:
            yield
        finally:
            self.weight = outer


@dataclass(slots=True)
class Context:
    """The dice and the tables that every part of the generator shares."""

    rng: Random
    budget: Budget
    grammar: Sequence[tuple[int, Production]]
    makers: Sequence[tuple[int, Maker]]
    ints: tuple[Int, ...] = ()
    structs: tuple[Struct, ...] = ()
    constants: tuple[str, ...] = ()
    groups: tuple[tuple[Function, ...], ...] = ()
    counter: int = field(default=0)

    def fresh(self, prefix: str) -> str:
        """A name that is used nowhere else."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.rng.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each as likely."""
        return items[self.rng.randrange(len(items))]

    def weighted(self, table: Sequence[tuple[int, T]]) -> T:
        """One of the items by weight."""
        return self.rng.choices([t for _, t in table], [w for w, _ in table])[0]

    def number(self, low: int, high: int) -> int:
        """A number between the two, both included."""
        return self.rng.randint(low, high)

    def int_type(self) -> Int:
        """Some integer type, typedefs and enumerations included."""
        return self.pick(self.ints)

    def share(self, scope: Scope, parts: int) -> list[Scope]:
        """Scopes for unsequenced operands: each owned variable goes to one of them."""
        hands: list[list[Var]] = [[] for _ in range(parts)]
        for var in scope.owned:
            self.pick(hands).append(var)
        return [scope.owning(*hand) for hand in hands]

    def full(self, scope: Scope, *untouchable: Var) -> Scope:
        """The scope of a new full expression, which may own up to two variables."""
        names = {v.name for v in untouchable}
        free = [v for v in scope.may_own() if v.name not in names]
        if not free or self.chance(0.5):
            return scope.owning()
        owned = self.rng.sample(free, min(len(free), self.number(1, 2)))
        return scope.hide(*owned).owning(*owned)


Production = Callable[[Context, Scope, int], Expr | None]
Maker = Callable[[Context, Scope], tuple[list[str], Scope]]
