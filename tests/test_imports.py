"""The sources as a graph: no import cycle, libraries only where they belong, docstrings."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import predabs
from predabs.ir.order import strong_components

ROOT = Path(predabs.__file__).parent


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in SOURCES.items()}

# a library, and the only part of predabs that may speak to it
HOMES = {
    "clang": "predabs.frontend",
    "oxidd": "predabs.bdd",
    "z3": "predabs.smt",
    "bitwuzla": "predabs.smt",
    "cvc5": "predabs.smt",
    "ppl": "predabs.domains",
}


def imported(module: str) -> set[str]:
    """All names that a module imports, wherever in it: also in functions and for types only."""
    package = module if SOURCES[module].name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            source = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                whole = f"{source}.{alias.name}"
                found.add(whole if whole in SOURCES else source)
    return found


IMPORTS = {module: imported(module) for module in SOURCES}


def test_the_sources_were_found() -> None:
    assert "predabs.ir.expr" in SOURCES
    assert "predabs.ir.types" in IMPORTS["predabs.ir.expr"]
    assert "predabs.ir.arith" in IMPORTS["predabs.ir.make"]
    assert "predabs" in IMPORTS["predabs.cli"]


def test_there_is_no_import_cycle() -> None:
    graph = {module: sorted(names & SOURCES.keys()) for module, names in IMPORTS.items()}
    cycles = [group for group in strong_components(graph) if len(group) > 1]
    assert not cycles, f"modules that import each other: {cycles}"
    assert not [module for module, names in graph.items() if module in names]


def late_imports(tree: ast.Module) -> list[int]:
    """The lines of imports inside functions; those for types only are the cycle test's business."""
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return [
        node.lineno
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]


@pytest.mark.parametrize("module", SOURCES)
def test_no_function_imports(module: str) -> None:
    assert not late_imports(TREES[module])


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_used_in_one_place_only(library: str) -> None:
    home = HOMES[library]
    users = {
        module
        for module, names in IMPORTS.items()
        if any(name == library or name.startswith(f"{library}.") for name in names)
    }
    strangers = {user for user in users if user != home and not user.startswith(f"{home}.")}
    assert not strangers


def test_the_program_model_stands_alone() -> None:
    """`ir` imports nothing of predabs but itself and the errors."""
    for module, names in IMPORTS.items():
        if module.startswith("predabs.ir"):
            own = {name for name in names if name.startswith("predabs")}
            assert all(name.startswith(("predabs.ir", "predabs.errors")) for name in own), module


@pytest.mark.parametrize("module", SOURCES)
def test_every_module_says_what_it_is_for(module: str) -> None:
    assert ast.get_docstring(TREES[module])


def reached(module: str) -> set[str]:
    """All modules that are loaded with one."""
    found: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop()
        if name not in found and name in SOURCES:
            found.add(name)
            todo += IMPORTS[name]
    return found


@pytest.mark.parametrize(
    ("module", "stranger"),
    [
        ("predabs.numpred.relations", "predabs.boolprog"),
        ("predabs.engines.lazy.engine", "predabs.boolprog"),
        ("predabs.engines.numpred.engine", "predabs.boolprog"),
        ("predabs.analysis.facts", "predabs.smt"),
        ("predabs.engines.cegar", "predabs.predicates"),
    ],
)
def test_what_a_module_does_without(module: str, stranger: str) -> None:
    """Numbers need no Boolean programs, facts no formulas, the loop no predicates."""
    assert module in SOURCES
    assert not [name for name in reached(module) if f"{name}.".startswith(f"{stranger}.")]


def test_engines_are_loaded_when_they_are_used() -> None:
    """The table of engines, which a process that only supervises reads, brings no solver."""
    libraries = {"z3", "bitwuzla", "cvc5"}
    for module in reached("predabs.engines.engine"):
        assert not {name.partition(".")[0] for name in IMPORTS[module]} & libraries, module
