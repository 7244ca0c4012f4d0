"""NDD, [GC10, section 5.4]: a BDD over predicates and numeric terms, an exact union.

Each term has one variable (`terms`), so `p & x <= 0` is empty by itself where p means `x > 0`, and
a value can say `p & (x == 0 | x == 3)`. Meet, join and quantification are those of BDDs. What
needs the meaning of terms walks the paths with the numbers that hold on the way as context
(`ctxApply` of [GC10, figure 11]): `leq`, `is_bot`, `reduce` and numeric assignments. Widening goes
by MTNDD.

Beyond [GC10], an assignment eliminates only the terms that speak of an assigned variable: the
others stay true, also where the numeric domain cannot hold them. The context has no more than the
variables that it reads and writes and what hangs together with them, and where no terms relate
these to others, there is no walk at all (`breakpoints`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...bdd import Function
from ...domains.linear import Constraint, Linear, Variable, at_most, equal, variable
from ...domains.numeric_domain import NumericDomain
from .apply import N, Structure
from .breakpoints import Breakpoints
from .counters import Counters, Operation, timed
from .diagram_walk import Steps, remember, run
from .formula import Formula, Predicate, conj, disj
from .hulls import Hulls
from .mtndd import MtnddStructure
from .numeric_terms import NumericTerms
from .path_contexts import Context, Contexts
from .transformers import Choices, Numeric
from .vocabulary import Vocabulary

_NONE: frozenset[int] = frozenset()
_FEW_STEPS = 200  # to find a path in most values that have one


class NddStructure(Structure[Function, N]):
    """BDDs over predicates and terms; see `numpred_domain.NumPredDom` for the duties."""

    name = "ndd"

    def __init__(
        self,
        vocabulary: Vocabulary,
        numeric_domain: NumericDomain[N],
        counters: Counters | None = None,
    ) -> None:
        super().__init__(vocabulary, numeric_domain, counters)
        self._manager = vocabulary.manager
        self._terms = NumericTerms(vocabulary)
        self._breakpoints = Breakpoints(self._terms)
        self._contexts = Contexts(numeric_domain)
        self._mtndd = MtnddStructure(vocabulary, numeric_domain, self.counters)
        self._hulls = Hulls(self._terms, self._breakpoints, self._mtndd)
        # does the numeric domain know bounds alone?
        self._separate = not numeric_domain.exact(at_most(variable("x"), variable("y")))
        self._bdds: dict[N, Function] = {}
        self._empty: dict[Function, bool] = {}
        self._posts: dict[object, dict[tuple[Function, Context[N]], Function]] = {}
        # what a widening gave, before it was made a BDD over shared terms: those would bring
        # back what was given up, and the sequence of widenings might not end
        self._wide: dict[Function, Function] = {}

    @property
    def top(self) -> Function:
        return self.vocabulary.manager.true

    @property
    def bot(self) -> Function:
        return self.vocabulary.manager.false

    # -- abstraction and concretization ---------------------------------------------------------

    @timed(Operation.ALPHA)
    def alpha_n(self, constraints: Iterable[Constraint]) -> Function:
        return self.restrict(self.top, self.top, tuple(constraints))

    @timed(Operation.GAMMA)
    def gamma(self, value: Function) -> Formula:
        reading = self._terms.reading
        cubes = self._manager.cover(value)
        return disj(*(conj(*(reading(*item) for item in cube.items())) for cube in cubes))

    def _encode(self, element: N) -> Function:
        """A numeric element as the conjunction of its terms."""
        known = self._bdds.get(element)
        if known is None:
            gamma = self.numeric_domain.gamma(element)
            known = self._manager.conjunction(map(self._terms.constraint, gamma))
            remember(self._bdds, element, known)
        return known

    # -- order and lattice ----------------------------------------------------------------------

    def is_top(self, value: Function) -> bool:
        return bool(value.valid())

    @timed(Operation.LEQ)
    def is_bot(self, value: Function) -> bool:
        return self._is_empty(value)

    @timed(Operation.LEQ)
    def leq(self, left: Function, right: Function) -> bool:
        return self._is_empty(left & ~right)

    def _is_empty(self, value: Function) -> bool:
        """Whether every path of the BDD contradicts itself."""
        known = self._empty.get(value)
        if known is None:
            found = self._has_path(value, _FEW_STEPS)
            if found is None:
                rest, related = self._settled(value, lambda name: self._terms.about([name]))
                found = self._has_path(rest) if related else rest.satisfiable()
            known = remember(self._empty, value, not found)
        return known

    def _settled(
        self, value: Function, gone: Callable[[Variable], frozenset[int]]
    ) -> tuple[Function, bool]:
        """The value where the terms on each variable that is alone are as at some integer, without
        those in `gone`, and whether there are terms that relate variables."""
        support = self._manager.support(value)
        related = False
        for name in self._terms.variables:
            if support.isdisjoint(self._terms.about([name])):
                continue
            if not self._breakpoints.alone([name]):
                related = True
                continue
            self.counters.look()
            hidden = self._manager.variable_set(gone(name))
            value = self._manager.product(value, self._breakpoints.possible(name), hidden)
        return value, related

    def _has_path(self, value: Function, most: int | None = None) -> bool | None:
        """Whether a path contradicts itself nowhere; None if that takes too many steps."""
        stack = [(value, self._contexts.top)] if value.satisfiable() else []
        steps = 0
        seen = set(stack)
        while stack:
            u, context = stack.pop()
            steps += 1
            if most is not None and steps > most:
                return None
            self.counters.look()
            if u.valid():
                if not self.numeric_domain.is_bot(self._contexts.final(context)):
                    return True
                continue
            variable = u.node_var()
            for truth, branch in zip((True, False), u.cofactors(), strict=True):
                if not branch.satisfiable():
                    continue
                inner = self._contexts.narrowed(context, self._terms.meaning(variable, truth))
                if not self._contexts.is_empty(inner) and (branch, inner) not in seen:
                    seen.add((branch, inner))
                    stack.append((branch, inner))
        return False

    @timed(Operation.MEET)
    def meet(self, left: Function, right: Function) -> Function:
        return left & right

    @timed(Operation.JOIN)
    def join(self, left: Function, right: Function) -> Function:
        return left | right

    @timed(Operation.WIDEN)
    def widen(self, old: Function, new: Function) -> Function:
        wide = self._mtndd.widen(self._hull(old), self._hull(new))
        result = self._exact(wide)
        self._wide[result] = wide
        return result

    @timed(Operation.NARROW)
    def narrow(self, old: Function, new: Function) -> Function:
        narrow = self._mtndd.narrow(self._hull(old), self._hull(new))
        result = old & self._exact(narrow)  # a value may say more than its hull
        self._wide[result] = narrow
        return result

    def _hull(self, value: Function) -> Function:
        """The MTNDD above the value: what there is for equal predicates is joined."""
        known = self._wide.get(value)
        if known is None:
            known = self._hull_of_bounds(value) if self._separate else self._join_paths(value)
        return known

    def _hull_of_bounds(self, value: Function) -> Function:
        """The hull where the numeric domain knows bounds alone: a walk only for what is related."""
        support = self._manager.support(value)
        about = {name: self._terms.about([name]) for name in self._terms.variables}
        names = [name for name, indices in about.items() if not support.isdisjoint(indices)]
        alone = [name for name in names if self._breakpoints.alone([name])]
        if len(alone) == len(names):
            return self._hulls.of(value, names, self.counters.look)
        if not alone:
            return self._join_paths(value)
        related = self._join_paths(self._hulls.without(value, alone))
        # a path that contradicts itself says nothing about the others
        value = self._walk("reduce", value, lambda _: self.top, _NONE, self._terms.related)
        size = self.vocabulary.size
        gone = {n for name in names if name not in alone for n in about[name] if n >= size}
        value = self._manager.exists(value, gone)
        return self._mtndd.meet(related, self._hulls.of(value, alone, self.counters.look))

    def _join_paths(self, value: Function) -> Function:
        return run(self._joined(value, self._contexts.top, {}), self.counters.look)

    def _joined(
        self,
        u: Function,
        context: Context[N],
        table: dict[tuple[Function, Context[N]], Function],
    ) -> Steps[Function]:
        if not u.satisfiable() or self._contexts.is_empty(context):
            return self.bot
        if u.valid():
            return self._mtndd.encode(self._contexts.final(context))
        known = table.get((u, context))
        if known is not None:
            return known
        variable = u.node_var()
        parts: list[Function] = []
        for truth, branch in zip((True, False), u.cofactors(), strict=True):
            inner = self._contexts.narrowed(context, self._terms.meaning(variable, truth))
            parts.append((yield self._joined(branch, inner, table)))
        if variable < self.vocabulary.size:
            result = self._manager.var(variable).ite(*parts)
        else:
            result = self._mtndd.join(*parts)
        table[u, context] = result
        return result

    def _exact(self, value: Function) -> Function:
        """An MTNDD as a BDD over shared terms."""
        parts = [guard & self._encode(element) for guard, element in self._mtndd.pieces(value)]
        return self._manager.disjunction(parts)

    # -- predicates and numbers -----------------------------------------------------------------

    def restrict(self, value: Function, guard: Function, parts: tuple[Constraint, ...]) -> Function:
        return self._manager.conjunction([value, guard, *map(self._terms.constraint, parts)])

    def _restricted(self, value: Function, condition: Formula) -> Function:
        return value & self._terms.formula(condition)

    @timed(Operation.EXISTS)
    def exists(self, predicates: Iterable[Predicate], value: Function) -> Function:
        return self._manager.exists(value, self.vocabulary.bdd_variables(predicates))

    def unprime(self, value: Function) -> Function:
        return self.vocabulary.unprimed(value)

    @timed(Operation.REDUCE)
    def reduce(self, value: Function) -> Function:
        support = self._manager.support(value)
        value, related = self._settled(value, lambda name: self._terms.about([name]) - support)
        if not related:
            return value
        return self._walk("reduce", value, lambda _: self.top, _NONE, self._terms.related)

    @timed(Operation.POST_N)
    def alpha_post_n(self, value: Function, transformer: Numeric) -> Function:
        return self._assign(value, transformer, _NONE)

    def _both(self, value: Function, numeric: Numeric, choices: Choices) -> Function:
        """The primed predicates are the shadow variables: they wait until the numbers moved on."""
        related = self._restricted(value, self._relation(choices))
        changed = self.vocabulary.bdd_variables(choices.predicates)
        return self.unprime(self._assign(related, numeric, changed))

    def _assign(self, value: Function, numeric: Numeric, changed: frozenset[int]) -> Function:
        """Numeric assignments, with the elimination of what they or `changed` make old."""
        updates = self.updates(numeric)
        if numeric.image is None:
            if not updates:
                return self._manager.exists(value, changed) if changed else value
            if self._by_lines(updates):
                return self._breakpoints.assigned(value, updates, changed)
        return self._walk(
            (numeric, changed),
            value,
            lambda element: self._encode(self.assigned(numeric)[element]),
            changed | self._terms.about(updates),
            self._touched(updates, () if numeric.image is None else numeric.image.reads),
        )

    def _touched(
        self, updates: Mapping[Variable, Linear | None], read: tuple[Variable, ...]
    ) -> set[Variable]:
        """The variables that assignments read or write, those `read` by an image too, and all that
        may hang together with them: what terms say about others stays true, and tells nothing
        about these."""
        names = {*updates, *read}.union(*(e.variables for e in updates.values() if e is not None))
        return names if self._breakpoints.alone(names) else names | self._terms.related

    def _by_lines(self, updates: Mapping[Variable, Linear | None]) -> bool:
        """Whether assignments need no walk: all variables are alone, before and after."""
        sources = [(x, source) for x, source in updates.items() if source and source.coefficients]
        for target, source in sources:
            own = source.coefficients == ((target, 1),)
            if len(source.coefficients) > 1 or not (
                own or not self.numeric_domain.exact(equal(variable(target), source))
            ):
                return False
        return self._breakpoints.alone([*updates, *(x for _, e in sources for x in e.variables)])

    def _walk(
        self,
        name: object,
        value: Function,
        leaf: Callable[[N], Function],
        gone: frozenset[int],
        names: Iterable[Variable],
    ) -> Function:
        """`ctxApply` of [GC10, figure 11]: paths with an empty context go away, the others end in
        `leaf`, and the variables in `gone` are eliminated. The context knows only what terms say
        about `names`, which no term relates to other variables."""
        known_names = frozenset(names)
        table = self._posts.setdefault((name, known_names), {})
        about = self._terms.about(known_names)

        def walk(u: Function, context: Context[N]) -> Steps[Function]:
            if not u.satisfiable() or self._contexts.is_empty(context):
                return self.bot
            if u.valid():
                final = self._contexts.final(context)
                return self.bot if self.numeric_domain.is_bot(final) else leaf(final)
            known = table.get((u, context))
            if known is not None:
                return known
            variable = u.node_var()
            parts: list[Function] = []
            for truth, branch in zip((True, False), u.cofactors(), strict=True):
                if branch.satisfiable():
                    meant = self._terms.meaning(variable, truth) if variable in about else None
                    inner = self._contexts.narrowed(context, meant)
                    parts.append((yield walk(branch, inner)))
                else:
                    parts.append(branch)
            high, low = parts
            if variable in gone:
                result = high | low
            else:
                result = self._manager.var(variable).ite(high, low)
            return remember(table, (u, context), result)

        return run(walk(value, self._contexts.top), self.counters.look)

    def pieces(self, value: Function) -> Iterable[tuple[Function, N]]:
        """Predicates with the numbers they go with, joined where the value has a union."""
        return self._mtndd.pieces(self._hull(value))
