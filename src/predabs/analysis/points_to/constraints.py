"""From a program to the constraints of its points-to analysis.

Soundness duty: if a run accesses memory through a value, the object that it accesses, with the
offset, is among the value's addresses, or the unknown address is, and the object has escaped. This
rests on what C says of addresses:

- an address stays in the object that it was computed from: beyond it, an access has no meaning;
- numbers written in the program, differences of addresses, floating-point results and memory that
  was never written hold no addresses, save that a pointer which nothing ever writes is an input if
  pointers from outside are apart from the program's objects;
- inputs (`nondet`, results of functions without a body, volatile reads ...) may be any address that
  the program has taken, or one that it knows nothing of: both are the unknown address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from ...errors import InternalError
from ...ir.cfa import Edge, ExternPointers, Function, Global, Program, is_string_literal
from ...ir.expr import Deref, Expr, Field, FunctionAddress, Index, Lvalue, Var
from ...ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Halt,
    Havoc,
    Print,
    Return,
    Skip,
    Source,
    Sweep,
)
from ...ir.types import PointerType, Type, VoidType, is_scalar, size_of
from .access_paths import AccessPaths, extent_of
from .address_taken import AddressTaken
from .addresses import AddressNodes, Node
from .contents import MemoryContents, Precision
from .objects import UNKNOWN, Allocated, FunctionObject, Object, Target, TemporaryObject, Variable
from .offsets import Extent, at, spread


class Constraints:
    """The constraints of a program, and which functions its calls through pointers reach."""

    def __init__(
        self,
        program: Program,
        access_paths: AccessPaths,
        addressed: AddressTaken,
        precision: Precision,
        most_work: int,
    ) -> None:
        """May raise `TooMuchWork` if that is a way out of the precision."""
        self.program = program
        self.is_coarse = precision.collapses
        self.access_paths = access_paths
        self._sizes = {item.var.name: self._global_size(item) for item in program.globals}
        self._bits = program.data_model.pointer_bits
        self._apart = program.extern_pointers is not ExternPointers.ANY
        self.memory = MemoryContents(
            self._size, _is_text, self._bits // 8, self._apart, precision, most_work
        )
        self.values = AddressNodes(self.access_paths, addressed, self.memory, self._bits)
        self.calls: dict[Edge, dict[str, None]] = {}
        self.unknown_calls: dict[Edge, None] = {}
        self._results: dict[str, int] = {}
        self._unknown = self.memory.unknown_node
        self.memory.on_escape.append(self._function_escaped)
        for name in sorted(addressed.variables) if not self._apart else ():
            self.memory.escape(Variable(addressed.declared[name]))
        for name in sorted(addressed.functions):
            self.memory.escape(FunctionObject(name))
        for item in program.globals:
            self._global(item)
        for param in self._entry_params():
            self._input(param)
        for function in program.functions.values():
            for edge in function.edges:
                self._edge(edge)
        self._solve(None if precision.collapses else most_work)

    def _solve(self, most_work: int | None) -> None:
        self.memory.inclusions.solve(most_work)
        while self._settle_uninitialised():
            self.memory.inclusions.solve(most_work)

    def inputs(self, variables: Iterable[Var]) -> None:
        """These global variables are inputs, which nobody knew before."""
        for var in variables:
            self._input(var)
        self._solve(None)

    def _entry_params(self) -> tuple[Var, ...]:
        entry = self.program.functions.get(self.program.entry)
        if entry is not None:
            return entry.params
        return tuple(p for function in self.program.functions.values() for p in function.params)

    # --- objects ---------------------------------------------------------------------------------

    def _global_size(self, item: Global) -> int | None:
        """The size of a global: that of its type, or more if a flexible member is initialised."""
        size = size_of(item.var.type)
        if item.external and size == 0:
            return None
        for assign in item.init:
            path = self.access_paths.accessed(assign.target)
            last = path.displacement.start.last
            if last is not None:
                size = max(size, last + path.size)
        return size

    def _size(self, object_: Object) -> int | None:
        match object_:
            case Variable(var):
                if var.name in self._sizes:
                    return self._sizes[var.name]
                return size_of(var.type)
            case Allocated(edge):
                assert isinstance(edge.op, Alloc)
                return self.access_paths.constant(edge.op.size)
        return None

    def _global(self, item: Global) -> None:
        if item.external:
            self._input(item.var)
        for assign in item.init:
            self._assign(
                assign.target, assign.value, TemporaryObject(f"the value of {item.var.name}")
            )

    # --- operations ------------------------------------------------------------------------------

    def _edge(self, edge: Edge) -> None:
        op = edge.op
        match op:
            case Skip() | Assume() | Free() | Error() | Halt():
                pass  # nothing that holds an address changes
            case Fill() | Print():
                pass  # a byte repeated is no address, and neither is a number of characters
            case Assign(target, value) | Sweep(target, value):
                self._assign(target, value, TemporaryObject(edge))
            case Havoc(target, source, _):
                if source is not Source.UNINITIALIZED:
                    self._input(target)
                elif self._apart:
                    self._uninitialised(target)
            case Call(target, callee, args):
                self._call(edge, target, callee, args)
            case Return(value):
                if value is not None:
                    self._return(edge.src.function, value)
            case Alloc(target, _, _, zeroed):
                made = Allocated(edge)
                self.memory.escape(made)
                if self._apart and not zeroed:
                    self.memory.uninitialised[made] = None
                element = self.memory.element(Target(made, at(0)))
                self.values.store(target, self.memory.inclusions.node((element,)))
            case Copy(pointer, source, size):
                extent = extent_of(size, self.access_paths)
                temporary = TemporaryObject(edge)
                self._watch(source, lambda t: self.memory.copy_in(t, extent, temporary))
                self._watch(pointer, lambda t: self.memory.copy_out(temporary, t, extent))
            case _:
                assert_never(op)

    def _watch(self, pointer: Expr, use: Callable[[Target], None]) -> None:
        node = self.values.of(pointer)
        if node is not None:
            self.memory.watch(node, use)

    def _assign(self, target: Lvalue, value: Expr, temporary: TemporaryObject) -> None:
        if is_scalar(target.type):
            self.values.store(target, self.values.of(value))
        else:
            self._take(value, temporary)
            self._give(temporary, target)

    def _take(self, value: Expr, temporary: TemporaryObject) -> None:
        """The bytes of a record are read into a temporary object."""
        extent = Extent(size_of(value.type), 1)
        path = self.access_paths.accessed(_lvalue(value))
        self.values.reach(path, lambda t: self.memory.copy_in(t, extent, temporary))

    def _give(self, temporary: TemporaryObject, target: Lvalue) -> None:
        """The bytes of a temporary object are written."""
        extent = Extent(size_of(target.type), 1)
        path = self.access_paths.accessed(target)
        self.values.reach(path, lambda t: self.memory.copy_out(temporary, t, extent))

    def _input(self, target: Lvalue) -> None:
        """Any byte of the target may be a part of an unknown address."""
        if is_scalar(target.type):
            if not self._apart or 8 * size_of(target.type) >= self._bits:
                self.values.store(target, self._unknown)
            return
        size = size_of(target.type)

        def use(found: Target) -> None:
            node = self.memory.store(found.object, spread(found.offsets, 1, size or None), 1)
            if node is not None:
                self.memory.inclusions.edge(self._unknown, node)

        self.values.reach(self.access_paths.accessed(target), use)

    def _uninitialised(self, target: Lvalue) -> None:
        """The target has not been written yet."""
        if not isinstance(target, Var):
            return
        register = self.values.register(target)
        if register is None:
            self.memory.uninitialised[self.values.object(target)] = None
        elif isinstance(target.type, PointerType):
            self.memory.must_be_somewhere[register] = None

    def _settle_uninitialised(self) -> bool:
        """A pointer that nobody ever writes is one from outside, if it is read all the same: the
        models of environments have such variables. Were there any new ones?"""
        inclusions = self.memory.inclusions
        nodes = self.memory.pointers_to_somewhere()
        empty = [node for node in nodes if not inclusions.elements(node)]
        for node in empty if self._apart else ():
            inclusions.edge(self._unknown, node)
        return self._apart and bool(empty)

    # --- calls -----------------------------------------------------------------------------------

    def _return(self, function: str, value: Expr) -> None:
        if not is_scalar(value.type):
            self._take(value, TemporaryObject(function))
            return
        node = self.values.of(value)
        if node is not None:
            self.memory.inclusions.edge(node, self._result(function))

    def _result(self, function: str) -> int:
        """The node of what a function returns, if that is a scalar."""
        if function not in self._results:
            self._results[function] = self.memory.inclusions.node()
        return self._results[function]

    def _call(
        self, edge: Edge, target: Lvalue | None, callee: Expr, args: tuple[Expr, ...]
    ) -> None:
        if isinstance(callee, FunctionAddress):
            self._bind(edge, target, args, callee.name)
            return
        self.calls[edge] = {}
        node = self.values.of(callee)
        if node is None:
            return  # a number: no function is there

        def use(called: Target) -> None:
            found = called.object
            if found == UNKNOWN:
                self.unknown_calls[edge] = None
                self._leave(target, args)
                for escaped in list(self.memory.escaped):
                    if isinstance(escaped, FunctionObject):
                        self._bind_pointer(edge, escaped.name, guessed=True)
            elif isinstance(found, FunctionObject):
                self._bind_pointer(edge, found.name, guessed=False)

        self.memory.watch(node, use)

    def _function_escaped(self, object_: Object) -> None:
        if isinstance(object_, FunctionObject):
            for edge in list(self.unknown_calls):
                self._bind_pointer(edge, object_.name, guessed=True)

    def _bind_pointer(self, edge: Edge, name: str, *, guessed: bool) -> None:
        """A call through a pointer may reach the function, if the types allow it at all."""
        op = edge.op
        assert isinstance(op, Call)
        if name in self.calls[edge]:
            return
        function = self.program.functions.get(name)
        if function is not None and not accepts(function, op, exactly=guessed):
            return
        if function is not None and guessed and self._apart and not _same_type(function, op):
            return
        self.calls[edge][name] = None
        self._bind(edge, op.target, op.args, name)

    def _bind(self, edge: Edge, target: Lvalue | None, args: tuple[Expr, ...], name: str) -> None:
        function = self.program.functions.get(name)
        if function is None:
            self._leave(target, args)
            return
        for number, (param, arg) in enumerate(zip(function.params, args, strict=False)):
            if is_scalar(param.type) and is_scalar(arg.type):
                self.values.store(param, self.values.of(arg))
            elif param.type is arg.type:
                self._assign(param, arg, TemporaryObject(f"{name}, parameter {number}"))
        if target is None:
            return
        if is_scalar(target.type):
            self.values.store(target, self._result(name))
        elif target.type is function.type.result:
            self._give(TemporaryObject(name), target)

    def _leave(self, target: Lvalue | None, args: tuple[Expr, ...]) -> None:
        """A call of a function without a body: it learns addresses, and gives back any, or none of
        those that it has learned if pointers from outside are apart."""
        for arg in args if not self._apart else ():
            if is_scalar(arg.type):
                node: Node = self.values.of(arg)
                if node is not None:
                    self.memory.inclusions.edge(node, self.memory.unknown_reads)
        if target is not None:
            self._input(target)


def _is_text(object_: Object) -> bool:
    """Is the object a string literal? Where in it an address points does not matter."""
    return isinstance(object_, Variable) and is_string_literal(object_.var)


def accepts(function: Function, call: Call, *, exactly: bool) -> bool:
    """Can the call's arguments and result be converted to the function's types?

    As in the concrete semantics, too few or too many arguments do not matter, unless asked for.
    """
    if exactly and len(function.params) != len(call.args):
        return False
    for param, arg in zip(function.params, call.args, strict=False):
        if not _convertible(arg.type, param.type):
            return False
    result = function.type.result
    return (
        call.target is None
        or isinstance(result, VoidType)
        or _convertible(result, call.target.type)
    )


def _same_type(function: Function, call: Call) -> bool:
    """Is the function of the very type that the pointer says?"""
    type_ = call.callee.type
    return isinstance(type_, PointerType) and type_.target == function.type


def _convertible(source: Type, target: Type) -> bool:
    return source is target or (is_scalar(source) and is_scalar(target))


def _lvalue(expr: Expr) -> Lvalue:
    if isinstance(expr, Var | Deref | Field | Index):
        return expr
    raise InternalError(f"a {type(expr).__name__} stands where a record must be an lvalue")
