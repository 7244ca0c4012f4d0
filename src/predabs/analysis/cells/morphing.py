"""Cell morphing [MG16]: a program with memory becomes one with scalars alone.

Of memory, only the distinguished cells are kept, each in a variable. A write `a[i] = v` becomes
`a_k = (i == k ? v : a_k)`, a read gives `i == k ? a_k : anything`. Pointers are numbers. Objects
that a ghost address may name have a flag that says whether they live, and each region of pointers
one that says whether the address was ever stored there: what was not stored is not read.

Ghosts are constants of a run that may be anything. A read on which an error depends *binds* ghosts:
a flag remembers whether the index (or the address) was that of the ghost when it was bound last,
and an error counts only if the flags of all ghosts are set [FQ02].

Beside cells at ghosts there may be such at index variables (`cursors`), sums (`prefix_sums`), and
what is known of the multiset of an array's elements (`bags`).

Soundness duty: if a run of the program reaches an error, then a run of the result does. For each
choice of ghosts the result has a run that does the same with all variables: cells hold what memory
holds there, and whatever a read misses may have the value that it has. Let each ghost be the value
to which it was bound last before the error (any value if it was never bound): then all flags are
set at the error. The converse does not hold, so a violation of the result means nothing.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Edge, Function, Global, Location, Program
from ...ir.expr import Const, Expr, Lvalue, Var
from ...ir.ops import Assign, Assume, Havoc, Operation, Skip, Source
from ...ir.types import FunctionType, IntType, is_scalar
from ...records import replace
from ..facts import ProgramFacts
from .available import AvailableReads
from .bags import Bags
from .cursors import Cursors
from .distinguished import Cell, Cells, number_type
from .memory_accesses import MemoryAccesses, memory_reads
from .operations import CellOperations
from .prefix_sums import PrefixSums
from .reads import CellValues
from .scalar_variables import ONE, ScalarVariables, zero

_MOST_INITIAL = 64  # assignments of an initialiser that are followed


def morphed(
    facts: ProgramFacts,
    accesses: MemoryAccesses,
    cells: Cells,
    sums: PrefixSums,
    cursors: Cursors,
    bags: Bags,
) -> Program:
    """The scalar program of the cells, with prefix sums, cursors and bags."""
    variables = ScalarVariables(facts, accesses, cells, sums, cursors, bags)
    return _Morphing(facts, accesses, cells, variables).program()


class _Morphing:
    def __init__(
        self,
        facts: ProgramFacts,
        accesses: MemoryAccesses,
        cells: Cells,
        variables: ScalarVariables,
    ) -> None:
        self._facts = facts
        self._accesses = accesses
        self._cells = cells
        self._program = facts.program
        self._variables = variables

    def program(self) -> Program:
        functions = {name: self._function(f) for name, f in self._program.functions.items()}
        entry = functions[self._program.entry]
        functions[entry.name] = self._with_prelude(entry)
        declared: dict[str, Global] = {}
        for known in self._program.globals:
            if is_scalar(known.var.type):
                var = Var(known.var.name, number_type(known.var.type))
                declared[var.name] = Global(var, (), known.external, known.coord)
        made = self._variables.made
        for var in (*made, *self._variables.addresses, *self._variables.ghosts()):
            if var.function not in functions and var.name not in declared:
                declared[var.name] = Global(var, (), False, entry.coord)
        for name, function in functions.items():
            here = {v.name for v in (*function.params, *function.locals)}
            more = tuple(v for v in made if v.function == name and v.name not in here)
            functions[name] = replace(function, locals=(*function.locals, *more))
        globals_ = tuple(declared.values())
        return replace(self._program, functions=functions, globals=globals_, records={})

    def _function(self, function: Function) -> Function:
        for var in function.params:
            if not is_scalar(var.type):
                raise UnsupportedFeature(f"{function.coord}: a parameter is a record")
            if self._accesses.region(var) is not None:
                raise UnsupportedFeature(f"{function.coord}: the address of a parameter is taken")
        available = AvailableReads(self._facts, self._accesses, function)
        chains = _Chains(function)
        for location, edges in function.outgoing.items():
            known = available.at[location]
            first, shared = location, self._shared(edges, known)
            if shared:  # all branches see the same value
                first = chains.fresh()
                reading = CellValues(
                    self._facts, self._accesses, self._cells, self._variables, edges[0], known
                )
                chains.add(edges[0], reading.read(shared), first)
                known = known.union(shared)
            for edge in edges:
                chains.add(replace(edge, src=first), self._operations(edge, known), edge.dst)
        type_ = FunctionType(
            number_type(function.type.result),
            tuple(map(number_type, function.type.params)),
            function.type.variadic,
        )
        scalars = [v for v in function.locals if is_scalar(v.type)]
        return replace(
            function,
            type=type_,
            params=tuple(Var(v.name, number_type(v.type)) for v in function.params),
            locals=tuple(Var(v.name, number_type(v.type)) for v in scalars),
            edges=tuple(chains.edges),
            blocks={},
        )

    def _shared(self, edges: tuple[Edge, ...], known: frozenset[Lvalue]) -> list[Lvalue]:
        """What all of several conditions read from memory."""
        if len(edges) < 2 or not all(isinstance(edge.op, Assume) for edge in edges):
            return []
        first, *others = (memory_reads(self._accesses, edge) for edge in edges)
        return [v for v in first if v not in known and all(v in other for other in others)]

    def _operations(self, edge: Edge, known: frozenset[Lvalue]) -> list[Operation]:
        return CellOperations(
            self._facts, self._accesses, self._cells, self._variables, edge, known
        ).run()

    # --- the beginning ----------------------------------------------------------------------------

    def _with_prelude(self, function: Function) -> Function:
        """Ghosts are anything; memory and globals hold what they begin with."""
        cells, variables = self._cells, self._variables
        initial = [op for known in self._program.globals for op in self._initial(known, function)]
        free = (
            *variables.sums.ghosts,
            *cells.ghosts,
            *variables.addresses,
            *(cell.var for cell in variables.all_cells()),
        )
        ops: list[Operation] = [Havoc(var, Source.UNKNOWN, var.name) for var in free]
        nodes = (node.address for node in cells.nodes)
        for address in dict.fromkeys((*variables.addresses, *nodes)):
            ops.append(Assume(make.not_equal(address, variables.null())))
        ops += map(Assume, cells.bounds)
        ops += [Assign(flag, ONE) for flag in cells.flags]
        ops += variables.bags.initial()
        if not variables.apart:
            ops += [Assign(flag, ONE) for flag in variables.stored.values()]
        chains = _Chains(function)
        first = chains.fresh()
        start = Edge(first, Skip(), function.entry, function.coord)
        chains.add(start, [*ops, *initial, Skip()], function.entry)
        return replace(function, entry=first, edges=(*chains.edges, *function.edges))

    def _initial(self, known: Global, function: Function) -> list[Operation]:
        """What a global holds in the beginning."""
        object_ = self._facts.points_to.variable(known.var)
        mine = [cell for cell in self._variables.all_cells() if object_ in cell.objects]
        if known.external:
            return []
        ops: list[Operation] = [Assign(cell.var, zero(cell.var.type)) for cell in mine]
        in_memory = 0
        for assign in known.init:
            in_memory += self._accesses.region(assign.target) is not None
            if in_memory <= _MOST_INITIAL or self._accesses.region(assign.target) is None:
                edge = Edge(function.entry, assign, function.entry, known.coord)
                ops += self._operations(edge, frozenset())
        if in_memory > _MOST_INITIAL:
            for cell in mine:
                ops.append(Havoc(cell.var, Source.UNKNOWN, cell.var.name))
                ops += map(Assume, self._bounds(known, cell))
        return ops

    def _bounds(self, known: Global, cell: Cell) -> list[Expr]:
        """Between which numbers lies what a long initialiser writes to a cell?"""
        type_ = cell.var.type
        values = [0]  # what it leaves out
        for assign in known.init:
            if self._accesses.region(assign.target) is cell.region:
                if not isinstance(assign.value, Const) or number_type(assign.target.type) != type_:
                    return []
                values.append(assign.value.value)
        if not isinstance(type_, IntType):
            return []
        low, high = make.const(min(values), type_), make.const(max(values), type_)
        return [make.less_equal(low, cell.var), make.less_equal(cell.var, high)]


class _Chains:
    """The edges of a function while they are made."""

    def __init__(self, function: Function) -> None:
        self._name = function.name
        self._next = 1 + max(location.index for location in function.locations)
        self.edges: list[Edge] = []

    def fresh(self) -> Location:
        self._next += 1
        return Location(self._name, self._next - 1)

    def add(self, edge: Edge, ops: list[Operation], end: Location) -> None:
        """The operations from the beginning of an edge to its end."""
        here = edge.src
        for number, op in enumerate(ops, 1):
            there = end if number == len(ops) else self.fresh()
            self.edges.append(replace(edge, src=here, op=op, dst=there))
            here = there
