"""The stages of `predabs abstract` as one pure function, without files and the command line."""

from __future__ import annotations

from collections.abc import Mapping

from predabs.boolprog.model_check import Proved, Violated, check
from predabs.c2bp.boolean_code import program as tree
from predabs.c2bp.boolean_code import text
from predabs.c2bp.pipeline import (
    AbstractionOptions,
    BooleanAbstraction,
    abstraction_of,
    entry_for_callers,
    with_stored_bodies,
)
from predabs.c2bp.store.stored_procedure import StoredProcedure
from predabs.errors import UnsupportedFeature
from predabs.predicates.syntax.file import read_predicates
from support.c_programs import program_of_c

INC = "int inc(int x) { x = x + 1; return x; }"
INC_PREDICATES = "inc:\nx == 'x\nx == 'x + 1\n"
CALLER = """int inc(int);
int main(void) { int a = 2; a = inc(a); if (a != 3) reach_error(); return 0; }"""


def abstracted(
    source: str,
    predicates: str,
    options: AbstractionOptions | None = None,
    entry: str = "main",
    found: Mapping[str, StoredProcedure] | None = None,
) -> BooleanAbstraction:
    program = program_of_c(source, entry)
    file = read_predicates(predicates, with_stored_bodies(program, found or {}))
    return abstraction_of(program, file, options or AbstractionOptions(), found)


def test_the_predicates_decide_what_is_proved() -> None:
    source = CALLER.replace("int inc(int);", INC)
    enough = abstracted(source, INC_PREDICATES + "main:\na == 2\na == 3\n")
    assert isinstance(check(tree(enough.code)), Proved)
    assert isinstance(check(tree(abstracted(source, "main:\na == 3\n").code)), Violated)


def test_the_direct_method_makes_one_assignment_of_a_block() -> None:
    source = "int main(void) { int a = __VERIFIER_nondet_int(), b; b = a; return b; }"
    predicates = "main:\na == 1\nb == 1\n"
    cartesian = abstracted(source, predicates)
    direct = abstracted(source, predicates, AbstractionOptions(post_cube=0))
    assert text(cartesian.code).count(":=") > text(direct.code).count(":=") == 1
    assert "constrain" in text(direct.code)  # the new values are equal
    assert cartesian.large_tables == direct.large_tables == 0


def test_conditions_of_branches_become_predicates_on_request() -> None:
    source = "int main(void) { int a = __VERIFIER_nondet_int(); if (a > 5) a = 0; return a; }"
    plain = abstracted(source, "main:\na == 0\n")
    asked = abstracted(source, "main:\na == 0\n", AbstractionOptions(branch_predicates=True))
    names = [procedure.locals for procedure in asked.code.procedures]
    assert plain.code != asked.code
    assert any("a > 5" in name for locals_ in names for name in locals_)
    assert plain.predicates == asked.predicates  # those of the file


def test_an_entry_for_all_callers_serves_a_caller_without_its_source() -> None:
    options = AbstractionOptions(open_environment=True)
    alone = abstracted(INC, INC_PREDICATES, options, "inc")
    stored = entry_for_callers(alone, {})
    assert isinstance(stored, StoredProcedure)
    caller = abstracted(CALLER, "main:\na == 2\na == 3\n", found={"inc": stored})
    assert isinstance(check(tree(caller.code)), Proved)


def test_an_entry_that_calls_unknown_functions_cannot_be_stored() -> None:
    options = AbstractionOptions(open_environment=True)
    alone = abstracted("void set(void (*f)(void)) { f(); }", "set:\n", options, "set")
    assert isinstance(entry_for_callers(alone, {}), UnsupportedFeature)
