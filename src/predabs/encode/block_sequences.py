"""Exits of blocks one after the other: the formula of a whole sequence, with its cut points.

A block's formula is made once; here it gets the symbols of its position in the sequence. At each
cut point the storage that later blocks read is a symbol of its own, so that the parts before and
after share exactly what is true of the state there.

Soundness duty: a run through the exits in this order satisfies all parts together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..ir.configuration import Transition
from ..ir.expr import Var
from ..records import dataclass
from ..smt import build
from ..smt.evaluate import TermEvaluator
from ..smt.semantics import ModelValue
from ..smt.substitution import substitute
from ..smt.term import Symbol, Term
from .blocks import Exit
from .encoding import BoundedTerm
from .environment import Environment, Formulas, Key


@dataclass(frozen=True, slots=True, eq=False)
class BlockSequence:
    """`parts[i]` relates the storage at cut i and at cut i + 1, as `cuts` say."""

    parts: tuple[Term, ...]
    cuts: tuple[Environment, ...]
    _formulas: Formulas
    _tags: tuple[str, ...]
    _renamings: tuple[Mapping[Symbol, Term], ...]

    def local(self, number: int, evaluator: TermEvaluator) -> TermEvaluator:
        """A model of the chain, as a model of the symbols of the block with this number: those of
        its storage too that its formula does without, so that a path is one of the chain."""
        return TermEvaluator(_Renamed(self, number, evaluator))

    def transitions(
        self, exits: Sequence[Exit], evaluator: TermEvaluator
    ) -> tuple[Transition, ...]:
        """The path that a model takes through the blocks; the exits are those of the chain."""
        found: list[Transition] = []
        for number, exit_ in enumerate(exits):
            found += exit_.block.path(exit_, self.local(number, evaluator).holds)
        return tuple(found)

    def renaming(self, number: int) -> Mapping[Symbol, Term]:
        return self._renamings[number]

    def meaning(self, number: int, symbol: Symbol) -> Term:
        """What a symbol of a block stands for in the chain."""
        known = self._renamings[number].get(symbol)
        if known is not None:
            return known
        tag, key = self._formulas.origins.get(symbol, (None, None))
        if tag != self._tags[number]:
            return symbol
        before = self.cuts[number]
        formulas = self._formulas
        return (formulas.heap_end(before) if key is None else formulas.get(before, key)).term


class _Renamed(Mapping[Symbol, ModelValue]):
    def __init__(self, chain: BlockSequence, number: int, evaluator: TermEvaluator) -> None:
        self._chain = chain
        self._number = number
        self._renaming = chain.renaming(number)
        self._evaluator = evaluator

    def __getitem__(self, symbol: Symbol) -> ModelValue:
        return self._evaluator.value(self._chain.meaning(self._number, symbol))

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self._renaming)

    def __len__(self) -> int:
        return len(self._renaming)


def block_sequence(
    formulas: Formulas, exits: Sequence[Exit], observed: Iterable[Key]
) -> BlockSequence:
    """The formula of exits that follow each other. `observed` is storage that is looked at, at
    some cut point or other, besides what the blocks read."""
    needed = _needed(exits, observed)
    everything = formulas.localization is not None  # it is little, and tells the paths apart
    environment = exits[0].block.before
    parts: list[Term] = []
    cuts = [environment]
    renamings: list[Mapping[Symbol, Term]] = []
    for number, exit_ in enumerate(exits):
        renaming: dict[Symbol, Term] = {
            symbol: Symbol(f"{symbol.name}~{number}", symbol.sort) for symbol in exit_.inner
        }
        for symbol, key in exit_.entry.items():
            value = (
                formulas.heap_end(environment) if key is None else formulas.get(environment, key)
            )
            renaming[symbol] = value.term
        renamings.append(renaming)
        changed = exit_.environment.changed
        wanted = [key for key in changed if everything or key in needed[number + 1]]
        heap = exit_.environment.heap
        ends = [changed[key].term for key in wanted]
        if heap is not None:
            ends.append(heap.term)
        formula, *terms = substitute([exit_.formula, *ends], renaming)
        equal = [formula]
        after = dict(environment.changed)
        for key, term in zip(wanted, terms, strict=False):
            name = key.name if isinstance(key, Var) else str(key)
            symbol = Symbol(f"{name}@{number + 1}", term.sort)
            old = changed[key]
            after[key] = BoundedTerm(symbol, old.low, old.high, old.zeros)
            equal.append(build.eq(symbol, term))
        end = environment.heap
        if heap is not None:
            symbol = Symbol(f"heap@{number + 1}", terms[-1].sort)
            end = BoundedTerm(symbol, heap.low, heap.high, heap.zeros)
            equal.append(build.eq(symbol, terms[-1]))
        environment = Environment(environment.tag, after, end)
        parts.append(build.and_(*equal))
        cuts.append(environment)
    tags = tuple(exit_.block.before.tag for exit_ in exits)
    return BlockSequence(tuple(parts), tuple(cuts), formulas, tags, tuple(renamings))


def _needed(exits: Sequence[Exit], observed: Iterable[Key]) -> list[frozenset[Key]]:
    """For each cut, the storage that is read from there on."""
    later: set[Key] = set(observed)
    found = [frozenset(later)]
    for exit_ in reversed(exits):
        later |= {key for key in exit_.entry.values() if key is not None}
        found.append(frozenset(later))
    return list(reversed(found))
