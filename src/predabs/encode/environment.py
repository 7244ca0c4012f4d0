"""Environments: the term that each scalar variable and each memory region holds.

The storage is split as `analysis.partition` says: a scalar variable is a number, a region an array
of cells (or bytes) by address. An environment is a value; what was not written since its entry
is a symbol named after the storage and the environment's tag. Soundness duty: facts that the sorts
do not show (ranges of integers, where objects lie) are noted for each term, and `closed` adds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ..analysis.effects import slot_of
from ..analysis.localization import Localization
from ..analysis.memory.partition import NOTHING, InRegion, Partition, RegionId, Scalar, Storage
from ..analysis.updates import FreshNames
from ..errors import InternalError, UnsupportedFeature
from ..ir.cfa import Location
from ..ir.expr import Expr, Field, Lvalue, Var
from ..ir.show import show_expr
from ..ir.types import VOID, IntType, PointerType, RecordType, Type, size_of
from ..records import dataclass, field, replace
from ..smt import bitvectors, build
from ..smt.term import ArraySort, BitVecSort, Sort, Symbol, Term, Value
from .address_layout import AddressLayout
from .encoding import BoundedTerm, Encoding, value_range
from .expressions import Encoder
from .float_encoding import from_memory, in_memory
from .integer_encoding import NeedsBitVectors
from .term_bounds import TermBounds

Key: TypeAlias = Var | RegionId
IntervalFacts: TypeAlias = Callable[[Location, Var], tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Environment:
    """What the storage holds; for a memory region, only the term of the `BoundedTerm` counts."""

    tag: str
    changed: Mapping[Key, BoundedTerm] = field(default_factory=dict)
    heap: BoundedTerm | None = None  # where the next allocated object will lie, if one was

    def put(self, key: Key, value: BoundedTerm) -> Environment:
        return Environment(self.tag, {**self.changed, key: value}, self.heap)


@dataclass(slots=True)
class Formulas:
    """Makes the terms of one analysis; symbols and facts are shared by all its environments.

    `interval_facts` and `float_facts` may bound a scalar variable whenever a run is at a location;
    `names` are further variables. A function with two calls under way has `several` addresses.
    """

    partition: Partition
    encoding: Encoding
    interval_facts: IntervalFacts | None = None
    names: FreshNames = field(default_factory=FreshNames)
    several: frozenset[Var] = frozenset()
    localization: Localization | None = None
    """What is tracked; other storage is not written, and each time it is read it holds anything."""
    origins: dict[Term, tuple[str, Key | None]] = field(default_factory=dict)
    """Whose entry a symbol stands for: the tag, and the storage (None: the heap's end)."""
    adopted: dict[Lvalue, Storage] = field(default_factory=dict)
    """Lvalues of formulas whose storage is where their makers say, not where pointers may point."""
    relied: dict[Var, None] = field(default_factory=dict)
    """The variables whose interval facts at some location have made a difference."""
    instances: set[Term] = field(default_factory=set)
    """Addresses that each call has anew: nothing that is to hold in several calls may name them."""
    addresses: AddressLayout = field(init=False)
    float_facts: Callable[[Location, Var], tuple[float, float] | None] | None = None
    _bounds: TermBounds = field(default_factory=TermBounds)
    _logical: set[Var] = field(default_factory=set)
    _count: int = 0

    def __post_init__(self) -> None:
        self.addresses = AddressLayout(self.partition, self.pointer.bits, self.several)

    # --- symbols and facts ------------------------------------------------------------------------

    @property
    def pointer(self) -> PointerType:
        return self.partition.program.data_model.pointer(VOID)

    def fresh(self, name: str, type_: Type) -> BoundedTerm:
        """A value of the type (or a condition) of which nothing else is known."""
        return self._bounded(
            self.fresh_like(name, self.encoding.sort(type_)), type_, *value_range(type_)
        )

    def fresh_between_bounds(self, name: str, type_: Type, bounds: tuple[int, int]) -> BoundedTerm:
        """A value of the type between two numbers."""
        return self._bounded(self.fresh_like(name, self.encoding.sort(type_)), type_, *bounds)

    def symbol(self, name: str, type_: Type, bounds: tuple[int, int] | None = None) -> BoundedTerm:
        low, high = bounds or value_range(type_)
        return self._bounded(Symbol(name, self.encoding.sort(type_)), type_, low, high)

    def fresh_like(self, name: str, sort: Sort) -> Symbol:
        self._count += 1
        return Symbol(f"{name}#{self._count}", sort)

    def fresh_between(self, name: str, type_: Type, values: Sequence[BoundedTerm]) -> BoundedTerm:
        """A symbol that will be equal to one of the values."""
        symbol = self.fresh_like(name, self.encoding.sort(type_))
        low, high = min(v.low for v in values), max(v.high for v in values)
        bounded = self._bounded(symbol, type_, low, high)
        return replace(bounded, zeros=min(value.zeros for value in values))

    def _bounded(self, term: Term, type_: Type, low: int, high: int) -> BoundedTerm:
        if isinstance(type_, IntType | PointerType):
            self._bounds.note(self.encoding, term, low, high, type_)
        return BoundedTerm(term, low, high)

    def closed(self, *terms: Term) -> Term:
        """The conjunction of the terms and of all facts about what occurs in them."""
        return build.and_(*terms, *self.facts(terms))

    def facts(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """All facts about what occurs in the terms."""
        return self._bounds.facts(self.encoding, terms)

    # --- addresses --------------------------------------------------------------------------------

    def heap_end(self, environment: Environment) -> BoundedTerm:
        """Where the next allocated object lies.

        At the entry of an environment that may be anywhere in the lower half of the heap: nothing
        depends on where objects lie, so they may be taken to lie wherever there is room, and what
        has ended is in nobody's way.
        """
        if environment.heap is not None:
            return environment.heap
        low, high = self.addresses.heap
        end = self.symbol(f"heap@{environment.tag}", self.pointer, (low, (low + high) // 2))
        self.origins[end.term] = environment.tag, None
        return end

    def address(self, var: Var) -> BoundedTerm:
        """The address of a variable of the program."""
        low, high = self.addresses.variable(var)
        if low < high:
            address = self.symbol(f"&{var.name}", self.pointer, (low, high))
            self.instances.add(address.term)
            return address
        return self.encoding.constant(low, self.pointer)

    def function(self, name: str) -> BoundedTerm:
        """The address of a function."""
        return self.encoding.constant(self.addresses.function(name), self.pointer)

    # --- storage ----------------------------------------------------------------------------------

    def adopt(self, lvalue: Lvalue, storage: Storage) -> None:
        """Take it that an lvalue, which a formula made up, is kept there."""
        self.adopted[lvalue] = storage

    def storage(self, lvalue: Lvalue) -> Storage:
        """Where a scalar is kept; a variable that the program does not have is a scalar."""
        known = self.adopted.get(lvalue)
        if known is not None:
            return known
        if (
            isinstance(lvalue, Var)
            and lvalue.name not in self.partition.points_to.address_taken.declared
        ):
            self._logical.add(lvalue)
            return Scalar(lvalue)
        try:
            return self.partition.storage(self.names.in_program(lvalue))
        except InternalError as problem:
            # the partition promises a region for each lvalue of the program, not of every formula
            raise UnsupportedFeature(f"{show_expr(lvalue)}: {problem}") from None

    def get(self, environment: Environment, key: Key) -> BoundedTerm:
        """What a scalar variable or a memory region holds."""
        known = environment.changed.get(key)
        if known is not None:
            return known
        if not self.tracks(key):
            return self.anything(key)
        if isinstance(key, Var):
            if key in self._logical:
                return self.symbol(key.name, key.type)
            value = self.symbol(f"{key.name}@{environment.tag}", key.type)
        else:
            value = BoundedTerm(Symbol(f"{key}@{environment.tag}", self.region_sort(key)), 0, 0)
        self.origins[value.term] = environment.tag, key
        return value

    def put(self, environment: Environment, key: Key, value: BoundedTerm) -> Environment:
        """The environment after a scalar variable or a memory region was written."""
        return environment.put(key, value) if self.tracks(key) else environment

    def tracks(self, key: Key) -> bool:
        here = self.localization
        return here is None or key in here.tracked or key in self._logical

    def anything(self, key: Key) -> BoundedTerm:
        """What storage holds of which nothing is known."""
        if isinstance(key, Var):
            return self.fresh(key.name, key.type)
        return BoundedTerm(self.fresh_like(str(key), self.region_sort(key)), 0, 0)

    def region_sort(self, region: RegionId) -> ArraySort:
        unit = self.partition.region(region).unit
        if unit is None and self.encoding.name == "int":
            raise NeedsBitVectors("memory that is seen as bytes")
        index = self.encoding.sort(self.pointer)
        assert not isinstance(index, ArraySort)
        return ArraySort(index, BitVecSort(8) if unit is None else self.encoding.sort(unit))

    def cell(
        self, environment: Environment, region: RegionId, unit: Type, address: BoundedTerm
    ) -> BoundedTerm:
        """What a region with a unit holds at an address."""
        term = build.select(self.get(environment, region).term, address.term)
        if isinstance(term, Value) and isinstance(unit, IntType | PointerType):
            return self.encoding.constant(unit.wrap(term.value), unit)
        return self._bounded(term, unit, *value_range(unit))

    def bytes_at(
        self, environment: Environment, region: RegionId, address: BoundedTerm, size: int
    ) -> Term:
        """Bytes of a region, the first lowest; it may have a unit of this size."""
        array = self.get(environment, region).term
        unit = self.partition.region(region).unit
        if unit is not None:
            if size_of(unit) != size:
                raise InternalError(f"{size} bytes are read from cells of {unit}")
            bits = build.select(array, address.term)
            return bitvectors.zero_extend(bits, 8 * size - bitvectors.width_of(bits))
        whole = build.select(array, address.term)
        for number in range(1, size):
            byte_address = bitvectors.add(address.term, bitvectors.bits(number, self.pointer.bits))
            whole = bitvectors.concat(build.select(array, byte_address), whole)
        return whole

    def with_bytes(
        self,
        environment: Environment,
        region: RegionId,
        address: BoundedTerm,
        size: int,
        bits: Term,
    ) -> Environment:
        """The environment after bytes were written."""
        array = self.get(environment, region).term
        unit = self.partition.region(region).unit
        if unit is not None:
            sort = self.encoding.sort(unit)
            assert isinstance(sort, BitVecSort)
            array = build.store(array, address.term, bitvectors.extract(bits, sort.width - 1, 0))
            return environment.put(region, BoundedTerm(array, 0, 0))
        for number in range(size):
            byte_address = bitvectors.add(address.term, bitvectors.bits(number, self.pointer.bits))
            byte = bitvectors.extract(bits, 8 * number + 7, 8 * number)
            array = build.store(array, byte_address, byte)
        return environment.put(region, BoundedTerm(array, 0, 0))

    def encoder(
        self, environment: Environment, at: Location | None = None, *, program_text: bool = False
    ) -> Encoder:
        """Encodes expressions in an environment, which belongs to runs that are `at` a location.

        An lvalue that the program text reads and the partition has nowhere can only be a fault; one
        that a formula reads might hold something that copies move and nobody else looks at.
        """
        source = _EnvironmentSource(self, environment, at, program_text)
        return Encoder(self.partition.program, self.encoding, source)

    def narrowed(self, number: BoundedTerm, var: Var, at: Location) -> BoundedTerm:
        """What a variable holds at a location, with its interval fact there. That is no fact
        about the term: only a run that comes to the location keeps it."""
        bounds = None if self.interval_facts is None else self.interval_facts(at, var)
        if bounds is None:
            return number
        low, high = max(number.low, bounds[0]), min(number.high, bounds[1])
        if low > high or (low, high) == (number.low, number.high):
            return number
        self.relied[var] = None
        return replace(number, low=low, high=high)

    # --- one lvalue -------------------------------------------------------------------------------

    def load(self, environment: Environment, lvalue: Lvalue, encoder: Encoder) -> BoundedTerm:
        """What a scalar lvalue holds."""
        storage = self.storage(lvalue)
        if isinstance(storage, Scalar):
            return self.get(environment, storage.var)
        if storage.region == NOTHING:
            raise UnsupportedFeature(f"{show_expr(lvalue)} is nowhere used in the program")
        if not self.tracks(storage.region):
            return self.fresh(str(storage.region), lvalue.type)
        unit = self.partition.region(storage.region).unit
        address = encoder.accessed(lvalue)
        if unit is not None:
            cell = self.cell(environment, storage.region, unit, address)
            return cell if unit is lvalue.type else self.encoding.cast(cell, unit, lvalue.type)
        self.region_sort(storage.region)
        size, shift, width = self._extent(lvalue, encoder)
        bits = self.bytes_at(environment, storage.region, address, size)
        return self._bounded(
            bitvectors.extract(from_memory(bits, lvalue.type), shift + width - 1, shift),
            lvalue.type,
            *value_range(lvalue.type),
        )

    def store(
        self, environment: Environment, lvalue: Lvalue, value: BoundedTerm, encoder: Encoder
    ) -> Environment:
        """The environment after a scalar lvalue was written."""
        storage = self.storage(lvalue)
        if isinstance(storage, Scalar):
            return self.put(environment, storage.var, value)
        if storage.region == NOTHING or not self.tracks(storage.region):
            return environment  # nobody reads it
        unit = self.partition.region(storage.region).unit
        address = encoder.accessed(lvalue)
        if unit is not None:
            cell = value if unit is lvalue.type else self.encoding.cast(value, lvalue.type, unit)
            array = self.get(environment, storage.region).term
            return environment.put(
                storage.region, BoundedTerm(build.store(array, address.term, cell.term), 0, 0)
            )
        self.region_sort(storage.region)
        size, shift, width = self._extent(lvalue, encoder)
        bits = in_memory(value.term, lvalue.type)
        bits = bitvectors.zero_extend(bits, 8 * size - bitvectors.width_of(bits))
        if isinstance(lvalue, Field) and width < 8 * size and (shift or self._is_bitfield(lvalue)):
            old = self.bytes_at(environment, storage.region, address, size)
            bits = _inserted(old, value.term, shift)
        return self.with_bytes(environment, storage.region, address, size, bits)

    def _is_bitfield(self, lvalue: Field) -> bool:
        assert isinstance(lvalue.base.type, RecordType)
        record = self.partition.program.records[lvalue.base.type.tag]
        return record.member(lvalue.name).bitfield

    def _extent(self, lvalue: Lvalue, encoder: Encoder) -> tuple[int, int, int]:
        """The bytes that hold a scalar, the bit where it starts in them, and its width."""
        sort = self.encoding.sort(lvalue.type)
        assert isinstance(sort, BitVecSort)
        if isinstance(lvalue, Field) and self._is_bitfield(lvalue):
            shift = encoder.offset(lvalue) % 8
            return (shift + sort.width + 7) // 8, shift, sort.width
        return size_of(lvalue.type), 0, sort.width


@dataclass(frozen=True, slots=True)
class _EnvironmentSource:
    """An environment, as `Encoder` asks it."""

    formulas: Formulas
    environment: Environment
    at: Location | None
    program_text: bool

    def load(self, lvalue: Lvalue, encoder: Encoder) -> BoundedTerm:
        formulas = self.formulas
        storage = formulas.storage(lvalue)
        if self.program_text and storage == InRegion(NOTHING):
            return formulas.fresh("fault", lvalue.type)
        if not self.program_text and not formulas.tracks(slot_of(storage)):
            raise UnsupportedFeature(f"{show_expr(lvalue)} is not tracked")
        value = formulas.load(self.environment, lvalue, encoder)
        if isinstance(storage, Scalar) and self.at is not None:
            return formulas.narrowed(value, storage.var, self.at)
        return value

    def address(self, var: Var) -> BoundedTerm:
        return self.formulas.address(var)

    def function(self, name: str) -> BoundedTerm:
        return self.formulas.function(name)

    def size(self, pointer: Expr, type_: IntType) -> BoundedTerm | None:
        points_to = self.formulas.partition.points_to
        sizes = {points_to.size(target.object) for target in points_to.targets(pointer)}
        size = sizes.pop() if len(sizes) == 1 else None
        return None if size is None else self.formulas.encoding.constant(size, type_)

    def unknown(self, type_: Type) -> BoundedTerm | None:
        # a formula speaks of the state, so it may have no value of its own
        return self.formulas.fresh("unknown", type_) if self.program_text else None


def _inserted(old: Term, bits: Term, shift: int) -> Term:
    """The vector with some of its bits replaced."""
    width, count = bitvectors.width_of(old), bitvectors.width_of(bits)
    parts = bits
    if shift:
        parts = bitvectors.concat(parts, bitvectors.extract(old, shift - 1, 0))
    if shift + count < width:
        parts = bitvectors.concat(bitvectors.extract(old, width - 1, shift + count), parts)
    return parts
