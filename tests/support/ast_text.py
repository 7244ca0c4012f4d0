"""The syntax tree as short text, for comparing what was read with what is expected."""

from __future__ import annotations

from predabs.frontend import ast
from predabs.frontend.compiler_flags import CompilerFlags
from predabs.frontend.read.translation_unit import read_unit
from predabs.frontend.symbols import StorageClass
from predabs.ir.types import INT, DataModel, Type, size_of

LP64, ILP32 = DataModel.LP64, DataModel.ILP32


def read(text: str, model: DataModel = LP64, define: tuple[str, ...] = ()) -> ast.Unit:
    return read_unit("t.c", model, CompilerFlags(define=tuple(define)), text)


def function(text: str, name: str = "f", model: DataModel = LP64) -> ast.FunctionDef:
    return next(f for f in read(text, model).functions if f.symbol.name == name)


def variable(text: str, name: str, model: DataModel = LP64) -> ast.VariableDef:
    return next(v for v in read(text, model).variables if v.symbol.name == name)


def body(text: str, model: DataModel = LP64) -> str:
    """The statements of the function f."""
    return " ".join(show(item) for item in function(text, "f", model).body.items)


def value(expression: str, before: str = "", model: DataModel = LP64) -> str:
    """One expression, in a function with a few parameters."""
    head = "int x, int y, long l, char c, unsigned u, int *p, char *s, double d, float e"
    text = f"{before}\nvoid f({head}) {{ {expression}; }}"
    (statement,) = function(text, "f", model).body.items
    assert isinstance(statement, ast.Evaluate)
    return show(statement.expr)


def initial(declaration: str, model: DataModel = LP64) -> str:
    """The initialiser of the last variable of the text."""
    init = read(declaration, model).variables[-1].init
    return "none" if init is None else show(init)


def typed(number: object, type_: Type) -> str:
    return f"{number}" if type_ is INT else f"{number}:{type_}"


def show(node: ast.Expr | ast.Stmt | None) -> str:
    match node:
        case None:
            return "_"
        case ast.IntLiteral(number, type_):
            return typed(number, type_)
        case ast.FloatLiteral(text, type_):
            return typed(float.fromhex(text), type_)
        case ast.StringLiteral(values, type_):
            if size_of(type_.element) == 1:
                return repr(bytes(v & 255 for v in values))
            return f"{list(values)}"
        case ast.Ref(symbol):
            return symbol.name
        case ast.Unary(op, arg):
            return f"({op} {show(arg)})"
        case ast.Binary(op, left, right):
            return f"({op} {show(left)} {show(right)})"
        case ast.Assign(op, left, right):
            return f"({op}= {show(left)} {show(right)})"
        case ast.Conditional(cond, then, other):
            return f"(? {show(cond)} {show(then)} {show(other)})"
        case ast.Cast(arg, type_):
            return f"<{type_}>{show(arg)}"
        case ast.Call(callee, args):
            return f"{show(callee)}({', '.join(map(show, args))})"
        case ast.Member(base, name, arrow):
            return f"{show(base)}{'->' if arrow else '.'}{name}"
        case ast.Subscript(base, index):
            return f"{show(base)}[{show(index)}]"
        case ast.InitList(entries):
            parts = ["".join(_step(s) for s in path) + "=" + show(v) for path, v in entries]
            return "{" + ", ".join(parts) + "}"
        case ast.CompoundLiteral(init, static, type_):
            return f"({'static ' if static else ''}{type_}){show(init)}"
        case ast.StatementExpr(block):
            return f"({show(block)})"
        case ast.VlaSize(symbol):
            return f"sizeof({symbol.name})"
        case ast.VaArg(place, type_):
            return f"va_arg({show(place)}, {type_})"
    return _statement(node)


def _step(step: str | int) -> str:
    return f"[{step}]" if isinstance(step, int) else f".{step}"


def _statement(node: ast.Stmt) -> str:
    match node:
        case ast.Compound(items):
            return "{" + " ".join(map(show, items)) + "}"
        case ast.Declare(symbol, init, length):
            static = "static " if symbol.storage is StorageClass.STATIC_LOCAL else ""
            size = f"[{show(length)}]" if length is not None else ""
            start = f" = {show(init)}" if init is not None else ""
            return f"{static}{symbol.type} {symbol.name}{size}{start};"
        case ast.Evaluate(expr):
            return f"{show(expr)};"
        case ast.If(cond, then, other):
            return f"if {show(cond)} {show(then)}" + (f" else {show(other)}" if other else "")
        case ast.While(cond, block):
            return f"while {show(cond)} {show(block)}"
        case ast.DoWhile(block, cond):
            return f"do {show(block)} while {show(cond)};"
        case ast.For(init, cond, step, block):
            return f"for ({show(init)} {show(cond)}; {show(step)}) {show(block)}"
        case ast.Switch(number, block):
            return f"switch {show(number)} {show(block)}"
        case ast.Case(low, high, block):
            return f"case {low}{f'...{high}' if high != low else ''}: {show(block)}"
        case ast.Default(block):
            return f"default: {show(block)}"
        case ast.Label(name, block):
            return f"{name}: {show(block)}"
        case ast.Goto(label):
            return f"goto {label};"
        case ast.Break():
            return "break;"
        case ast.Continue():
            return "continue;"
        case ast.Return(result):
            return f"return {show(result)};" if result is not None else "return;"
        case ast.Asm(outputs, inputs):
            return f"asm({', '.join(map(show, outputs))}: {', '.join(map(show, inputs))});"
        case ast.Empty():
            return ";"
