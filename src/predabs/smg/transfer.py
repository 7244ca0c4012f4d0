"""Operations on symbolic memory graphs: the graphs after an operation.

Soundness duty: every memory that an operation makes of one of the graph's is in one of the graphs
that it gives. What a graph cannot say raises `Untold`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ..concrete.memory import ObjectKind
from ..ir.cfa import Program, is_string_literal
from ..ir.expr import And, Binary, Cast, Expr, Field, Lvalue, Not, Op, Or
from ..ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Copy,
    Fill,
    Free,
    Havoc,
    Operation,
    Print,
    Skip,
)
from ..ir.types import ArrayType, FloatType, IntType, RecordType, size_of
from ..records import dataclass, replace
from .evaluate import Evaluator
from .graph import (
    NULL,
    Address,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Untold,
    Value,
    opaque,
)
from .segments import NeedsNode, NeedsSplit
from .validity import valid_free

_BEFORE = ""  # no function, while globals get their initial values


@dataclass(frozen=True, slots=True)
class Transfer:
    """Executes operations of one program."""

    program: Program

    def start(self) -> list[MemoryGraph]:
        """The graphs before the first step."""
        graph = MemoryGraph(self.program.data_model.pointer_bits // 8)
        for item in self.program.globals:
            var = item.var
            kind = ObjectKind.LITERAL if is_string_literal(var) else ObjectKind.GLOBAL
            zeroed = not item.external
            graph.variables[var] = graph.add(MemoryObject(kind, size_of(var.type), zeroed))
        graphs = [graph]
        for item in self.program.globals:
            for assign in item.init:
                graphs = [new for old in graphs for new in self.step(old, assign, _BEFORE)]
        return graphs

    def step(self, graph: MemoryGraph, op: Operation, function: str) -> Iterator[MemoryGraph]:
        """The graphs after an operation. The old one stands for the same memories as before; it is
        the one after an assumption that says nothing new."""
        if isinstance(op, Assume):
            yield from self._each(graph, lambda new: self._assume(new, op.cond, True, function))
            return

        def execute(here: MemoryGraph) -> list[MemoryGraph]:
            new = here.copy()
            self._execute(new, op, function)
            return [new]

        yield from self._each(graph, execute)

    def _each(
        self, graph: MemoryGraph, work: Callable[[MemoryGraph], list[MemoryGraph]]
    ) -> Iterator[MemoryGraph]:
        """Do it in the graph, or in those that must take its place."""
        todo = [graph]
        while todo:
            here = todo.pop()
            try:
                yield from work(here)
            except (NeedsNode, NeedsSplit) as need:
                todo += need.cases(here)

    def leave(self, graph: MemoryGraph, function: str) -> None:
        """The call of the function ends."""
        for number, made in list(graph.objects.items()):
            if made.kind is ObjectKind.STACK and made.live and made.owner == function:
                graph.end(number)
        ended = [var for var, number in graph.variables.items() if not graph.objects[number].live]
        for var in ended:
            del graph.variables[var]

    # --- conditions -------------------------------------------------------------------------------

    def _assume(
        self, graph: MemoryGraph, cond: Expr, truth: bool, function: str
    ) -> list[MemoryGraph]:
        """The graphs for the memories in which the condition holds (or fails)."""
        match cond:
            case Not(arg):
                return self._assume(graph, arg, not truth, function)
            case And(args) | Or(args):
                if isinstance(cond, And) is truth:
                    return self._assume_all(graph, args, truth, function)
                return self._assume_any(graph, args, truth, function)
        holds = Evaluator(self.program, graph, function).holds(cond)
        if holds is not None:
            return [graph] if holds is truth else []
        new = graph.copy()
        self._learn(Evaluator(self.program, new, function), cond, truth)
        return [new]

    def _where(
        self, graphs: Iterable[MemoryGraph], cond: Expr, truth: bool, function: str
    ) -> list[MemoryGraph]:
        """The graphs for the memories of all these in which the condition holds (or fails)."""
        work = partial(self._assume, cond=cond, truth=truth, function=function)
        return [new for graph in graphs for new in self._each(graph, work)]

    def _assume_all(
        self, graph: MemoryGraph, args: tuple[Expr, ...], truth: bool, function: str
    ) -> list[MemoryGraph]:
        graphs = [graph]
        for arg in args:
            graphs = self._where(graphs, arg, truth, function)
        return graphs

    def _assume_any(
        self, graph: MemoryGraph, args: tuple[Expr, ...], truth: bool, function: str
    ) -> list[MemoryGraph]:
        """One graph after the other: the first condition holds; it fails, and the second ..."""
        found: list[MemoryGraph] = []
        rest = [graph]
        for arg in args:
            found += self._where(rest, arg, truth, function)
            rest = self._where(rest, arg, not truth, function)
        return found

    def _learn(self, evaluator: Evaluator, cond: Expr, truth: bool) -> None:
        """What a condition that was not decided says about opaque values."""
        match cond:
            case Binary(Op.EQ, left, right, _) if not isinstance(left.type, FloatType):
                one, two = evaluator.value(left), evaluator.value(right)
            case Cast(arg, _):
                one, two, truth = evaluator.value(arg), NULL, not truth
            case _:
                return
        graph = evaluator.graph
        if isinstance(two, Opaque) and not isinstance(one, Opaque):
            one, two = two, one
        if not isinstance(one, Opaque):
            return
        if truth and isinstance(two, Number | Opaque):
            graph.replace(one, two)
        elif not truth and two == NULL:
            graph.nonzero.add(one.number)

    # --- steps ------------------------------------------------------------------------------------

    def _execute(self, graph: MemoryGraph, op: Operation, function: str) -> None:
        evaluator = Evaluator(self.program, graph, function)
        match op:
            case Skip():
                pass
            case Assign(target, value):
                if isinstance(target.type, RecordType):
                    assert isinstance(value, Lvalue)
                    self._copy(
                        evaluator,
                        evaluator.address(target),
                        evaluator.address(value),
                        size_of(target.type),
                    )
                else:
                    self._store(evaluator, target, evaluator.value(value))
            case Havoc(target):
                self._havoc(evaluator, target)
            case Print(printed):
                if printed is not None:
                    self._havoc(evaluator, printed)
            case Alloc():
                self._alloc(evaluator, op)
            case Free(pointer):
                self._free(evaluator, evaluator.value(pointer))
            case Fill(pointer, byte, size):
                self._fill(evaluator, pointer, evaluator.value(byte), evaluator.value(size))
            case Copy(pointer, source, size):
                count = evaluator.value(size)
                to, origin = evaluator.value(pointer), evaluator.value(source)
                if isinstance(count, Number):
                    self._copy(evaluator, to, origin, count.bits)
                else:
                    self._forget_all(evaluator, to)
            case _:
                raise Untold(f"a {type(op).__name__}")

    def _store(self, evaluator: Evaluator, target: Lvalue, value: Value) -> None:
        size, address = size_of(target.type), evaluator.address(target)
        if isinstance(target, Field) and isinstance(target.base.type, RecordType):
            member = self.program.records[target.base.type.tag].member(target.name)
            if member.bitfield:
                assert isinstance(member.type, IntType)
                size, value = (member.bit % 8 + member.type.bits + 7) // 8, opaque()
        place = evaluator.place(address, size)
        if place is None:
            raise Untold("a write through a pointer that is not known")
        number, offset = place
        literal = evaluator.graph.objects[number].kind is ObjectKind.LITERAL
        if literal and evaluator.function != _BEFORE:
            raise Untold("a string literal is overwritten")
        if offset is None:
            evaluator.graph.forget_all(number)
        else:
            evaluator.graph.write(number, offset, size, value)

    def _havoc(self, evaluator: Evaluator, target: Lvalue) -> None:
        if not isinstance(target.type, RecordType | ArrayType):
            self._store(evaluator, target, opaque())
            return
        size = size_of(target.type)
        place = evaluator.place(evaluator.address(target), size)
        if place is None:
            raise Untold("a write through a pointer that is not known")
        if place[1] is None or size == evaluator.graph.objects[place[0]].size:
            evaluator.graph.forget_all(place[0])
        else:
            evaluator.graph.forget(place[0], place[1], size)

    def _alloc(self, evaluator: Evaluator, op: Alloc) -> None:
        graph = evaluator.graph
        size = evaluator.value(op.size)
        kind = ObjectKind.HEAP if op.kind is AllocKind.HEAP else ObjectKind.STACK
        known = size.bits if isinstance(size, Number) else None
        made = graph.add(MemoryObject(kind, known, op.zeroed, owner=evaluator.function))
        if kind is ObjectKind.HEAP:
            graph.objects[made] = replace(graph.objects[made], owner="")
        self._store(evaluator, op.target, Address(made, 0))

    def _free(self, evaluator: Evaluator, pointer: Value) -> None:
        graph = evaluator.graph
        valid = None if isinstance(pointer, Opaque) else valid_free(graph, pointer)
        if valid is None:
            raise Untold("a pointer that is not known is freed")
        if not valid:
            raise Untold("an invalid free")
        if isinstance(pointer, Address):
            if graph.objects[pointer.object].segment is not None:
                raise NeedsNode(pointer.object, pointer.last)
            graph.end(pointer.object)

    def _fill(self, evaluator: Evaluator, pointer: Expr, byte: Value, size: Value) -> None:
        address = evaluator.value(pointer)
        if not isinstance(size, Number):
            self._forget_all(evaluator, address)
            return
        if not size.bits:
            return
        place = evaluator.place(address, size.bits)
        if place is None:
            raise Untold("a write through a pointer that is not known")
        number, offset = place
        if offset is None:
            evaluator.graph.forget_all(number)
        elif isinstance(byte, Number) and byte.bits % 256 == 0:
            evaluator.graph.zero(number, offset, size.bits)
        elif offset == 0 and size.bits == evaluator.graph.objects[number].size:
            evaluator.graph.forget_all(number)
        else:
            evaluator.graph.forget(number, offset, size.bits)

    def _forget_all(self, evaluator: Evaluator, address: Value) -> None:
        """Some bytes from the address on hold anything."""
        place = evaluator.place(address, 0)
        if place is None:
            raise Untold("a write through a pointer that is not known")
        evaluator.graph.forget_all(place[0])

    def _copy(self, evaluator: Evaluator, to: Value, origin: Value, size: int) -> None:
        """Copy bytes: whole cells keep their values, and all else is anything."""
        graph = evaluator.graph
        if not size:
            return
        source = evaluator.place(origin, size)
        target = evaluator.place(to, size)
        if target is None:
            raise Untold("a write through a pointer that is not known")
        number, start = target
        if start is None:
            graph.forget_all(number)
            return
        if source is None or source[1] is None:
            graph.forget(number, start, size)
            return
        holder, first = source[0], source[1]
        cells = {
            at - first: cell
            for at, cell in graph.cells[holder].items()
            if first <= at and at + cell[0] <= first + size
        }
        cut = len(cells) != sum(
            at < first + size and first < at + cell[0] for at, cell in graph.cells[holder].items()
        )
        if graph.objects[holder].zeroed and not cut:
            graph.zero(number, start, size)
        else:
            graph.forget(number, start, size)
        for at, (width, value) in cells.items():
            graph.write(number, start + at, width, value)
