"""An explicit-state reference checker for small Boolean programs, for tests only.

Deliberately naive and apart from the product: it walks the syntax tree (not the graph), tries every
outcome of every `*` one by one, and relaxes distances until nothing changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from predabs.boolprog.resolve import entry
from predabs.boolprog.syntax import (
    AbortIf,
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
    Var,
    While,
)

Bits = tuple[bool, ...]
State = tuple[Bits, Bits]
Context = tuple[str, State]
"""A procedure, the globals and the arguments with which it was entered."""
Site = tuple[Context, int, State]


class _Oracle:
    """Answers each `*` from a script; beyond its end with 0, noting that it was asked."""

    def __init__(self, script: list[bool]) -> None:
        self.script = script
        self.asked = 0

    def __call__(self) -> bool:
        if self.asked == len(self.script):
            self.script.append(False)
        self.asked += 1
        return self.script[self.asked - 1]


def outcomes(
    expressions: Iterable[Expr], now: dict[str, bool], after: dict[str, bool]
) -> set[Bits]:
    """Every tuple of values that the expressions can have together."""
    found = set()
    items = list(expressions)
    script: list[bool] = []
    while True:
        oracle = _Oracle(script)
        found.add(tuple(evaluate(e, now, after, oracle) for e in items))
        while script and script[-1]:
            script.pop()
        if not script:
            return found
        script[-1] = True


def evaluate(e: Expr, now: dict[str, bool], after: dict[str, bool], star: _Oracle) -> bool:
    """One value of an expression; all of its parts are evaluated, from left to right."""
    match e:
        case Const(value):
            return value
        case Star():
            return star()
        case Var(name):
            return now[name]
        case Next(name):
            return after[name]
        case Not(arg):
            return not evaluate(arg, now, after, star)
        case Nary(op, args):
            values = [evaluate(a, now, after, star) for a in args]
            return {"&": all(values), "|": any(values), "^": sum(values) % 2 == 1}[op]
        case Binary(op, left, right):
            a, b = evaluate(left, now, after, star), evaluate(right, now, after, star)
            return {"=": a == b, "!=": a != b, "=>": b or not a}[op]
        case Cond(test, then, other):
            t = evaluate(test, now, after, star)
            return evaluate(then if t else other, now, after, star)
        case Choose(pos, neg):
            p, n = evaluate(pos, now, after, star), evaluate(neg, now, after, star)
            return True if p else False if n else star()
    raise AssertionError(e)


class _Code:
    """A procedure as numbered positions: a test, a free choice, a plain statement, or the end."""

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.what: list[tuple[Any, ...]] = [("end",)]
        self.labels: dict[str, int] = {}
        self.start = self.enter(procedure.body, 0)

    def new(self) -> int:
        self.what.append(())
        return len(self.what) - 1

    def enter(self, body: Body, after: int) -> int:
        for statement in reversed(body):
            here = self.new()
            for label in statement.labels:
                self.labels[label] = here
            match statement.action:
                case If(cases, otherwise):
                    no = self.enter(otherwise, after)
                    for condition, part in reversed(cases[1:]):
                        test = self.new()
                        self.what[test] = ("test", condition, self.enter(part, after), no)
                        no = test
                    condition, part = cases[0]
                    self.what[here] = ("test", condition, self.enter(part, after), no)
                case While(condition, part):
                    self.what[here] = ("test", condition, self.enter(part, here), after)
                case DoWhile(part, condition):
                    test = self.new()
                    first = self.enter(part, test)
                    self.what[here] = ("choice", [first])
                    self.what[test] = ("test", condition, first, after)
                case Branch(bodies):
                    self.what[here] = ("choice", [self.enter(part, after) for part in bodies])
                case action:
                    self.what[here] = ("plain", action, after)
            after = here
        return after


class Reference:
    """`shortest()` is the least number of steps to an error or a label, None if there is none."""

    def __init__(self, program: Program, label: str | None = None) -> None:
        self.program = program
        self.label = label
        self.code = {p.name: _Code(p) for p in program.procedures}
        self.root = entry(program).name
        self.distance: dict[Context, dict[tuple[int, State], int]] = {}
        self.callers: dict[Context, set[Site]] = {}
        self.exits: dict[Context, dict[State, int]] = {}
        self.calls: dict[Context, dict[Context, int]] = {}
        self.targets: dict[Context, int] = {}
        self.states: dict[tuple[str, int], set[State]] = {}
        self.queue: deque[Site] = deque()

    def named(self, p: Procedure, state: State) -> dict[str, bool]:
        names = dict(zip(self.program.globals, state[0], strict=True))
        return names | dict(zip(p.variables, state[1], strict=True))

    def allowed(self, p: Procedure, state: State) -> bool:
        if p.enforce is None:
            return True
        return (True,) in outcomes([p.enforce], self.named(p, state), {})

    def shortest(self) -> int | None:
        root = self.program.procedure(self.root)
        starts = []
        for g in product((False, True), repeat=len(self.program.globals)):
            for a in product((False, True), repeat=len(root.params)):
                starts.append((self.root, (g, a)))
        for start in starts:
            self.open(start)
        while self.queue:
            context, position, state = self.queue.popleft()
            self.relax(context, position, state)
        entry_distance = dict.fromkeys(starts, 0)
        work = deque(starts)
        while work:
            context = work.popleft()
            for callee, steps in self.calls.get(context, {}).items():
                new = entry_distance[context] + steps
                if new < entry_distance.get(callee, new + 1):
                    entry_distance[callee] = new
                    work.append(callee)
        totals = [entry_distance[c] + d for c, d in self.targets.items()]
        return min(totals, default=None)

    def open(self, context: Context) -> None:
        if context in self.distance:
            return
        self.distance[context] = {}
        self.exits[context] = {}
        name, (globals_, args) = context
        p = self.program.procedure(name)
        for rest in product((False, True), repeat=len(p.locals)):
            self.improve(context, self.code[name].start, (globals_, args + rest), 0)

    def improve(self, context: Context, position: int, state: State, steps: int) -> None:
        p = self.program.procedure(context[0])
        if not self.allowed(p, state):
            return
        known = self.distance[context]
        if steps < known.get((position, state), steps + 1):
            known[(position, state)] = steps
            self.queue.append((context, position, state))
            self.states.setdefault((context[0], position), set()).add(state)
            if self.label and self.code[context[0]].labels.get(self.label) == position:
                self.hit(context, steps)

    def hit(self, context: Context, steps: int) -> None:
        self.targets[context] = min(steps, self.targets.get(context, steps))

    def relax(self, context: Context, position: int, state: State) -> None:
        steps = self.distance[context][(position, state)]
        for new_position, new_state in self.successors(context, position, state, steps):
            self.improve(context, new_position, new_state, steps + 1)

    def successors(
        self, context: Context, position: int, state: State, steps: int
    ) -> Iterator[tuple[int, State]]:
        code = self.code[context[0]]
        p = code.procedure
        now = self.named(p, state)

        def can(e: Expr) -> set[bool]:
            return {v for (v,) in outcomes([e], now, {})}

        match code.what[position]:
            case ("end",):
                for results in product((False, True), repeat=p.returns):
                    self.leave(context, state[0], results, steps + 1)
                return
            case ("test", condition, yes, no):
                for value in can(condition):
                    yield (yes if value else no), state
                return
            case ("choice", places):
                for place in places:
                    yield place, state
                return
            case ("plain", action, after):
                pass
        match action:
            case Skip():
                yield after, state
            case Assign(targets, values, constrain):
                for new in self.assign(p, state, targets, values, constrain):
                    yield after, new
            case Dead(targets):
                values = (Star(),) * len(targets)
                for new in self.assign(p, state, targets, values, None):
                    yield after, new
            case Assume(condition):
                if True in can(condition):
                    yield after, state
            case AbortIf(condition):
                if False in can(condition):
                    yield after, state
            case Assert(condition):
                found = can(condition)
                if False in found and self.label is None:
                    self.hit(context, steps + 1)
                if True in found:
                    yield after, state
            case Goto(labels):
                for label in labels:
                    yield code.labels[label], state
            case Return(values):
                for results in outcomes(values, now, {}):
                    self.leave(context, state[0], results, steps + 1)
            case Call(_, name, args):
                for given in outcomes(args, now, {}):
                    callee = (name, (state[0], given))
                    ways = self.calls.setdefault(context, {})
                    ways[callee] = min(steps + 1, ways.get(callee, steps + 1))
                    site = (context, position, state)
                    self.callers.setdefault(callee, set()).add(site)
                    self.open(callee)
                    for (globals_, results), inside in list(self.exits[callee].items()):
                        self.back(site, globals_, results, inside)
            case _:
                raise AssertionError(action)

    def assign(
        self,
        p: Procedure,
        state: State,
        targets: tuple[str, ...],
        values: tuple[Expr, ...],
        constrain: Expr | None,
    ) -> Iterator[State]:
        now = self.named(p, state)
        for results in outcomes(values, now, {}):
            new = self.store(p, state, targets, results)
            if constrain is None or (True,) in outcomes([constrain], now, self.named(p, new)):
                yield new

    def store(self, p: Procedure, state: State, targets: Iterable[str], values: Bits) -> State:
        globals_, locals_ = list(state[0]), list(state[1])
        for target, value in zip(targets, values, strict=False):
            if target in p.variables:
                locals_[p.variables.index(target)] = value
            elif target != "_":
                globals_[self.program.globals.index(target)] = value
        return tuple(globals_), tuple(locals_)

    def leave(self, context: Context, globals_: Bits, results: Bits, steps: int) -> None:
        known = self.exits[context]
        if steps < known.get((globals_, results), steps + 1):
            known[(globals_, results)] = steps
            for site in list(self.callers.get(context, ())):
                self.back(site, globals_, results, steps)

    def back(self, site: Site, globals_: Bits, results: Bits, inside: int) -> None:
        context, position, state = site
        code = self.code[context[0]]
        steps = self.distance[context][(position, state)]
        _, call, after = code.what[position]
        new = self.store(code.procedure, (globals_, state[1]), call.targets, results)
        self.improve(context, after, new, steps + 1 + inside)
