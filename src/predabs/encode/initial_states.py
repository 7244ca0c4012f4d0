"""The initial states of a program, as an environment.

Globals are zero, then their initialisers are executed; externals, locals and allocated memory
hold anything. Soundness duty: every run begins in a state of this environment; if it is exact, each
of its states is one in which some run begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..analysis.effects import slot_of
from ..analysis.memory.partition import NOTHING, InRegion, MemoryRegion, Scalar, Storage
from ..analysis.memory.record_scalars import RecordScalars
from ..analysis.points_to.objects import Object, Variable
from ..errors import UnsupportedFeature
from ..ir.expr import Lvalue, Var
from ..ir.ops import Assign
from ..ir.types import UCHAR, FloatType, IntType, PointerType, Type
from ..records import dataclass, replace
from ..smt import build
from ..smt.term import App, Op, Symbol, Term
from .encoding import BoundedTerm
from .environment import Environment, Formulas, Key
from .integer_encoding import NeedsBitVectors

# a memory region in which more cells have a value of their own is left open: solvers look at each
# of them
_MOST_CELLS = 512
_FEW_CELLS = 64


def initial_environment(formulas: Formulas, tag: str = "0") -> tuple[Environment, bool]:
    """The environment of the initial states, and whether it is exact.

    What the formulas' encoding cannot say at all (bytes, with integers) is left open in it, which
    does not count: whoever asks for such storage is told to use bit-vectors.
    """
    globals_ = formulas.partition.program.globals
    defined: dict[Object, Var] = {Variable(g.var): g.var for g in globals_ if not g.external}
    initial = _InitialEnvironment(formulas, defined, Environment(tag))
    initial.run()
    return initial.environment, initial.exact


@dataclass(slots=True)
class _InitialEnvironment:
    """The initial environment while it is built; `defined` are the globals that begin with
    zeros."""

    formulas: Formulas
    defined: Mapping[Object, Var]
    environment: Environment
    exact: bool = True

    def run(self) -> None:
        partition = self.formulas.partition
        regions = [
            info for info in partition.regions if info.id != NOTHING and self._has_term(info)
        ]
        initial: dict[Key, BoundedTerm] = dict(self._scalar_zeros())
        for info in regions:
            if not info.unknown and all(owner in self.defined for owner in info.objects):
                initial[info.id] = BoundedTerm(self._zeros(info), 0, 0)
        self.environment = replace(self.environment, changed=initial)
        before = {info.id: self._array(info) for info in regions}
        for item in partition.program.globals:
            for assign in item.init:
                self._assign(assign)
        for info in regions:
            self._finish(info, before[info.id])

    def _array(self, info: MemoryRegion) -> Term:
        return self.formulas.get(self.environment, info.id).term

    def _has_term(self, info: MemoryRegion) -> bool:
        if not self.formulas.tracks(info.id):
            return False
        if info.unit is None:
            return self.formulas.encoding.name == "bv"
        return self._has_sort(info.unit)

    def _has_scalar(self, var: Var) -> bool:
        return self.formulas.tracks(var) and self._has_sort(var.type)

    def _has_sort(self, type_: Type) -> bool:
        return self.formulas.encoding.name == "bv" or not isinstance(type_, FloatType)

    # --- zeros ------------------------------------------------------------------------------------

    def _scalar_zeros(self) -> Iterator[tuple[Key, BoundedTerm]]:
        """The scalar variables that the globals are, or are made of."""
        formulas = self.formulas
        program = formulas.partition.program
        leaves = RecordScalars(program.records, program.data_model)
        for var in self.defined.values():
            for leaf in leaves.members(var):
                try:
                    storage = formulas.storage(leaf)
                except UnsupportedFeature:
                    continue  # it is in memory regions
                if isinstance(storage, Scalar) and self._has_scalar(storage.var):
                    yield storage.var, formulas.encoding.constant(0, storage.var.type)
            for cell in formulas.partition.cells(Variable(var)):  # elements of arrays, too
                if isinstance(cell.storage, Scalar) and self._has_scalar(cell.storage.var):
                    cell_var = cell.storage.var
                    yield cell_var, formulas.encoding.constant(0, cell_var.type)

    def _zero(self, info: MemoryRegion) -> Term:
        return self.formulas.encoding.constant(0, info.unit or UCHAR).term

    def _zeros(self, info: MemoryRegion) -> Term:
        """A region of which all is zero. Solvers of bit-vectors cannot compare a region that is the
        same everywhere with others, so they get single zeros, if these are few."""
        cells = self._zero_cells(info) if self.formulas.encoding.name == "bv" else None
        if cells is None or len(cells) > _FEW_CELLS:
            return build.const_array(self.formulas.region_sort(info.id).index, self._zero(info))
        array = self._array(info)
        for address, zero in cells.items():
            array = build.store(array, address, zero)
        return array

    def _zero_cells(self, info: MemoryRegion) -> dict[Term, Term] | None:
        """The cells of a region that begin with zero, by address; None if they are too many."""
        formulas, zero = self.formulas, self._zero(info)
        found: dict[Term, Term] = {}
        for owner in info.objects:
            if owner not in self.defined:
                continue
            base = formulas.address(self.defined[owner]).low
            for cell in formulas.partition.cells(owner):
                if cell.storage != InRegion(info.id):
                    continue
                units = 1 if info.unit is not None else cell.size
                count = cell.offsets.count
                if count is None or len(found) + count * units > _MOST_CELLS:
                    return None
                for number in range(count):
                    offset = cell.offsets.first + number * cell.offsets.step
                    for address in range(base + offset, base + offset + units):
                        found[formulas.encoding.constant(address, formulas.pointer).term] = zero
        return found

    def _finish(self, info: MemoryRegion, before: Term) -> None:
        """Put zeros where initialisers have left a region open; each address is written once."""
        array, written = _unfolded(self._array(info))
        cells: dict[Term, Term] | None = {}
        if isinstance(array, Symbol) and array is before:
            cells = self._zero_cells(info)
        if cells is None or len(written) > _MOST_CELLS:
            self._forget(InRegion(info.id))
            return
        for address, value in {**cells, **written}.items():
            array = build.store(array, address, value)
        self.environment = self.environment.put(info.id, BoundedTerm(array, 0, 0))

    # --- initialisers -----------------------------------------------------------------------------

    def _assign(self, assign: Assign) -> None:
        formulas, target = self.formulas, assign.target
        if formulas.localization is not None and not self._is_tracked(target):
            return
        if isinstance(target.type, IntType | PointerType | FloatType):
            encoder = formulas.encoder(self.environment, program_text=True)
            try:
                value = encoder.value(assign.value)
                encoder.locate(target)
                self.environment = formulas.store(self.environment, target, value, encoder)
                self.exact = self.exact and encoder.exact
                return
            except (NeedsBitVectors, UnsupportedFeature):
                pass  # a floating-point number, or a computation with one
        for storage in formulas.partition.touched(target):
            self._forget(storage)

    def _is_tracked(self, target: Lvalue) -> bool:
        touched = map(slot_of, self.formulas.partition.touched(target))
        return any(map(self.formulas.tracks, touched))

    def _forget(self, storage: Storage) -> None:
        """The storage holds anything."""
        formulas = self.formulas
        if isinstance(storage, Scalar):
            if self._has_scalar(storage.var):
                value = formulas.fresh(storage.var.name, storage.var.type)
                self.environment = self.environment.put(storage.var, value)
                self.exact = False
        elif storage.region != NOTHING and self._has_term(
            formulas.partition.region(storage.region)
        ):
            symbol = formulas.fresh_like(str(storage.region), formulas.region_sort(storage.region))
            self.environment = self.environment.put(storage.region, BoundedTerm(symbol, 0, 0))
            self.exact = False


def _unfolded(array: Term) -> tuple[Term, dict[Term, Term]]:
    """A region before it was written at constant addresses, and what was written last at each."""
    entries: dict[Term, Term] = {}
    while isinstance(array, App) and array.op is Op.STORE:
        array, address, value = array.args
        entries.setdefault(address, value)
    return array, dict(reversed(entries.items()))
