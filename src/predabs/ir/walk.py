"""Walks over terms and operations: children, folds, substitution, what is read and written.

Every walk keeps its own stack, so a term may be 100,000 levels deep, and visits a shared subterm
once. Soundness duty: a rebuilt term has the type and the meaning of the plain one, and no place
that an operation reads or writes is left out (bytes behind a pointer count as `*(void *)pointer`).

>>> from .types import INT
>>> x, y = Var("x", INT), Var("y", INT)
>>> swapped = substitute(make.less(x, y), {x: y, y: x})
>>> swapped is make.less(y, x)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar, assert_never

from ..errors import InternalError
from . import make
from .expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    FunctionAddress,
    Index,
    Ite,
    Lvalue,
    Not,
    ObjectSize,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    Var,
)
from .ops import (
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
    Operation,
    Print,
    Return,
    Skip,
)
from .types import VOID, PointerType

T = TypeVar("T")


_CHILDREN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Var: lambda e: (),
    Const: lambda e: (),
    FloatConst: lambda e: (),
    FunctionAddress: lambda e: (),
    Unary: lambda e: (e.arg,),
    Binary: attrgetter("left", "right"),
    Cast: lambda e: (e.arg,),
    PointerAdd: attrgetter("pointer", "index"),
    PointerDiff: attrgetter("left", "right"),
    Deref: lambda e: (e.pointer,),
    Field: lambda e: (e.base,),
    Index: attrgetter("base", "index"),
    AddressOf: lambda e: (e.target,),
    ObjectSize: lambda e: (e.pointer,),
    Ite: attrgetter("cond", "then", "other"),
    Not: lambda e: (e.arg,),
    And: attrgetter("args"),
    Or: attrgetter("args"),
}


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct subterms, from left to right."""
    return _CHILDREN[type(e)](e)  # every walk spends its time here: a table is the fastest


def rebuild(e: Expr, new: tuple[Expr, ...]) -> Expr:
    """The term `e` with new children of the same types, simplified by the rules of `ir.make`."""
    old = children(e)
    if old == new:
        return e
    for before, after in zip(old, new, strict=True):
        if before.type is not after.type:
            raise InternalError(f"a subterm of type {before.type} became one of type {after.type}")
    match e:
        case Var() | Const() | FloatConst() | FunctionAddress():
            return e
        case Unary(op, _, _):
            return make.unary(op, new[0])
        case Binary(op, _, _, _):
            return (make.compare if op.is_comparison else make.binary)(op, new[0], new[1])
        case Cast(_, type_):
            return make.cast(new[0], type_)
        case PointerAdd(pointer, _, type_):
            if pointer.type is type_:
                return make.pointer_add(new[0], new[1])
            return PointerAdd(new[0], new[1], type_)
        case PointerDiff(_, _, type_):
            return make.pointer_diff(new[0], new[1], type_)
        case Deref(pointer, type_):
            if isinstance(pointer.type, PointerType) and pointer.type.target is type_:
                return make.deref(new[0])
            return Deref(new[0], type_)
        case Field(_, name, type_):
            return Field(_lvalue(new[0]), name, type_)
        case Index(_, _, type_):
            return Index(_lvalue(new[0]), new[1], type_)
        case AddressOf(_, type_):
            return make.address_of(_lvalue(new[0]), type_)
        case ObjectSize(_, type_):
            return ObjectSize(new[0], type_)
        case Ite():
            return make.ite(*new)
        case Not():
            return make.negate(new[0])
        case And():
            return make.conj(new)
        case Or():
            return make.disj(new)
    assert_never(e)


def _lvalue(e: Expr) -> Lvalue:
    if isinstance(e, Var | Deref | Field | Index):
        return e
    raise InternalError(f"a {type(e).__name__} stands where only an lvalue can stand")


def subterms(e: Expr) -> Iterator[Expr]:
    """Every subterm once, children before their parents, `e` last."""
    return _post_order(e, children)


def evaluated(e: Expr) -> Iterator[Expr]:
    """The subterms whose values the value of `e` is made from, each once and after its operands,
    `e` last. Objects around a member or an element are not among them: they are not read."""
    return _post_order(e, operands)


