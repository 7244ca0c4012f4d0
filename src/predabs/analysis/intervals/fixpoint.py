"""The fixpoint of the intervals: inside functions on their weak order, between them by summaries.

A function is solved when a run first comes to a call of it, in the middle of its caller: so callers
know what it returns and are not begun anew for each call. All calls of a function are taken
together. Whoever was solved with entries or summaries that have grown since is solved again,
callees first. If that takes long, each is solved once for any entry and summary. At last entries,
states and summaries are narrowed, callers first.

Soundness duty: at the end the states contain what each edge makes of the states before it, entries
what calls pass, and summaries what is returned. What narrowing replaces holds in all runs, and so
does what is computed from it; so the common part of both does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.ops import Return
from ...ir.order import WeakOrder, location_graph, strong_components, weak_order
from ...ir.types import FloatType, IntType
from . import interval
from .call_sites import CallSite, CallSites
from .state import State
from .transfer import Summary, Transfer
from .widening import TOO_OFTEN, Widening

_NARROWING = 2  # passes, of each function and of all
# How many transfers are computed, for each callee of a call one, before calls may pass and return
# anything
_TRANSFERS, _TRANSFERS_PER_EDGE = 40_000, 4


class _TooManyTransfers(Exception):
    """It takes long until nothing grows any more."""


class Fixpoint:
    """Computes the states of all locations that a run may come to."""

    def __init__(
        self, program: Program, transfer: Transfer, calls: Mapping[str, Sequence[str]]
    ) -> None:
        self._functions = program.functions
        self._transfer = transfer
        self._callees = calls
        self._widening = Widening(program)
        self.states: dict[Location, State] = {}
        self._entries: dict[str, State] = {}
        self._growth: dict[tuple[str, str], int] = {}
        groups = strong_components(calls)
        self._rank = {name: number for number, group in enumerate(groups) for name in group}
        self._orders: dict[str, tuple[WeakOrder[Location], Mapping[Location, int]]] = {}
        self._calls = CallSites(self._functions.values(), transfer.callees)
        self._used: dict[Edge, int] = {}  # the version of the summaries when a call was computed
        self._passed: dict[CallSite, State] = {}  # the state before a call that callees know of
        self._active: set[str] = set()
        self._waiting: set[str] = set()
        self._queue: list[tuple[int, int, str]] = []
        self._limits: Mapping[Location, State] | None = None  # what narrowing begins with
        # what was computed last: much of a function that is solved again is as it was
        self._last: dict[Location, State] = {}
        self._taken: dict[Edge, tuple[State, State | None]] = {}  # states before and after
        edges = sum(len(function.edges) for function in self._functions.values())
        self._transfers_left = _TRANSFERS + _TRANSFERS_PER_EDGE * edges
        self._hurries = False
        if program.entry in self._functions:
            self._roots = {program.entry: transfer.initial()}
        else:
            self._roots = dict.fromkeys(self._functions, transfer.empty)
        self._solve()

    # --- between functions ------------------------------------------------------------------------

    def _solve(self) -> None:
        for name, state in self._roots.items():
            self._entries[name] = state
            self._wait(name)
        try:
            while (waiting := self._next(len(self._rank))) is not None:
                self._run(waiting)
        except _TooManyTransfers:
            self._solve_apart()
        for _ in range(_NARROWING):
            self._narrow()

    def _solve_apart(self) -> None:
        """Solve each function once: calls may pass anything to it, and get anything from it."""
        self._hurries = True
        anything = self._transfer.empty
        for name in self._functions:
            called = name in self._calls.of_callee or name not in self._roots
            self._entries[name] = anything if called else self._roots[name]
            self._calls.summarise(name, Summary(anything, None))
        for function in self._functions.values():
            for _ in self._ascend(function):
                raise AssertionError("a call came to a function that was not to be solved")

    def _wait(self, name: str) -> None:
        """A function has to be solved again; one that is under way is queued when it has ended."""
        if name not in self._waiting:
            self._waiting.add(name)
            if name not in self._active:
                self._enqueue(name)

    def _enqueue(self, name: str) -> None:
        heappush(self._queue, (self._rank[name], len(self._waiting), name))

    def _next(self, rank: int) -> str | None:
        """One that waits and is not under way, of this rank or less; the lowest."""
        if not self._queue or self._queue[0][0] > rank:
            return None
        name = heappop(self._queue)[2]
        self._waiting.discard(name)
        return name

    def _run(self, first: str) -> None:
        """Solve a function, and those that it calls for the first time; before one goes on that has
        waited for another, all that is below it is solved that has to be."""
        stack: list[tuple[int, str, Iterator[str]]] = []

        def begin(name: str, rank: int) -> None:
            self._active.add(name)
            stack.append((rank, name, self._ascend(self._functions[name])))

        begin(first, self._rank[first])
        while stack:
            rank, name, work = stack[-1]
            wanted = next(work, None)
            if wanted is not None:
                begin(wanted, self._rank[wanted])
                continue
            stack.pop()
            self._active.discard(name)
            if name in self._waiting:
                self._enqueue(name)
            self._spread(self._functions[name])
            following = self._next(rank)
            if following is not None:
                begin(following, rank)

    def _unexplored(self, location: Location) -> Iterator[str]:
        """The functions that calls before this location reach for the first time."""
        for site in self._calls.into.get(location, ()):
            before = self.states.get(site.edge.src)
            if before is not None:
                for callee in site.callees:
                    if callee not in self._entries:
                        function = self._functions[callee]
                        self._entries[callee] = self._transfer.passed(site.call, function, before)
                        yield callee

    def _spread(self, function: Function) -> None:
        """What a function that was solved passes to others and returns; who must be solved again
        because of it."""
        name = function.name
        for site in self._calls.in_function[name]:
            before = self.states.get(site.edge.src)
            if before is not None and self._passed.get(site) is not before:
                self._passed[site] = before
                for callee in site.callees:
                    passed = self._transfer.passed(site.call, self._functions[callee], before)
                    if self._grow_entry(callee, passed):
                        self._wait(callee)
        returned = self._returned(function)
        if returned is not None and self._grow_summary(function, returned):
            for site in self._calls.of_callee.get(name, ()):
                caller = site.edge.src.function
                if caller in self._entries and caller not in self._active:
                    self._wait(caller)
        if self._is_stale(name):
            self._wait(name)

    def _is_stale(self, name: str) -> bool:
        """Was a call in the function computed with summaries that are not those of now?"""
        return any(
            site.edge.src in self.states and self._used.get(site.edge) != self._calls.version(site)
            for site in self._calls.in_function[name]
        )

    def _returned(self, function: Function) -> Summary | None:
        found: Summary | None = None
        for edge in function.incoming[function.exit]:
            before = self.states.get(edge.src)
            if before is not None and isinstance(edge.op, Return):
                summary = self._transfer.returned(function, edge.op, before)
                found = summary if found is None else found.join(summary)
        return found

    def _grow_entry(self, name: str, new: State) -> bool:
        """Join a state into a function's entry; whether that changed it."""
        old = self._entries.get(name)
        if old is None:
            self._entries[name] = new
            return True
        joined = old.join(new)
        if joined is old:
            return False
        self._entries[name] = self._grown(old, joined, self._count("entry", name))
        return True

    def _grow_summary(self, function: Function, new: Summary) -> bool:
        """Join what a function returns into its summary; whether that changed it."""
        name = function.name
        old = self._calls.summaries.get(name)
        if old is None:
            self._calls.summarise(name, new)
            return True
        joined = old.join(new)
        if joined is old:
            return False
        count = self._count("exit", name)
        state = self._grown(old.state, joined.state, count)
        result = joined.result
        if result is not None and old.result is not None and result != old.result:
            assert isinstance(function.type.result, IntType | FloatType)
            result = self._widening.bounds(function.type.result, old.result, result, count)
        self._calls.summarise(name, Summary(state, result))
        return True

    def _count(self, table: str, name: str) -> int:
        count = self._growth[table, name] = self._growth.get((table, name), 0) + 1
        return count

    def _grown(self, old: State, joined: State, count: int) -> State:
        """What a state that has grown becomes."""
        if joined is old:
            return old
        return self._widening.widened(old, joined, TOO_OFTEN if self._hurries else count)

    # --- narrowing --------------------------------------------------------------------------------

    def _narrow(self) -> None:
        """Take what is passed and returned now, not what it had grown to; callers first."""
        names = sorted(self._entries, key=self._rank.__getitem__, reverse=True)
        for name in names:
            function = self._functions[name]
            old = self._entries[name]
            passed = self._arriving(function)
            entry = None if passed is None else old.meet(passed)
            if entry is not None and entry.same(old) and not self._is_stale(name):
                continue
            order = self._order(function)[0].order
            self._limits = {at: self.states[at] for at in order if at in self.states}
            if entry is None:  # no run comes here
                for location in order:
                    self.states.pop(location, None)
                del self._entries[name]
            else:
                self._entries[name] = entry
                for _ in self._ascend(function):
                    raise AssertionError("narrowing came to a function that was not reached before")
            self._limits = None
            self._narrow_summary(name, self._returned(function))

    def _arriving(self, function: Function) -> State | None:
        """What all calls pass, by the states of now."""
        found = self._roots.get(function.name)
        for site in self._calls.of_callee.get(function.name, ()):
            before = self.states.get(site.edge.src)
            if before is not None:
                passed = self._transfer.passed(site.call, function, before)
                found = passed if found is None else found.join(passed)
        return found

    def _narrow_summary(self, name: str, new: Summary | None) -> None:
        old = self._calls.summaries.get(name)
        if old is None:
            return
        state = None if new is None else old.state.meet(new.state)
        if new is None or state is None:
            self._calls.summarise(name, None)
            return
        result = new.result if old.result is None else old.result
        if old.result is not None and new.result is not None:
            result = interval.meet(old.result, new.result)
            if result is None:
                self._calls.summarise(name, None)
                return
        if result != old.result or not state.same(old.state):
            self._calls.summarise(name, Summary(state, result))

    # --- inside a function ------------------------------------------------------------------------

    def _order(self, function: Function) -> tuple[WeakOrder[Location], Mapping[Location, int]]:
        """The weak order of the locations, and where in it its heads are."""
        known = self._orders.get(function.name)
        if known is None:
            order = weak_order(location_graph(function), function.entry)
            heads = {at: place for place, at in enumerate(order.order) if at in order.ends}
            known = self._orders[function.name] = order, heads
        return known

    def _ascend(self, function: Function) -> Iterator[str]:
        """Solve a function [Bou93, section 5]: yields those that must be solved before it can go
        on."""
        order, _ = self._order(function)
        for location in order.order:
            self.states.pop(location, None)
        yield from self._stabilise(function, 0, len(order.order))
        if not order.ends or self._is_stale(function.name):
            return  # a stale function is solved again; its states are too small to be narrowed
        for _ in range(_NARROWING):
            for location in order.order:
                self._shrink(function, location)

    def _shrink(self, function: Function, location: Location) -> None:
        """Narrow a state by what comes to it now."""
        old, new = self.states.get(location), self._incoming(function, location)
        self._set(location, None if old is None or new is None else old.meet(new))

    def _stabilise(self, function: Function, begin: int, end: int) -> Iterator[str]:
        """Solve a part of the weak order: all of it, or a component."""
        order, heads = self._order(function)
        counts: dict[Location, int] = {}
        position = begin
        open_heads: list[Location] = []
        while True:
            while open_heads and position == order.ends[open_heads[-1]]:
                head = open_heads.pop()
                yield from self._unexplored(head)
                if self._update_head(function, head, counts):
                    position = heads[head] + 1
                    open_heads.append(head)
            if position == end:
                break
            location = order.order[position]
            position += 1
            if location in self._calls.into:
                yield from self._unexplored(location)
            if location in order.ends:
                self._update_head(function, location, counts)
                open_heads.append(location)
            else:
                self._set(location, self._incoming(function, location))

    def _update_head(self, function: Function, head: Location, counts: dict[Location, int]) -> bool:
        """Compute a loop head's state anew, widened if need be; whether it has grown."""
        old, new = self.states.get(head), self._incoming(function, head)
        if new is None:
            return False
        if old is not None:
            joined = old.join(self._transfer.kept(new, head))
            if joined is old:
                return False
            counts[head] = counts.get(head, 0) + 1
            new = self._grown(old, joined, counts[head])
            if self._limits is not None:
                new = new.meet(self._limits[head])
        self._set(head, new)
        return True

    def _set(self, location: Location, state: State | None) -> None:
        if state is None:
            self.states.pop(location, None)
            return
        state = self._transfer.kept(state, location)
        last = self._last.get(location)
        if last is None or not last.same(state):
            last = self._last[location] = state
        self.states[location] = last

    def _incoming(self, function: Function, location: Location) -> State | None:
        found = self._entries[function.name] if location is function.entry else None
        for edge in function.incoming[location]:
            before = self.states.get(edge.src)
            if before is not None:
                after = self._after(edge, before)
                if after is not None:
                    found = after if found is None else found.join(after)
        if found is not None and self._limits is not None:
            limit = self._limits.get(location)
            return None if limit is None else found.meet(limit)
        return found

    def _after(self, edge: Edge, state: State) -> State | None:
        """The state after an edge: that of the last time, if nothing has changed since."""
        taken = self._taken.get(edge)
        unchanged = taken is not None and taken[0] is state
        site = self._calls.of_edge.get(edge)
        if site is not None:
            version = self._calls.version(site)
            unchanged = unchanged and self._used.get(edge) == version
            self._used[edge] = version
        if taken is not None and unchanged:
            return taken[1]
        narrows = self._limits is not None  # which ends by itself
        if self._transfers_left < 0 and not self._hurries and not narrows:
            raise _TooManyTransfers
        if site is None:
            self._transfers_left -= 1
            after = self._transfer.after(edge, state)
        else:
            self._transfers_left -= max(len(site.callees), 1)
            summaries = self._calls.summaries
            returning = {name: summaries[name] for name in site.callees if name in summaries}
            after = self._transfer.after_call(edge, site.call, state, returning)
        self._taken[edge] = state, after
        return after
