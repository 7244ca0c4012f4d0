"""States of the logic: the term that each plain variable and each memory map holds.

The storage is split as `analysis.partition` says: a plain variable is a number, a map an array of
cells (or bytes) by address. An environment is a value; what was not written since its beginning
is a symbol named after the storage and the environment's tag. Soundness duty: facts that the sorts
do not show (ranges of integers, where objects lie) are noted for each term, and `closed` adds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ..analysis.memory.partition import NOTHING, InRegion, Partition, RegionId, Scalar, Storage
from ..analysis.updates import FreshNames
from ..errors import InternalError, UnsupportedFeature
from ..ir.cfa import Location
from ..ir.expr import Expr, Field, Lvalue, Var
from ..ir.show import show_expr
from ..ir.types import VOID, IntType, PointerType, RecordType, Type, size_of
from ..smt import bitvectors, build
from ..smt.term import TRUE, ArraySort, BitVecSort, Sort, Symbol, Term, Value, postorder
from .address_layout import AddressLayout
from .encoding import BoundedTerm, Encoding, value_range
from .expressions import Encoder
from .integer_encoding import NeedsBitVectors

Key: TypeAlias = Var | RegionId
IntervalFacts: TypeAlias = Callable[[Location, Var], tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Environment:
    """What the storage holds; for a map, only the term of the `BoundedTerm` counts."""

    tag: str
    changed: Mapping[Key, BoundedTerm] = field(default_factory=dict)
    heap: BoundedTerm | None = None  # where the next allocated object will lie, if one was

    def put(self, key: Key, value: BoundedTerm) -> Environment:
        return Environment(self.tag, {**self.changed, key: value}, self.heap)


@dataclass(slots=True)
class Formulas:
    """Makes the terms of one analysis; symbols and facts are shared by all its environments.

    `interval_facts` may bound the value of a scalar variable whenever a run is at a location;
    `names` are the variables that formulas have besides those of the program. Variables have one
    address each: no two calls of a function may be under way, or its variables must be `several`.
    """

    partition: Partition
    encoding: Encoding
    interval_facts: IntervalFacts | None = None
    names: FreshNames = field(default_factory=FreshNames)
    several: frozenset[Var] = frozenset()
    origins: dict[Term, tuple[str, Key | None]] = field(default_factory=dict)
    """Whose beginning a symbol stands for: the tag, and the storage (None: the heap's end)."""
    adopted: dict[Lvalue, Storage] = field(default_factory=dict)
    """Places of formulas that are kept where their makers say, not where pointers may point."""
    relied: dict[Var, None] = field(default_factory=dict)
    """The variables whose limits at some location have made a difference."""
    addresses: AddressLayout = field(init=False)
    _facts: dict[Term, Term] = field(default_factory=dict)
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
        return self._known(
            self.fresh_like(name, self.encoding.sort(type_)), type_, *value_range(type_)
        )

    def fresh_limited(self, name: str, type_: Type, limit: tuple[int, int]) -> BoundedTerm:
        """A value of the type between two numbers."""
        return self._known(self.fresh_like(name, self.encoding.sort(type_)), type_, *limit)

    def symbol(self, name: str, type_: Type, limit: tuple[int, int] | None = None) -> BoundedTerm:
        low, high = limit or value_range(type_)
        return self._known(Symbol(name, self.encoding.sort(type_)), type_, low, high)

    def fresh_like(self, name: str, sort: Sort) -> Symbol:
        self._count += 1
        return Symbol(f"{name}#{self._count}", sort)

    def fresh_between(self, name: str, type_: Type, values: Sequence[BoundedTerm]) -> BoundedTerm:
        """A symbol that will be equal to one of the values."""
        symbol = self.fresh_like(name, self.encoding.sort(type_))
        low, high = min(v.low for v in values), max(v.high for v in values)
        number = self._known(symbol, type_, low, high)
        return replace(number, zeros=min(value.zeros for value in values))

    def _known(self, term: Term, type_: Type, low: int, high: int) -> BoundedTerm:
        if isinstance(type_, IntType | PointerType):
            fact = self.encoding.within(term, low, high, type_)
            if fact is not TRUE:
                self._facts[term] = fact
        return BoundedTerm(term, low, high)

    def closed(self, *terms: Term) -> Term:
        """The conjunction of the terms and of all facts about what occurs in them."""
        return build.and_(*terms, *self.facts(terms))

    def facts(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """All facts about what occurs in the terms."""
        found = self._facts
        return tuple(dict.fromkeys(found[part] for part in postorder(terms) if part in found))

    # --- addresses --------------------------------------------------------------------------------

    def heap_end(self, environment: Environment) -> BoundedTerm:
        """Where the next allocated object lies.

        At the start of an environment that may be anywhere in the lower half of the heap: nothing
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
            return self.symbol(f"&{var.name}", self.pointer, (low, high))
        return self.encoding.constant(low, self.pointer)

    def function(self, name: str) -> BoundedTerm:
        """The address of a function."""
        return self.encoding.constant(self.addresses.function(name), self.pointer)

    # --- storage ----------------------------------------------------------------------------------

    def adopt(self, place: Lvalue, storage: Storage) -> None:
        """Take it that a place, which a formula made up, is kept there."""
        self.adopted[place] = storage

    def storage(self, place: Lvalue) -> Storage:
        """Where a scalar is kept; a variable that the program does not have is plain."""
        known = self.adopted.get(place)
        if known is not None:
            return known
        if isinstance(place, Var) and place.name not in self.partition.points_to.addressed.declared:
            self._logical.add(place)
            return Scalar(place)
        try:
            return self.partition.place(self.names.known(place))
        except InternalError as problem:
            # the partition promises one map for each place of the program, not for every formula
            raise UnsupportedFeature(f"{show_expr(place)}: {problem}") from None

    def get(self, environment: Environment, key: Key) -> BoundedTerm:
        """What a plain variable or a map holds."""
        known = environment.changed.get(key)
        if known is not None:
            return known
        if isinstance(key, Var):
            if key in self._logical:
                return self.symbol(key.name, key.type)
            value = self.symbol(f"{key.name}@{environment.tag}", key.type)
        else:
            value = BoundedTerm(Symbol(f"{key}@{environment.tag}", self.map_sort(key)), 0, 0)
        self.origins[value.term] = environment.tag, key
        return value

    def map_sort(self, map_: RegionId) -> ArraySort:
        unit = self.partition.info(map_).unit
        if unit is None and self.encoding.name == "int":
            raise NeedsBitVectors("memory that is seen as bytes")
        index = self.encoding.sort(self.pointer)
        assert not isinstance(index, ArraySort)
        return ArraySort(index, BitVecSort(8) if unit is None else self.encoding.sort(unit))

    def cell(
        self, environment: Environment, map_: RegionId, unit: Type, address: BoundedTerm
    ) -> BoundedTerm:
        """What a map with a unit holds at an address."""
        term = build.select(self.get(environment, map_).term, address.term)
        if isinstance(term, Value) and isinstance(unit, IntType | PointerType):
            return self.encoding.constant(unit.wrap(term.value), unit)
        return self._known(term, unit, *value_range(unit))

    def bytes_at(
        self, environment: Environment, map_: RegionId, address: BoundedTerm, size: int
    ) -> Term:
        """Bytes of a map, the first lowest; it may have a unit of this size."""
        array = self.get(environment, map_).term
        unit = self.partition.info(map_).unit
        if unit is not None:
            if size_of(unit) != size:
                raise InternalError(f"{size} bytes are read from cells of {unit}")
            word = build.select(array, address.term)
            return bitvectors.zero_extend(word, 8 * size - bitvectors.width_of(word))
        whole = build.select(array, address.term)
        for number in range(1, size):
            place = bitvectors.add(address.term, bitvectors.bits(number, self.pointer.bits))
            whole = bitvectors.concat(build.select(array, place), whole)
        return whole

    def with_bytes(
        self, environment: Environment, map_: RegionId, address: BoundedTerm, size: int, word: Term
    ) -> Environment:
        """The environment after bytes were written."""
        array = self.get(environment, map_).term
        unit = self.partition.info(map_).unit
        if unit is not None:
            sort = self.encoding.sort(unit)
            assert isinstance(sort, BitVecSort)
            array = build.store(array, address.term, bitvectors.extract(word, sort.width - 1, 0))
            return environment.put(map_, BoundedTerm(array, 0, 0))
        for number in range(size):
            place = bitvectors.add(address.term, bitvectors.bits(number, self.pointer.bits))
            byte = bitvectors.extract(word, 8 * number + 7, 8 * number)
            array = build.store(array, place, byte)
        return environment.put(map_, BoundedTerm(array, 0, 0))

    def encoder(
        self, environment: Environment, at: Location | None = None, *, program_text: bool = False
    ) -> Encoder:
        """Encodes expressions in an environment, which belongs to runs that are `at` a location.

        A place that the program text reads and the partition has nowhere can only be a fault; one
        that a formula reads might hold something that copies move and nobody else looks at.
        """
        source = _Source(self, environment, at, program_text)
        return Encoder(self.partition.program, self.encoding, source)

    def narrowed(self, number: BoundedTerm, var: Var, at: Location) -> BoundedTerm:
        """What a variable holds at a location, with the limits that it has there. They are no facts
        about the term: only a run that comes to the location keeps them."""
        limit = None if self.interval_facts is None else self.interval_facts(at, var)
        if limit is None:
            return number
        low, high = max(number.low, limit[0]), min(number.high, limit[1])
        if low > high or (low, high) == (number.low, number.high):
            return number
        self.relied[var] = None
        return replace(number, low=low, high=high)

    # --- one place --------------------------------------------------------------------------------

    def load(self, environment: Environment, place: Lvalue, encoder: Encoder) -> BoundedTerm:
        """What a scalar place holds."""
        storage = self.storage(place)
        if isinstance(storage, Scalar):
            return self.get(environment, storage.var)
        if storage.map == NOTHING:
            raise UnsupportedFeature(f"{show_expr(place)} is nowhere used in the program")
        unit = self.partition.info(storage.map).unit
        address = encoder.accessed(place)
        if unit is not None:
            cell = self.cell(environment, storage.map, unit, address)
            return cell if unit is place.type else self.encoding.cast(cell, unit, place.type)
        self.map_sort(storage.map)
        size, shift, width = self._extent(place, encoder)
        word = self.bytes_at(environment, storage.map, address, size)
        return self._known(
            bitvectors.extract(word, shift + width - 1, shift), place.type, *value_range(place.type)
        )

    def store(
        self, environment: Environment, place: Lvalue, value: BoundedTerm, encoder: Encoder
    ) -> Environment:
        """The environment after a scalar place was written."""
        storage = self.storage(place)
        if isinstance(storage, Scalar):
            return environment.put(storage.var, value)
        if storage.map == NOTHING:
            return environment  # nobody reads it
        unit = self.partition.info(storage.map).unit
        address = encoder.accessed(place)
        if unit is not None:
            cell = value if unit is place.type else self.encoding.cast(value, place.type, unit)
            array = self.get(environment, storage.map).term
            return environment.put(
                storage.map, BoundedTerm(build.store(array, address.term, cell.term), 0, 0)
            )
        self.map_sort(storage.map)
        size, shift, width = self._extent(place, encoder)
        word = bitvectors.zero_extend(value.term, 8 * size - width)
        if isinstance(place, Field) and width < 8 * size and (shift or self._is_bitfield(place)):
            old = self.bytes_at(environment, storage.map, address, size)
            word = _inserted(old, value.term, shift)
        return self.with_bytes(environment, storage.map, address, size, word)

    def _is_bitfield(self, place: Field) -> bool:
        assert isinstance(place.base.type, RecordType)
        record = self.partition.program.records[place.base.type.tag]
        return record.member(place.name).bitfield

    def _extent(self, place: Lvalue, encoder: Encoder) -> tuple[int, int, int]:
        """The bytes that hold a scalar, the bit where it starts in them, and its width."""
        sort = self.encoding.sort(place.type)
        assert isinstance(sort, BitVecSort)
        if isinstance(place, Field) and self._is_bitfield(place):
            shift = encoder.offset(place) % 8
            return (shift + sort.width + 7) // 8, shift, sort.width
        return size_of(place.type), 0, sort.width


@dataclass(frozen=True, slots=True)
class _Source:
    """An environment, as `Encoder` asks it."""

    formulas: Formulas
    environment: Environment
    at: Location | None
    program_text: bool

    def load(self, place: Lvalue, encoder: Encoder) -> BoundedTerm:
        formulas = self.formulas
        storage = formulas.storage(place)
        if self.program_text and storage == InRegion(NOTHING):
            return formulas.fresh("fault", place.type)
        value = formulas.load(self.environment, place, encoder)
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