def operands(e: Expr) -> tuple[Expr, ...]:
    """The terms from whose values that of `e` is made: of a place, its pointer and its indices."""
    place = e.target if isinstance(e, AddressOf) else e
    if isinstance(place, Lvalue):
        return tuple(part for link in _place(place) for part in _used(link))
    return children(e)


def _post_order(e: Expr, parts: Callable[[Expr], tuple[Expr, ...]]) -> Iterator[Expr]:
    opened: set[Expr] = set()
    closed: set[Expr] = set()
    stack = [e]
    while stack:
        term = stack[-1]
        if term not in opened:
            opened.add(term)
            stack.extend(child for child in reversed(parts(term)) if child not in opened)
        else:
            stack.pop()
            if term not in closed:
                closed.add(term)
                yield term


def fold(e: Expr, function: Callable[[Expr, tuple[T, ...]], T]) -> T:
    """The result of `function(term, results of its children)`, bottom-up, once per subterm."""
    memo: dict[Expr, T] = {}
    for term in subterms(e):
        memo[term] = function(term, tuple(map(memo.__getitem__, children(term))))
    return memo[e]


def variables(e: Expr) -> tuple[Var, ...]:
    """The variables that occur in `e`, also those whose address alone is used, in fixed order."""
    return tuple(term for term in subterms(e) if isinstance(term, Var))


def rename(e: Expr, mapping: Mapping[Var, Var]) -> Expr:
    """`e` with other variables, everywhere: `&x` becomes `&y` too."""

    def step(term: Expr, new: tuple[Expr, ...]) -> Expr:
        return mapping.get(term, term) if isinstance(term, Var) else rebuild(term, new)

    return fold(e, step)


