"""Walks over terms: children, folds, substitution, and the lvalues that a term reads.

Every walk keeps its own stack, so a term may be 100,000 levels deep, and visits a shared subterm
once. Soundness duty: a rebuilt term has the type and the meaning of the original, and no lvalue
that a term reads is left out.

>>> from .types import INT
>>> x, y = Var("x", INT), Var("y", INT)
>>> swapped = substitute(make.less(x, y), {x: y, y: x})
>>> swapped is make.less(y, x)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar, assert_never

from ..errors import InternalError
from . import make
from .expr import (
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
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    ValidAccess,
    ValidFree,
    Var,
)
from .types import PointerType

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
    ValidAccess: attrgetter("pointer", "size"),
    ValidFree: lambda e: (e.pointer,),
    Initialised: lambda e: (e.pointer,),
    NoLeak: lambda e: (),
    Ite: attrgetter("cond", "then", "other"),
    Not: lambda e: (e.arg,),
    And: attrgetter("args"),
    Or: attrgetter("args"),
    Bound: lambda e: (),
    Forall: lambda e: (e.body,),
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
        case Var() | Const() | FloatConst() | FunctionAddress() | NoLeak() | Bound():
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
            return Field(as_lvalue(new[0]), name, type_)
        case Index(_, _, type_):
            return Index(as_lvalue(new[0]), new[1], type_)
        case AddressOf(_, type_):
            return make.address_of(as_lvalue(new[0]), type_)
        case ObjectSize(_, type_):
            return ObjectSize(new[0], type_)
        case ValidAccess(_, _, writes):
            return ValidAccess(new[0], new[1], writes)
        case ValidFree():
            return ValidFree(new[0])
        case Initialised():
            return Initialised(new[0])
        case Ite():
            return make.ite(*new)
        case Not():
            return make.negate(new[0])
        case And():
            return make.conj(new)
        case Or():
            return make.disj(new)
        case Forall(bound, _):
            return new[0] if isinstance(new[0], Const) else Forall(bound, new[0])
    assert_never(e)


def as_lvalue(e: Expr) -> Lvalue:
    """The term, which must be an lvalue."""
    if isinstance(e, Var | Deref | Field | Index):
        return e
    raise InternalError(f"a {type(e).__name__} stands where only an lvalue can stand")


def subterms(e: Expr) -> Iterator[Expr]:
    """Every subterm once, children before their parents, `e` last."""
    return _post_order(e, children)


def unseen(values: Iterable[Expr], seen: set[Expr]) -> Iterator[Expr]:
    """The subterms of many terms, parents first, but for those in `seen`; they are added to it."""
    stack = list(values)
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            yield term
            stack.extend(children(term))


def evaluated(e: Expr) -> Iterator[Expr]:
    """The subterms whose values the value of `e` is made from, each once and after its operands,
    `e` last. Objects around a member or an element are not among them: they are not read."""
    return _post_order(e, operands)


def operands(e: Expr) -> tuple[Expr, ...]:
    """The terms from whose values that of `e` is made: of an lvalue, its pointer and its
    indices."""
    lvalue = e.target if isinstance(e, AddressOf) else e
    if isinstance(lvalue, Lvalue):
        return tuple(part for link in _chain(lvalue) for part in _used(link))
    return children(e)


def _post_order(e: Expr, parts: Callable[[Expr], tuple[Expr, ...]]) -> Iterator[Expr]:
    entered: set[Expr] = set()
    stack: list[Expr | None] = [e]  # None: what is below has been left behind
    while stack:
        term = stack.pop()
        if term is None:
            whole = stack.pop()
            assert whole is not None
            yield whole
        elif term not in entered:
            entered.add(term)
            below = parts(term)
            if below:
                stack += (term, None, *below[::-1])
            else:
                yield term


def fold(e: Expr, function: Callable[[Expr, tuple[T, ...]], T]) -> T:
    """The result of `function(term, results of its children)`, bottom-up, once per subterm."""
    memo: dict[Expr, T] = {}
    for term in subterms(e):
        memo[term] = function(term, tuple(map(memo.__getitem__, children(term))))
    return memo[e]


class Folding(Generic[T]):
    """`fold` of many terms: what was found of a subterm is kept for the next ones."""

    def __init__(self, function: Callable[[Expr, tuple[T, ...]], T]) -> None:
        self._function = function
        self._known: dict[Expr, T] = {}

    def __call__(self, e: Expr) -> T:
        known = self._known
        stack = [e]
        while stack:
            term = stack[-1]
            if term not in known:
                parts = children(term)
                missing = [part for part in parts if part not in known]
                if missing:
                    stack.extend(missing)
                    continue
                known[term] = self._function(term, tuple(map(known.__getitem__, parts)))
            stack.pop()
        return known[e]


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
    Hoare's axiom [Hoa69]; whether two different lvalues are aliases is the caller's
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
        chain = _chain(term.target) if isinstance(term, AddressOf) else []
        parts = [part for link in chain for part in _used(link)] if chain else children(term)
        if missing := [part for part in parts if part not in memo]:
            stack.extend(missing)
        elif chain:
            memo[term] = rebuild(term, (_with_values(chain, memo),))
        else:
            memo[term] = rebuild(term, tuple(map(memo.__getitem__, parts)))
    return memo[e]


def root_of(lvalue: Lvalue) -> Var | Deref:
    """What a member or an element is part of: `*p` of `p->f[i]`."""
    while isinstance(lvalue, Field | Index):
        lvalue = lvalue.base
    return lvalue


def _chain(e: Expr) -> list[Expr]:
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


def _with_values(chain: list[Expr], values: Mapping[Expr, Expr]) -> Expr:
    """The lvalue with new values of indices and pointers."""
    *outer, root = chain
    new = rebuild(root, tuple(values[part] for part in _used(root)))
    for link in reversed(outer):
        new = rebuild(link, (new, *(values[part] for part in _used(link))))
    return new


def reads(e: Expr) -> tuple[Lvalue, ...]:
    """The lvalues whose value `e` uses: `*p + a[i].f` reads `*p`, `p`, `a[i].f` and `i`."""
    return reads_of([e])


def reads_of(values: Sequence[Expr]) -> tuple[Lvalue, ...]:
    """The lvalues whose value one of the terms uses, each once."""
    found: dict[Lvalue, None] = {}
    seen: set[Expr] = set()
    stack = list(reversed(values))
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        match term:
            case Const():  # most terms are one of these two
                continue
            case Var():
                found[term] = None
                continue
            case Deref() | Field() | Index():
                found[term] = None
                chain = _chain(term)
            case AddressOf(target, _):
                chain = _chain(target)
            case Initialised(pointer):
                stack.append(make.deref(pointer))
                continue
            case _:
                stack.extend(reversed(children(term)))
                continue
        # what a member or an element is part of is not read as a whole
        stack.extend(part for link in chain for part in _used(link))
    return tuple(found)
