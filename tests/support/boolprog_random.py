"""Random small Boolean programs: several procedures, recursion, gotos and all kinds of choice."""

from __future__ import annotations

import random

from predabs.boolprog.syntax import (
    DISCARD,
    FALSE,
    STAR,
    TRUE,
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
    Dead,
    DoWhile,
    Expr,
    Goto,
    If,
    Next,
    Not,
    Procedure,
    Program,
    Return,
    Skip,
    Statement,
    Var,
    While,
    nary,
)


def random_program(seed: int) -> Program:
    """The program with this number; the same number always gives the same program."""
    return _Maker(random.Random(seed)).program()


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._globals = tuple(f"g{i}" for i in range(rng.randint(0, 3)))
        names = ["main", "p", "q"][: rng.randint(1, 3)]
        self._heads = {
            name: (
                tuple(f"{name}_a{i}" for i in range(rng.randint(0, 2))),
                rng.randint(0, 2),
                self._locals(name),
            )
            for name in names
        }

    def _locals(self, name: str) -> tuple[str, ...]:
        own = [f"{name}_l{i}" for i in range(self._rng.randint(0, 2))]
        if self._globals and self._rng.random() < 0.1:
            own.append(self._globals[0])  # hides the global
        return tuple(own)

    def program(self) -> Program:
        procedures = []
        for name, (params, returns, local_names) in self._heads.items():
            self._variables = tuple(dict.fromkeys((*self._globals, *params, *local_names)))
            self._returns = returns
            self._labels: list[str] = []
            self._wanted: list[str] = [f"L{i}" for i in range(self._rng.randint(0, 2))]
            enforce = self.expression(2) if self._rng.random() < 0.15 else None
            body = list(self.body(0))
            body += [Statement(Skip(), (label,)) for label in self._wanted[len(self._labels) :]]
            if returns and self._rng.random() < 0.8:
                body.append(Statement(self.return_()))
            procedures.append(Procedure(name, params, returns, local_names, tuple(body), enforce))
        return Program(self._globals, tuple(procedures))

    def expression(self, depth: int, next_names: tuple[str, ...] = ()) -> Expr:
        rng = self._rng
        if depth == 0 or rng.random() < 0.25:
            kind = rng.random()
            if self._variables and kind < 0.75:
                if next_names and rng.random() < 0.5:
                    return Next(rng.choice(next_names))
                return Var(rng.choice(self._variables))
            return STAR if kind < 0.9 else rng.choice((TRUE, FALSE))

        def part() -> Expr:
            return self.expression(depth - 1, next_names)

        match rng.randrange(8):
            case 0 | 1:
                return Not(part())
            case 2:
                return nary("&", (part(), part()))
            case 3:
                return nary("|", (part(), part()))
            case 4:
                return nary("^", (part(), part(), part())[: rng.randint(2, 3)])
            case 5:
                return Binary(rng.choice(("=", "!=", "=>")), part(), part())
            case 6:
                return Cond(part(), part(), part())
            case _:
                return Choose(part(), part())

    def body(self, depth: int) -> Body:
        number = self._rng.randint(3, 6) if depth == 0 else self._rng.randint(1, 4 - depth)
        return tuple(self.statement(depth) for _ in range(number))

    def statement(self, depth: int) -> Statement:
        labels: tuple[str, ...] = ()
        if len(self._labels) < len(self._wanted) and self._rng.random() < 0.3:
            labels = (self._wanted[len(self._labels)],)
            self._labels += labels
        return Statement(self.action(depth), labels)

    def return_(self) -> Action:
        return Return(tuple(self.expression(1) for _ in range(self._returns)))

    def targets(self, number: int) -> tuple[str, ...]:
        chosen = self._rng.sample(self._variables, min(number, len(self._variables)))
        chosen += [DISCARD] * (number - len(chosen))
        return tuple(DISCARD if self._rng.random() < 0.1 else t for t in chosen)

    def action(self, depth: int) -> Action:
        rng = self._rng
        compound = depth < 2 and rng.random() < 0.3
        if compound:
            match rng.randrange(4):
                case 0:
                    cases = tuple(
                        (self.expression(2), self.body(depth + 1)) for _ in range(rng.randint(1, 2))
                    )
                    otherwise = self.body(depth + 1) if rng.random() < 0.5 else ()
                    return If(cases, otherwise)
                case 1:
                    return While(self.expression(2), self.body(depth + 1))
                case 2:
                    return DoWhile(self.body(depth + 1), self.expression(2))
                case _:
                    return Branch(tuple(self.body(depth + 1) for _ in range(rng.randint(1, 3))))
        match rng.randrange(20):
            case 0:
                return Skip()
            case 1:
                return Assume(self.expression(2))
            case 2 | 3 | 4:
                return Assert(nary("|", [self.expression(2) for _ in range(rng.randint(1, 3))]))
            case 5:
                return AbortIf(self.expression(2))
            case 6 if self._variables:
                return Dead(
                    tuple(t for t in self.targets(1) if t != DISCARD) or self._variables[:1]
                )
            case 7 | 8 if self._wanted:
                return Goto(tuple(rng.sample(self._wanted, rng.randint(1, len(self._wanted)))))
            case 9:
                return self.return_()
            case 10 | 11 | 12 | 13 | 14:
                name = rng.choice(list(self._heads))
                params, returns, _ = self._heads[name]
                targets = self.targets(returns) if rng.random() < 0.9 else ()
                return Call(targets, name, tuple(self.expression(1) for _ in params))
            case _:
                targets = self.targets(rng.randint(1, 3))
                constrain = None
                if self._variables and rng.random() < 0.3:
                    constrain = self.expression(3, self._variables)
                return Assign(targets, tuple(self.expression(2) for _ in targets), constrain)
