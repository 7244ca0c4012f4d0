"""Questions to solvers as keys: what was asked once, in any program, is known again.

A question is a list of terms. Its key is a digest of them in which names of symbols are replaced by
numbers in the order of their occurrence: a formula means the same whatever its variables are
called. Soundness duty: two lists of terms with the same key differ in the names of symbols only.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from ...smt.term import App, Symbol, Term, Value, postorder, show_sort


def digest(labels: Sequence[str], terms: Sequence[Term | None]) -> str:
    """The key of some terms, of which some may be missing, and of labels that belong to them.

    >>> from ...smt.term import INT, TRUE, Op, apply
    >>> x, y = Symbol("x", INT), Symbol("y", INT)
    >>> less, more, same = (apply(Op.LT, pair) for pair in ((x, y), (y, x), (x, x)))
    >>> digest((), [less]) == digest((), [more]), digest((), [less]) == digest((), [same])
    (True, False)
    >>> digest((), [less, x]) == digest((), [more, x]), digest((), [less]) == digest(("a",), [less])
    (False, False)
    """
    found = sha256(repr(tuple(labels)).encode())
    numbers: dict[Term, int] = {}
    names: dict[str, int] = {}
    for term in postorder(term for term in terms if term is not None):
        match term:
            case Symbol(name, sort):
                text = f"symbol {names.setdefault(name, len(names))} {show_sort(sort)}"
            case Value(value, sort):
                text = f"value {value} {show_sort(sort)}"
            case App(op, args, params, sort):
                below = " ".join(str(numbers[arg]) for arg in args)
                beside = " ".join(str(p) if isinstance(p, int) else show_sort(p) for p in params)
                text = f"{op.value} [{beside}] ({below}) {show_sort(sort)}"
        numbers[term] = len(numbers)
        found.update(f"{text}\n".encode())
    roots = ["-" if term is None else str(numbers[term]) for term in terms]
    found.update(" ".join(roots).encode())
    return found.hexdigest()
