"""Candidates about cursors and bags.

Elements at cursors are often the same as other elements or scalars, and what a bag has lost or got.
What a program makes of the result of a reducer is the same term of the bag's ghost.

No soundness duty: candidates may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ...analysis.cells.bags import ONE, SEEDED, UNSEEDED, ZERO, Bag, Bags
from ...analysis.cells.cursors import Cursors, index_in
from ...analysis.cells.distinguished import Cells
from ...analysis.cells.memory_accesses import MemoryAccesses, edges_of
from ...analysis.cells.places import unwidened, wide
from ...analysis.cells.single_arrays import SingleArray, array_of, element_of
from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import Binary, Const, Expr, FunctionAddress, Lvalue, Not, Op, Var
from ...ir.ops import Assign, Assume, Call, Return
from ...ir.types import IntType
from ...ir.walk import reads, variables
from .cell_terms import CellTerms, atoms
from .instances import Instances

_MOST = 160
_MOST_LOOPS = 8  # of one bag
_MOST_LIMITS = 200


class MovingCandidates:
    """What may hold `alone` at any place."""

    def __init__(
        self,
        accesses: MemoryAccesses,
        terms: CellTerms,
        cells: Cells,
        cursors: Cursors,
        bags: Bags,
    ) -> None:
        self._accesses = accesses
        self._program = accesses.program
        self._terms = terms
        self._cells = cells
        self._cursors = cursors
        self.alone: dict[Expr, None] = {}
        for bag in bags.all:
            found = dict.fromkeys((*self._of_bag(bag), *self._of_results(bag)))
            self.alone.update(list(found.items())[:_MOST])
        self.alone.update(dict.fromkeys(islice(self._limits(), _MOST_LIMITS)))
        for cursor in cursors.all:
            for other in self._elements(cursor.array):
                if other is not cursor.cell.var:
                    self.alone[make.equal(cursor.cell.var, other)] = None

    def _limits(self) -> Iterator[Expr]:
        """Where `i < n` was asked, `i <= n` may always hold; after `j = n - 1`, `j <= n - 1`."""
        for edge in edges_of(self._program):
            match edge.op:
                case Assign(Var() as target, Binary(Op.ADD | Op.SUB) as value):
                    one, other = self._terms.said(target, {}), self._terms.said(value, {})
                    if one is None or other is None or one.type is not other.type:
                        continue
                    if isinstance(one.type, IntType) and target not in variables(value):
                        yield make.less_equal(one, other)
                    continue
            for atom in atoms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                said = self._terms.said(atom, {})
                if isinstance(said, Binary) and said.op is Op.LT:
                    yield make.less_equal(said.left, said.right)

    def _of_bag(self, bag: Bag) -> Iterator[Expr]:
        """The state of the bag."""
        yield make.equal(bag.lost, ZERO)
        yield make.equal(bag.valid, ONE)
        yield make.equal(bag.gone, bag.come)
        for way in (UNSEEDED, SEEDED):
            yield make.equal(bag.way, way)
            yield make.equal(bag.mode, way)
        for loop in bag.loops[:_MOST_LOOPS]:
            for bound in (loop.bound, *self._passed(loop.bound)):
                said = self._terms.said(bound, {})
                if said is not None:
                    yield make.equal(bag.bound, wide(said))
            for start in self._constants(loop.accumulator):
                yield make.equal(bag.start, start)
                yield make.equal(bag.begin, start)
        for element in self._elements(bag.array):
            yield make.equal(bag.gone, element)
            yield make.equal(bag.come, element)

    def _elements(self, array: SingleArray) -> Iterator[Expr]:
        """What holds elements of an array: cells, cursors, and scalars that were read from it."""
        for cell in self._cells.cells:
            if index_in(cell, array) is not None:
                yield cell.var
        for cursor in self._cursors.all:
            if cursor.array == array:
                yield cursor.cell.var
        for edge in edges_of(self._program):
            match edge.op:
                case Assign(Var() as target, value) if target.type is array.element:
                    if not isinstance(value, Lvalue) or self._accesses.region(target) is not None:
                        continue
                    if element_of(self._accesses, value, array) is not None:
                        yield target

    def _passed(self, param: Expr) -> Iterator[Expr]:
        """What is passed for a parameter."""
        function = self._program.functions.get(param.function) if isinstance(param, Var) else None
        if function is None or param not in function.params:
            return
        place = function.params.index(param)
        for edge in edges_of(self._program):
            match edge.op:
                case Call(_, FunctionAddress(name, _), args) if name == function.name:
                    yield from args[place : place + 1]

    def _constants(self, var: Var) -> Iterator[Expr]:
        """The constants that a variable is given."""
        for edge in edges_of(self._program):
            match edge.op:
                case Assign(target, Const() as value) if target is var:
                    yield value

    # --- values -----------------------------------------------------------------------------------

    def add_values(self, values: Iterable[Expr], instances: Instances) -> None:
        """What is wanted of any element, said of those at cursors."""
        for value in values:
            for instance in instances.of((value,)):
                self.alone.setdefault(instance[0])

    def add_sums(self, values: Iterable[Expr]) -> None:
        """Where each element is c, or at most c, a sum of the first i is c * i, or at most that."""
        for edge in edges_of(self._program):
            match edge.op:
                case Assign(Var(_, IntType() as type_) as target, Binary(Op.ADD) as value):
                    if target not in variables(value):
                        continue
                    for lvalue in reads(value):
                        array = array_of(self._accesses, lvalue)
                        found = array and element_of(self._accesses, lvalue, array)
                        if array is not None and found:
                            self._add_sums(target, type_, array, found.index, values)

    def _add_sums(
        self,
        target: Var,
        type_: IntType,
        array: SingleArray,
        index: Expr,
        values: Iterable[Expr],
    ) -> None:
        cells = [cell.var for cell in self._cells.cells if index_in(cell, array) is not None]
        count = make.cast(unwidened(index), type_)
        for value in values:
            core = value.arg if isinstance(value, Not) else value
            if not isinstance(core, Binary):
                continue
            for cell in cells:
                other = core.right if core.left is cell else core.left
                if cell in (core.left, core.right) and isinstance(other, Const):
                    product = make.binary(Op.MUL, count, make.const(other.value, type_))
                    for made in (make.equal, make.less_equal):
                        self.alone.setdefault(made(target, product))
                        self.alone.setdefault(made(product, target))

    # --- results ----------------------------------------------------------------------------------

    def _of_results(self, bag: Bag) -> Iterator[Expr]:
        """`ret = s / 20` for the accumulator s: then `ret == result / 20`."""
        for loop in bag.loops[:_MOST_LOOPS]:
            so_far: dict[Expr, Expr] = {loop.accumulator: bag.result}
            for edge, target, value in self._given():
                if loop.accumulator not in variables(value) or target is loop.accumulator:
                    continue
                if any(edge == other for other in loop.inside):
                    continue
                said = self._terms.said(value, so_far)
                known = self._terms.said(target, {})
                if said is not None and known is not None and said.type is known.type:
                    yield make.equal(known, said)

    def _given(self) -> Iterator[tuple[Edge, Var, Expr]]:
        """What variables are given, also by calls."""
        returned: dict[str, list[tuple[Edge, Expr]]] = {}
        for edge in edges_of(self._program):
            if isinstance(edge.op, Return) and edge.op.value is not None:
                returned.setdefault(edge.src.function, []).append((edge, edge.op.value))
        for edge in edges_of(self._program):
            match edge.op:
                case Assign(Var() as target, value):
                    yield edge, target, value
                case Call(Var() as target, FunctionAddress(name, _), _):
                    for back, value in returned.get(name, ()):
                        given = make.cast(value, target.type)
                        yield back, target, given
