"""Lower the statements of SPARK: assignments, branches, loops, calls, assertions."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.expr import Lvalue
from ...ir.ops import Error, ErrorKind
from . import syntax
from .annotations import Annotation, read_annotations
from .arithmetic import Value
from .entities import Scope, Subprogram
from .frame import Frame
from .loops import LowerLoops
from .output import PROCEDURES, put
from .parse import parse_arguments, parse_expression
from .syntax import Association, each
from .text import show
from .tree import Node, Source, child, children, text
from .types import Scalar
from .world import Remark, World

_CLAIMS = {
    "assert": "assertion failed",
    "assert_and_cut": "assertion failed",
    "check": "assertion failed",
    "loop_invariant": "loop invariant failed",
}
_READ_ONLY = frozenset(
    [
        "spark_mode",
        "loop_variant",
        "inspection_point",
        "unreferenced",
        "warnings",
        "annotate",
        "inline",
        "optimize",
        "elaborate_body",
        "elaborate",
        "elaborate_all",
        "pure",
        "preelaborate",
        "assertion_policy",
        "style_checks",
        "ada_2012",
        "ada_2022",
        "ada_2005",
        "ada_95",
        "unevaluated_use_of_old",
        "import",
        "convention",
        "profile",
        "restrictions",
        "overflow_mode",
        "suppress",
    ]
)


class LowerStatements(LowerLoops):
    """Lowers the statements of one body; all ways out of it lead to `finish`."""

    def __init__(
        self,
        frame: Frame,
        scope: Scope,
        world: World,
        source: Source,
        lifted: frozenset[str],
        one: Subprogram,
        result: Lvalue | None,
        finish: int,
    ) -> None:
        super().__init__(frame, scope, world, source, lifted)
        self._one = one
        self._returned = result
        self._finish = finish

    def statements(self, node: Node | None) -> None:
        """A sequence of statements, with the annotations between them."""
        comments: list[Node] = []
        for one in node.children if node is not None else []:
            if one.type == "comment":
                comments.append(one)
                continue
            self.annotated(comments)
            comments = []
            if one.named:
                self._statement(one)
        self.annotated(comments)

    def annotated(self, comments: Sequence[Node]) -> None:
        for found in read_annotations(self.source, comments):
            match found.word:
                case "assert" | "check":
                    self._claim(parse_expression(found.text, found.coord), found.word, found.coord)
                case "assume":
                    cond = self.condition(parse_expression(found.text, found.coord))
                    self.frame.assume(cond, found.coord)
                case "pre" | "post" | "return" | "global":
                    raise InputError(
                        f"{found.coord}: --# {found.word} belongs before the body's declarations"
                    )
                case _:
                    self._remark(found)

    def _remark(self, found: Annotation) -> None:
        self.world.remarks.append(Remark(found, self.frame.function, self.scope))

    def _claim(self, expr: syntax.Expr, word: str, coord: Coord) -> None:
        self.frame.claim(self.condition(expr), f"{_CLAIMS[word]}: {show(expr)}", coord)

    def _statement(self, node: Node) -> None:
        coord = self.source.coord(node)
        match node.type:
            case "null_statement":
                pass
            case "assignment_statement":
                self._assignment(node)
            case "procedure_call_statement":
                self._procedure_call(node, coord)
            case "if_statement":
                self._if(node)
            case "case_statement":
                self._case_statement(node)
            case "loop_statement":
                self._loop(node)
            case "exit_statement":
                self._exit(node, coord)
            case "block_statement":
                self._block(node)
            case "simple_return_statement":
                self._return(node, coord)
            case "pragma_g":
                self._pragma(node, coord)
            case "raise_statement":
                name = node.child_by_field_name("name")
                shown = "an exception" if name is None else text(name)
                error = Error(ErrorKind.ASSERTION, f"{shown} is raised")
                self.frame.graph.emit(error, coord)
            case other:
                words = other.removesuffix("_statement").replace("_", " ")
                raise UnsupportedFeature(f"{coord}: {words} statements are not supported")

    # --- simple statements ----------------------------------------------------------------------

    def _assignment(self, node: Node) -> None:
        name = node.child_by_field_name("variable_name")
        value = self.source.between(node, (":=",), (";",))
        assert name is not None and value is not None
        target = self.source.expression(name)
        self.names.types(target)
        self.refuse_constant(target)
        if isinstance(target, syntax.Apply) and self.names.is_slice(target):
            self.assign_slice(target, value)
            return
        place, type_ = self.place(target)
        if isinstance(type_, Scalar) or not isinstance(value, syntax.Aggregate):
            self.assign(place, type_, value)
        elif self._mentions(value, target):
            made = self.frame.temporary(type_.ir)
            self.assign(made, type_, value)
            self.copy(place, made, type_, target.coord)
        else:
            self.assign(place, type_, value)

    def _mentions(self, value: syntax.Expr, target: syntax.Expr) -> bool:
        """May an aggregate read what it is assigned to? Calls may read any variable."""
        found = False

        def look(expr: syntax.Expr) -> None:
            nonlocal found
            if isinstance(expr, syntax.Name | syntax.Select):
                found = (
                    found
                    or self.names.object_of(expr) is not None
                    or bool(self.names.callable(expr))
                )

        each(value, look)
        return found

    def _procedure_call(self, node: Node, coord: Coord) -> None:
        name = node.child_by_field_name("name")
        assert name is not None
        part = child(node, "actual_parameter_part")
        args: tuple[Association, ...] = () if part is None else self.source.arguments(part)
        expr = self.source.expression(name)
        last = expr.text if isinstance(expr, syntax.Name | syntax.Select) else ""
        if last in PROCEDURES and self._is_text_io(expr):
            put(self, self.world.strings, last, tuple(a.value for a in args if a.value), coord)
            return
        one = self.names.subprogram(expr, args, None, function=False)
        self.call(one, args, None, coord)

    def _is_text_io(self, expr: syntax.Expr) -> bool:
        if isinstance(expr, syntax.Name):
            return not self.names.scope.find(expr.text)
        return isinstance(expr, syntax.Select) and show(expr.prefix).lower() in (
            "ada.text_io",
            "text_io",
            "ada.integer_text_io",
        )

    def _return(self, node: Node, coord: Coord) -> None:
        value = self.source.between(node, ("return",), (";",))
        result = self._one.result
        if (value is None) != (result is None):
            wanted = "no value" if result is None else f"a value of {result.name}"
            raise InputError(f"{coord}: {self._one.path} returns {wanted}")
        if value is not None and result is not None and self._returned is not None:
            self.assign(self._returned, result, value)
        self.frame.graph.jump(self._finish, coord)

    def _pragma(self, node: Node, coord: Coord) -> None:
        name = child(node, "identifier")
        word = text(name).lower() if name is not None else ""
        if word in _READ_ONLY:
            return
        if word not in _CLAIMS and word != "assume":
            raise UnsupportedFeature(f"{coord}: pragma {word.title()} is not supported")
        args = self.pragma_arguments(node)
        expr = args[0].value if args else None
        if expr is None:
            raise InputError(f"{coord}: pragma {word.title()} needs an argument")
        if word == "assume":
            self.frame.assume(self.condition(expr), coord)
        else:
            self._claim(expr, word, coord)

    # --- branches -------------------------------------------------------------------------------

    def _if(self, node: Node) -> None:
        graph = self.frame.graph
        after = graph.fresh()
        arms = [node, *children(node, "elsif_statement_item")]
        for arm in arms:
            cond = arm.child_by_field_name("condition")
            assert cond is not None
            yes, no = graph.fresh(), graph.fresh()
            self.frame.branch(
                self.condition(self.source.expression(cond)), yes, no, self.source.coord(cond)
            )
            graph.here = yes
            self._scoped(arm.child_by_field_name("statements"))
            graph.jump(after, self.source.coord(arm))
            graph.here = no
        self._scoped(node.child_by_field_name("else_statements"))
        graph.jump(after, self.source.coord(node))
        graph.here = after

    def _scoped(self, node: Node | None) -> None:
        if node is not None:
            self.statements(node)

    def _case_statement(self, node: Node) -> None:
        graph = self.frame.graph
        subject = self.source.between(node, ("case",), ("is",))
        assert subject is not None
        type_ = self.names.type(subject)
        if not isinstance(type_, Scalar):
            raise InputError(f"{subject.coord}: a case needs a value of a discrete type")
        value = self.value(subject, type_)
        kept = Value(self.frame.saved(value.expr, subject.coord), value.low, value.high)
        after = graph.fresh()
        covered: list[Scalar] = []
        others = False
        for arm in children(node, "case_statement_alternative"):
            item = self._choices(arm)
            coord = self.source.coord(arm)
            others = others or item.others
            covered += [self.choice_range(choice, type_) for choice in item.choices]
            yes, no = graph.fresh(), graph.fresh()
            self.frame.branch(self.chosen(kept, item, type_), yes, no, coord)
            graph.here = yes
            self.statements(child(arm, "sequence_of_statements"))
            graph.jump(after, coord)
            graph.here = no
        if not others:
            self._all_covered(covered, type_, subject)
        graph.here = after

    def _choices(self, arm: Node) -> Association:
        found = child(arm, "discrete_choice_list")
        assert found is not None
        (item,) = parse_arguments(f"({text(found)} => 0)", self.source.coord(found))
        return item

    def _all_covered(self, covered: list[Scalar], type_: Scalar, subject: syntax.Expr) -> None:
        """All values that the subject can have need a choice; then no other arm is there."""
        low, high = type_.low, type_.high
        if not isinstance(subject, syntax.Name | syntax.Select | syntax.Qualified | syntax.Apply):
            low, high = type_.base.low, type_.base.high
        at = low
        for part in sorted(covered, key=lambda one: one.low):
            if part.low <= at:
                at = max(at, part.high + 1)
        if at <= high:
            shown = type_.base.literals[at] if type_.base.literals else str(at)
            raise InputError(f"{subject.coord}: the case has no choice for {shown}")
