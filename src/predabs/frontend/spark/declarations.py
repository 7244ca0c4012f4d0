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
from ...ir.expr import Deref, Lvalue, Var
from ...ir.types import Member, Record, RecordType, size_of
from . import syntax
from .annotations import global_parts, read_annotations
from .calls import LowerCalls
from .composites import MODEL
from .entities import (
    Contract,
    Formal,
    Literal,
    Number,
    Object,
    Package,
    Scope,
    Subprogram,
    TypeName,
)
from .frame import Frame
from .parse import parse_expression
from .syntax import Association
from .tree import Node, Source, child, children, children_between, has, text, walk
from .types import (
    AdaType,
    Array,
    Base,
    Class,
    Component,
    RecordOf,
    Scalar,
    same_type,
    signed_base,
    unsigned_ir,
)
from .world import Body, Elaboration, Remark, World

_UNSUPPORTED = {
    "generic_package_declaration": "generics are",
    "generic_subprogram_declaration": "generics are",
    "generic_instantiation": "generics are",
    "single_task_declaration": "tasks are",
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
_IGNORED = frozenset(["use_clause", "pragma_g", "comment", "non_empty_declarative_part"])
_LARGEST_ARRAY = 1 << 24


class LowerDeclarations(LowerCalls):
    """Declares what a declarative part has; `frame` is where objects get their values."""

    def __init__(
        self,
        frame: Frame,
        scope: Scope,
        world: World,
        source: Source,
        lifted: frozenset[str] | None,
    ) -> None:
        super().__init__(frame, scope, world.demands)
        self.world = world
        self.source = source
        self.lifted = lifted  # None outside of subprograms, where all objects are global

    @property
    def scope(self) -> Scope:
        return self.names.scope

    # --- declarative parts ----------------------------------------------------------------------

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
            elif node.type in _UNSUPPORTED:
                where = self.source.coord(node)
                raise UnsupportedFeature(f"{where}: {_UNSUPPORTED[node.type]} not supported")
        if self.lifted is None:
            self.world.elaborations += values
        else:
            for value in values:
                if value.run is not None:
                    value.run()
        comments = [node for node in items if node.type == "comment"]
        for found in read_annotations(self.source, comments):
            if found.mark == "--%":
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

    # --- types ----------------------------------------------------------------------------------

    def _type_declaration(self, node: Node, items: Sequence[Node]) -> None:
        name = child(node, "identifier")
        assert name is not None
        spelled = text(name)
        if any(isinstance(one, TypeName) for one in self.scope.own(spelled.lower())):
            return  # the full declaration of a private type, which was looked up before
        if child(node, "discriminant_part", "known_discriminant_part") is not None:
            where = self.source.coord(node)
            raise UnsupportedFeature(f"{where}: discriminants are not supported")
        if node.type == "private_type_declaration":
            node = self._full_type(node, spelled, items)
        if node.type == "subtype_declaration":
            mark = self.source.between(node, ("is",), ("aspect_specification", ";"))
            assert mark is not None
            self._refuse_predicates(node)
            self.scope.add(TypeName(spelled.lower(), self.subtype(mark, spelled)))
            return
        self._refuse_predicates(node)
        definition = _definition(node)
        if definition is None:
            where = self.source.coord(node)
            raise UnsupportedFeature(f"{where}: this kind of type is not supported")
        type_ = self._defined(definition, spelled)
        self.scope.add(TypeName(spelled.lower(), type_))
        if isinstance(type_, Scalar) and type_.base.kind is Class.ENUMERATION:
            for position, literal in enumerate(type_.base.literals):
                if not literal.startswith("'"):
                    self.scope.add(Literal(literal.lower(), type_, position))

    def _refuse_predicates(self, node: Node) -> None:
        for aspect in (one for one in walk(node) if one.type == "aspect_association"):
            word = text(aspect.children[0]).lower()
            if word in ("predicate", "static_predicate", "dynamic_predicate", "type_invariant"):
                where = self.source.coord(aspect)
                raise UnsupportedFeature(f"{where}: predicates of subtypes are not supported")

    def _full_type(self, node: Node, spelled: str, items: Sequence[Node]) -> Node:
        for one in items:
            if one.type == "full_type_declaration":
                name = child(one, "identifier")
                if name is not None and text(name).lower() == spelled.lower():
                    return one
        raise UnsupportedFeature(
            f"{self.source.coord(node)}: {spelled} has no full declaration here"
        )

    def _defined(self, node: Node, name: str) -> AdaType:
        where = self.source.coord(node)
        match node.type:
            case "signed_integer_type_definition":
                ends = children_between(node, ("range",), (";",))
                range_ = self.source.span(ends[0], ends[-1])
                bounds = self.names.static_range(range_)
                base = signed_base(name, bounds.low, bounds.high)
                if base is None or base.ir.bits > 64:
                    raise UnsupportedFeature(f"{where}: a range of more than 64 bits")
                return Scalar(name, base, bounds.low, bounds.high)
            case "modular_type_definition":
                expr = self.source.between(node, ("mod",), (";",))
                assert expr is not None
                modulus = self.names.static(expr)
                ir = unsigned_ir(modulus - 1) if modulus is not None and modulus > 0 else None
                if modulus is None or ir is None:
                    raise UnsupportedFeature(f"{where}: a modulus is static and at most 2**64")
                return Scalar(name, Base(name, Class.MODULAR, 0, modulus - 1, ir), 0, modulus - 1)
            case "enumeration_type_definition":
                literals = tuple(
                    text(one) for one in children(node, "identifier", "character_literal")
                )
                if any(one.startswith("'") for one in literals):
                    raise UnsupportedFeature(f"{where}: character literals in an enumeration")
                ir = unsigned_ir(len(literals) - 1)
                assert ir is not None
                high = len(literals) - 1
                return Scalar(name, Base(name, Class.ENUMERATION, 0, high, ir, literals), 0, high)
            case "array_type_definition":
                return self.array(node, name)
            case "record_type_definition":
                return self._record_type(node, name)
            case "derived_type_definition":
                return self._derived(node, name)
        words = node.type.removesuffix("_definition").replace("_", " ")
        raise UnsupportedFeature(f"{where}: {words}s are not supported")

    def _derived(self, node: Node, name: str) -> AdaType:
        mark = self.source.between(node, ("new",), (";", "with"))
        assert mark is not None
        parent = self.subtype(mark, name)
        if has(node, "with") or not isinstance(parent, Scalar):
            raise UnsupportedFeature(f"{mark.coord}: only scalar types can be derived from")
        old = parent.base
        base = Base(name, old.kind, old.low, old.high, old.ir, old.literals)
        return Scalar(name, base, parent.low, parent.high)

    def array(self, node: Node, name: str) -> Array:
        """An array type, of a declaration or of an object."""
        if any(one.type == "index_subtype_definition" for one in node.children):
            indices = []
            for one in children(node, "index_subtype_definition"):
                mark = one.child_by_field_name("subtype_mark") or one.children[0]
                indices.append(self._index(self.source.expression(mark)))
            constrained = False
        else:
            indices, constrained = [], True
            inside = children_between(node, ("(",), (")",))
            group: list[Node] = []
            for part in [*inside, None]:
                if part is None or part.type == ",":
                    indices.append(self._index(self.source.span(group[0], group[-1])))
                    group = []
                else:
                    group.append(part)
        component = child(node, "component_definition")
        assert component is not None
        element = self.subtype(self.source.expression(component), None)
        if isinstance(element, Array) and not element.constrained:
            raise InputError(f"{self.source.coord(component)}: elements need a constrained type")
        found = Array(name, object(), tuple(indices), element, constrained)
        self._refuse_large(found, node)
        return found

    def _refuse_large(self, type_: Array, node: Node) -> None:
        if type_.constrained and size_of(type_.ir) > _LARGEST_ARRAY:
            where = self.source.coord(node)
            raise UnsupportedFeature(f"{where}: an array of more than {_LARGEST_ARRAY} bytes")

    def _index(self, expr: syntax.Expr) -> Scalar:
        return self.names.static_range(expr)

    def _record_type(self, node: Node, name: str) -> RecordOf:
        if any(one.type in ("tagged", "limited", "variant_part") for one in walk(node)):
            where = self.source.coord(node)
            raise UnsupportedFeature(f"{where}: tagged, limited and variant records")
        components: list[Component] = []
        for one in (one for one in walk(node) if one.type == "component_declaration"):
            definition = child(one, "component_definition")
            assert definition is not None
            type_ = self.subtype(self.source.expression(definition), None)
            if isinstance(type_, Array) and not type_.constrained:
                raise InputError(f"{self.source.coord(one)}: components need a constrained type")
            init = self.source.between(one, (":=",), (";", "aspect_specification"))
            default = None
            if init is not None:
                default = self.names.static(init, type_) if isinstance(type_, Scalar) else None
                if default is None:
                    raise UnsupportedFeature(f"{init.coord}: defaults of components must be static")
            for spelled in map(text, children(one, "identifier")):
                components.append(Component(spelled.lower(), spelled, type_, default))
        return self._laid_out(name, components)

    def _laid_out(self, name: str, components: list[Component]) -> RecordOf:
        """Each component at a multiple of its own alignment, as C has it."""
        members, at, widest = [], 0, 1
        for part in components:
            align = _alignment(part.type)
            at = -(-at // align) * align
            members.append(Member(part.spelling, part.type.ir, 8 * at, False))
            at += size_of(part.type.ir)
            widest = max(widest, align)
        tag = f"{self.scope.path}{name}"
        while tag in self.world.records:
            tag += "'"
        ir = RecordType(tag, max(1, -(-at // widest) * widest))
        for part in components:
            self.world.describe(f"{tag}.{part.spelling}", part.type)
        self.world.records[tag] = Record(ir, tuple(members), False)
        return RecordOf(name, tuple(components), ir)

    def subtype(self, expr: syntax.Expr, name: str | None) -> AdaType:
        """The type that a subtype indication means: `T`, `T range 1 .. 3`, `A (1 .. 3)`."""
        match expr:
            case syntax.Constrained(_, mark, range_):
                outer = self.names.wanted_type(mark)
                if not isinstance(outer, Scalar):
                    raise InputError(f"{expr.coord}: {outer.name} has no range")
                found = self.names.static_range(range_, outer)
                if (
                    found.low <= found.high
                    and not outer.low <= found.low <= found.high <= outer.high
                ):
                    raise InputError(f"{expr.coord}: the range is not inside that of {outer.name}")
                return outer.within(found.low, found.high, name or outer.name)
            case syntax.Apply(_, mark, args):
                array = self.names.wanted_type(mark)
                if not isinstance(array, Array) or array.constrained:
                    raise InputError(f"{expr.coord}: {array.name} cannot be constrained so")
                if len(args) != len(array.indices):
                    raise InputError(
                        f"{expr.coord}: {array.name} has {len(array.indices)} dimension(s)"
                    )
                indices = []
                for arg, index in zip(args, array.indices, strict=True):
                    assert arg.value is not None
                    indices.append(self.names.static_range(arg.value, index))
                return Array(name or array.name, array.origin, tuple(indices), array.element, True)
        found_type = self.names.wanted_type(expr)
        if name is not None and isinstance(found_type, Scalar):
            return found_type.within(found_type.low, found_type.high, name)
        return found_type

    # --- objects --------------------------------------------------------------------------------

    def _objects(self, node: Node, items: Sequence[Node], values: list[Elaboration]) -> None:
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

    # --- subprograms ----------------------------------------------------------------------------

    def _subprogram(self, node: Node, following: Sequence[Node]) -> None:
        spec = child(node, "procedure_specification", "function_specification")
        assert spec is not None
        one = self._declared(spec)
        comments = []
        if node.type == "subprogram_body":
            for part in node.children:
                if part.type == "is":
                    break
                if part.type == "comment":
                    comments.append(part)
        else:
            for part in following:
                if part.type != "comment":
                    break
                comments.append(part)
        self._aspects(one, node)
        self._annotated(one, comments)
        if node.type == "expression_function_declaration":
            one.value = self.source.between(node, ("is",), (";", "aspect_specification"))
            one.body = Body(self.source, node, frozenset())
        elif node.type == "subprogram_body":
            one.body = Body(self.source, node, nested_names(node))

    def _declared(self, spec: Node) -> Subprogram:
        """The subprogram of a specification; a body has the one that was declared before."""
        name = spec.child_by_field_name("name")
        if name is None or name.type != "identifier":
            raise UnsupportedFeature(f"{self.source.coord(spec)}: operators cannot be declared")
        spelled = text(name)
        formals = tuple(self._formals(spec))
        result: AdaType | None = None
        profile = child(spec, "result_profile")
        if profile is not None:
            mark = self.source.between(profile, ("return",), (";",))
            assert mark is not None
            result = self.names.wanted_type(mark)
            if isinstance(result, Array):
                raise UnsupportedFeature(f"{mark.coord}: functions that return arrays")
            if any(formal.writes for formal in formals):
                raise UnsupportedFeature(f"{mark.coord}: functions with out parameters")
        for known in self.scope.own(spelled.lower()):
            if isinstance(known, Subprogram) and _same_profile(known, formals, result):
                return known
        path = f"{self.scope.path}{spelled}"
        taken = {one.path for one in self.world.subprograms}
        count = 1
        while path in taken:
            count += 1
            path = f"{self.scope.path}{spelled}#{count}"
        where = self.source.coord(name)
        one = Subprogram(spelled.lower(), path, formals, result, where, self.scope, Contract())
        one.inside = Scope(self.scope, f"{path}.")
        for formal in formals:
            place: Lvalue = Var(f"{path}::{formal.spelling}", formal.type.ir)
            if not isinstance(formal.type, Scalar):
                pointer = Var(f"{path}::{formal.spelling}", MODEL.pointer(formal.type.ir))
                place = Deref(pointer, formal.type.ir)
            self.world.describe(f"{path}::{formal.spelling}", formal.type)
            item = Object(formal.name, formal.spelling, formal.type, place, formal.coord)
            item.constant = not formal.writes
            one.parameters[formal.name] = item
            one.inside.add(item)
        self.scope.add(one)
        self.world.subprograms.append(one)
        return one

    def _formals(self, spec: Node) -> Iterable[Formal]:
        part = child(spec, "formal_part")
        for one in children(part, "parameter_specification") if part is not None else []:
            mode = child(one, "non_empty_mode")
            words = text(mode).lower().split() if mode is not None else ["in"]
            if has(one, "access") or child(one, "access_definition") is not None:
                raise UnsupportedFeature(
                    f"{self.source.coord(one)}: access types are not supported"
                )
            mark = self.source.between(one, (":", "non_empty_mode", "aliased"), (":=", ";"))
            assert mark is not None
            type_ = self.names.wanted_type(mark)
            if isinstance(type_, Array) and not type_.constrained:
                raise UnsupportedFeature(
                    f"{mark.coord}: parameters of unconstrained arrays are not supported; "
                    f"declare a subtype of {type_.name} with bounds"
                )
            default = self.source.between(one, (":=",), (";",))
            colon = next(at for at, part in enumerate(one.children) if part.type == ":")
            for name in (part for part in one.children[:colon] if part.type == "identifier"):
                yield Formal(
                    text(name).lower(),
                    text(name),
                    type_,
                    "in" in words,
                    "out" in words,
                    default,
                    self.source.coord(name),
                )

    def _aspects(self, one: Subprogram, node: Node) -> None:
        for spec in children(node, "aspect_specification"):
            for part in (part for part in walk(spec) if part.type == "aspect_association"):
                word = text(part.children[0]).lower()
                if word in ("pre", "precondition"):
                    one.contract.pre.append(self._aspect(part))
                elif word in ("post", "postcondition"):
                    one.contract.post.append(self._aspect(part))
                elif word == "contract_cases":
                    cases = self._aspect(part)
                    if not isinstance(cases, syntax.Aggregate):
                        raise InputError(f"{cases.coord}: contract cases stand in brackets")
                    one.contract.cases.append(cases.items)
                elif word == "global":
                    found = children_between(part, ("=>",), ())
                    null = " ".join(map(text, found)).lower().strip("() ") == "null"
                    one.contract.globals.append(None if null else self._aspect(part))

    def _aspect(self, node: Node) -> syntax.Expr:
        found = self.source.between(node, ("=>",), ())
        if found is None:
            raise InputError(f"{self.source.coord(node)}: the aspect needs a value")
        return found

    def _annotated(self, one: Subprogram, comments: Sequence[Node]) -> None:
        for found in read_annotations(self.source, comments):
            if found.mark == "--%":
                if one.inside is not None:
                    self.world.remarks.append(Remark(found, one.path, one.inside))
                continue
            match found.word:
                case "pre":
                    one.contract.pre.append(parse_expression(found.text, found.coord))
                case "post":
                    one.contract.post.append(parse_expression(found.text, found.coord))
                case "return":
                    value = parse_expression(found.text, found.coord)
                    name = syntax.Name(found.coord, one.name, one.name)
                    result = syntax.Attribute(found.coord, name, "result", ())
                    one.contract.post.append(syntax.Binary(found.coord, "=", result, value))
                case "global":
                    for mode, word in global_parts(found):
                        key = syntax.Name(found.coord, mode, mode)
                        value = parse_expression(word, found.coord)
                        item = Association(found.coord, (key,), False, value)
                        one.contract.globals.append(syntax.Aggregate(found.coord, (item,)))
                case word:
                    raise InputError(f"{found.coord}: --# {word} belongs into a body")


def _definition(node: Node) -> Node | None:
    return next((one for one in node.children if one.type.endswith("_definition")), None)


def _after_is(node: Node) -> int:
    return next(at for at, one in enumerate(node.children) if one.type == "is") + 1


def _alignment(type_: AdaType) -> int:
    match type_:
        case Array(_, _, _, element):
            return _alignment(element)
        case RecordOf(_, components):
            return max((_alignment(one.type) for one in components), default=1)
    return size_of(type_.ir)


def _same_profile(one: Subprogram, formals: Sequence[Formal], result: AdaType | None) -> bool:
    if len(one.formals) != len(formals) or (one.result is None) != (result is None):
        return False
    if result is not None and one.result is not None and not same_type(result, one.result):
        return False
    return all(
        mine.name == other.name and same_type(mine.type, other.type)
        for mine, other in zip(one.formals, formals, strict=True)
    )


def nested_names(node: Node) -> frozenset[str]:
    """All identifiers in the subprograms that a body declares."""
    found: set[str] = set()
    for inner in walk(node):
        if (
            inner is not node
            and inner.type
            in (
                "subprogram_body",
                "expression_function_declaration",
            )
        ) or (
            inner.type == "aspect_specification"
            and inner.parent is not None
            and inner.parent is not node
        ):
            found.update(text(one).lower() for one in walk(inner) if one.type == "identifier")
    return frozenset(found)
