"""Declarations: types, objects, subprograms and packages, into a scope.

Of a declarative part, first the types and objects are declared, then the subprograms; at last the
objects get their values, in the order of the source. The body of a subprogram is kept until it is
called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.expr import Lvalue, Var
from . import syntax
from .annotations import REMARKS, read_annotations
from .entities import (
    Number,
    Object,
    Package,
    Scope,
)
from .subprogram_declarations import LowerSubprograms
from .tree import Node, child, children, has, text
from .types import (
    AdaType,
    Array,
    Scalar,
)
from .world import Elaboration, Remark

_UNSUPPORTED = {
    "generic_package_declaration": "generics are",
    "generic_subprogram_declaration": "generics are",
    "generic_instantiation": "generics are",
    "single_task_declaration": "tasks are",
    "task_declaration": "tasks are",
    "task_type_declaration": "tasks are",
    "task_body": "tasks are",
    "single_protected_declaration": "protected objects are",
    "protected_type_declaration": "protected objects are",
    "protected_body": "protected objects are",
    "private_extension_declaration": "tagged types are",
    "incomplete_type_declaration": "incomplete types are",
    "exception_declaration": "exceptions are",
    "object_renaming_declaration": "renaming is",
    "package_renaming_declaration": "renaming is",
    "subprogram_renaming_declaration": "renaming is",
    "body_stub": "separate bodies are",
    "subprogram_body_stub": "separate bodies are",
    "null_procedure_declaration": "null procedures are",
    "abstract_subprogram_declaration": "abstract subprograms are",
    "entry_declaration": "tasks are",
    "at_clause": "representation clauses are",
    "attribute_definition_clause": "representation clauses are",
    "record_representation_clause": "representation clauses are",
    "enumeration_representation_clause": "representation clauses are",
}
_TYPES = frozenset(["full_type_declaration", "subtype_declaration", "private_type_declaration"])
_OBJECTS = frozenset(["object_declaration", "number_declaration"])
_SUBPROGRAMS = frozenset(
    ["subprogram_declaration", "subprogram_body", "expression_function_declaration"]
)
_PACKAGES = frozenset(["package_declaration", "package_body"])
_KNOWN = _TYPES | _OBJECTS | _SUBPROGRAMS | _PACKAGES | {"use_clause", "pragma_g", "comment"}


class LowerDeclarations(LowerSubprograms):
    """Declares what a declarative part has."""

    def declare(self, nodes: Iterable[Node]) -> None:
        """All declarations of a part, then the values of its objects."""
        items = [node for node in nodes if node.named]
        values: list[Elaboration] = []
        for node in items:
            self._declare_early(node, items, values)
        for at, node in enumerate(items):
            if node.type in _SUBPROGRAMS:
                self._subprogram(node, items[at + 1 :])
            elif node.type in _PACKAGES:
                self._package(node)
            elif node.type not in _KNOWN and node.field_name != "endname":
                words = f"{node.type.replace('_', ' ')} is"
                where = self.source.coord(node)
                raise UnsupportedFeature(
                    f"{where}: {_UNSUPPORTED.get(node.type, words)} not supported"
                )
        if self.lifted is None:
            self.world.elaborations += values
        else:
            for value in values:
                if value.run is not None:
                    value.run()
        for found in read_annotations(self.source, _free_comments(items)):
            if found.word not in REMARKS:
                raise InputError(f"{found.coord}: {found.mark} {found.word} cannot stand here")
            self.world.remarks.append(Remark(found, self.frame.function, self.scope))

    def _declare_early(self, node: Node, items: Sequence[Node], values: list[Elaboration]) -> None:
        if node.type == "use_clause":
            self._use(node)
        elif node.type in _TYPES:
            self._type_declaration(node, items)
        elif node.type == "object_declaration":
            self._objects(node, items, values)
        elif node.type == "number_declaration":
            init = self.source.between(node, (":=",), (";",))
            assert init is not None
            value = self.names.static(init)
            if value is None:
                raise UnsupportedFeature(f"{init.coord}: a named number must be a static integer")
            for name in children(node, "identifier"):
                self.scope.add(Number(text(name).lower(), value))
        elif node.type == "package_declaration":
            self._package_types(node)

    def _use(self, node: Node) -> None:
        if has(node, "type"):
            return  # operators are visible anyway
        for name in children(node, "identifier", "selected_component"):
            expr = self.source.expression(name)
            spelled = text(name).lower()
            if spelled.startswith("ada.") or spelled == "ada":
                continue
            for entity in self.names.entities(expr):
                if isinstance(entity, Package):
                    self.scope.used.append(entity.scope)

    # --- packages -------------------------------------------------------------------------------

    def _package_types(self, node: Node) -> None:
        """Declare a package specification: all of it, as others may use it at once."""
        name = child(node, "identifier", "selected_component")
        assert name is not None
        spelled = text(name)
        scope = Scope(self.scope, f"{self.scope.path}{spelled}.")
        self.scope.add(Package(spelled.lower(), scope))
        inner = LowerDeclarations(self.frame, scope, self.world, self.source, self.lifted)
        parts = node.children[_after_is(node) :]
        inner.declare(parts)

    def _package(self, node: Node) -> None:
        if node.type == "package_declaration":
            return  # declared early
        name = child(node, "identifier", "selected_component")
        assert name is not None
        spelled = text(name)
        known = [one for one in self.scope.own(spelled.lower()) if isinstance(one, Package)]
        if known:
            outer = known[0].scope
        else:
            outer = Scope(self.scope, f"{self.scope.path}{spelled}.")
            self.scope.add(Package(spelled.lower(), outer))
        # what the body declares is seen by the body alone; a specification's bodies are its own
        inner = LowerDeclarations(self.frame, outer, self.world, self.source, self.lifted)
        part = child(node, "non_empty_declarative_part")
        if part is not None:
            inner.declare(part.children)
        if child(node, "handled_sequence_of_statements") is not None:
            where = self.source.coord(node)
            raise UnsupportedFeature(f"{where}: statements of a package body are not supported")

    # --- objects --------------------------------------------------------------------------------

    def _objects(self, node: Node, items: Sequence[Node], values: list[Elaboration]) -> None:
        inner = child(node, *_UNSUPPORTED)
        if inner is not None:
            where = self.source.coord(inner)
            raise UnsupportedFeature(f"{where}: {_UNSUPPORTED[inner.type]} not supported")
        init = self.source.between(node, (":=",), ("aspect_specification", ";"))
        constant = has(node, "constant")
        anonymous = child(node, "array_type_definition")
        names = [one for one in node.children_by_field_name("name") if one.type == "identifier"]
        if anonymous is not None:
            type_: AdaType = self.array(anonymous, "this array")
        else:
            mark = self.source.between(
                node, (":", "constant", "aliased"), (":=", "aspect_specification", ";")
            )
            assert mark is not None
            type_ = self.subtype(mark, None)
        if isinstance(type_, Array) and not type_.constrained:
            where = self.source.coord(node)
            raise UnsupportedFeature(f"{where}: bounds must be given: {type_.name} (1 .. 10)")
        for name in names:
            spelled = text(name)
            coord = self.source.coord(name)
            if constant and init is None:
                if self._completed(node, spelled, items):
                    continue
                raise UnsupportedFeature(f"{coord}: a constant needs a value")
            value = None
            if constant and init is not None and isinstance(type_, Scalar):
                self.names.type(init, type_)
                value = self.names.static(init, type_)
                if value is not None and not type_.low <= value <= type_.high:
                    value = None
            place = self._storage(spelled, type_, coord)
            item = Object(spelled.lower(), spelled, type_, place, coord, constant, value)
            self.scope.add(item)
            values.append(Elaboration(item, partial(self._elaborate, item, init)))

    def _completed(self, node: Node, spelled: str, items: Sequence[Node]) -> bool:
        """Does a deferred constant get its value later?"""
        return any(
            one.type == "object_declaration"
            and one is not node
            and has(one, ":=")
            and spelled.lower() in [text(n).lower() for n in one.children_by_field_name("name")]
            for one in items
        )

    def _storage(self, spelled: str, type_: AdaType, coord: Coord) -> Var:
        """The variable of the IR for an object."""
        if self.lifted is None:
            var = self.world.add_global(Var(f"{self.scope.path}{spelled}", type_.ir), coord)
        elif spelled.lower() in self.lifted:
            return self.lift(spelled, type_, coord)
        else:
            var = self.frame.local(spelled, type_.ir)
        self.world.describe(var.name, type_)
        return var

    def lift(self, spelled: str, type_: AdaType, coord: Coord) -> Var:
        """A variable of a subprogram that nested ones use: global in the IR."""
        name = f"{self.frame.function}.{spelled}"
        count = 1
        while Var(name, type_.ir) in self.world.globals:
            count += 1
            name = f"{self.frame.function}.{spelled}#{count}"
        var = self.world.add_global(Var(name, type_.ir), coord)
        self.world.describe(name, type_)
        self.world.lifted[var] = self.frame.function
        return var

    def _elaborate(self, item: Object, init: syntax.Expr | None) -> None:
        place: Lvalue = item.place
        if init is None:
            self.no_value(place, item.type, item.spelling, item.coord)
        else:
            self.assign(place, item.type, init)


def _free_comments(items: Sequence[Node]) -> list[Node]:
    """The comments that do not follow a subprogram's declaration, where its contract stands."""
    found: list[Node] = []
    contract = False
    for node in items:
        if node.type != "comment":
            contract = node.type in ("subprogram_declaration", "expression_function_declaration")
        elif not contract:
            found.append(node)
    return found


def _after_is(node: Node) -> int:
    return next(at for at, one in enumerate(node.children) if one.type == "is") + 1