def substitute(e: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """`e` with every key, where its value is used, replaced by its image, all at the same time.

    A key may be any term; the largest that fits is taken, and nothing inside an image is replaced
    again. An address is not a use: with `x` as a key, `&x` and `&x.f` stay, while the `i` of
    `&a[i]` is replaced. Unchanged subterms stay the same objects. This is the substitution of
    Hoare's axiom [Hoa69]; whether two different lvalues are the same place is the caller's
    business.
    """
    for key, value in mapping.items():
        if key.type is not value.type:
            raise InternalError(f"a term of type {value.type} cannot replace one of {key.type}")
    memo = dict(mapping)
    stack = [e]
    while stack:
        term = stack[-1]
        if term in memo:
            stack.pop()
            continue
        chain = _place(term.target) if isinstance(term, AddressOf) else []
        parts = [part for link in chain for part in _used(link)] if chain else children(term)
        if missing := [part for part in parts if part not in memo]:
            stack.extend(missing)
        elif chain:
            memo[term] = rebuild(term, (_moved(chain, memo),))
        else:
            memo[term] = rebuild(term, tuple(map(memo.__getitem__, parts)))
    return memo[e]


def root_of(place: Lvalue) -> Var | Deref:
    """What a member or an element is part of: `*p` of `p->f[i]`."""
    while isinstance(place, Field | Index):
        place = place.base
    return place


def _place(e: Expr) -> list[Expr]:
    """The lvalue and the objects around it: `p->f[i]`, `p->f`, `*p`."""
    chain = [e]
    while isinstance(e, Field | Index):
        e = e.base
        chain.append(e)
    return chain


def _used(e: Expr) -> tuple[Expr, ...]:
    """The values that locating this member, element or object takes, beside what it is part of."""
    match e:
        case Index(_, position, _):
            return (position,)
        case Deref(pointer, _):
            return (pointer,)
    return ()


def _moved(chain: list[Expr], values: Mapping[Expr, Expr]) -> Expr:
    """The place with new values of indices and pointers."""
    *outer, root = chain
    new = rebuild(root, tuple(values[part] for part in _used(root)))
    for link in reversed(outer):
        new = rebuild(link, (new, *(values[part] for part in _used(link))))
    return new


def reads(e: Expr) -> tuple[Lvalue, ...]:
    """The lvalues whose value `e` uses: `*p + a[i].f` reads `*p`, `p`, `a[i].f` and `i`."""
    return _reads([e])


def _reads(values: Sequence[Expr]) -> tuple[Lvalue, ...]:
    found: dict[Lvalue, None] = {}
    seen: set[Expr] = set()
    stack = list(reversed(values))
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        match term:
            case Var() | Deref() | Field() | Index():
                found[term] = None
                chain = _place(term)
            case AddressOf(target, _):
                chain = _place(target)
            case _:
                stack.extend(reversed(children(term)))
                continue
        # what a member or an element is part of is not read as a whole
        stack.extend(part for link in chain for part in _used(link))
    return tuple(found)


def op_target(op: Operation) -> Lvalue | None:
    """The lvalue that gets the operation's result, if there is one."""
    match op:
        case Assign(target) | Havoc(target) | Call(target) | Alloc(target) | Print(target):
            return target
        case Skip() | Assume() | Return() | Free() | Fill() | Copy() | Error() | Halt():
            return None
    assert_never(op)


def op_values(op: Operation) -> tuple[Expr, ...]:
    """The expressions that the operation evaluates, without its target."""
    match op:
        case Skip() | Havoc() | Error():
            return ()
        case Assign(_, value):
            return (value,)
        case Assume(cond):
            return (cond,)
        case Call(_, callee, args):
            return (callee, *args)
        case Return(value) | Halt(_, value):
            return () if value is None else (value,)
        case Alloc(_, size):
            return (size,)
        case Free(pointer):
            return (pointer,)
        case Fill(pointer, byte, size):
            return (pointer, byte, size)
        case Copy(pointer, source, size):
            return (pointer, source, size)
        case Print(_, _, args):
            return args
    assert_never(op)


def op_reads(op: Operation) -> tuple[Lvalue, ...]:
    """The lvalues that the operation itself reads; not those that a called function reads.

    `*(void *)p` stands for bytes from p on: those that are copied, and strings that are printed.
    """
    values = list(op_values(op))
    target = op_target(op)
    if target is not None:
        values.extend(part for link in _place(target) for part in _used(link))
    if isinstance(op, Copy):
        values.append(Deref(op.source, VOID))
    elif isinstance(op, Print):
        pointers = [arg for arg in op.args if isinstance(arg.type, PointerType)]
        values.extend(Deref(pointer, VOID) for pointer in pointers)
    return _reads(values)


def op_writes(op: Operation) -> tuple[Lvalue, ...]:
    """The lvalues that the operation itself writes; not those that a called function writes.

    `*(void *)p` stands for bytes from p on: those that are filled, copied to, or freed.
    """
    target = op_target(op)
    if target is not None:
        return (target,)
    if isinstance(op, Fill | Copy | Free):
        return (Deref(op.pointer, VOID),)
    return ()


def map_op(op: Operation, f: Callable[[Expr], Expr]) -> Operation:
    """The operation with `f` applied to its target and to each expression that it evaluates.

    `f` keeps types, and gives an lvalue for the target. The same object if nothing changes.
    """
    target = op_target(op)
    values = op_values(op)
    new_target = None if target is None else _lvalue(f(target))
    new = tuple(f(value) for value in values)
    if target is new_target and all(a is b for a, b in zip(values, new, strict=True)):
        return op
    match op:
        case Assign():
            return Assign(_known(new_target), new[0])
        case Havoc(_, source, name):
            return Havoc(_known(new_target), source, name)
        case Alloc(_, _, kind, zeroed, reuse):
            return Alloc(_known(new_target), new[0], kind, zeroed, reuse)
        case Call():
            return Call(new_target, new[0], new[1:])
        case Print(_, function, _):
            return Print(new_target, function, new)
        case Assume():
            return Assume(new[0])
        case Return():
            return Return(new[0])
        case Halt(text, _):
            return Halt(text, new[0])
        case Free():
            return Free(new[0])
        case Fill():
            return Fill(*new)
        case Copy():
            return Copy(*new)
        case Skip() | Error():
            return op
    assert_never(op)


def _known(target: Lvalue | None) -> Lvalue:
    assert target is not None  # these operations always have one
    return target
