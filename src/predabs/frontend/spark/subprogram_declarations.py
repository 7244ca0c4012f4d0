"""Declarations of subprograms: their parameters and contracts. Bodies are kept until a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import InputError, UnsupportedFeature
from . import syntax
from .annotations import global_parts, read_annotations
from .entities import (
    Contract,
    Formal,
    Subprogram,
)
from .instances import is_open, make_parameters
from .parse import parse_expression
from .syntax import Association
from .tree import Node, child, children, children_between, has, text, walk
from .type_declarations import LowerTypes
from .types import (
    AdaType,
    same_type,
)
from .world import Body, Remark


class LowerSubprograms(LowerTypes):
    """Declares subprograms."""

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
            if is_open(result):
                raise UnsupportedFeature(
                    f"{mark.coord}: functions that return unconstrained arrays are not supported; "
                    f"declare a subtype of {result.name} with bounds"
                )
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
        make_parameters(one)
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
