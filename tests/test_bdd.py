"""The BDD layer against truth tables."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.bdd import BddTooLarge, Cube, Function, Manager
from predabs.errors import ResourceExhausted

N = 4
POINTS = [dict(enumerate(bits)) for bits in product((False, True), repeat=N)]
TABLES = st.integers(min_value=0, max_value=2 ** len(POINTS) - 1)


def members(table: int) -> list[Cube]:
    return [point for i, point in enumerate(POINTS) if table >> i & 1]


def manager_with(*tables: int) -> tuple[Manager, list[Function]]:
    m = Manager(memory_mb=1)
    m.add_variables(2 * N)
    return m, [m.disjunction(map(m.cube, members(t))) for t in tables]


def satisfies(cube: Cube, point: Cube) -> bool:
    return all(point[i] == value for i, value in cube.items())


@given(TABLES)
def test_points_count_and_pick(table: int) -> None:
    m, (f,) = manager_with(table)
    assert list(m.points(f, range(N))) == members(table)
    assert m.count(f, range(N)) == len(members(table))
    picked = m.pick(f, range(N))
    assert picked in members(table) if table else picked is None


@given(TABLES)
def test_cover_is_exact_and_irredundant(table: int) -> None:
    m, (f,) = manager_with(table)
    cubes = m.cover(f)
    covered = [p for p in POINTS if any(satisfies(c, p) for c in cubes)]
    assert covered == members(table)
    for left_out in range(len(cubes)):
        rest = cubes[:left_out] + cubes[left_out + 1 :]
        assert [p for p in POINTS if any(satisfies(c, p) for c in rest)] != covered


@given(TABLES, TABLES, st.sets(st.integers(0, N - 1)))
def test_product_and_quantifiers(left: int, right: int, hidden: set[int]) -> None:
    m, (f, g) = manager_with(left, right)
    keep = [i for i in range(N) if i not in hidden]

    def visible(p: Cube) -> tuple[bool, ...]:
        return tuple(p[i] for i in keep)

    found = m.product(f, g, m.variable_set(hidden))
    both = {visible(p) for p in members(left & right)}
    assert {visible(p) for p in m.points(found, range(N))} == both
    assert found == m.exists(f & g, hidden)
    assert m.forall(f, hidden) == ~m.exists(~f, hidden)


@given(TABLES)
def test_renaming_is_simultaneous(table: int) -> None:
    m, (f,) = manager_with(table)
    swap = m.renaming({0: 1, 1: 0})
    swapped = [{**p, 0: p[1], 1: p[0]} for p in members(table)]
    assert sorted(map(str, m.points(swap(f), range(N)))) == sorted(map(str, swapped))
    shift = m.renaming({i: i + N for i in range(N)})
    assert m.support(shift(f)) == {i + N for i in m.support(f)}
    assert m.renaming({})(f) == f


def test_support_and_equal() -> None:
    m, _ = manager_with()
    f = m.equal([(0, 1), (2, 3)])
    assert m.support(f) == {0, 1, 2, 3}
    assert m.count(f, range(N)) == 4
    assert m.support(m.true) == frozenset()


@settings(max_examples=5)
@given(st.integers(100, 400))
def test_cover_of_a_deep_diagram(n: int) -> None:
    m = Manager(memory_mb=8)
    variables = m.add_variables(n)
    assert m.cover(m.conjunction(map(m.var, variables))) == [dict.fromkeys(range(n), True)]


def test_cover_has_a_limit() -> None:
    m = Manager(memory_mb=8)
    f = m.false
    for i in m.add_variables(12):
        f = f ^ m.var(i)
    assert len(m.cover(f)) == 2**11
    with pytest.raises(ResourceExhausted, match="more than 100 cubes"):
        m.cover(f, limit=100)


def test_memory_is_bounded() -> None:
    m = Manager(memory_mb=1)
    n = 24
    m.add_variables(2 * n)
    with pytest.raises(ResourceExhausted, match="more than the 1 MiB"), m.bounded():
        f = m.true
        for i in range(n):  # pairs far apart: exponential in n
            f = f & m.var(i).equiv(m.var(i + n))


def _status_of_child(work: Callable[[], None]) -> int:
    """How a forked process ends that does this work: 0, or 3 for a refusal; negative: a signal."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except ResourceExhausted:
            os._exit(3)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _make_managers() -> None:
    kept = []
    for i in range(60):
        m = Manager(1)
        m.add_variables(2)
        assert (m.var(0) & m.var(1)).satisfiable()
        kept.append(m)
        if i % 3 == 0:
            kept.pop(0)


def test_a_fork_after_managers_have_ended_is_safe() -> None:
    for _ in range(3):
        kept = [Manager(1) for _ in range(40)]
        cycle: list[object] = [kept.pop()]
        cycle.append(cycle)  # garbage that only a collection finds
        del cycle
        kept.clear()
        assert _status_of_child(_make_managers) == 0


def test_a_fork_beside_a_live_manager_refuses_new_ones() -> None:
    m = Manager(1)
    assert _status_of_child(_make_managers) == 3
    m.add_variables(1)
    assert m.var(0).satisfiable()
    _make_managers()  # the parent itself goes on


def test_a_limited_address_space_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A manager leaves room for others."""

    def leave(megabytes: int) -> None:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limit = used + (megabytes << 20)
        monkeypatch.setattr(resource, "getrlimit", lambda kind: (limit, limit))

    leave(1000)
    assert Manager(100).memory_mb == 100
    leave(400)
    m = Manager(200)
    a, b = m.add_variables(2)
    assert (m.var(a) & m.var(b)).satisfiable()
    assert m.memory_mb < 200
    leave(40)
    with pytest.raises(BddTooLarge, match="no room for BDDs"):
        Manager(100)
