"""Binary decision diagrams [Bry86]: the one thin layer between predabs and the oxidd library.

A `Function` is oxidd's own object, so `&`, `|`, `~`, `^` and `==` cost nothing extra; this module
adds what engines need beside them: variables by number, products with quantification, renaming,
picking and counting states, and covers by cubes to print. Soundness duty: a BDD that does not fit
in the memory it was given ends as `BddTooLarge`, never as a wrong set; run every computation
inside `with manager.bounded():`. A process that was forked beside live managers gets none of its
own (`_Forks` says why).

>>> m = Manager(memory_mb=16)
>>> x, y, z = m.add_variables(3)
>>> f = (m.var(x) & m.var(y)) | (m.var(x) & m.var(z))
>>> m.count(f, [x, y, z])
3
>>> m.cover(m.exists(f, [z]))
[{0: True}]
"""

from __future__ import annotations

import gc
import os
import resource
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from oxidd.bcdd import BCDDFunction, BCDDManager
from oxidd.util import BooleanOperator, DDMemoryError

from .errors import ResourceExhausted
from .options.command_options import DEFAULT_BDD_MB

Function: TypeAlias = BCDDFunction
Cube: TypeAlias = dict[int, bool]
"""A conjunction of literals: variable number to its value; absent variables are free."""

# oxidd takes about 34 bytes a node with its unique table (measured with a full manager); the apply
# cache comes on top and is allocated at once, so it stays moderate to keep small checks quick.
_BYTES_PER_NODE = 40
_CACHE_ENTRIES = 1 << 20
_LEAST_MB = 16  # with less, nothing is begun where the address space is limited
_AND = BooleanOperator.AND
# oxidd has a thread for work in parallel, whose stack it reserves with the first manager: 1 GiB,
# too much where the address space is limited. With one such thread, operations run in the thread
# that asks for them (60,000 variables pass, with any size).
os.environ.setdefault("OXIDD_STACK_SIZE", str(16 << 20))


class BddTooLarge(ResourceExhausted):
    """The BDDs of one manager need more memory than it was given. That is a limit of its own:
    the memory of the process has nothing to do with it."""


class Renaming:
    """A simultaneous replacement of variables by variables, prepared once and applied often.

    One object per kind of renaming: oxidd's cache recognises it, so equal work is done once.
    """

    __slots__ = ("_substitution",)

    def __init__(self, manager: Manager, mapping: Mapping[int, int]) -> None:
        pairs = [(old, manager.var(new)) for old, new in mapping.items() if old != new]
        self._substitution: Any = BCDDFunction.make_substitution(pairs) if pairs else None

    def __call__(self, f: Function) -> Function:
        return f if self._substitution is None else f.substitute(self._substitution)


