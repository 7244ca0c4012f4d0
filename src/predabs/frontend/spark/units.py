"""The units of a library, in the order in which they are declared."""

from __future__ import annotations

from collections.abc import Sequence

from .tree import Node, Source, child, children, text


def unit_name(node: Node) -> Node | None:
    spec = child(node, "procedure_specification", "function_specification")
    return (spec or node).child_by_field_name("name") or child(node, "identifier")


def ordered(
    units: Sequence[tuple[Source, Node, list[Node]]],
) -> list[tuple[Source, Node, list[Node]]]:
    """Packages after those that they name; bodies of packages after all specifications."""
    rank = {"package_declaration": 0, "package_body": 1, "subprogram_declaration": 2}
    by_name: dict[str, tuple[Source, Node, list[Node]]] = {}
    for unit in units:
        name = unit_name(unit[1])
        if unit[1].type == "package_declaration" and name is not None:
            by_name[text(name).lower()] = unit
    done: list[tuple[Source, Node, list[Node]]] = []
    open_: set[int] = set()

    def visit(unit: tuple[Source, Node, list[Node]]) -> None:
        if any(unit is other for other in done) or id(unit) in open_:
            return
        open_.add(id(unit))
        for clause in unit[2]:
            for name in children(clause, "identifier", "selected_component"):
                if clause.type == "with_clause" and text(name).lower() in by_name:
                    visit(by_name[text(name).lower()])
        done.append(unit)

    for unit in sorted(units, key=lambda one: rank.get(one[1].type, 3)):
        visit(unit)
    return done
