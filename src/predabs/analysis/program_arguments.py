"""What C says about the parameters of `main`: argv has argc strings, and a null pointer then.

The run begins with assumptions that say so, of what the function uses: `argc >= 0`, that argv and
its elements before argc are not null, and that the element at argc is. The first elements are named
one by one, as programs do; a loop goes through the others. Where the strings lie, how long they are
and what they contain stays open: they are memory of the environment. Soundness duty: no call of
`main` that C allows is excluded.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import make
from ..ir.cfa import Edge, ExternPointers, Function, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Binary, Const, Deref, Expr, Op, PointerAdd, ValidAccess, Var
from ..ir.ops import Assign, Assume, Operation
from ..ir.types import IntType, PointerType
from ..ir.walk import children
from ..records import replace

_NAMED = 4  # elements


def argument_variables(program: Program) -> tuple[Var, Var] | None:
    """The parameters argc and argv of the entry, if it is a `main` that has them."""
    entry = program.functions.get(program.entry)
    if entry is None or entry.name != "main" or len(entry.params) < 2:
        return None
    argc, argv = entry.params[:2]
    match argc.type, argv.type:
        case IntType(), PointerType(PointerType(IntType(8, _), _), _):
            return argc, argv
    return None


def with_arguments(program: Program) -> Program:
    """The program that is called as C says."""
    found = argument_variables(program)
    if found is None or program.extern_pointers is ExternPointers.NULL:
        return program
    argc, argv = found
    entry = program.functions[program.entry]
    whole = {part for edge in entry.edges for part in _operands(edge.op)}
    used = _terms(whole)
    if argc not in used and argv not in used:
        return program
    others = _has_others(whole, used, argv)
    changed = _Beginning(entry, argc, argv).result(argv in used, others)
    return replace(program, functions={**program.functions, entry.name: changed})


class _Beginning:
    """The edges that come first."""

    def __init__(self, entry: Function, argc: Var, argv: Var) -> None:
        self._entry = entry
        self._argc = argc
        self._argv = argv
        assert isinstance(argc.type, IntType)
        self._type = argc.type
        self._next = 1 + max(location.index for location in entry.locations)
        self._edges: list[Edge] = []
        self._start = self._here = self._fresh()

    def result(self, strings: bool, others: bool) -> Function:
        """With what is said of argv, if it is used, and of all its elements."""
        zero = make.const(0, self._type)
        self._assume(make.less_equal(zero, self._argc))
        locals_ = self._entry.locals
        if strings:
            self._assume(_is_not_null(self._argv))
            for number in range(_NAMED):
                here = make.const(number, self._type)
                missing = make.less_equal(self._argc, here)
                self._assume(make.disj((missing, _is_not_null(self._element(here)))))
            self._assume(make.negate(_is_not_null(self._element(self._argc))))
            if others:
                locals_ = (*locals_, self._loop())
        last = self._edges[-1]
        self._edges[-1] = replace(last, dst=self._entry.entry)
        edges = (*self._edges, *self._entry.edges)
        return replace(self._entry, entry=self._start, edges=edges, locals=locals_)

    def _loop(self) -> Var:
        """for (i = 4; i < argc; i++) assume(argv[i]);"""
        at = Var(f"{self._entry.name}::argument.number", self._type)
        self._step(Assign(at, make.const(_NAMED, self._type)))
        head = self._here
        inside = make.less(at, self._argc)
        self._step(Assume(inside))
        self._assume(_is_not_null(self._element(at)))
        next_ = make.binary(Op.ADD, at, make.const(1, self._type))
        self._edges.append(Edge(self._here, Assign(at, next_), head, self._entry.coord))
        self._here = head
        self._step(Assume(make.negate(inside)))
        return at

    def _element(self, number: Expr) -> Expr:
        return make.deref(make.pointer_add(self._argv, number))

    def _assume(self, cond: Expr) -> None:
        self._step(Assume(cond, promised=True))

    def _step(self, op: Operation) -> None:
        after = self._fresh()
        self._edges.append(Edge(self._here, op, after, self._entry.coord))
        self._here = after

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._entry.name, self._next - 1)


def _is_not_null(pointer: Expr) -> Expr:
    assert isinstance(pointer.type, PointerType)
    return make.negate(make.equal(pointer, make.const(0, pointer.type)))


def _operands(op: Operation) -> Iterator[Expr]:
    """The target of an operation, and the values that it evaluates."""
    yield from op_values(op)
    target = op_target(op)
    if target is not None:
        yield target


def _terms(whole: set[Expr]) -> set[Expr]:
    """All parts of the terms, but for the conditions of checks."""
    stack, found = list(whole), set[Expr]()
    while stack:
        term = stack.pop()
        if term not in found and not isinstance(term, ValidAccess):
            found.add(term)
            stack.extend(children(term))
    return found


def _has_others(whole: set[Expr], used: set[Expr], argv: Var) -> bool:
    """Is argv used for anything else than its first elements, by their numbers?"""
    first: set[Expr] = {argv}
    for term in used:
        match term:
            case PointerAdd(base, Const(number, _), _) if base is argv and 0 <= number < _NAMED:
                first.add(term)
    around = (term for term in used - first if not _is_plain(term))
    return bool(whole & first) or any(part in first for term in around for part in children(term))


def _is_plain(term: Expr) -> bool:
    """Is it an element, or a comparison with null?"""
    match term:
        case Deref() | Binary(Op.EQ, _, Const(), _):
            return True
    return False
