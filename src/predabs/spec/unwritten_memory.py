"""Memory that may hold bytes which were never written, as far as the operations alone tell.

Soundness duty: an lvalue that is not doubted holds no such byte in any run.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import make
from ..ir.cfa import Edge, Program
from ..ir.def_use import op_target
from ..ir.expr import Deref, Expr, Field, Initialised, Lvalue, Var
from ..ir.ops import Alloc, Assign, Call, Copy, Operation
from ..ir.types import PointerType, RecordType, is_scalar
from ..ir.walk import root_of
from .definite_assignment import addressed, unsets


class UnwrittenMemory:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._bits = program.data_model.pointer_bits
        self._program = program
        functions = program.functions.values()
        edges = [edge for function in functions for edge in function.edges]
        self._addressed = {name for function in functions for name in addressed(function)}
        self._unset = {_target_root(edge) for edge in edges if unsets(edge.op)}
        self._source = any(isinstance(e.op, Alloc) and not e.op.zeroed for e in edges) or any(
            isinstance(root, Var) and self._has_bytes(root) for root in self._unset
        )
        roots = [root for edge in edges for root in self._copied_to(edge.op)]
        self._copied = {root for root in roots if isinstance(root, Var)}
        self._copied.update(
            var for f in functions for var in f.params if isinstance(var.type, RecordType)
        )
        self._anywhere = any(isinstance(root, Deref) for root in roots)

    def doubted(self, lvalue: Lvalue) -> bool:
        """May it hold bytes that were never written?"""
        root = root_of(lvalue)
        if not self._source or not self.in_memory(lvalue) or self._is_bit_field(lvalue):
            return False
        if not isinstance(root, Var) or root in self._unset or root in self._copied:
            return True
        return self._anywhere and root.name in self._addressed

    def in_memory(self, lvalue: Lvalue) -> bool:
        """Has it bytes? Others are variables of one number or address that only names reach."""
        root = root_of(lvalue)
        return not isinstance(root, Var) or self._has_bytes(root)

    def is_copy(self, op: Operation) -> bool:
        """Is a number or address copied from memory to memory, and nothing else done with it?"""
        match op:
            case Assign(target, value) if is_scalar(target.type) and isinstance(value, Lvalue):
                return self.in_memory(target) and self.in_memory(value)
        return False

    def unwritten(self, lvalue: Lvalue) -> Expr:
        """The condition that some of its bytes were never written."""
        pointer = make.address_of(lvalue, PointerType(lvalue.type, self._bits))
        return make.negate(Initialised(pointer))

    def _has_bytes(self, var: Var) -> bool:
        return not is_scalar(var.type) or var.name in self._addressed

    def _is_bit_field(self, lvalue: Lvalue) -> bool:
        """It has no address: nothing is said of it."""
        match lvalue:
            case Field(base, name, _):
                assert isinstance(base.type, RecordType)
                return self._program.records[base.type.tag].member(name).bitfield
        return False

    def _copied_to(self, op: Operation) -> Iterator[Var | Deref]:
        """Where bytes may be copied to that were never written."""
        match op:
            case Copy(pointer, _, _):
                yield Deref(pointer, pointer.type)
            case Assign(target, _) if isinstance(target.type, RecordType) or self.is_copy(op):
                yield root_of(target)
            case Call(target, _, _) if target is not None and isinstance(target.type, RecordType):
                yield root_of(target)


def _target_root(edge: Edge) -> Var | Deref | None:
    target = op_target(edge.op)
    return None if target is None else root_of(target)
