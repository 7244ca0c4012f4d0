"""From SPARK files to a linked `Program`.

A run begins in the environment task (Ada RM 10.2), which elaborates the packages and calls
the main procedure. A subprogram that is checked for all callers is called by it with any arguments
and any values of the packages' variables that its precondition allows; without a main procedure,
so is every subprogram. Soundness duty: what is declared but not understood is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.ada_text import AdaNames
from ...ir.cfa import Coord, Function, Global, Language, Program
from ...ir.expr import Expr
from ...ir.ops import Call, Havoc, Return
from ...ir.ops import Source as Input
from ...ir.types import INT, VOID, FunctionType, PointerType
from ...records import dataclass
from .bodies import lower_body
from .calls import LowerCalls, address
from .comments import place_comments
from .composites import MODEL
from .declarations import LowerDeclarations
from .entities import Literal, Object, Package, Scope, Subprogram, TypeName
from .frame import Frame
from .instances import open_formal
from .mod_ref import check_globals
from .predicates import predicate
from .tree import Node, Source, children, read_source, text
from .types import BOOLEAN, STANDARD, Scalar
from .units import ordered, unit_name
from .without_checks import without_checks
from .world import Remark, World

ENVIRONMENT = "environment_task"
_KNOWN_PACKAGES = frozenset(
    ["ada", "ada.text_io", "ada.integer_text_io", "interfaces", "spark", "standard"]
)
_UNITS = ("package_declaration", "package_body", "subprogram_body", "subprogram_declaration")
_MAX_DEPTH = 100_000


@dataclass(frozen=True, slots=True)
class SparkProgram:
    """A program, and what only its source knows: the `--%` annotations, and the scopes in which
    predicates are read."""

    program: Program
    remarks: tuple[Remark, ...]
    scopes: Mapping[str, Scope]  # of subprograms, and under no name that of the library

    def predicate(self, function: str, text: str, coord: Coord) -> Expr:
        """A predicate in Ada's syntax, over what a subprogram sees."""
        return predicate(self.scopes[function], text, coord)

    def named(self, name: str) -> str | None:
        """The one function that a user means by a name."""
        found = [path for path in self.program.functions if path.lower() == name.lower()]
        found = found or [
            path for path in self.program.functions if path.lower().endswith(f".{name.lower()}")
        ]
        return found[0] if len(found) == 1 else None

    def without_checks(self) -> Program:
        """The program of the runs in which no run-time check fails."""
        return without_checks(self.program)


