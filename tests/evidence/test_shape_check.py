"""Certificates of memory graphs: those of the engine are inductive, those that are changed are
rejected unless they say the same or less."""

from __future__ import annotations

from functools import cache
from time import monotonic

import pytest

from engines.smg.test_smg import DEEP, GONE, HEAD, SAFE
from predabs.analysis.facts import ProgramFacts
from predabs.errors import InputError
from predabs.evidence.obligations import Certificate, Certified
from predabs.evidence.shape_check import check_shapes
from predabs.smg.entailment import entails
from predabs.spec.checks import add_checks
from predabs.verdict import ShapesAt
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.shape_certificates import Shapes, dropped, graph_of, lists, mutants, shapes_of

CHECKS = frozenset(["deref", "free", "leak"])
EVERY_DAY = ("built and freed", "ones")


@cache
def facts_of(name: str) -> ProgramFacts:
    text = f"{HEAD} int main(void) {{ {SAFE[name]} return 0; }}"
    return ProgramFacts(add_checks(program_of_c(text), CHECKS))


@cache
def small(name: str) -> Shapes:
    """A certificate in which no graph can be left out."""
    shapes = shapes_of(facts_of(name))
    while True:
        fewer = next((s for s in dropped(shapes) if is_certified(name, s)), None)
        if fewer is None:
            return shapes
        shapes = fewer


def checked(name: str, shapes: Shapes) -> Certificate:
    return check_shapes(facts_of(name), shapes, monotonic() + PLENTY)


def is_certified(name: str, shapes: Shapes) -> bool:
    return isinstance(checked(name, shapes), Certified)


@pytest.mark.parametrize("name", SAFE)
def test_the_graphs_of_the_engine_are_inductive(name: str) -> None:
    assert checked(name, shapes_of(facts_of(name))) == Certified()


def test_lists_that_hang_in_lists_are_certified() -> None:
    body = f"struct index *all = built(); {GONE.replace('TEXT', 'free(f->text)')} return 0;"
    facts = ProgramFacts(
        add_checks(program_of_c(f"{HEAD}{DEEP}int main(void) {{ {body} }}"), CHECKS)
    )
    shapes = shapes_of(facts)
    assert check_shapes(facts, shapes, monotonic() + PLENTY) == Certified()
    assert any("nested" in text for told in shapes for text in told.graphs)


def rejected(name: str) -> int:
    """How many mutants are rejected; those that are not have all lists that were there."""
    facts, shapes, count = facts_of(name), small(name), 0
    for made, place, number in mutants(shapes):
        try:
            accepted = is_certified(name, made)
        except InputError:
            accepted = False
        count += not accepted
        if accepted:
            before = lists(graph_of(facts, shapes[place].graphs[number]))
            now = [lists(graph_of(facts, text)) for text in made[place].graphs]
            assert before <= set().union(*now)
    return count


@pytest.mark.parametrize("name", EVERY_DAY)
def test_changed_graphs_are_rejected(name: str) -> None:
    assert rejected(name) >= 20


@pytest.mark.long
def test_five_hundred_changed_graphs() -> None:
    assert sum(rejected(name) for name in SAFE) >= 500


def test_no_graph_at_all() -> None:
    assert not is_certified("ones", ())


def test_a_graph_that_is_none() -> None:
    [first, *_] = small("ones")
    broken = ShapesAt(first.location, first.stack, ("{}",))
    with pytest.raises(InputError):
        checked("ones", (broken,))


@pytest.mark.parametrize("name", EVERY_DAY)
def test_entailment_keeps_all_lists(name: str) -> None:
    """Of all pairs of graphs at one place, and each graph entails itself."""
    facts = facts_of(name)
    for item in shapes_of(facts):
        graphs = [graph_of(facts, text) for text in item.graphs]
        for one in graphs:
            assert entails(one, one, True)
            for other in graphs:
                if entails(one, other, True):
                    assert lists(one) <= lists(other)