class Manager:
    """A store of BDDs over numbered variables; a variable's number is also its level."""

    def __init__(self, memory_mb: int = DEFAULT_BDD_MB) -> None:
        if _forks.inherited:
            raise ResourceExhausted(
                "this process was forked while BDD managers of its parent were alive: "
                "end those first"
            )
        self.memory_mb = _affordable(memory_mb)
        _forks.live.add(self)
        nodes = max(1 << 12, self.memory_mb * (1 << 20) // _BYTES_PER_NODE)
        self._manager = BCDDManager(nodes, min(nodes // 4, _CACHE_ENTRIES), 1)
        self._variables: list[Function] = []
        self.true: Function = self._manager.true()
        self.false: Function = self._manager.false()
        self._sets: dict[frozenset[int], Function] = {}

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Turn the library's out-of-memory error into ours."""
        try:
            yield
        except DDMemoryError:
            raise BddTooLarge(
                f"the BDDs need more than the {self.memory_mb} MiB that are set aside for them"
            ) from None

    # -- building -------------------------------------------------------------------------------

    def add_variables(self, number: int) -> range:
        """Append variables below all others in the order; gives their numbers."""
        numbers = self._manager.add_vars(number)
        self._variables += [self._manager.var(i) for i in numbers]
        return range(numbers.start, numbers.stop)

    @property
    def variables(self) -> range:
        return range(len(self._variables))

    def var(self, number: int) -> Function:
        return self._variables[number]

    def literal(self, number: int, value: bool) -> Function:
        f = self._variables[number]
        return f if value else ~f

    def cube(self, literals: Mapping[int, bool]) -> Function:
        # From the bottom of the order upwards: each step adds one node above.
        f = self.true
        for number in sorted(literals, reverse=True):
            f = self.literal(number, literals[number]) & f
        return f

    def conjunction(self, functions: Iterable[Function]) -> Function:
        f = self.true
        for g in functions:
            f = f & g
        return f

    def disjunction(self, functions: Iterable[Function]) -> Function:
        """The union, pairwise as a balanced tree: intermediate results stay small."""
        level = list(functions) or [self.false]
        while len(level) > 1:
            pairs = [level[i] | level[i + 1] for i in range(0, len(level) - 1, 2)]
            level = pairs + level[2 * len(pairs) :]
        return level[0]

    def equal(self, pairs: Iterable[tuple[int, int]]) -> Function:
        """All pairs of variables have the same value."""
        f = self.true
        for a, b in sorted(pairs, reverse=True):
            f = self.var(a).equiv(self.var(b)) & f
        return f

    # -- quantifying ----------------------------------------------------------------------------

    def variable_set(self, numbers: Iterable[int]) -> Function:
        """A set of variables in the form in which the library wants it, remembered."""
        key = frozenset(numbers)
        known = self._sets.get(key)
        if known is None:
            known = self._sets[key] = self.cube(dict.fromkeys(key, True))
        return known

    def exists(self, f: Function, numbers: Iterable[int]) -> Function:
        return f.exists(self.variable_set(numbers))

    def forall(self, f: Function, numbers: Iterable[int]) -> Function:
        return f.forall(self.variable_set(numbers))

    def product(self, f: Function, g: Function, hidden: Function) -> Function:
        """The relational product `exists hidden. f & g` in one pass; see `variable_set`."""
        return f.apply_exists(_AND, g, hidden)

    def renaming(self, mapping: Mapping[int, int]) -> Renaming:
        return Renaming(self, mapping)

    # -- looking inside -------------------------------------------------------------------------

    def pick(self, f: Function, numbers: Iterable[int]) -> Cube | None:
        """One point of f: a value for each of `numbers` (False where f does not care), or None."""
        values = f.pick_cube()
        return None if values is None else {i: values[i] is True for i in numbers}

    def count(self, f: Function, numbers: Sequence[int]) -> int:
        """How many valuations of `numbers`, which must include all that f depends on, are in f."""
        total = len(self._variables)
        return int(f.sat_count(total)) >> (total - len(numbers))

    def points(self, f: Function, numbers: Sequence[int]) -> Iterator[Cube]:
        """All valuations of `numbers` in f; `numbers` must include all that f depends on."""
        stack: list[tuple[int, Cube, Function]] = [(0, {}, f)]
        order = sorted(numbers)
        while stack:
            index, chosen, rest = stack.pop()
            if not rest.satisfiable():
                continue
            if index == len(order):
                yield chosen
                continue
            number = order[index]
            low, high = self._branches(rest, number)
            stack.append((index + 1, {**chosen, number: True}, high))
            stack.append((index + 1, {**chosen, number: False}, low))

    def support(self, f: Function) -> frozenset[int]:
        """The variables that f depends on."""
        found: set[int] = set()
        seen = {f}
        stack = [f]
        while stack:
            g = stack.pop()
            variable = g.node_var()
            if variable is None:
                continue
            found.add(variable)
            high, low = g.cofactors()
            for child in (high, low):
                if child not in seen:
                    seen.add(child)
                    stack.append(child)
        return frozenset(found)

    def nodes(self) -> int:
        """How many nodes are live now, after collecting garbage."""
        self._manager.gc()
        return int(self._manager.num_inner_nodes())

    def _branches(self, f: Function, number: int) -> tuple[Function, Function]:
        """f with the variable at 0 and at 1; the variable is at f's top or above it."""
        if f.node_var() != number:
            return f, f
        high, low = f.cofactors()
        return low, high

    # -- covers ---------------------------------------------------------------------------------

    def cover(self, f: Function, limit: int = 10_000) -> list[Cube]:
        """An irredundant sum of prime-ish cubes for f, by the recursion of [Min93] and [Mor70].

        Not always the smallest cover, but none of its cubes can be left out. More than `limit`
        cubes on the way raise `ResourceExhausted`: such a set is not for printing.
        """
        return _Cover(self, limit).of(f)


def _affordable(memory_mb: int) -> int:
    """So many MiB, or less if the address space is limited: a manager takes a quarter of what is
    left, so that there is room for others. oxidd would abort, where there is not enough."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    sizes = Path("/proc/self/statm")
    if allowed == resource.RLIM_INFINITY or not sizes.exists():
        return memory_mb
    left = allowed - int(sizes.read_text().split()[0]) * resource.getpagesize()
    most = left // 4 >> 20
    if most < min(memory_mb, _LEAST_MB):
        raise BddTooLarge(f"the address space has no room for BDDs: {left >> 20} MiB are left")
    return min(memory_mb, most)


class _Forks:
    """What a fork must know of the managers.

    Each manager has a thread of oxidd that waits to collect garbage. A forked process inherits the
    queue in which such threads wait (a table of the library's locks), but not the threads; the
    first manager of its own would follow links into their freed stacks. So before a fork managers
    that nobody needs any more are ended, and beside one that lives on a child makes no manager.
    """

    PATIENCE = 10.0  # seconds; an ended thread is gone within milliseconds, unless cores are short

    def __init__(self) -> None:
        self.live: weakref.WeakSet[Manager] = weakref.WeakSet()
        self.inherited = False
        self._left = 0
        os.register_at_fork(before=self._before, after_in_child=self._in_child)

    def _managers(self) -> int:
        """A new manager's thread has no name at first, and one that is ended still has a thread."""
        return max(len(self.live), _threads_of_managers(len(self.live)))

    def _before(self) -> None:
        self._left = self._managers()
        if not self._left:
            return
        gc.collect()
        until = time.monotonic() + self.PATIENCE
        while time.monotonic() < until:
            self._left = self._managers()
            if self._left <= len(self.live):
                return
            time.sleep(0.001)

    def _in_child(self) -> None:
        self.inherited = self.inherited or self._left > 0


def _threads_of_managers(managers: int) -> int:
    """How many threads of oxidd wait for garbage: one a manager, also while one is being ended.

    Where the system does not tell, the number of managers that Python still knows.
    """
    threads = Path("/proc/self/task")
    if not threads.is_dir():
        return managers
    number = 0
    for thread in threads.iterdir():
        with suppress(OSError):  # it ended while we looked
            number += (thread / "comm").read_text().strip() == "oxidd mi gc"
    return number


_forks = _Forks()


class _Cover:
    """Minato's irredundant sums: cover all of `low`, stay inside `high`, split by the top variable.

    Written with an explicit stack of generators, because the depth is the number of variables.
    """

    def __init__(self, manager: Manager, limit: int) -> None:
        self._manager = manager
        self._limit = limit
        self._known: dict[tuple[Function, Function], tuple[Function, list[Cube]]] = {}

    def of(self, f: Function) -> list[Cube]:
        result: tuple[Function, list[Cube]] | None = None
        stack = [self._solve(f, f)]
        while stack:
            try:
                request = stack[-1].send(result)
                result = self._known.get(request)
                if result is None:
                    stack.append(self._solve(*request))
            except StopIteration as done:
                stack.pop()
                result = done.value
        assert result is not None
        return result[1]

    def _solve(
        self, low: Function, high: Function
    ) -> Any:  # a generator: yields requests, is sent their answers, returns its own
        m = self._manager
        if not low.satisfiable():
            return m.false, []
        if high.valid():
            return m.true, [{}]
        top = min(v for v in (low.node_var(), high.node_var()) if v is not None)
        low0, low1 = m._branches(low, top)
        high0, high1 = m._branches(high, top)
        function0, cubes0 = yield (low0 & ~high1, high0)
        function1, cubes1 = yield (low1 & ~high0, high1)
        rest = (low0 & ~function0) | (low1 & ~function1)
        function2, cubes2 = yield (rest, high0 & high1)
        cubes: list[Cube] = [{top: False, **c} for c in cubes0]
        cubes += [{top: True, **c} for c in cubes1]
        cubes += cubes2
        if len(cubes) > self._limit:
            raise ResourceExhausted(f"a formula of more than {self._limit} cubes")
        x = m.var(top)
        answer = (function2 | (~x & function0) | (x & function1), cubes)
        self._known[(low, high)] = answer
        return answer
