"""From libclang's statements and declarations in blocks to ours."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.types import IntType, Type
from .. import ast
from ..symbols import StorageClass, Symbol
from . import clang
from .clang import Cursor, CursorKind
from .computed_gotos import ComputedGotos
from .ctype import Types
from .declarations import Symbols
from .expressions import ExprReader
from .literals import AsmParts, asm_parts, for_head, for_heads, in_parentheses
from .source import SourceFile

_NO_CODE = frozenset(
    [
        CursorKind.UNEXPOSED_DECL,
        CursorKind.STRUCT_DECL,
        CursorKind.UNION_DECL,
        CursorKind.ENUM_DECL,
        CursorKind.FUNCTION_DECL,
        CursorKind.STATIC_ASSERT,
    ]
)
_LONG_ASM = 2000  # tokens
_RUN_BY_THEMSELVES = frozenset(["constructor", "destructor"])
_REFUSED_ATTRIBUTES = _RUN_BY_THEMSELVES | {"alias", "cleanup", "ifunc", "weakref"}


class StatementReader(ExprReader):
    """Reads the bodies of functions."""

    def __init__(self, source: SourceFile, types: Types, symbols: Symbols) -> None:
        super().__init__(source, types, symbols)
        self._labels: dict[int | None, str] = {}
        self._label_names: set[str] = set()
        self._switch_types: list[Type] = []
        self.computed_gotos = ComputedGotos(self, self._label_name)
        self._statements: dict[int, Callable[[Cursor], ast.Stmt]] = {
            CursorKind.COMPOUND_STMT: self.compound,
            CursorKind.DECL_STMT: self._declarations,
            CursorKind.IF_STMT: self._if,
            CursorKind.WHILE_STMT: self._while,
            CursorKind.DO_STMT: self._do,
            CursorKind.FOR_STMT: self._for,
            CursorKind.SWITCH_STMT: self._switch,
            CursorKind.CASE_STMT: self._case,
            CursorKind.DEFAULT_STMT: self._default,
            CursorKind.LABEL_STMT: self._label,
            CursorKind.GOTO_STMT: self._goto,
            CursorKind.INDIRECT_GOTO_STMT: self.computed_gotos.jump,
            CursorKind.BREAK_STMT: lambda c: ast.Break(source.coord(c)),
            CursorKind.CONTINUE_STMT: lambda c: ast.Continue(source.coord(c)),
            CursorKind.RETURN_STMT: self._return,
            CursorKind.ASM_STMT: self._asm,
            CursorKind.NULL_STMT: lambda c: ast.Empty(source.coord(c)),
            CursorKind.UNEXPOSED_STMT: self._attributed,
        }

    def function(self, cursor: Cursor, symbol: Symbol, *, inline: bool) -> ast.FunctionDef:
        """A function with its body."""
        self._labels.clear()
        self._label_names.clear()
        self.truth_operands.begin(cursor)
        params: list[Symbol] = []
        bounds: list[ast.Stmt] = []
        body: Cursor | None = None
        for param in clang.parameters(cursor):
            params.append(self.symbols.parameter(param, len(params)))
            bounds += self.vlas.bounds(param) if self.types.has_vlas else []
        for kid in clang.children(cursor):
            if kid.kind == CursorKind.COMPOUND_STMT:
                body = kid
            elif kid.kind != CursorKind.PARM_DECL:
                self._attribute(kid, _REFUSED_ATTRIBUTES)
        if body is None:
            raise self.source.unsupported(cursor, "this function's body cannot be found")
        self.in_function = True
        self.computed_gotos.begin(body)
        block = self.compound(body)
        if bounds:
            block = ast.Compound((*bounds, *block.items), block.coord)
        self.in_function = False
        return ast.FunctionDef(symbol, tuple(params), block, self.source.coord(cursor), inline)

    def variable(self, cursor: Cursor, symbol: Symbol) -> ast.Expr | None:
        """The initialiser of a variable."""
        self.attributes(cursor)
        start = clang.initializer(cursor)
        return None if clang.is_null(start) else self.initializers.read(start, symbol.type)

    def stmt(self, cursor: Cursor) -> ast.Stmt:
        reader = self._statements.get(cursor.kind)
        if reader is not None:
            self.enter(cursor)
            result = reader(cursor)
            self.depth -= 1
            return result
        if clang.FIRST_EXPR <= cursor.kind <= clang.LAST_EXPR:
            expr = self.expr(cursor)
            return ast.Evaluate(expr, expr.coord)
        raise self.source.unsupported(cursor, "this kind of statement is not supported")

    def compound(self, cursor: Cursor) -> ast.Compound:
        items: list[ast.Stmt] = []
        before = self.truth_operands.declarations
        for kid in clang.children(cursor):
            if kid.kind == CursorKind.DECL_STMT:
                items += self._declared(kid)
            else:
                items.append(self.stmt(kid))
        if self.truth_operands.declarations != before:
            self.truth_operands.forget()
        return ast.Compound(tuple(items), items[0].coord if items else self.source.coord(cursor))

    # --- declarations ---

    def _declarations(self, cursor: Cursor) -> ast.Stmt:
        declared = self._declared(cursor)
        if len(declared) == 1:
            return declared[0]
        return ast.Compound(tuple(declared), self.source.coord(cursor))

    def _declared(self, cursor: Cursor) -> list[ast.Stmt]:
        result: list[ast.Stmt] = []
        for kid in clang.children(cursor):
            self.truth_operands.declare()
            if kid.kind == CursorKind.VAR_DECL:
                if clang.storage_class(kid) != clang.STORAGE_EXTERN:
                    result += self._declare(kid)
            elif kid.kind == CursorKind.TYPEDEF_DECL:
                result += self.vlas.bounds(kid)
            elif kid.kind not in _NO_CODE:
                raise self.source.unsupported(kid, "this kind of declaration is not supported")
        self.truth_operands.declare()
        return result

    def _declare(self, cursor: Cursor) -> list[ast.Stmt]:
        symbol = self.symbols.local(cursor)
        coord = self.source.coord(cursor)
        bounds = self.vlas.bounds(cursor) if self.types.has_vlas else []
        if symbol.vla:
            if not clang.is_null(clang.initializer(cursor)):
                raise self.source.unsupported(cursor, "an initialised variable-length array")
            length = self.vlas.length(cursor, symbol)
            return [*bounds, ast.Declare(symbol, None, length, coord)]
        static = symbol.storage is StorageClass.STATIC_LOCAL
        in_function, self.in_function = self.in_function, not static
        init = self.variable(cursor, symbol)
        self.in_function = in_function
        return [*bounds, ast.Declare(symbol, init, None, coord)]

    def attributes(self, cursor: Cursor) -> None:
        """Refuse the attributes of a declaration that mean code or names not written there."""
        if not clang.has_attributes(cursor):
            return
        for kid in clang.children(cursor):
            self._attribute(kid, _REFUSED_ATTRIBUTES)

    def runs_by_itself(self, cursor: Cursor) -> None:
        """Refuse a function that runs before or after `main`, though nobody may name it."""
        for kid in clang.children(cursor):
            self._attribute(kid, _RUN_BY_THEMSELVES)

    def _attribute(self, cursor: Cursor, refused: frozenset[str]) -> None:
        if cursor.kind != CursorKind.UNEXPOSED_ATTR or clang.in_system_header(
            clang.cursor_location(cursor)
        ):
            return
        tokens = self.source.tokens_at(cursor, 4)
        first = 3 if tokens[1:3] == [":", ":"] else 0  # [[gnu::cleanup(f)]]
        macro = self.source.in_macro(cursor)
        for token in self.source.macro_at(cursor) if macro else tokens[first : first + 1]:
            if token.strip("_") in refused:
                raise self.source.unsupported(cursor, f"the attribute {token} is not supported")

    # --- statements ---

    def _if(self, cursor: Cursor) -> ast.Stmt:
        cond, then, *other = clang.children(cursor)
        return ast.If(
            self.expr(cond),
            self.stmt(then),
            self.stmt(other[0]) if other else None,
            self.source.coord(cursor),
        )

    def _while(self, cursor: Cursor) -> ast.Stmt:
        cond, body = clang.children(cursor)
        return ast.While(self.expr(cond), self.stmt(body), self.source.coord(cursor))

    def _do(self, cursor: Cursor) -> ast.Stmt:
        body, cond = clang.children(cursor)
        return ast.DoWhile(self.stmt(body), self.expr(cond), self.source.coord(cursor))

    def _for(self, cursor: Cursor) -> ast.Stmt:
        *head, body = clang.children(cursor)
        present = self._for_head(cursor, head)
        parts = iter(head)
        init = self.stmt(next(parts)) if present[0] else None
        cond = self.expr(next(parts)) if present[1] else None
        step = self.expr(next(parts)) if present[2] else None
        result = ast.For(init, cond, step, self.stmt(body), self.source.coord(cursor))
        self.truth_operands.forget()  # the head may have declared something
        return result

    def _for_head(self, cursor: Cursor, head: list[Cursor]) -> tuple[bool, bool, bool]:
        """Which parts of the head are there: libclang leaves out the missing ones."""
        if len(head) in (0, 3):
            return (bool(head), bool(head), bool(head))
        if self.source.in_macro(cursor):  # any head in the macro may be this one; none behind it
            fitting = set(for_heads(self.source.macro_at(cursor)))
        else:
            own = for_head(self.source.expanded(self.source.tokens_at(cursor)), 1)
            fitting = {own} if own is not None else set()
        if len(fitting) != 1 or sum(next(iter(fitting))) != len(head):
            raise self.source.unsupported(
                cursor, "it is not clear which parts of this for statement its macros leave out"
            )
        return fitting.pop()

    def _switch(self, cursor: Cursor) -> ast.Stmt:
        condition, body = clang.children(cursor)
        value = self.expr(condition)
        self._switch_types.append(value.type)
        result = ast.Switch(value, self.stmt(body), self.source.coord(cursor))
        self._switch_types.pop()
        return result

    def _case(self, cursor: Cursor) -> ast.Stmt:
        *labels, body = clang.children(cursor)
        values = [self._case_value(label) for label in labels]
        return ast.Case(values[0], values[-1], self.stmt(body), self.source.coord(cursor))

    def _case_value(self, cursor: Cursor) -> int:
        """The label's value converted to the type of the switch."""
        value = self.constant(cursor)
        type_ = self._switch_types[-1]
        return type_.wrap(value) if isinstance(type_, IntType) else value

    def _default(self, cursor: Cursor) -> ast.Stmt:
        return ast.Default(self.stmt(clang.children(cursor)[-1]), self.source.coord(cursor))

    def _label(self, cursor: Cursor) -> ast.Stmt:
        name = self._label_name(cursor)
        body = clang.children(cursor)[-1]
        return ast.Label(name, self.stmt(body), self.source.coord(cursor))

    def _label_name(self, label: Cursor) -> str:
        """GNU's local labels may repeat a name in a function: each gets its own."""
        name = self._labels.get(label.b)
        if name is None:
            spelled = name = clang.spelling(label)
            count = 1
            while name in self._label_names:
                count += 1
                name = f"{spelled}#{count}"
            self._label_names.add(name)
            self._labels[label.b] = name
        return name

    def _goto(self, cursor: Cursor) -> ast.Stmt:
        label = clang.referenced(clang.children(cursor)[0])
        return ast.Goto(self._label_name(label), self.source.coord(cursor))

    def _return(self, cursor: Cursor) -> ast.Stmt:
        kids = clang.children(cursor)
        value = self.expr(kids[0]) if kids else None
        return ast.Return(value, self.source.coord(cursor))

    def _asm(self, cursor: Cursor) -> ast.Stmt:
        operands = [self.expr(kid) for kid in clang.expressions(clang.children(cursor))]
        parts = self._asm_parts(cursor)
        written = 0 if not operands else None if parts is None else len(parts.outputs)
        outputs = tuple(operands[:written])
        inputs = tuple(operands[len(outputs) :])
        targets, coord = self._asm_targets(cursor), self.source.coord(cursor)
        if parts is None or len(parts.inputs) != len(inputs):
            return ast.Asm(outputs, inputs, targets, None, (), coord)
        constraints = (*parts.outputs, *parts.inputs)
        return ast.Asm(outputs, inputs, targets, parts.text, constraints, coord)

    def _asm_parts(self, cursor: Cursor) -> AsmParts | None:
        """What is written; None: nobody knows, and all operands may be outputs."""
        in_macro = self.source.in_macro(cursor)
        return None if in_macro else asm_parts(self.source.tokens_at(cursor, _LONG_ASM))

    def _asm_targets(self, cursor: Cursor) -> frozenset[str] | None:
        """The names that a statement mentions, if it is `asm goto`: libclang does not show labels.
        The arguments of a macro are not in sight."""
        if self.source.in_macro(cursor):
            return None if "goto" in self.source.macro_at(cursor) else frozenset()
        if "goto" not in self.source.tokens_at(cursor, 4):
            return frozenset()
        tokens = in_parentheses(self.source.tokens_at(cursor))
        return frozenset(tokens) if tokens and self.source.expanded(tokens) == tokens else None

    def _attributed(self, cursor: Cursor) -> ast.Stmt:
        """A statement behind an attribute such as `fallthrough`."""
        kids = [k for k in clang.children(cursor) if not _is_attribute(k)]
        if len(kids) != 1:
            raise self.source.unsupported(cursor, "this kind of statement is not supported")
        return self.stmt(kids[0])


def _is_attribute(cursor: Cursor) -> bool:
    return clang.FIRST_ATTR <= cursor.kind <= clang.LAST_ATTR
