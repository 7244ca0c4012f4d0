"""The sources as a graph: layers, no import cycle, libraries only where they belong, sizes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import predabs
from predabs.engines.engine import ENGINES
from predabs.ir.order import strong_components

ROOT = Path(predabs.__file__).parent


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in SOURCES.items()}

# The layers, from the bottom up: each folder or module of predabs, and all that it imports.
# Whatever stands in a row has a row of its own above.
LAYERS = {
    # what everybody may speak of; `records` is as good as part of the language, and not in the rows
    "records": "",
    "errors": "",
    "options": "errors",
    "output": "errors",
    "store": "",
    "supervise": "errors",
    "bdd": "errors options",
    "ir": "errors",
    "verdict": "ir",
    # one representation each: C, formulas, facts of a program, numbers, Boolean programs
    "frontend": "errors options supervise ir",
    "smt": "errors ir",
    "analysis": "errors ir",
    "domains": "errors ir",
    "boolprog": "errors options bdd ir",
    # what a program does, and what is asked of it
    "concrete": "errors ir verdict analysis",
    "spec": "errors options ir frontend",
    "harness": "errors ir frontend",
    "wp": "errors ir analysis",
    "encode": "errors ir smt analysis",
    "symbolic": "errors ir verdict smt analysis concrete encode",
    "smg": "errors ir concrete",
    # abstraction and its refinement
    "predicates": "errors bdd ir frontend smt encode",
    "refine": "errors bdd ir verdict smt analysis concrete wp encode symbolic predicates",
    "c2bp": "errors store ir verdict smt analysis boolprog wp encode predicates",
    "numpred": "errors options bdd ir smt analysis domains wp encode predicates refine c2bp",
    # verdicts, and what is shown for them
    "proof_record": "ir",
    "obstacles": "ir frontend",
    "statistics": "smt numpred proof_record obstacles",
    "evidence": "errors supervise ir verdict frontend smt analysis concrete spec encode smg"
    " proof_record",
    "engines": "errors options supervise bdd ir verdict smt analysis boolprog concrete encode"
    " symbolic smg predicates refine c2bp numpred proof_record obstacles statistics evidence",
    # the ways in
    "pipeline": "errors options store supervise ir verdict frontend analysis spec proof_record"
    " obstacles statistics evidence engines",
    "report": "options ir proof_record obstacles evidence pipeline",
    "api": "options supervise ir frontend spec pipeline",
    "validation": "errors options ir frontend spec evidence pipeline api",
    "predabs": "pipeline api",
    "bench": "errors options supervise",
    "remote": "errors options ir verdict frontend pipeline api bench",
    "benchexec": "",
    "commands": "errors options output store supervise bdd ir frontend boolprog concrete harness"
    " predicates c2bp evidence pipeline api validation bench",
    "cli": "errors",
    "__main__": "cli",
}

# modules that are longer than `LONGEST` lines, and still to be split
LONGEST = 400

# a library, and the only parts of predabs that may speak to it
HOMES = {
    "jinja2": "predabs.report",
    "clang": "predabs.frontend",
    "tree_sitter": "predabs.frontend",
    "oxidd": "predabs.bdd",
    "z3": "predabs.smt",
    "bitwuzla": "predabs.smt",
    "cvc5": "predabs.smt",
    "ppl": "predabs.domains",
    "rich": "predabs.commands",
    "yaml": "predabs.bench.task_files predabs.evidence.witness.read_yaml",
    "distributed": "predabs.bench.cluster",
    "benchexec": "predabs.benchexec",
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


def part(module: str) -> str:
    """The row of a module in the table of layers; the package itself has one too."""
    return module.split(".")[1] if "." in module else module


def test_the_layers_are_ordered() -> None:
    rows = list(LAYERS)
    assert sorted(rows) == sorted({part(module) for module in SOURCES})
    for number, row in enumerate(rows):
        allowed = LAYERS[row].split()
        assert allowed == [name for name in rows[:number] if name in allowed], (
            f"the row of {row} names, in the table's order, rows above it only"
        )


def test_imports_follow_the_layers() -> None:
    """Exactly: a row with more than is used would let a new dependency in unseen."""
    strange, used = [], {row: set[str]() for row in LAYERS}
    for module, names in IMPORTS.items():
        row = part(module)
        for name in sorted(names & SOURCES.keys() - {"predabs", "predabs.records"}):
            if part(name) != row:
                used[row].add(part(name))
                if part(name) not in LAYERS[row].split():
                    strange.append(f"{module} imports {name}")
    assert not strange, "\n".join(strange)
    unused = {row: set(LAYERS[row].split()) - used[row] for row in LAYERS}
    assert not any(unused.values()), f"no longer imported: {unused}"


def test_only_the_version_is_taken_from_the_package() -> None:
    for module, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level == module.count("."):
                names = {alias.name for alias in node.names}
                if not node.module and SOURCES[module].name != "__init__.py":
                    strange = {n for n in names if f"predabs.{n}" not in SOURCES}
                    assert strange <= {"__version__"}, module


def test_each_engine_has_a_folder() -> None:
    """From which no other engine imports, save `auto`, which runs them all."""
    auto = "predabs.engines.auto."
    for engine in ENGINES:
        home = f"predabs.engines.{engine}."
        assert ENGINES[engine].module == f"{home}engine"
        strange = [
            f"{module} imports {name}"
            for module, names in IMPORTS.items()
            for name in sorted(names)
            if name.startswith(home) and not module.startswith((home, auto))
        ]
        assert not strange


def test_dataclasses_are_records() -> None:
    """Those of the standard library take half a millisecond each when their module is loaded."""
    slow = [
        module
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        if "dataclass" in {alias.name for alias in node.names}
    ]
    assert slow == ["predabs.records"]


def test_no_module_is_too_long() -> None:
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in SOURCES.items()}
    long = {name: count for name, count in lines.items() if count > LONGEST}
    assert not long, f"modules of more than {LONGEST} lines: {long}"


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


def test_no_function_imports() -> None:
    late = {module: late_imports(tree) for module, tree in TREES.items()}
    assert not any(late.values()), {module: lines for module, lines in late.items() if lines}


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_used_in_one_place_only(library: str) -> None:
    homes = HOMES[library].split()
    users = {
        module
        for module, names in IMPORTS.items()
        if any(name == library or name.startswith(f"{library}.") for name in names)
    }
    at_home = tuple(f"{home}." for home in homes)
    strangers = {user for user in users if user not in homes and not user.startswith(at_home)}
    assert not strangers


def test_every_module_says_what_it_is_for() -> None:
    assert not [module for module, tree in TREES.items() if not ast.get_docstring(tree)]


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
    """The process that forks the engines brings no solver and no BDDs."""
    libraries = {"z3", "bitwuzla", "cvc5", "oxidd"}
    for module in reached("predabs.engines.auto.engine"):
        assert not {name.partition(".")[0] for name in IMPORTS[module]} & libraries, module
