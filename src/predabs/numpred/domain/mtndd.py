"""MTNDD, [GC10, section 5.3]: a multi-terminal decision diagram from predicates to numbers.

A value is one BDD. Below the variables of all predicates come those of numeric terms, one for each
constraint that was met; a numeric element is the conjunction of its terms. So what is below the
predicates on a path is a terminal: a numeric element in a coat, and the conditions C1 to C3 of NEX
hold by themselves. Operations walk the predicates, with a memo table each, and leave the terminals
to the numeric domain [GC10, figure 10].
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from enum import Enum

from ...bdd import Function
from ...domains.linear import Constraint
from ...domains.numeric_domain import NumericDomain
from ...errors import InternalError
from .apply import N, Structure
from .counters import Counters, Operation, timed
from .diagram_walk import Steps, remember, run
from .formula import Formula, Predicate
from .guarded_cases import GuardedCases, Pairs
from .reduction import Reducer
from .transformers import Numeric
from .vocabulary import Vocabulary


class _Combine(Enum):
    """The binary operations that are done terminal by terminal."""

    MEET = "meet"
    JOIN = "join"
    WIDEN = "widen"
    NARROW = "narrow"

    __hash__ = object.__hash__


class MtnddStructure(Structure[Function, N]):
    """Functions from predicates to numbers, as BDDs; see `numpred_domain.NumPredDom` for duties."""

    name = "mtndd"

    def __init__(
        self,
        vocabulary: Vocabulary,
        numeric_domain: NumericDomain[N],
        counters: Counters | None = None,
    ) -> None:
        super().__init__(vocabulary, numeric_domain, counters)
        self._manager = vocabulary.manager
        self._reducer = Reducer(vocabulary, numeric_domain, self.counters.look)
        self._guarded_cases = GuardedCases(vocabulary, numeric_domain, self.assumed)
        self._terms: dict[Constraint, int] = {}
        self._bdds: dict[N, Function] = {
            numeric_domain.top(): self.top,
            numeric_domain.bottom(): self.bot,
        }
        self._elements: dict[Function, N] = {
            self.top: numeric_domain.top(),
            self.bot: numeric_domain.bottom(),
        }
        self._operators: dict[_Combine, Callable[[N, N], N]] = {
            _Combine.MEET: numeric_domain.meet,
            _Combine.JOIN: numeric_domain.join,
            _Combine.WIDEN: numeric_domain.widen,
            _Combine.NARROW: numeric_domain.narrow,
        }
        self._combined: dict[tuple[_Combine, Function, Function], Function] = {}
        self._mapped: dict[object, dict[Function, Function]] = {}
        self._hidden: dict[frozenset[int], dict[Function, Function]] = {}

    @property
    def top(self) -> Function:
        return self.vocabulary.manager.true

    @property
    def bot(self) -> Function:
        return self.vocabulary.manager.false

    # -- terminals ------------------------------------------------------------------------------

    def is_number(self, value: Function) -> bool:
        """Whether no predicate is tested any more (`isNum` of [GC10], also of constants)."""
        variable = value.node_var()
        return variable is None or variable >= self.vocabulary.size

    def encode(self, element: N) -> Function:
        """A numeric element as the conjunction of its terms."""
        known = self._bdds.get(element)
        if known is None:
            if self.numeric_domain.is_bot(element):
                return self.bot
            cube: dict[int, bool] = {}
            for constraint in self.numeric_domain.gamma(element):
                variable = self._terms.get(constraint)
                if variable is None:
                    variable = self._terms[constraint] = self._manager.add_variables(1)[0]
                cube[variable] = True
            known = self._bdds[element] = self._manager.cube(cube)
            self._elements[known] = element
        return known

    def decode(self, terminal: Function) -> N:
        """The numeric element of a terminal, all of which `encode` has made."""
        element = self._elements.get(terminal)
        if element is None:
            raise InternalError("a terminal of an MTNDD that no numeric element was encoded as")
        return element

    # -- order and lattice ----------------------------------------------------------------------

    def is_top(self, value: Function) -> bool:
        return bool(value.valid())

    def is_bot(self, value: Function) -> bool:
        return not value.satisfiable()

    @timed(Operation.LEQ)
    def leq(self, left: Function, right: Function) -> bool:
        stack = [(left, right)]
        seen = {(left, right)}
        while stack:
            u, v = stack.pop()
            if u == v or not u.satisfiable() or v.valid():
                continue
            if not v.satisfiable():
                return False
            if self.is_number(u) and self.is_number(v):
                if not self.numeric_domain.leq(self.decode(u), self.decode(v)):
                    return False
                continue
            _, *pairs = self._split(u, v)
            for pair in pairs:
                if pair not in seen:
                    seen.add(pair)
                    stack.append(pair)
        return True

    @timed(Operation.MEET)
    def meet(self, left: Function, right: Function) -> Function:
        return run(self._combine(_Combine.MEET, left, right), self.counters.look)

    @timed(Operation.JOIN)
    def join(self, left: Function, right: Function) -> Function:
        return run(self._combine(_Combine.JOIN, left, right), self.counters.look)

    @timed(Operation.WIDEN)
    def widen(self, old: Function, new: Function) -> Function:
        return run(self._combine(_Combine.WIDEN, old, new), self.counters.look)

    @timed(Operation.NARROW)
    def narrow(self, old: Function, new: Function) -> Function:
        return run(self._combine(_Combine.NARROW, old, new), self.counters.look)

    def _combine(self, operator: _Combine, u: Function, v: Function) -> Steps[Function]:
        """`bddApply` with the operator of [GC10, figure 10], or its like, at the terminals."""
        if u == v:
            return u
        if not u.satisfiable() or not v.satisfiable():
            if operator in (_Combine.MEET, _Combine.NARROW):
                return self.bot
            return v if not u.satisfiable() else u
        key = operator, u, v
        known = self._combined.get(key)
        if known is not None:
            return known
        if self.is_number(u) and self.is_number(v):
            result = self.encode(self._operators[operator](self.decode(u), self.decode(v)))
        else:
            variable, (u1, v1), (u0, v0) = self._split(u, v)
            high = yield self._combine(operator, u1, v1)
            low = yield self._combine(operator, u0, v0)
            result = self._manager.var(variable).ite(high, low)
        return remember(self._combined, key, result)

    def _split(
        self, u: Function, v: Function
    ) -> tuple[int, tuple[Function, Function], tuple[Function, Function]]:
        """The first predicate of either, and both where it is true and where it is false."""
        size = self.vocabulary.size
        above, below = u.node_var(), v.node_var()
        variable = min(size if above is None else above, size if below is None else below)
        u1, u0 = u.cofactors() if above == variable else (u, u)
        v1, v0 = v.cofactors() if below == variable else (v, v)
        return variable, (u1, v1), (u0, v0)

    # -- predicates and numbers -----------------------------------------------------------------

    def restrict(self, value: Function, guard: Function, parts: tuple[Constraint, ...]) -> Function:
        value = value & guard
        if not parts:
            return value
        assumed = self.assumed(parts)
        return self._map(parts, value, lambda element: self.encode(assumed[element]))

    def _restricted(self, value: Function, condition: Formula) -> Function:
        """For each valuation a condition depends on its element alone, so one walk is enough."""
        ready = self.vocabulary.guarded(condition)
        if not ready.splits:
            return self.restrict(value, ready.guard, ready.constraints)
        cases = self._guarded_cases.of(condition)
        return self._map(condition, value & ready.guard, lambda element: self._sum(cases[element]))

    def _sum(self, pairs: Pairs[N]) -> Function:
        return self._manager.disjunction(guard & self.encode(element) for guard, element in pairs)

    @timed(Operation.POST_N)
    def alpha_post_n(self, value: Function, transformer: Numeric) -> Function:
        assigned = self.assigned(transformer)
        return self._map(transformer, value, lambda element: self.encode(assigned[element]))

    def _map(self, name: object, value: Function, change: Callable[[N], Function]) -> Function:
        """All terminals changed; `name` is what the change is remembered by."""
        table = self._mapped.setdefault(name, {})
        remember(table, self.bot, self.bot)
        look, variables = self.counters.look, self._manager.var
        stack = [value]
        while stack:
            u = stack[-1]
            if u in table:
                stack.pop()
                continue
            variable = u.node_var()
            if variable is None or variable >= self.vocabulary.size:
                table[u] = change(self.decode(u))
                continue
            look()
            high, low = u.cofactors()
            above, below = table.get(high), table.get(low)
            if above is None or below is None:
                stack += [child for child in (low, high) if child not in table]
            else:
                table[u] = variables(variable).ite(above, below)
        return table[value]

    @timed(Operation.EXISTS)
    def exists(self, predicates: Iterable[Predicate], value: Function) -> Function:
        """`bddExists`, with the join where that has the disjunction."""
        gone = self.vocabulary.bdd_variables(predicates)
        table = self._hidden.setdefault(gone, {})
        return run(self._exists(gone, value, table), self.counters.look)

    def _exists(
        self, gone: frozenset[int], u: Function, table: dict[Function, Function]
    ) -> Steps[Function]:
        if self.is_number(u):
            return u
        known = table.get(u)
        if known is not None:
            return known
        variable = u.node_var()
        high, low = u.cofactors()
        high = yield self._exists(gone, high, table)
        low = yield self._exists(gone, low, table)
        if variable in gone:
            result = yield self._combine(_Combine.JOIN, high, low)
        else:
            result = self._manager.var(variable).ite(high, low)
        return remember(table, u, result)

    def unprime(self, value: Function) -> Function:
        return self.vocabulary.unprimed(value)

    @timed(Operation.REDUCE)
    def reduce(self, value: Function) -> Function:
        reduced = self.bot
        for guard, element in self.pieces(value):
            for below, part in self._reducer.pieces(guard, element).items():
                reduced = self.join(reduced, part & self.encode(below))
        return reduced

    def pieces(self, value: Function) -> Iterable[tuple[Function, N]]:
        """Each terminal with the predicates that lead to it, from the root down."""
        if not value.satisfiable():
            return
        guards = {value: self._manager.true}
        queue: list[tuple[int, int]] = []
        nodes: list[Function] = []
        terminals: list[Function] = []

        def push(node: Function) -> None:
            if self.is_number(node):
                terminals.append(node)
            else:
                heapq.heappush(queue, (node.node_var(), len(nodes)))
                nodes.append(node)

        push(value)
        while queue:
            variable, index = heapq.heappop(queue)
            node = nodes[index]
            guard = guards[node]
            for value_here, child in zip((True, False), node.cofactors(), strict=True):
                if child.satisfiable():
                    here = guard & self._manager.literal(variable, value_here)
                    known = guards.get(child)
                    if known is None:
                        push(child)
                    guards[child] = here if known is None else known | here
        for terminal in terminals:
            yield guards[terminal], self.decode(terminal)
