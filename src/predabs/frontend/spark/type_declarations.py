"""Declarations of types and subtypes (Ada RM 3.2 to 3.8)."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir.types import Member, Record, RecordType, size_of
from . import syntax
from .calls import LowerCalls
from .entities import (
    Literal,
    Scope,
    TypeName,
)
from .frame import Frame
from .tree import Node, Source, child, children, children_between, has, text, walk
from .types import (
    AdaType,
    Array,
    Base,
    Class,
    Component,
    RecordOf,
    Scalar,
    signed_base,
    unsigned_ir,
)
from .world import World

_LARGEST_ARRAY = 1 << 24


class LowerTypes(LowerCalls):
    """Declares types; `frame` is where objects get their values."""

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
        if words.startswith("access"):
            words = "access type"
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


def _definition(node: Node) -> Node | None:
    return next((one for one in node.children if one.type.endswith("_definition")), None)


def _alignment(type_: AdaType) -> int:
    match type_:
        case Array(_, _, _, element):
            return _alignment(element)
        case RecordOf(_, components):
            return max((_alignment(one.type) for one in components), default=1)
    return size_of(type_.ir)
