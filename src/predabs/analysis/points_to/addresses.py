"""The addresses that expressions may hold, as nodes of the points-to constraints.

Every scalar value, integers too, carries the set of addresses that it may have been computed from.
See `constraints` for what this rests on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from ...errors import InternalError
from ...ir.expr import (
    AddressOf,
    And,
    Binary,
    Bound,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Forall,
    FunctionAddress,
    Index,
    Initialised,
    Ite,
    Lvalue,
    NoLeak,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    ValidAccess,
    ValidFree,
    Var,
)
from ...ir.types import FloatType, IntType, PointerType, Type
from .access_paths import ANYWHERE, AccessPath, AccessPaths, Displacement
from .address_taken import AddressTaken
from .contents import MemoryContents
from .objects import FunctionObject, Target, Variable
from .offsets import at

Node: TypeAlias = int | None  # None: a value that holds no addresses

_SMALLEST = 8  # a value of fewer bits holds no part of an address


class AddressNodes:
    """Builds the nodes of expressions, each once; what is asked later may still be added."""

    def __init__(
        self, access_paths: AccessPaths, addressed: AddressTaken, memory: MemoryContents, bits: int
    ) -> None:
        self.access_paths = access_paths
        self.memory = memory
        self._addressed = addressed
        self._bits = bits
        self._nodes: dict[Expr, Node] = {}
        self._derived: dict[Expr, bool] = {}
        self._registers: dict[str, int] = {}

    def object(self, var: Var) -> Variable:
        """The object that a variable is."""
        return Variable(self._addressed.home(var))

    def register(self, var: Var) -> int | None:
        """The node of a scalar variable that no pointer reaches; None for other variables."""
        if not self._addressed.scalar_variable(var):
            return None
        node = self._registers.get(var.name)
        if node is None:
            node = self._registers[var.name] = self.memory.inclusions.node()
        return node

    # --- access ----------------------------------------------------------------------------------

    def reach(self, path: AccessPath, use: Callable[[Target], None]) -> None:
        """Call `use` for each target that the access path may lead to, now and later."""
        displacement = path.displacement
        if isinstance(path.root, Var):
            use(Target(self.object(path.root), displacement.start))
            return
        node = self.of(path.root.pointer)
        if node is not None:
            self.memory.watch(
                node, lambda target: use(Target(target.object, displacement.apply(target.offsets)))
            )

    def store(self, lvalue: Lvalue, node: Node) -> None:
        """The lvalue may get the value of the node."""
        if node is None or not _carries(lvalue.type):
            return
        inclusions, source = self.memory.inclusions, node
        if isinstance(lvalue, Var) and (register := self.register(lvalue)) is not None:
            inclusions.edge(source, register)
            return
        path = self.access_paths.accessed(lvalue)
        if isinstance(path.root, Deref):
            pointer = self.of(path.root.pointer)
            if pointer is not None:
                into = self.memory.stored_through(pointer, path.displacement, path.size)
                inclusions.edge(source, into)
            return
        object_ = self.object(path.root)
        stored = self.memory.store(object_, path.displacement.start, path.size)
        if stored is not None:
            inclusions.edge(source, stored)

    def _load(self, lvalue: Lvalue) -> Node:
        if not _carries(lvalue.type):
            return None
        if isinstance(lvalue, Var) and (register := self.register(lvalue)) is not None:
            return register
        path = self.access_paths.accessed(lvalue)
        if isinstance(path.root, Var):
            return self.memory.load(self.object(path.root), path.displacement.start, path.size)
        pointer = self.of(path.root.pointer)
        if pointer is None:
            return None
        return self.memory.loaded_through(pointer, path.displacement, path.size)

    # --- values ----------------------------------------------------------------------------------

    def of(self, expr: Expr) -> Node:
        """The node of a scalar value."""
        nodes = self._nodes
        if expr in nodes:
            return nodes[expr]
        stack = [expr]
        while stack:
            term = stack[-1]
            if term in nodes:
                stack.pop()
                continue
            missing = [part for part in _parts(term) if part not in nodes]
            if missing:
                stack.extend(missing)
            else:
                nodes[term] = self._build(term)
                stack.pop()
        return nodes[expr]

    def _build(self, term: Expr) -> Node:
        memory = self.memory
        match term:
            case PointerDiff(left, Const(), _):  # `p - (char *)0` is p as a number
                return self._displaced(self._nodes[left], ANYWHERE)
            case Const() | FloatConst() | Not() | And() | Or() | ObjectSize() | PointerDiff():
                return None
            case ValidAccess() | ValidFree() | Initialised() | NoLeak() | Bound() | Forall():
                return None
            case FunctionAddress(name, _):
                return memory.inclusions.node(
                    (memory.element(Target(FunctionObject(name), at(0))),)
                )
            case Var() | Deref() | Field() | Index():
                return self._load(term)
            case AddressOf(target, _):
                return self._address(target)
            case Cast(arg, type_):
                fits = _carries(type_) and _is_float(arg.type) == _is_float(type_)
                node = self._nodes[arg] if fits else None
                if isinstance(type_, PointerType) and isinstance(arg.type, IntType):
                    return self._from_number(arg, node)
                return node
            case PointerAdd(Const(), index, _):
                return self._displaced(self._nodes[index], ANYWHERE)
            case PointerAdd(pointer, _, _):
                return self._displaced(self._nodes[pointer], self.access_paths.step(term))
            case Unary(_, arg, type_):
                return None if _is_float(type_) else self._displaced(self._nodes[arg], ANYWHERE)
            case Binary():
                return self._binary(term)
            case Ite(_, then, other, _):
                return self._union(self._nodes[then], self._nodes[other])
        assert_never(term)

    def _address(self, target: Expr) -> Node:
        if not isinstance(target, Var | Deref | Field | Index):
            raise InternalError(f"the address of a {type(target).__name__} is taken")
        path = self.access_paths.addressed(target)
        if isinstance(path.root, Deref):
            return self._displaced(self._nodes[path.root.pointer], path.displacement)
        found = Target(self.object(path.root), path.displacement.start)
        return self.memory.inclusions.node((self.memory.element(found),))

    def _binary(self, term: Binary) -> Node:
        """Arithmetic on integers: only adding a number to an address as wide keeps the offset."""
        type_ = term.type
        if not isinstance(type_, IntType):
            return None
        if term.op in (Op.ADD, Op.SUB) and type_.bits == self._bits:
            number = self.access_paths.constant(term.right)
            if number is not None:
                add = self.access_paths.signed(number if term.op is Op.ADD else -number)
                return self._displaced(self._nodes[term.left], Displacement(add, ()))
            number = self.access_paths.constant(term.left)
            if number is not None and term.op is Op.ADD:
                return self._displaced(
                    self._nodes[term.right], Displacement(self.access_paths.signed(number), ())
                )
        left, right = self._nodes[term.left], self._nodes[term.right]
        if term.op in (Op.SHL, Op.SHR):
            right = None
        elif self._is_derived(term.left) != self._is_derived(term.right):
            # an address and a number that may be an input: base and distance
            if self._is_derived(term.left):
                right = self._without_unknown(right)
            else:
                left = self._without_unknown(left)
        return self._displaced(self._union(left, right), ANYWHERE)

    def _is_derived(self, expr: Expr) -> bool:
        """Is the value computed from an address in this very expression?"""
        stack = [expr]
        while stack:
            term = stack[-1]
            if term in self._derived:
                stack.pop()
                continue
            if isinstance(term.type, PointerType):
                self._derived[term] = self.access_paths.constant(term) is None
                continue
            parts = _parts(term) if isinstance(term, Unary | Binary | Cast | Ite) else ()
            missing = [part for part in parts if part not in self._derived]
            if missing:
                stack.extend(missing)
            else:
                self._derived[term] = any(self._derived[part] for part in parts)
        return self._derived[expr]

    def _displaced(self, node: Node, displacement: Displacement) -> Node:
        if node is None or displacement == Displacement(0, ()):
            return node
        return self.memory.displaced(node, displacement)

    def _from_number(self, number: Expr, node: Node) -> Node:
        """The addresses of a number that is used as an address: it has come from outside if no
        address of the program is known to be in it."""
        if self.access_paths.constant(number) is not None:
            return node
        found = self.memory.inclusions.node()
        if node is not None:
            self.memory.inclusions.edge(node, found)
        self.memory.must_be_somewhere[found] = None
        return found

    def _without_unknown(self, node: Node) -> Node:
        """The same addresses but for the unknown one."""
        if node is None:
            return None
        inclusions, unknown = self.memory.inclusions, 1 << self.memory.unknown
        known = inclusions.node()
        inclusions.derive(node, known, lambda elements: elements & ~unknown)
        return known

    def _union(self, one: Node, two: Node) -> Node:
        if one is None or two is None or one == two:
            return two if one is None else one
        node = self.memory.inclusions.node()
        self.memory.inclusions.edge(one, node)
        self.memory.inclusions.edge(two, node)
        return node


def _carries(type_: Type) -> bool:
    """Can a value of this type hold an address, or a part of one?"""
    if isinstance(type_, IntType):
        return type_.bits >= _SMALLEST
    return isinstance(type_, PointerType | FloatType)


def _is_float(type_: Type) -> bool:
    return isinstance(type_, FloatType)


def _parts(term: Expr) -> tuple[Expr, ...]:
    """The terms whose nodes the node of a term is made from."""
    match term:
        case PointerDiff(left, Const(), _):
            return (left,)
        case Const() | FloatConst() | FunctionAddress() | ObjectSize() | PointerDiff():
            return ()
        case Not() | And() | Or() | ValidAccess() | ValidFree() | Initialised() | NoLeak():
            return ()
        case Bound() | Forall():
            return ()
        case Var() | Deref() | Field() | Index():
            return _pointer_of(term)
        case AddressOf(target, _):
            return _pointer_of(target)
        case Cast(arg, _) | Unary(_, arg, _):
            return (arg,)
        case PointerAdd(pointer, index, _):
            return (index,) if isinstance(pointer, Const) else (pointer,)
        case Binary(op, left, right, _):
            return () if op.is_comparison else (left, right)
        case Ite(_, then, other, _):
            return (then, other)
    assert_never(term)


def _pointer_of(lvalue: Expr) -> tuple[Expr, ...]:
    while isinstance(lvalue, Field | Index):
        lvalue = lvalue.base
    return (lvalue.pointer,) if isinstance(lvalue, Deref) else ()
