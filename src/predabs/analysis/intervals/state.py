"""Abstract states as persistent maps from variables to intervals, most of which is shared.

A state that differs from another in a few variables shares the rest with it, and what is shared is
not looked at when two states are combined: so an operation costs what it changes, not the number of
variables [BCC+03, section 6.1.2]. Variables are numbered; a state of more than a few variables is a
tree over the digits of the numbers, whose leaves are dictionaries that nobody changes; that of a
few is one such dictionary.

Soundness duty: a variable that is not in a state may have any value of its type. A variable without
a number is never in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ...ir.expr import Var
from ..modref import ones
from . import interval
from .interval import Interval

_FEW = 32  # variables that are kept in one dictionary
_BITS = 4  # of a digit
_FAN = 1 << _BITS
_Leaf: TypeAlias = dict[Var, Interval]
_Node: TypeAlias = Any  # a leaf, or a tuple of nodes: how deep a tree is, the space knows
_Combine: TypeAlias = Callable[[_Leaf, _Leaf], _Leaf]  # a leaf with itself gives itself


class StateSpace:
    """The states over numbered variables."""

    def __init__(self, numbers: Mapping[Var, int], variables: Sequence[Var]) -> None:
        self.numbers = numbers
        self.variables = variables
        depth = 0
        while _FAN << (_BITS * depth) < len(variables):
            depth += 1
        self.shifts = tuple(_BITS * level for level in range(depth, 0, -1))
        self.empty_tree: _Node = {}
        for _ in range(depth):
            self.empty_tree = (self.empty_tree,) * _FAN
        self.empty = State(self, {}, 0)

    def tree(self, leaf: _Leaf) -> _Node:
        """A tree with what one dictionary has."""
        node = self.empty_tree
        for var, bounds in leaf.items():
            node = self.updated(node, self.numbers[var], var, bounds)
        return node

    def updated(self, node: _Node, number: int, var: Var, bounds: Interval) -> _Node:
        """A tree with another interval for one variable."""
        path: list[tuple[tuple[_Node, ...], int]] = []
        for shift in self.shifts:
            digit = (number >> shift) % _FAN
            path.append((node, digit))
            node = node[digit]
        node = {**node, var: bounds}
        for above, digit in reversed(path):
            node = (*above[:digit], node, *above[digit + 1 :])
        return node


class State(Mapping[Var, Interval]):
    """One state; `present` has a bit for each variable that is in it."""

    __slots__ = ("_leaf", "_space", "_tree", "present")

    def __init__(
        self, space: StateSpace, leaf: _Leaf | None, present: int, tree: _Node = None
    ) -> None:
        self._space = space
        self._leaf = leaf  # all of it, if it is small
        self._tree = tree
        self.present = present

    @property
    def _whole(self) -> _Node:
        return self._tree if self._leaf is None else self._space.tree(self._leaf)

    # --- a mapping --------------------------------------------------------------------------------

    def get(self, var: Var, default: Any = None) -> Any:
        if self._leaf is not None:
            return self._leaf.get(var, default)
        number = self._space.numbers.get(var)
        if number is None:
            return default
        node = self._tree
        for shift in self._space.shifts:
            node = node[(number >> shift) % _FAN]
        return node.get(var, default)

    def __getitem__(self, var: Var) -> Interval:
        found: Interval | None = self.get(var)
        if found is None:
            raise KeyError(var)
        return found

    def __iter__(self) -> Iterator[Var]:
        return (self._space.variables[number] for number in ones(self.present))

    def __len__(self) -> int:
        return self.present.bit_count()

    def same(self, other: State) -> bool:
        """Do they say the same? Shared parts are not compared."""
        if self is other:
            return True
        return self._leaf == other._leaf and self._tree == other._tree

    # --- changes of some variables ----------------------------------------------------------------

    def updated(self, var: Var, bounds: Interval) -> State:
        """The state with another interval for one variable."""
        number = self._space.numbers.get(var)
        if number is None or self.get(var) == bounds:
            return self
        present = self.present | 1 << number
        if self._leaf is not None and (var in self._leaf or len(self._leaf) < _FEW):
            return State(self._space, {**self._leaf, var: bounds}, present)
        tree = self._space.updated(self._whole, number, var, bounds)
        return State(self._space, None, present, tree)

    def forgetting(self, var: Var) -> State:
        """The state without one variable."""
        number = self._space.numbers.get(var)
        return self if number is None else self.without(1 << number)

    def without(self, variables: int) -> State:
        """The state without variables, given as bits."""
        gone = self.present & variables
        if not gone:
            return self
        present = self.present ^ gone
        if not present:
            return self._space.empty
        if self._leaf is not None:
            left = dict(self._leaf)
            for number in ones(gone):
                del left[self._space.variables[number]]
            return State(self._space, left, present)
        if present.bit_count() > _FEW:
            tree = self._removed(self._tree, gone, 0, 0)
            return State(self._space, None, present, tree)
        return self._small(self._tree, present)

    def _removed(self, node: _Node, gone: int, first: int, level: int) -> _Node:
        """A node without the variables whose bits are set, counted from its first one."""
        if level == len(self._space.shifts):
            left = dict(node)
            for number in ones(gone):
                del left[self._space.variables[first + number]]
            return left
        shift = self._space.shifts[level]
        child_bits = (1 << (1 << shift)) - 1
        return tuple(
            self._removed(child, part, first + (digit << shift), level + 1)
            if (part := (gone >> (digit << shift)) & child_bits)
            else child
            for digit, child in enumerate(node)
        )

    def _small(self, tree: _Node, present: int) -> State:
        """A few variables of a tree as one dictionary."""
        whole = State(self._space, None, present, tree)
        return State(self._space, {var: whole[var] for var in whole}, present)

    # --- two states -------------------------------------------------------------------------------

    def join(self, other: State) -> State:
        """What holds in both; the same object as `self` if `other` says no less."""
        return self._combined(other, _joined, self.present & other.present)

    def meet(self, other: State) -> State | None:
        """What both say together; None if that is impossible."""
        try:
            return self._combined(other, _met, self.present | other.present)
        except _Empty:
            return None

    def overridden(self, other: State) -> State:
        """The state with all that the other one says in place of what it said."""
        return self._combined(other, lambda one, two: {**one, **two}, self.present | other.present)

    def grown(self, joined: State, widen: Callable[[Var, Interval, Interval], Interval]) -> State:
        """The join of this state and another, with what has grown since widened."""

        def widened(old: _Leaf, new: _Leaf) -> _Leaf:
            return {
                var: bounds if bounds == old[var] else widen(var, old[var], bounds)
                for var, bounds in new.items()
            }

        return self._combined(joined, widened, joined.present)

    def _combined(self, other: State, combine: _Combine, present: int) -> State:
        """Combine variable by variable; one of the two if it is like that. `present` are the
        variables of the result."""
        if self is other:
            return self
        if self._leaf is not None and other._leaf is not None:
            leaf = combine(self._leaf, other._leaf)
            if leaf == self._leaf:
                return self
            if leaf == other._leaf:
                return other
            if len(leaf) <= _FEW:
                return State(self._space, leaf, present)
            return State(self._space, None, present, self._space.tree(leaf))
        one, two = self._whole, other._whole
        tree = _merged(one, two, combine, len(self._space.shifts))
        if tree is one:
            return self
        if tree is two:
            return other
        if present.bit_count() > _FEW:
            return State(self._space, None, present, tree)
        return self._small(tree, present)


def _merged(one: _Node, two: _Node, combine: _Combine, depth: int) -> _Node:
    """Two nodes combined; one of the two if it is like that, so that much stays shared."""
    if one is two:
        return one
    if not depth:
        leaf = combine(one, two)
        return one if leaf == one else two if leaf == two else leaf
    node = tuple(
        a if a is b else _merged(a, b, combine, depth - 1) for a, b in zip(one, two, strict=True)
    )
    return (
        one if node == one else two if node == two else node
    )  # children that are alike are shared


class _Empty(Exception):
    """Two states exclude each other."""


def _joined(one: _Leaf, two: _Leaf) -> _Leaf:
    return {
        var: bounds if bounds == other else interval.join(bounds, other)
        for var, bounds in one.items()
        if (other := two.get(var)) is not None
    }


def _met(one: _Leaf, two: _Leaf) -> _Leaf:
    found = dict(one)
    for var, bounds in two.items():
        common = interval.meet(found.get(var, bounds), bounds)
        if common is None:
            raise _Empty
        found[var] = common
    return found
