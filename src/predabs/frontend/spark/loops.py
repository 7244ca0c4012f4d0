"""Lower loops and blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import Lvalue, Op
from ...ir.types import LLONG
from ...records import dataclass
from . import syntax
from .arithmetic import Value, outside
from .declarations import LowerDeclarations
from .entities import Object, Scope
from .frame import RANGE, Frame
from .parse import parse_arguments
from .syntax import each
from .text import show
from .tree import Node, Source, child, has, text
from .world import World


@dataclass(frozen=True, slots=True)
class _Loop:
    name: str | None
    after: int


class LowerLoops(LowerDeclarations):
    """Lowers the loops and blocks of one body."""

    def __init__(
        self,
        frame: Frame,
        scope: Scope,
        world: World,
        source: Source,
        lifted: frozenset[str],
    ) -> None:
        super().__init__(frame, scope, world, source, lifted)
        self._loops: list[_Loop] = []

    @abstractmethod
    def statements(self, node: Node | None) -> None: ...

    @abstractmethod
    def annotated(self, comments: Sequence[Node]) -> None: ...

    def _loop(self, node: Node) -> None:
        graph = self.frame.graph
        label = child(node, "loop_label")
        name = None
        if label is not None:
            spelled = label.child_by_field_name("statement_identifier")
            name = text(spelled).lower() if spelled is not None else None
        scheme = child(node, "iteration_scheme")
        after = graph.fresh()
        outside_ = self.kept_at_entry
        self.kept_at_entry = self._keep_at_entry(node)
        self._loops.append(_Loop(name, after))
        body = node.child_by_field_name("statements")
        coord = self.source.coord(node)
        cond = scheme.child_by_field_name("condition") if scheme is not None else None
        if scheme is None or cond is not None:
            head = graph.fresh()
            graph.jump(head, coord)
            graph.here = head
            if cond is not None:
                inside = graph.fresh()
                test = self.condition(self.source.expression(cond))
                self.frame.branch(test, inside, after, self.source.coord(cond))
                graph.here = inside
            self.statements(body)
            graph.jump(head, coord)
        else:
            self._for(scheme, body, after)
        self._loops.pop()
        self.kept_at_entry = outside_
        graph.here = after

    def _keep_at_entry(self, node: Node) -> dict[str, Lvalue]:
        """The values that a loop's pragmas call X'Loop_Entry, as they are before it."""
        kept: dict[str, Lvalue] = {}

        def keep(expr: syntax.Expr) -> None:
            if isinstance(expr, syntax.Attribute) and expr.name == "loop_entry":
                if self.names.object_of(expr.prefix) is None:
                    raise UnsupportedFeature(
                        f"{expr.coord}: 'Loop_Entry is supported of whole variables only: "
                        "A'Loop_Entry (I)"
                    )
                type_ = self.names.type(expr.prefix)
                made = self.frame.temporary(type_.ir, "entry")
                self.assign(made, type_, expr.prefix)
                kept[show(expr.prefix).lower()] = made

        for pragma in _own_pragmas(node):
            for arg in self.pragma_arguments(pragma):
                if arg.value is not None:
                    each(arg.value, keep)
        return kept

    def pragma_arguments(self, node: Node) -> tuple[syntax.Association, ...]:
        """What stands in the brackets of a pragma."""
        whole = text(node)
        bracket = child(node, "(")
        if bracket is None:
            return ()
        begin = whole.index("(")
        return parse_arguments(whole[begin : whole.rindex(")") + 1], self.source.at(bracket.begin))

    def _for(self, scheme: Node, body: Node | None, after: int) -> None:
        """`for I in low .. high`: I takes each value, and none behind the last."""
        spec = child(scheme, "loop_parameter_specification")
        if spec is None:
            self._for_elements(scheme, body, after)
            return
        name = child(spec, "identifier")
        domain = self.source.between(spec, ("in", "reverse"), ("loop",))
        assert name is not None and domain is not None
        low, high, subtype = self.names.range_of(domain)
        type_ = subtype or self.names.type_of_bounds(low, high)
        coord = self.source.coord(spec)
        graph = self.frame.graph
        one, two = self.bound(low, type_), self.bound(high, type_)
        first = self.frame.saved(one.expr, coord)
        last = self.frame.saved(two.expr, coord)
        begin, head, more = graph.fresh(), graph.fresh(), graph.fresh()
        self.frame.branch(make.less_equal(first, last), begin, after, coord)
        graph.here = begin
        if isinstance(domain, syntax.Constrained):  # a range that is not empty lies in the subtype
            for bound, value in ((first, one), (last, two)):
                bad = outside(Value(bound, value.low, value.high), type_.low, type_.high)
                self.frame.check(bad, f"range check: {show(domain)}", RANGE, coord)
        spelled = text(name)
        bounds = type_.within(one.low, two.high)
        place = self._storage(spelled, bounds, coord)
        reverse = has(spec, "reverse")
        start, end = (last, first) if reverse else (first, last)
        self.frame.assign(place, start, coord)
        graph.jump(head, coord)
        graph.here = head
        outer = self.names.scope
        self.names.scope = Scope(outer, outer.path)
        self.names.scope.add(Object(spelled.lower(), spelled, bounds, place, coord, constant=True))
        self.statements(body)
        self.names.scope = outer
        goes_on = make.less(end, place) if reverse else make.less(place, end)
        self.frame.branch(goes_on, more, after, coord)
        graph.here = more
        step = Op.SUB if reverse else Op.ADD
        self.frame.assign(place, make.binary(step, place, make.const(1, type_.ir)), coord)
        graph.jump(head, coord)

    def _for_elements(self, scheme: Node, body: Node | None, after: int) -> None:
        """`for E of A`: E is each element of A, and a variable if A is one."""
        spec = child(scheme, "iterator_specification")
        name = child(spec, "identifier") if spec is not None else None
        domain = (
            self.source.between(spec, ("of", "reverse"), ("loop",)) if spec is not None else None
        )
        if spec is None or name is None or domain is None or not has(spec, "of"):
            where = self.source.coord(scheme)
            raise UnsupportedFeature(f"{where}: this kind of loop is not supported")
        coord, spelled = self.source.coord(spec), text(name)
        if spelled.lower() in (self.lifted or ()):
            raise UnsupportedFeature(
                f"{coord}: a nested subprogram may use {spelled}; loop over the array's range"
            )
        constant = True
        if not isinstance(domain, syntax.Aggregate) and self.is_variable(domain):
            constant = False
        array, element, count = self.elements(domain)
        array = self.fixed(array, coord)
        if count == 0:
            self.frame.graph.jump(after, coord)
            return
        graph = self.frame.graph
        counter = self.frame.temporary(LLONG, spelled)
        reverse = has(spec, "reverse")
        first, last = make.const(0, LLONG), make.const(count - 1, LLONG)
        start, end = (last, first) if reverse else (first, last)
        head, more = graph.fresh(), graph.fresh()
        self.frame.assign(counter, start, coord)
        graph.jump(head, coord)
        graph.here = head
        outer = self.names.scope
        self.names.scope = Scope(outer, outer.path)
        place = make.index(array, counter)
        self.names.scope.add(Object(spelled.lower(), spelled, element, place, coord, constant))
        self.statements(body)
        self.names.scope = outer
        self.frame.branch(make.not_equal(counter, end), more, after, coord)
        graph.here = more
        step = Op.SUB if reverse else Op.ADD
        self.frame.assign(counter, make.binary(step, counter, make.const(1, LLONG)), coord)
        graph.jump(head, coord)

    def _exit(self, node: Node, coord: Coord) -> None:
        graph = self.frame.graph
        wanted = node.child_by_field_name("loop_name")
        name = text(wanted).lower() if wanted is not None else None
        loops = [one for one in self._loops if name is None or one.name == name]
        if not loops:
            raise InputError(f"{coord}: there is no such loop to leave")
        cond = node.child_by_field_name("condition")
        if cond is None:
            graph.jump(loops[-1].after, coord)
            return
        more = graph.fresh()
        test = self.condition(self.source.expression(cond))
        self.frame.branch(test, loops[-1].after, more, self.source.coord(cond))
        graph.here = more

    def _block(self, node: Node) -> None:
        outer = self.names.scope
        self.names.scope = Scope(outer, outer.path)
        part = child(node, "non_empty_declarative_part")
        if part is not None:
            self.declare(part.children)
        self.body(child(node, "handled_sequence_of_statements"))
        self.names.scope = outer

    def body(self, node: Node | None) -> None:
        """The statements between `begin` and `end`."""
        if node is None:
            return
        handler = child(node, "exception_handler")
        if handler is not None:
            where = self.source.coord(handler)
            raise UnsupportedFeature(f"{where}: exception handlers are not supported")
        self.statements(child(node, "sequence_of_statements"))


def _own_pragmas(node: Node) -> Iterator[Node]:
    """The pragmas of a loop, but not of the loops in it."""
    todo = list(node.children)
    while todo:
        one = todo.pop()
        if one.type == "pragma_g":
            yield one
        elif one.type != "loop_statement":
            todo += one.children