def load(
    files: Sequence[str],
    entry: str | None = "main",
    texts: Mapping[str, str] = MappingProxyType({}),
) -> SparkProgram:
    """Read and link SPARK files; without an entry every subprogram is built."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _MAX_DEPTH))
    try:
        return _Loader(files, texts).program(entry)
    except RecursionError:
        raise UnsupportedFeature(f"{files[0]}: expressions or statements nested too deep") from None
    finally:
        sys.setrecursionlimit(before)


class _Loader:
    """One program while it is put together."""

    def __init__(self, files: Sequence[str], texts: Mapping[str, str]) -> None:
        self._files = list(files)
        self._sources: dict[str, Source] = {}
        for file in files:
            self._sources[file] = _read(file, texts.get(file))
        self._find_withed()
        self._world = World()
        self._frame = Frame(ENVIRONMENT)
        self._standard = _standard()
        self._library = Scope(self._standard)
        self._open: list[Subprogram] = []  # with parameters whose bounds only calls tell
        self._declare_units()

    # --- library units --------------------------------------------------------------------------

    def _find_withed(self) -> None:
        """Units that are named in a with clause lie beside the file, in files named after them."""
        todo = list(self._sources.values())
        known = {Path(file).name for file in self._files}
        while todo:
            source = todo.pop()
            for node in source.root.children:
                for clause in children(node, "with_clause"):
                    for name in children(clause, "identifier", "selected_component"):
                        todo += self._withed(source, name, known)
            own = Path(source.file)
            if own.suffix == ".adb" and own.with_suffix(".ads").exists():
                todo += self._read_beside(own.with_suffix(".ads"), known)

    def _withed(self, source: Source, name: Node, known: set[str]) -> list[Source]:
        unit = text(name).lower()
        if unit in _KNOWN_PACKAGES or self._declares(unit):
            return []
        stem = unit.replace(".", "-")
        found = []
        for suffix in (".ads", ".adb"):
            path = Path(source.file).parent / f"{stem}{suffix}"
            if path.exists():
                found += self._read_beside(path, known)
        if not found and not {f"{stem}.ads", f"{stem}.adb"} & known:
            where = source.coord(name)
            if unit.startswith(("ada.", "gnat.", "interfaces.", "system")):
                raise UnsupportedFeature(f"{where}: the library unit {text(name)} is not supported")
            raise InputError(
                f"{where}: the unit {text(name)} is not there; name its files, or put {stem}.ads "
                "beside this one"
            )
        return found

    def _declares(self, unit: str) -> bool:
        return any(
            text(name).lower() == unit
            for source in self._sources.values()
            for node in source.root.children
            for part in children(node, *_UNITS)
            if (name := unit_name(part)) is not None
        )

    def _read_beside(self, path: Path, known: set[str]) -> list[Source]:
        if path.name in known:
            return []
        known.add(path.name)
        source = self._sources[str(path)] = _read(str(path))
        return [source]

    def _declare_units(self) -> None:
        """Specifications before bodies, and each after what it needs."""
        units: list[tuple[Source, Node, list[Node]]] = []
        for source in self._sources.values():
            context: list[Node] = []
            for node in source.root.children:
                for part in [node] if node.type in (*_UNITS, "use_clause") else node.children:
                    if part.type in ("use_clause", "with_clause"):
                        context.append(part)
                    elif part.type in _UNITS:
                        units.append((source, part, list(context)))
                    elif part.type not in ("pragma_g", "comment", ";") and part.named:
                        words = part.type.replace("_", " ")
                        raise UnsupportedFeature(f"{source.coord(part)}: {words} is not supported")
        for source, node, context in ordered(units):
            scope = Scope(self._library)
            low = LowerDeclarations(self._frame, self._library, self._world, source, None)
            low.names.scope = scope
            scope.names = self._library.names  # one library, each unit with its own use clauses
            low.declare([*(part for part in context if part.type == "use_clause"), node])

    # --- the program ----------------------------------------------------------------------------

    def program(self, entry: str | None) -> SparkProgram:
        mains = self._mains()
        named = [] if entry is None else self._named(entry)
        if len(named) == 1 and named[0] in mains:
            name = self._begin_main(named[0])
        elif named:
            name = self._begin_any(named)
        elif entry is None:
            for one in self._with_bodies():
                if open_formal(one) is None:
                    self._world.demands.wanted.setdefault(one, one.coord)
            name = self._begin_any([])
        elif entry.lower() != "main":
            known = ", ".join(one.path for one in self._world.subprograms[:10]) or "none at all"
            raise InputError(
                f"{self._files[0]}: there is no subprogram {entry} to start from; "
                f"name one with --entry (there is {known})"
            )
        elif len(mains) == 1:
            name = self._begin_main(mains[0])
        elif mains:
            names = ", ".join(one.path for one in mains)
            raise InputError(f"{self._files[0]}: which is the main procedure? --entry: {names}")
        else:
            bodies = self._with_bodies()
            self._open = [one for one in bodies if open_formal(one) is not None]
            entries = [one for one in bodies if one not in self._open]
            if not entries:
                formal = open_formal(self._open[0])
                assert formal is not None
                raise UnsupportedFeature(
                    f"{formal.coord}: {formal.spelling} has no bounds; check a subprogram that "
                    f"calls {self._open[0].path}"
                )
            name = self._begin_any(entries)
        return self._finish(name, entry)

    def _with_bodies(self) -> list[Subprogram]:
        found = [one for one in self._world.subprograms if one.body is not None]
        if not found:
            raise InputError(f"{self._files[0]}: there is no subprogram with a body")
        return found

    def _mains(self) -> list[Subprogram]:
        """Procedures without parameters that are units of the library, and that nobody withs."""
        return [
            one
            for entities in self._library.names.values()
            for one in entities
            if isinstance(one, Subprogram)
            and one.body is not None
            and one.result is None
            and not one.formals
            and not one.contract.pre
        ]

    def _named(self, entry: str) -> list[Subprogram]:
        wanted = entry.lower()
        found = [one for one in self._world.subprograms if one.path.lower() == wanted]
        found = found or [
            one for one in self._world.subprograms if one.path.lower().endswith(f".{wanted}")
        ]
        for one in found:
            formal = open_formal(one)
            if formal is not None:
                raise UnsupportedFeature(
                    f"{formal.coord}: {one.path} cannot be checked for all callers, as "
                    f"{formal.spelling} has no bounds; check a subprogram that calls it"
                )
        without = [one for one in found if one.body is None]
        if without:
            raise InputError(f"{without[0].coord}: {without[0].path} has no body to check")
        return found

    def _begin_main(self, main: Subprogram) -> str:
        self._world.demands.wanted.setdefault(main, main.coord)
        if not self._world.elaborations:
            return main.path
        for item in self._world.elaborations:
            if item.run is not None:
                item.run()
        self._frame.graph.emit(Call(None, address(main), ()), main.coord)
        self._frame.graph.emit(Return(None), main.coord)
        return ENVIRONMENT

    def _begin_any(self, entries: Sequence[Subprogram]) -> str:
        """Call one of the subprograms, for all callers."""
        coord = entries[0].coord if entries else Coord(self._files[0], 1, 1)
        graph = self._frame.graph
        low = LowerCalls(self._frame, self._library, self._world.demands)
        for item in self._world.elaborations:
            if item.item.constant and item.run is not None:
                item.run()
            else:
                place, type_ = item.item.place, item.item.type
                low.any_value(place, type_, Input.PARAMETER, item.item.spelling, item.item.coord)
        after = graph.fresh()
        choice = self._frame.temporary(INT, "choice")
        if len(entries) > 1:
            graph.emit(Havoc(choice, Input.NONDET, "choice"), coord)
        for number, one in enumerate(entries):
            self._world.demands.wanted.setdefault(one, one.coord)
            if number + 1 < len(entries):
                yes, no = graph.fresh(), graph.fresh()
                same = make.equal(choice, make.const(number, INT))
                self._frame.branch(same, yes, no, one.coord)
                graph.here = yes
                self._call_for_all(low, one)
                graph.jump(after, one.coord)
                graph.here = no
            else:
                self._call_for_all(low, one)
        graph.jump(after, coord)
        graph.here = after
        graph.emit(Return(None), coord)
        return ENVIRONMENT

    def _call_for_all(self, low: LowerCalls, one: Subprogram) -> None:
        bindings: dict[Object, Expr] = {}
        passed: list[Expr] = []
        for formal in one.formals:
            if isinstance(formal.type, Scalar) and not formal.reads:
                continue
            made = self._frame.local(
                f"{one.path.rpartition('.')[2]}.{formal.spelling}", formal.type.ir
            )
            self._world.describe(made.name, formal.type)
            low.any_value(made, formal.type, Input.PARAMETER, formal.spelling, formal.coord)
            bindings[one.parameters[formal.name]] = made
            if isinstance(formal.type, Scalar):
                passed.append(made)
            else:
                pointer = PointerType(formal.type.ir, MODEL.pointer_bits)
                passed.append(make.address_of(made, pointer))
        contract = low.contract_of(one, bindings)
        for pre in one.contract.pre:
            self._frame.assume(contract.condition(pre), pre.coord)
        self._frame.graph.emit(Call(None, address(one), tuple(passed)), one.coord)

    def _for_calls_only(self) -> Iterator[str]:
        """What is not checked for all callers, as only a call can tell the bounds of its arrays."""
        for one in self._open:
            formal = open_formal(one)
            assert formal is not None
            how = "checked for the bounds of its calls only" if one.instances else "not checked"
            yield f"{one.path} is {how}: parameter {formal.spelling} has none of its own"

    def _finish(self, name: str, entry: str | None) -> SparkProgram:
        functions: dict[str, Function] = {}
        world = self._world
        while True:
            todo = [one for one in world.demands.wanted if one.path not in functions]
            if not todo:
                break
            for one in todo:
                functions[one.path] = lower_body(world, one)
        if name == ENVIRONMENT:
            done = self._frame.graph.finish({})
            functions[ENVIRONMENT] = Function(
                ENVIRONMENT,
                FunctionType(VOID, (), False),
                (),
                tuple(self._frame.locals),
                done.entry,
                done.exit,
                done.edges,
                Coord(self._files[0], 1, 1),
            )
        world.subprograms += world.demands.instances
        coord = Coord(self._files[0], 1, 1)
        globals_ = [
            *world.globals.values(),
            *(Global(var, (), False, where) for var, where in world.demands.slots.items()),
            *world.strings.globals(coord),
        ]
        program = Program(
            functions,
            tuple(globals_),
            world.records,
            "" if entry is None else name,
            MODEL,
            {one.path: where for one, where in world.demands.externals.items()},
            tuple(self._for_calls_only()),
            tuple(self._sources),
            language=Language.SPARK,
            ada=AdaNames(world.lows, world.literals),
        )
        check_globals(program, world)
        scopes = {"": self._library}
        for one in world.subprograms:
            scope = one.declared or one.inside
            if scope is not None:
                scopes[one.path] = scope
        return SparkProgram(program, tuple(world.remarks), scopes)


def _read(file: str, given: str | None = None) -> Source:
    source = read_source(file, given)
    place_comments(source)
    return source


def _standard() -> Scope:
    """What every unit sees."""
    scope = Scope(None)
    interfaces = Scope(None)
    for name, type_ in STANDARD.items():
        package, _, short = name.rpartition(".")
        (interfaces if package else scope).add(TypeName(short, type_))
    scope.add(Package("interfaces", interfaces))
    for position, literal in enumerate(("false", "true")):
        scope.add(Literal(literal, BOOLEAN, position))
    return scope
