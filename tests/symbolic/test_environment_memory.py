"""Memory of the environment against a table of bytes, for addresses that are chosen at random."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.memory.views import View
from predabs.ir.address_space import end_of_objects
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.semantics import ModelValue, array_value
from predabs.smt.term import BOOL, TRUE, ArraySort, BitVecSort, Symbol, Term
from predabs.symbolic.environment_addresses import EnvironmentAddresses
from predabs.symbolic.environment_memory import EnvironmentMemory, merge

BITS = 64
FIRST = end_of_objects(BITS) + (1 << 23)
ADDRESS = BitVecSort(BITS)
BASES = [Symbol(f"p{k}", ADDRESS) for k in range(5)]
CONDS = [Symbol(f"c{k}", BOOL) for k in range(3)]
VIEWS = [View(name, 1, True) for name in ("one", "two")]
INITIAL = Symbol("environment[]", ArraySort(ADDRESS, BitVecSort(8)))


@dataclass(frozen=True)
class Access:
    """A write of a number, or a read of it; or one byte fills all."""

    base: int
    offset: int
    size: int
    value: int
    cond: int | None
    view: View | None
    fills: bool = False


def at(access: Access) -> Term:
    return bitvectors.add(BASES[access.base], bitvectors.bits(access.offset, BITS))


accesses = st.builds(
    Access,
    st.integers(0, 4),
    st.integers(-4, 12),
    st.sampled_from([1, 2, 3, 4, 8]),
    st.integers(0, 2**64 - 1),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from([None, *VIEWS]),
)
fills = st.builds(
    Access,
    st.integers(0, 4),
    st.integers(-4, 12),
    st.sampled_from([2, 3, 8, 16, 24]),
    st.integers(0, 255),
    st.sampled_from([None, 0, 1, 2]),
    st.none(),
    st.just(True),
)
writes = accesses | fills
models = st.fixed_dictionaries(
    {base: st.sampled_from([0, 1, 4, 8, 16, 1 << 24]).map(lambda n: FIRST + n) for base in BASES}
    | {cond: st.booleans() for cond in CONDS}
)


def written(memory: EnvironmentMemory, writes: list[Access]) -> EnvironmentMemory:
    for write in writes:
        cond = TRUE if write.cond is None else CONDS[write.cond]
        value = bitvectors.bits(write.value, 8 if write.fills else 8 * write.size)
        memory = memory.written(at(write), write.size, value, cond, write.view)
    return memory


def store(
    table: dict[int, int], writes: list[Access], model: dict[Symbol, int], view: View | None
) -> None:
    """Those that a read in this view sees."""
    for write in writes:
        if write.view is not None and view is not None and write.view != view:
            continue
        if write.cond is None or model[CONDS[write.cond]]:
            start = model[BASES[write.base]] + write.offset
            number = write.value % 2 ** (8 * write.size)
            content = number.to_bytes(write.size, "little")
            for i, byte in enumerate(content[:1] * write.size if write.fills else content):
                table[start + i] = byte


@given(
    st.lists(writes, max_size=4),
    st.lists(writes, max_size=3),
    st.lists(writes, max_size=3),
    st.lists(accesses, min_size=1, max_size=3),
    models,
)
def test_reads_find_what_was_written_last(
    before: list[Access],
    then: list[Access],
    other: list[Access],
    reads: list[Access],
    chosen: dict[Symbol, int],
) -> None:
    """Where what is assumed holds; and without regions one of the addresses, or anything."""
    test = Symbol("test", BOOL)
    addresses = EnvironmentAddresses(BITS)
    memory = written(EnvironmentMemory(addresses), before)
    memory = merge(test, written(memory, then), written(memory, other))
    initial = {FIRST + k: (37 * k + 5) % 256 for k in range(-64, 64)}
    model: dict[Symbol, ModelValue] = {**chosen, test: chosen[CONDS[0]]}
    model[INITIAL] = array_value(0, initial, ADDRESS)
    evaluator = TermEvaluator(model)
    for read in reads:
        given = TRUE if read.cond is None else CONDS[read.cond]
        found, after = memory.read(at(read), read.size, read.view, given)
        if found.regions is TRUE or given is TRUE:
            memory = after
        if not evaluator.holds(given):
            continue
        table = dict(initial)
        store(table, before, chosen, read.view)
        store(table, then if chosen[CONDS[0]] else other, chosen, read.view)
        if not evaluator.holds(build.and_(found.aligned, found.regions)):
            return
        start = chosen[BASES[read.base]] + read.offset
        expected = bytes(table.get(start + i, 0) for i in range(read.size))
        number = evaluator.value(found.value)
        assert isinstance(number, int)
        assert number.to_bytes(read.size, "little") == expected


def test_one_base_needs_no_choice() -> None:
    """The same base and another offset is another place; the same place has what was written."""
    base = BASES[0]
    value = Symbol("v", ADDRESS)
    memory = EnvironmentMemory(EnvironmentAddresses(BITS))
    memory = memory.written(bitvectors.add(base, bitvectors.bits(8, BITS)), 8, value, TRUE)
    memory = memory.written(base, 8, bitvectors.bits(1, BITS), TRUE)
    found, _ = memory.read(bitvectors.add(base, bitvectors.bits(8, BITS)), 8)
    assert found.value is value
    assert found.initial is None
    assert found.aligned is TRUE and found.regions is TRUE


def test_many_bases_are_told_apart() -> None:
    memory = EnvironmentMemory(EnvironmentAddresses(BITS))
    for base in BASES[1:]:
        memory = memory.written(base, 8, bitvectors.bits(1, BITS), TRUE)
    found, told_apart = memory.read(BASES[0], 8)
    assert found.value is found.initial
    assert found.regions is not TRUE
    assert told_apart.confined == frozenset(BASES)


def test_accessible_is_the_range_of_the_leaf() -> None:
    """A field of a null pointer is not memory of the environment, nor is the last page."""
    addresses = EnvironmentAddresses(BITS)
    leaf = BASES[0]
    field = addresses.accessible(leaf, bitvectors.bits(16, BITS), 8)
    far = addresses.accessible(leaf, bitvectors.bits(-16, BITS), 8)
    first = end_of_objects(BITS)
    values = [0, 1, 0x10000, 1 << 24, first, first + 16, 2**64 - 4096, 2**64 - 4097]
    for term, expected in (
        (field, [False, True, False, False, True, True, False, False]),
        (far, [False, False, False, False, False, True, False, True]),
    ):
        assert [TermEvaluator({leaf: value}).holds(term) for value in values] == expected
