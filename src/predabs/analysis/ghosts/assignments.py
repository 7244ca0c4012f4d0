"""What ghost variables are assigned, operation by operation.

A register's ghost variables are assigned along with it. A call passes them in ghost globals, which
the function copies when it is entered, so that they are its own in a recursion too; results come
back in the same way.

Soundness duty: that of `numbers`, kept up by every operation: the length is -1 where a register may
hold anything else than an address in a live object. So it becomes -1 if the object is freed, or if
it belongs to a function that returns; a global gets no address of an object that may end so.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.cfa import Edge, Function, Program
from ...ir.expr import Const, Expr, Op, Var
from ...ir.ops import Alloc, AllocKind, Assign, Call, Free, Havoc, Print, Return
from ...ir.types import PointerType
from ..points_to.objects import Allocated, Object
from .numbers import UNKNOWN_LENGTH, GhostNumbers
from .registers import RegisterFacts


class GhostAssignments:
    """The assignments to the ghost variables of one program, whose shapes are known; `counted` says
    that the objects of the heap are counted."""

    def __init__(self, program: Program, numbers: GhostNumbers, counted: bool) -> None:
        self._program = program
        self._numbers = numbers
        self._facts: RegisterFacts = numbers.facts
        self._shapes = numbers.shapes
        self._counted = counted
        self._followed = frozenset(self._shapes.followed)
        self._sites = frozenset(self._shapes.sites)
        self._by_function: dict[str, list[Var]] = {}
        for var in self._shapes.followed:
            self._by_function.setdefault(var.function, []).append(var)
        self._unknown = numbers.constant(UNKNOWN_LENGTH)
        self._zero = numbers.constant(0)
        self.live = Var("heap.live", numbers.number)
        self._result_units = self._wanted_results()
        self._lost = self._lost_track()

    def _lost_track(self) -> frozenset[Var | Allocated]:
        """What is taken to have ended though it may not have: a register whose object is one of
        those that a call may free, an object that is one of several that may be freed."""
        found: set[Var | Allocated] = set()
        for function in self._program.functions.values():
            for edge in function.edges:
                if isinstance(edge.op, Call):
                    found.update(self._ended(edge))
                elif isinstance(edge.op, Free) and len(self._facts.objects(edge.op.pointer)) > 1:
                    found.update(self._ended_sites(edge))
        return frozenset(found)

    def is_exact(self, register: Var) -> bool:
        """Do the ghost variables follow all that the register is given, and know what lives?"""
        size = self._shapes.of(register).size
        lost = register in self._lost or (isinstance(size, Allocated) and size in self._lost)
        return self._facts.known(register) and not lost

    # --- variables --------------------------------------------------------------------------------

    def locals(self, function: Function) -> tuple[Var, ...]:
        """The ghost variables of a function's own registers."""
        return tuple(g for var in self._by_function.get(function.name, ()) for g in self._own(var))

    def _own(self, register: Var) -> Iterator[Var]:
        shape = self._shapes.of(register)
        if shape.offset is None:
            yield self._numbers.index_var(register)
        if shape.size is None:
            yield self._numbers.length_var(register)

    def globals(self) -> Iterator[Assign]:
        """The first values of all other ghost variables."""
        for item in self._program.globals:
            if item.var in self._followed:
                first = dict.fromkeys(self._own(item.var), self._unknown)
                if item.init and not item.external:
                    for assign in self._given(item.var, item.init[-1].value):
                        assert isinstance(assign.target, Var)
                        first[assign.target] = _constant(assign.value) or self._unknown
                yield from (Assign(var, value) for var, value in first.items())
        yield from (Assign(self._numbers.site_var(site), self._unknown) for site in self._sites)
        for function in self._program.functions.values():
            for param in function.params:
                if param in self._followed:
                    yield from (Assign(_passed(var), self._unknown) for var in self._own(param))
        for unit in sorted({unit for units in self._result_units.values() for unit in units}):
            yield Assign(self._result("index", unit), self._zero)
            yield Assign(self._result("length", unit), self._unknown)
        if self._counted:
            yield Assign(self.live, self._zero)

    def _result(self, what: str, unit: int) -> Var:
        return Var(f"result{unit}.{what}", self._numbers.number)

    # --- operations -------------------------------------------------------------------------------

    def entered(self, function: Function) -> Iterator[Assign]:
        """When a function is entered: its registers are not set, but for the parameters."""
        for var in self._by_function.get(function.name, ()):
            for ghost in self._own(var):
                is_param = var in function.params
                yield Assign(ghost, _passed(ghost) if is_param else self._unknown)

    def before(self, edge: Edge) -> Iterator[Assign]:
        """Before the operation, in whose first state the values are computed."""
        match edge.op:
            case Assign(Var() as target, value) if target in self._followed:
                yield from self._given(target, value)
            case Havoc(Var() as target) | Print(Var() as target) if target in self._followed:
                yield from self._given(target, None)
            case Alloc(target, size, kind):
                yield from self._made(edge, target, size)
                if kind is AllocKind.HEAP and self._counted:
                    more = make.binary(Op.ADD, self.live, self._numbers.constant(1))
                    yield Assign(self.live, more)
            case Free(pointer):
                yield from self._freed(edge, pointer)
            case Call(target, _, args):
                yield from self._passes(edge, args)
                if target in self._followed:
                    assert isinstance(target, Var)
                    yield Assign(self._result("length", self._shapes.unit(target)), self._unknown)
            case Return(value):
                yield from self._returns(edge.src.function, value)

    def after(self, edge: Edge) -> Iterator[Assign]:
        """After the operation: what a call has given back and ended."""
        if not isinstance(edge.op, Call):
            return
        target = edge.op.target
        for var in self._ended(edge):
            if var is not target:
                yield Assign(self._numbers.length_var(var), self._unknown)
        if isinstance(target, Var) and target in self._followed:
            shape, unit = self._shapes.of(target), self._shapes.unit(target)
            if shape.offset is None:
                index = self._result("index", unit)
                yield Assign(self._numbers.index_var(target), index)
            if shape.size is None:
                yield Assign(self._numbers.length_var(target), self._result("length", unit))

    def _given(self, register: Var, value: Expr | None) -> Iterator[Assign]:
        """The register gets a value; None stands for anything."""
        shape, unit = self._shapes.of(register), self._shapes.unit(register)
        if shape.offset is None and value is not None:
            index = self._numbers.index(value, unit)
            if index is not None:
                yield Assign(self._numbers.index_var(register), index)
        if shape.size is None:
            length = self._length(value, unit, lasting=not register.function)
            if length is not None:
                yield Assign(self._numbers.length_var(register), length)

    def _length(
        self, value: Expr | None, unit: int, *, lasting: bool = False, leaving: str | None = None
    ) -> Expr | None:
        """The length of a value that goes to a global (`lasting`), or out of the function that it
        is `leaving`; None for null."""
        if value is None or not isinstance(value.type, PointerType):
            return self._unknown
        for object_ in self._facts.objects(value):
            if lasting and not self._stays_in_globals(object_):
                return self._unknown
            if leaving is not None and self._facts.lifetimes.owner(object_) == leaving:
                return self._unknown
        return self._numbers.length(value, unit)

    def _stays_in_globals(self, object_: Object) -> bool:
        """Does the object end by `free` if at all? That is seen in globals."""
        lifetimes = self._facts.lifetimes
        return lifetimes.lasts(object_) or lifetimes.owner(object_) is None

    def _made(self, edge: Edge, target: Expr, size: Expr) -> Iterator[Assign]:
        site = Allocated(edge)
        if site in self._sites:
            length = self._numbers.made(size, self._shapes.unit(site))
            yield Assign(self._numbers.site_var(site), length)
        if not isinstance(target, Var) or target not in self._followed:
            return
        shape, unit = self._shapes.of(target), self._shapes.unit(target)
        if shape.offset is None:
            yield Assign(self._numbers.index_var(target), self._zero)
        if shape.size is None:
            length = self._numbers.made(size, unit)
            if not target.function and not self._stays_in_globals(site):
                length = self._unknown
            yield Assign(self._numbers.length_var(target), length)

    def _freed(self, edge: Edge, pointer: Expr) -> Iterator[Assign]:
        start = self._numbers.is_start(pointer)
        assert isinstance(pointer.type, PointerType)
        null = make.equal(pointer, make.const(0, pointer.type))
        if self._counted and start is not None:
            ended = make.conj((make.negate(null), start))
            fewer = make.binary(Op.SUB, self.live, self._numbers.constant(1))
            yield Assign(self.live, make.ite(ended, fewer, self.live))
        for site in self._ended_sites(edge):
            length = self._numbers.site_var(site)
            yield Assign(length, make.ite(null, length, self._unknown))
        for var in self._ended(edge):
            length = self._numbers.length_var(var)
            base = make.cast(self._numbers.base(var), pointer.type)
            yield Assign(length, make.ite(make.equal(base, pointer), self._unknown, length))

    def _ended_sites(self, edge: Edge) -> list[Allocated]:
        """The followed objects that a `Free` may end."""
        ended = self._facts.lifetimes.ends(edge)
        return [site for site in self._sites if site in ended]

    def _ended(self, edge: Edge) -> list[Var]:
        """The registers in sight whose objects an operation may end. What a function that is called
        frees, it sees itself in globals."""
        ended = self._facts.lifetimes.ends(edge)
        if not ended:
            return []
        found = self._by_function.get(edge.src.function, [])
        if isinstance(edge.op, Free):
            found = found + self._by_function.get("", [])
        return [
            var
            for var in found
            if self._shapes.of(var).size is None and not ended.isdisjoint(self._facts.objects(var))
        ]

    # --- calls ------------------------------------------------------------------------------------

    def _passes(self, edge: Edge, args: tuple[Expr, ...]) -> Iterator[Assign]:
        for function in self._facts.definitions.callees(edge):
            for number, param in enumerate(function.params if function is not None else ()):
                if param in self._followed:
                    given = args[number] if number < len(args) else None
                    for assign in self._given(param, given):
                        assert isinstance(assign.target, Var)
                        yield Assign(_passed(assign.target), assign.value)

    def _wanted_results(self) -> dict[str, tuple[int, ...]]:
        """The elements in which a function's results are counted, by its callers."""
        found: dict[str, dict[int, None]] = {}
        for caller in self._program.functions.values():
            for edge in caller.edges:
                if isinstance(edge.op, Call) and edge.op.target in self._followed:
                    assert isinstance(edge.op.target, Var)
                    unit = self._shapes.unit(edge.op.target)
                    for function in self._facts.definitions.callees(edge):
                        if function is not None:
                            found.setdefault(function.name, {})[unit] = None
        return {name: tuple(units) for name, units in found.items()}

    def _returns(self, function: str, value: Expr | None) -> Iterator[Assign]:
        for unit in self._result_units.get(function, ()):
            index = None if value is None else self._numbers.index(value, unit)
            if index is not None:
                yield Assign(self._result("index", unit), index)
            length = self._length(value, unit, leaving=function)
            if length is not None:
                yield Assign(self._result("length", unit), length)


def _passed(ghost: Var) -> Var:
    """The global in which a call passes the value of a parameter's ghost variable."""
    return Var(f"{ghost.name.replace('::', '.')}.passed", ghost.type)


def _constant(value: Expr) -> Const | None:
    return value if isinstance(value, Const) else None
