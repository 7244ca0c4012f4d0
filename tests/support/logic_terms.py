"""Random terms, twice each: as plain nodes and through the smart constructors."""

from __future__ import annotations

import random
from dataclasses import dataclass

from predabs.smt import build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.semantics import ModelValue, array_value
from predabs.smt.substitution import BUILDERS
from predabs.smt.term import (
    BOOL,
    BV_BINARY,
    BV_COMPARE,
    FP_OPS,
    INT,
    App,
    ArraySort,
    BitVecSort,
    Op,
    Sort,
    Symbol,
    Term,
    Value,
    apply,
)

HARD = {Op.BV_MUL, Op.BV_UDIV, Op.BV_SDIV, Op.BV_UREM, Op.BV_SREM}


@dataclass(frozen=True)
class Pair:
    """Two terms that must mean the same."""

    raw: Term
    built: Term


class Generator:
    """Makes terms out of terms it has made; `gentle` leaves out what is hard for solvers, `small`
    has few symbols, sorts and constants and only two levels, so that the same subterms meet all
    the time."""

    def __init__(
        self, seed: int, integers: bool = True, gentle: bool = False, small: bool = False
    ) -> None:
        self.random = random.Random(seed)
        self.small = small
        self.made: list[Pair] = []
        self.integers = integers
        self.gentle = gentle
        self.pool: dict[Sort, list[Pair]] = {}
        wide = BitVecSort(self.random.randint(1, 3 if small else 64))
        narrow = BitVecSort(self.random.randint(1, 2 if small else 8))
        sorts: list[Sort] = [BOOL, wide]
        if not small:
            sorts += [narrow, ArraySort(narrow, wide), ArraySort(wide, BOOL)]
            sorts.append(ArraySort(wide, ArraySort(narrow, narrow)))
        if integers:
            sorts.append(INT)
        if integers and not small:
            sorts.append(ArraySort(INT, INT))
        names = "x" if small else "xy"
        self.symbols = [Symbol(f"{n}{i}", sort) for i, sort in enumerate(sorts) for n in names]
        for symbol in self.symbols:
            self.put(symbol, symbol)

    def put(self, raw: Term, built: Term) -> None:
        assert raw.sort is built.sort
        self.pool.setdefault(raw.sort, []).append(Pair(raw, built))

    def constant(self, sort: Sort) -> ModelValue:
        """Some value, often an extreme one."""
        pick = self.random
        if isinstance(sort, ArraySort):
            at = [self.constant(sort.index) for _ in range(pick.randint(0, 3))]
            entries = {i: self.constant(sort.element) for i in at if isinstance(i, int)}
            return array_value(self.constant(sort.element), entries, sort.index)
        if sort is BOOL:
            return pick.randint(0, 1)
        if isinstance(sort, BitVecSort):
            top = 1 << sort.width
            return (
                pick.choice([0, 1, 2, top // 2, top // 2 - 1, top - 1, pick.randrange(top)]) % top
            )
        if self.small:
            return pick.randint(-2, 2)
        return pick.choice(
            [0, 1, -1, 2, 3, -7, pick.randint(-20, 20), pick.randint(-(2**70), 2**70)]
        )

    def get(self, sort: Sort) -> Pair:
        if not isinstance(sort, ArraySort) and self.random.random() < 0.3:
            value = self.constant(sort)
            assert isinstance(value, int)
            return Pair(Value(value, sort), Value(value, sort))
        pairs = self.pool.get(sort)
        if not pairs:
            self.put(Symbol(f"z{len(self.pool)}", sort), Symbol(f"z{len(self.pool)}", sort))
            self.symbols.append(Symbol(f"z{len(self.pool) - 1}", sort))
            return self.pool[sort][-1]
        if self.small:
            return pairs[0] if self.random.random() < 0.3 else self.random.choice(pairs)
        # the newest more often, so that terms grow deep
        return pairs[max(self.random.randrange(len(pairs)), self.random.randrange(len(pairs)))]

    def model(self) -> dict[Symbol, ModelValue]:
        return {symbol: self.constant(symbol.sort) for symbol in self.symbols}

    def grow(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        pick = self.random
        op = pick.choice([op for op in Op if op not in FP_OPS])
        vectors = [sort for sort in self.pool if isinstance(sort, BitVecSort)]
        arrays = [sort for sort in self.pool if isinstance(sort, ArraySort)]
        vector = pick.choice(vectors)
        array = pick.choice(arrays) if arrays else None
        if array is None and op in (Op.SELECT, Op.STORE, Op.CONST_ARRAY):
            return
        params: tuple[int | Sort, ...] = ()
        sorts: list[Sort]
        if op is Op.CONST_ARRAY:
            value = self.constant(vector)
            assert isinstance(value, int)
            constant = build.const_array(array.index, Value(value, vector))
            self.put(constant, constant)
            return
        if op in BV_BINARY or op in BV_COMPARE:
            if op in HARD and self.gentle and vector.width > 6:
                return
            sorts = [vector, vector]
        elif op in (Op.ADD, Op.MUL, Op.DIV, Op.MOD, Op.LE, Op.LT):
            if not self.integers:
                return
            sorts = [INT] * (pick.randint(2, 4) if op in (Op.ADD, Op.MUL) else 2)
        else:
            sorts, params = self.other(op, vector, array)
        if sum(sort.width for sort in sorts if isinstance(sort, BitVecSort)) > 130:
            return
        args = [self.get(sort) for sort in sorts]
        if self.gentle and op in (Op.MUL, Op.DIV, Op.MOD):
            number = Value(pick.randint(-5, 5), INT)
            args = [args[0], Pair(number, number)]
        raw = apply(op, tuple(arg.raw for arg in args), params)
        built = BUILDERS[op](*(arg.built for arg in args), *params)
        self.made.append(Pair(raw, built))
        if not self.small or not any(isinstance(arg.raw, App) for arg in args):
            self.put(raw, built)

    def other(
        self, op: Op, vector: BitVecSort, array: ArraySort | None
    ) -> tuple[list[Sort], tuple[int | Sort, ...]]:
        pick = self.random
        match op:
            case Op.NOT:
                return [BOOL], ()
            case Op.AND | Op.OR:
                return [BOOL] * pick.randint(2, 5), ()
            case Op.EQ:
                return [pick.choice(list(self.pool))] * 2, ()
            case Op.ITE:
                return [BOOL, *[pick.choice(list(self.pool))] * 2], ()
            case Op.BV_NOT | Op.BV_NEG:
                return [vector], ()
            case Op.CONCAT:
                vectors = [sort for sort in self.pool if isinstance(sort, BitVecSort)]
                return [vector, pick.choice(vectors)], ()
            case Op.EXTRACT:
                low = pick.randrange(vector.width)
                return [vector], (pick.randrange(low, vector.width), low)
            case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
                return [vector], (pick.choice([0, 1, pick.randint(0, 32)]),)
            case Op.SELECT if array is not None:
                return [array, array.index], ()
            case Op.STORE if array is not None:
                return [array, array.index, array.element], ()
        raise AssertionError(op)

    def conditions(self, count: int) -> list[Pair]:
        """Conditions of which most hold together in some model."""
        evaluator = TermEvaluator(self.model())
        chosen = []
        for pair in self.random.choices(self.pool[BOOL], k=count):
            if evaluator.holds(pair.raw) or self.random.random() < 0.1:
                chosen.append(pair)
            else:
                chosen.append(Pair(apply(Op.NOT, (pair.raw,)), build.not_(pair.built)))
        return chosen


def boxed_condition(seed: int, x: Term, y: Term, z: Term) -> Term:
    """A random linear condition that bounds `x` by -2 and 2."""
    pick = random.Random(seed)

    def atom() -> Term:
        parts = [build.mul(build.integer(pick.randint(-2, 2)), s) for s in (x, y, z)]
        left = build.add(*parts, build.integer(pick.randint(-3, 3)))
        return pick.choice([build.le, build.eq])(left, build.integer(0))

    box = [build.and_(build.le(build.integer(-2), x), build.le(x, build.integer(2)))]
    parts = [pick.choice([build.or_, build.and_])(atom(), atom()) for _ in range(2)]
    return build.and_(*box, *parts)
