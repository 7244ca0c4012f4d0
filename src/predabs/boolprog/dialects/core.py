"""The core of the language: what every other checker can say, with the same meaning.

Expressions have variables, constants, `!`, `&`, `|` and `=` only. A free choice stands alone: `*`
is the whole value of an assignment, and a condition reads a temporary variable that was assigned
one just before. Statements are `skip`, assignments, calls that take all results, `assume`,
`assert`, `goto` to one label, `if`, `while` and `return`; each has at most one label. Runs begin in
a procedure `main` that has no parameters and no results.

The duty: an assertion of the core can fail if and only if one of the program can (or, if a label is
given, if and only if a run can reach that label). The number of steps differs.

>>> from ..parse import parse
>>> from ..show import show
>>> print(show(core(parse("void main() begin decl a; a := choose(a, *); assert(a ^ T); end"))))
void main() begin
  decl a, t1, t2;
  t1 := *;
  t2 := *;
  a := a | (!t1 & t2);
  assert(!(a = T));
end
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from ...errors import InputError
from ...records import replace
from ..resolve import entry
from ..syntax import (
    DISCARD,
    FALSE,
    STAR,
    AbortIf,
    Action,
    Assert,
    Assign,
    Assume,
    Binary,
    Body,
    Branch,
    Call,
    Choose,
    Cond,
    Const,
    Dead,
    DoWhile,
    Expr,
    Goto,
    If,
    Nary,
    Next,
    Not,
    Procedure,
    Program,
    Return,
    Skip,
    Star,
    Statement,
    Var,
    While,
    fold,
    nary,
    statements,
)


def core(program: Program, label: str | None = None) -> Program:
    """The program in the core language. With a label (`L`, or `procedure:L`), reaching it is the
    only error."""
    first = entry(program)
    if label is not None and not _labelled(program, label):
        raise InputError(f"{program.at.file}: there is no label `{label}`")
    if first.name == "main" and not first.params and not first.returns:
        procedures = tuple(_Lowering(program, p, label, {}).procedure() for p in program.procedures)
        return replace(program, procedures=procedures)
    # The entry is called with any arguments, by a `main` of ours.
    renamed = {"main": _fresh("main_", (p.name for p in program.procedures))}
    procedures = tuple(
        _Lowering(program, p, label, renamed).procedure() for p in program.procedures
    )
    start = _start(first, renamed.get(first.name, first.name))
    return replace(program, procedures=(start, *procedures))


def _labelled(program: Program, label: str) -> bool:
    return any(
        is_target(p, name, label)
        for p in program.procedures
        for s in statements(p.body)
        for name in s.labels
    )


def is_target(procedure: Procedure, name: str, label: str) -> bool:
    """Is the label `name` of a procedure the one that is meant by `L` or `procedure:L`?"""
    wanted_procedure, _, wanted = label.rpartition(":")
    return name == wanted and wanted_procedure in ("", procedure.name)


def _fresh(name: str, taken: Iterable[str]) -> str:
    known = frozenset(taken)
    number = 1
    while f"{name}{number}" in known:
        number += 1
    return f"{name}{number}"


def _start(first: Procedure, called: str) -> Procedure:
    args = tuple(f"a{i}" for i in range(len(first.params)))
    results = tuple(f"r{i}" for i in range(first.returns))
    call = Call(results, called, tuple(map(Var, args)))
    return Procedure("main", (), 0, args + results, (Statement(call),), at=first.at)


def negation(e: Expr) -> Expr:
    """The opposite, without two `!` in a row."""
    match e:
        case Const(value):
            return Const(not value)
        case Not(arg):
            return arg
        case _:
            return Not(e)


class _Lowering:
    """One procedure. Temporary variables are used again by each statement: they are read only by
    the statement whose beginning assigns them."""

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        label: str | None,
        renamed: Mapping[str, str],
    ) -> None:
        self._returns = {p.name: p.returns for p in program.procedures}
        self._renamed = renamed
        self._procedure = procedure
        self._label = label
        taken = {*program.globals, *procedure.variables}
        self._prefix = "t"
        while any(name.startswith(self._prefix) and name[len(self._prefix) :].isdigit()
                  for name in taken):  # fmt: skip
            self._prefix += "_"
        self._most = 0
        self._used = 0
        self._labels = {x for s in statements(procedure.body) for x in s.labels}
        self._before: list[Statement] = []

    def procedure(self) -> Procedure:
        p = self._procedure
        body = [*self._enforced(), *self._body(p.body)]
        if p.returns and not (body and isinstance(body[-1].action, Return | Goto)):
            self._begin()
            values = tuple(self._expression(STAR) for _ in range(p.returns))
            body += [*self._before, Statement(Return(values), at=p.at)]
        temporary = tuple(f"{self._prefix}{i + 1}" for i in range(self._most))
        return replace(
            p,
            name=self._renamed.get(p.name, p.name),
            body=tuple(body),
            locals=p.locals + temporary,
            enforce=None,
        )

    # -- expressions ----------------------------------------------------------------------------

    def _begin(self) -> None:
        """A new statement: nothing comes before it yet, and all temporaries are free."""
        self._before = []
        self._used = 0

    def _name(self) -> str:
        self._used += 1
        self._most = max(self._most, self._used)
        return f"{self._prefix}{self._used}"

    def _temporary(self, value: Expr) -> Var:
        name = self._name()
        self._before.append(Statement(Assign((name,), (value,))))
        return Var(name)

    def _expression(self, e: Expr, after: Mapping[str, Expr] | None = None) -> Expr:
        """`e` without choices, which are made in `self._before`; `after` has the next values."""
        following = after or {}

        def combine(node: Expr, parts: list[Expr]) -> Expr:
            match node:
                case Const() | Var():
                    return node
                case Star():
                    return self._temporary(STAR)
                case Next(name):
                    return following.get(name, Var(name))
                case Not():
                    return negation(parts[0])
                case Nary("^", _):
                    result = parts[0]
                    for part in parts[1:]:
                        result = negation(Binary("=", result, part))
                    return result
                case Nary(op, _):
                    return nary(op, parts)
                case Binary("=", _, _):
                    return Binary("=", parts[0], parts[1])
                case Binary("!=", _, _):
                    return negation(Binary("=", parts[0], parts[1]))
                case Binary():
                    return nary("|", (negation(parts[0]), parts[1]))
                case Cond():
                    # It is read twice, and may be long: named, unless it is a variable.
                    test = parts[0]
                    if not isinstance(test, Var | Const):
                        test = self._temporary(test)
                    yes = nary("&", (test, parts[1]))
                    return nary("|", (yes, nary("&", (negation(test), parts[2]))))
                case Choose():
                    free = nary("&", (negation(parts[1]), self._temporary(STAR)))
                    return nary("|", (parts[0], free))
                case _:
                    assert_never(node)

        return fold(e, combine)

    # -- statements -----------------------------------------------------------------------------

    def _body(self, body: Body) -> Body:
        return tuple(inner for s in body for inner in self._statement(s))

    def _statement(self, s: Statement) -> Iterator[Statement]:
        lowered = [replace(part, at=s.at) for part in self._lowered(s.action)]
        if self._label is not None and any(
            is_target(self._procedure, name, self._label) for name in s.labels
        ):
            lowered.insert(0, Statement(Assert(FALSE), at=s.at))
        for name in s.labels[:-1]:
            yield Statement(Skip(), (name,), s.at)
        if s.labels:
            if lowered[0].labels:
                lowered.insert(0, Statement(Skip(), at=s.at))
            lowered[0] = replace(lowered[0], labels=s.labels[-1:])
        yield from lowered

    def _enforced(self) -> list[Statement]:
        """What is assumed wherever a variable may have changed."""
        if self._procedure.enforce is None:
            return []
        self._begin()
        condition = self._expression(self._procedure.enforce)
        return [*self._before, Statement(Assume(condition))]

    def _lowered(self, action: Action) -> list[Statement]:
        self._begin()
        match action:
            case Skip():
                return [Statement(action)]
            case Assign(targets, values, constrain):
                return [*self._assign(targets, values, constrain), *self._enforced()]
            case Dead(targets):
                return [
                    Statement(Assign(targets, (STAR,) * len(targets))),
                    *self._enforced(),
                ]
            case Call(targets, procedure, args):
                return [*self._call(targets, procedure, args), *self._enforced()]
            case Assume(condition):
                return self._then(Assume(self._expression(condition)))
            case AbortIf(condition):
                return self._then(Assume(negation(self._expression(condition))))
            case Assert(condition):
                holds = self._expression(condition)
                return self._then(Assert(holds) if self._label is None else Assume(holds))
            case Goto(labels):
                return self._goto(labels)
            case Return(values):
                return self._then(Return(tuple(map(self._expression, values))))
            case If(cases, otherwise):
                tests = [self._expression(condition) for condition, _ in cases]
                return self._choice(tests, [*(body for _, body in cases), otherwise])
            case While(condition, body):
                test = self._expression(condition)
                again = tuple(self._before)
                return [*again, Statement(While(test, (*self._body(body), *again)))]
            case DoWhile(body, condition):
                return self._do(body, condition)
            case Branch(bodies):
                if len(bodies) == 1:
                    return [Statement(Skip()), *self._body(bodies[0])]
                return self._choice(self._any_of(len(bodies)), bodies)
            case _:
                assert_never(action)

    def _then(self, action: Action) -> list[Statement]:
        return [*self._before, Statement(action)]

    def _assign(
        self, targets: tuple[str, ...], values: tuple[Expr, ...], constrain: Expr | None
    ) -> list[Statement]:
        kept = [(t, v) for t, v in zip(targets, values, strict=True) if t != DISCARD]
        names = tuple(t for t, _ in kept)
        taken = tuple(v if isinstance(v, Star) else self._expression(v) for _, v in kept)
        if constrain is None:
            return self._then(Assign(names, taken) if names else Skip())
        following = {t: self._temporary(v) for t, v in zip(names, taken, strict=True)}
        condition = self._expression(constrain, following)
        self._before.append(Statement(Assume(condition)))
        return self._then(Assign(names, tuple(following.values())) if names else Skip())

    def _call(
        self, targets: tuple[str, ...], procedure: str, args: tuple[Expr, ...]
    ) -> list[Statement]:
        given = tuple(map(self._expression, args))
        wanted = targets or (DISCARD,) * self._returns[procedure]
        taken = tuple(self._name() if t == DISCARD else t for t in wanted)
        return self._then(Call(taken, self._renamed.get(procedure, procedure), given))

    def _goto(self, labels: tuple[str, ...]) -> list[Statement]:
        if len(labels) == 1:
            return [Statement(Goto(labels))]
        *first, last = [(Statement(Goto((label,))),) for label in labels]
        return self._then(If(tuple(zip(self._any_of(len(labels)), first, strict=True)), last))

    def _any_of(self, number: int) -> list[Expr]:
        """Tests for all but the last of some cases, of which any one may be taken: the case's
        number in bits, each a choice."""
        bits = [self._expression(STAR) for _ in range((number - 1).bit_length())]
        return [
            nary("&", [b if case >> i & 1 else negation(b) for i, b in enumerate(bits)])
            for case in range(number - 1)
        ]

    def _choice(self, tests: list[Expr], bodies: Iterable[Body]) -> list[Statement]:
        """Tests one after the other; the last body has none. No statement stands between the
        tests, so that all their choices can be made before the first."""
        before = self._before
        parts = [self._body(body) or (Statement(Skip()),) for body in bodies]
        *first, last = parts
        return [*before, Statement(If(tuple(zip(tests, first, strict=True)), last))]

    def _do(self, body: Body, condition: Expr) -> list[Statement]:
        name = _fresh("again_", self._labels)
        self._labels.add(name)
        inner = self._body(body)
        self._begin()
        test = self._expression(condition)
        back = If(((test, (Statement(Goto((name,))),)),), (Statement(Skip()),))
        return [Statement(Skip(), (name,)), *inner, *self._then(back)]
