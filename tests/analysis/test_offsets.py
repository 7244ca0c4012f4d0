"""Progressions of offsets against plain sets of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.points_to.access_paths import grain
from predabs.analysis.points_to.offsets import (
    ANY,
    ByteRangeIndex,
    Extent,
    Offsets,
    aligned,
    at,
    covers,
    distance,
    join,
    overlap,
    progression,
    shift,
    spread,
    total,
)
from predabs.ir import arith, make
from predabs.ir.expr import Binary, Cast, Const, Expr, Op, Unary, UnaryOp, Var
from predabs.ir.types import UINT, ULLONG, IntType

WINDOW = range(-400, 400)  # without a count, only numbers in this window are compared

offsets = st.one_of(
    st.integers(-20, 20).map(at),
    st.builds(progression, st.integers(-20, 20), st.integers(1, 12), st.integers(2, 6)),
    st.builds(progression, st.integers(-20, 20), st.integers(1, 12), st.none()),
)
sizes = st.sampled_from([1, 2, 3, 4, 8])


def numbers(progression: Offsets) -> set[int]:
    if progression.count is None:
        return {n for n in WINDOW if (n - progression.first) % progression.step == 0}
    return {progression.first + k * progression.step for k in range(progression.count)}


def inner(found: set[int]) -> set[int]:
    """Far from the ends of the window."""
    return {n for n in found if -150 < n < 150}


def near(found: set[int]) -> set[int]:
    return {n for n in found if -45 < n < 45}


@given(offsets)
def test_normal_forms(one: Offsets) -> None:
    assert (one.step == 0) == (one.single is not None)
    if one.count is None:
        assert 0 <= one.first < one.step
    elif one.step == 0:
        assert one.count == 1
    assert one.last is None or one.last == max(numbers(one))


@given(offsets, st.integers(-30, 30))
def test_shift_is_exact(one: Offsets, by: int) -> None:
    assert inner(numbers(shift(one, by))) == inner({n + by for n in numbers(one)})


@given(offsets, st.integers(0, 12), st.one_of(st.none(), st.integers(1, 6)))
def test_spread_covers(one: Offsets, size: int, count: int | None) -> None:
    steps = range(-400, 401) if count is None else range(count)
    wanted = {n + k * size for n in numbers(one) for k in steps}
    assert inner(wanted) <= numbers(spread(one, size, count))
    if one.single is not None and size > 0:
        assert inner(wanted) == inner(numbers(spread(one, size, count)))


@given(offsets, offsets)
def test_total_covers(one: Offsets, two: Offsets) -> None:
    if two.count is not None:
        wanted = {a + b for a in inner(numbers(one)) for b in numbers(two)}
        assert inner(wanted) <= numbers(total(one, two))


@given(st.lists(offsets, min_size=1, max_size=4))
def test_join_covers(several: list[Offsets]) -> None:
    joined = join(several)
    for one in several:
        assert inner(numbers(one)) <= numbers(joined)
        assert covers(joined, one) or joined.single is not None


@given(offsets, offsets)
def test_covers_is_no_lie(large: Offsets, small: Offsets) -> None:
    if covers(large, small):
        assert inner(numbers(small)) <= numbers(large)


def touch(a: int, a_size: int, b: int, b_size: int) -> bool:
    return a < b + b_size and b < a + a_size


@given(offsets, sizes, offsets, sizes)
def test_overlap(one: Offsets, one_size: int, two: Offsets, two_size: int) -> None:
    wanted = any(
        touch(a, one_size, b, two_size) for a in inner(numbers(one)) for b in inner(numbers(two))
    )
    found = overlap(one, one_size, two, two_size)
    assert found or not wanted
    if one.single is not None and two.single is not None:
        assert found == wanted


@given(offsets, offsets, sizes)
def test_aligned(one: Offsets, two: Offsets, size: int) -> None:
    if aligned(one, two, size):
        for a in inner(numbers(one)):
            for b in inner(numbers(two)):
                assert a == b or not touch(a, size, b, size)


@given(
    offsets, sizes, offsets, st.one_of(st.none(), st.integers(0, 40)), st.sampled_from([1, 2, 4])
)
def test_distance(piece: Offsets, size: int, start: Offsets, exact: int | None, unit: int) -> None:
    """Every piece that touches a block of bytes is where `distance` says, whole if it says so."""
    found = distance(piece, size, start, Extent(exact, unit))
    lengths = [exact] if exact is not None else [unit * n for n in (0, 1, 2, 3, 5, 9)]
    for begin in near(numbers(start)):
        for length in lengths:
            for where in near(numbers(piece)):
                if length and touch(where, size, begin, length):
                    assert found is not None
                    inside = begin <= where and where + size <= begin + length
                    assert inside or not found[1]
                    if inside:
                        assert where - begin in numbers(found[0])
                    else:
                        assert found[0] == ANY or where - begin in numbers(found[0])


@given(st.lists(st.tuples(offsets, sizes), max_size=12), st.tuples(offsets, sizes))
def test_the_index_finds_all(keys: list[tuple[Offsets, int]], wanted: tuple[Offsets, int]) -> None:
    index = ByteRangeIndex()
    for number, key in enumerate(keys):
        index.add(key, number)
    expected = {key for key in keys if overlap(*key, *wanted)}
    assert set(index.touching(wanted)) == expected


N = Var("n", UINT)
leaves = st.one_of(st.just(N), st.integers(0, 64).map(lambda n: make.const(n, UINT)))
terms = st.recursive(
    leaves,
    lambda inner_terms: st.one_of(
        st.builds(
            make.binary,
            st.sampled_from([Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.XOR, Op.SHL, Op.SHR]),
            inner_terms,
            inner_terms,
        ),
        st.builds(make.unary, st.sampled_from((UnaryOp.NEG, UnaryOp.INVERT)), inner_terms),
        inner_terms.map(lambda e: make.cast(make.cast(e, ULLONG), UINT)),
    ),
    max_leaves=8,
)


def value(e: Expr, n: int) -> int:
    match e:
        case Var():
            return n
        case Const(number, _):
            return number
        case Unary(op, arg, IntType() as type_):
            inside = value(arg, n)
            return type_.wrap(-inside if op is UnaryOp.NEG else ~inside)
        case Cast(arg, IntType() as type_):
            return type_.wrap(value(arg, n))
        case Binary(op, left, right, IntType() as type_):
            return arith.binary(op, type_, value(left, n), value(right, n))
    raise AssertionError(e)


@given(terms, st.integers(0, 2**32 - 1))
def test_a_grain_divides(e: Expr, n: int) -> None:
    assert value(e, n) % grain(e) == 0
