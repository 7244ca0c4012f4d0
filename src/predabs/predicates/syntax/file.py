"""Predicates files: for each procedure, and for all of them, which predicates to track.

    global:
    locked == 1          # over global variables
    inc:
    x == 'x + 1          # over the procedure's variables too, and symbolic constants

A section begins with the name of a procedure and a colon; each other line is one C expression. A
symbolic constant `'x` or `'*p` is the value of a parameter or global, or of what it points to, when
the procedure was entered [BMR05, sections 2.1 and 5]. It becomes a variable that the program
does not have, `inc::'x`; `PredicatesFile.constants` says what it is the value of. `return` is what
the procedure returns, if that is always the value of one variable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ...errors import InputError
from ...ir import make
from ...ir.cfa import Function, Program
from ...ir.expr import Const, Expr, FunctionAddress, Var
from ...ir.ops import Return
from ...ir.result_variables import RESULT
from ...ir.types import VOID, FloatType, FunctionType, IntType, PointerType
from ...records import dataclass, field
from .expressions import parse_condition
from .tokens import PredicateSyntaxError, UnknownName, tokens

GLOBAL = "global"

_SECTION = re.compile(r"\s*(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)\s*:\s*(?:#.*)?\Z")


@dataclass(frozen=True, slots=True)
class SourcePredicate:
    """A predicate as it was written, and as a condition of the IR."""

    text: str
    expr: Expr
    line: int


@dataclass(frozen=True, slots=True)
class PredicatesFile:
    """What a predicates file says."""

    globals: tuple[SourcePredicate, ...]
    procedures: Mapping[str, tuple[SourcePredicate, ...]]  # those that have a section
    constants: Mapping[Var, Expr]
    """Each symbolic constant, and the expression over the procedure's parameters and globals whose
    value at entry it is."""


def read_predicates(source: Path | str, program: Program, name: str = "") -> PredicatesFile:
    """Read a file, or a text; `name` is what messages call it."""
    if isinstance(source, Path):
        name = name or str(source)
        try:
            source = source.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise InputError(f"{name}: cannot be read: {problem}") from None
    reader = _Reader(program, name or "predicates")
    for number, line in enumerate(source.splitlines(), 1):
        reader.read(number, line)
    return PredicatesFile(
        tuple(reader.sections[GLOBAL].values()),
        {
            function: tuple(found.values())
            for function, found in reader.sections.items()
            if function != GLOBAL
        },
        reader.constants,
    )


class _Reader:
    """Reads line by line. The predicates of a section are kept by what they mean, so that one that
    is written twice is one."""

    def __init__(self, program: Program, name: str) -> None:
        self.sections: dict[str, dict[Expr, SourcePredicate]] = {GLOBAL: {}}
        self.constants: dict[Var, Expr] = {}
        self._program = program
        self._name = name
        self._section: str | None = None
        self._scope = _Scope(program, None, self.constants)

    def read(self, number: int, line: str) -> None:
        try:
            self._line(number, line)
        except PredicateSyntaxError as error:
            raise InputError(f"{self._name}:{number}:{error.column}: {error.message}") from None

    def _line(self, number: int, line: str) -> None:
        section = _SECTION.match(line)
        if section is not None:
            self._begin(section["name"], section.start("name") + 1)
            return
        first, *rest = tokens(line)
        if not rest:
            return
        if self._section is None:
            raise PredicateSyntaxError(
                first.column, f"`{GLOBAL}:` or the name of a procedure must come first"
            )
        expr = parse_condition(line, self._scope, self._program)
        if isinstance(expr, Const):
            raise PredicateSyntaxError(
                first.column, f"this is always {'true' if expr.value else 'false'}"
            )
        text = " ".join(line[first.column - 1 : rest[-1].column - 1].split())
        self.sections[self._section].setdefault(expr, SourcePredicate(text, expr, number))

    def _begin(self, name: str, column: int) -> None:
        if name == GLOBAL:
            self._section = GLOBAL
            self._scope = _Scope(self._program, None, self.constants)
            return
        functions = self._program.functions
        found = [f for f in functions if f == name or f.startswith((f"{name}@", f"{name}#"))]
        if name in functions:
            found = [name]
        if len(found) != 1:
            raise PredicateSyntaxError(
                column,
                f"several files have a static procedure {name}; this is not supported"
                if found
                else f"{name} is no procedure that {self._program.entry} can reach",
            )
        self._section = found[0]
        self.sections.setdefault(found[0], {})
        self._scope = _Scope(self._program, functions[found[0]], self.constants)


@dataclass(slots=True)
class _Scope:
    """What names mean in a procedure, or outside of all."""

    program: Program
    function: Function | None
    constants: dict[Var, Expr]
    _globals: dict[str, Var] = field(init=False)

    def __post_init__(self) -> None:
        self._globals = {item.var.name: item.var for item in self.program.globals}

    def variable(self, name: str) -> Var | FunctionAddress:
        """A local or parameter, else a static local, else a global, else a procedure."""
        if name == RESULT:
            return self._result()
        base, _, which = name.partition("#")
        if self.function is not None:
            own = (*self.function.params, *self.function.locals)
            local = {var.short: var for var in own}
            statics = {
                var.removeprefix(f"{self.function.name}."): self._globals[var]
                for var in self._globals
                if var.startswith(f"{self.function.name}.")
            }
            for table in (local, statics):
                alike = [short for short in table if short.partition("#")[0] == base]
                if which and f"{base}#{which}" in alike:
                    return table[name]
                if which == "1" and base in alike:
                    return table[base]
                if alike and not which:
                    if len(alike) > 1:
                        shown = ", ".join(f"{base}#{n}" for n in range(1, len(alike) + 1))
                        raise UnknownName(
                            f"{self.function.name} has several variables {base}: write {shown}"
                        )
                    return table[alike[0]]
        return self._outer(name)

    def _result(self) -> Var:
        """The variable that each `return` gives back."""
        if self.function is None:
            raise UnknownName("only a procedure returns something")
        values = {edge.op.value for edge in self.function.edges if isinstance(edge.op, Return)}
        own = (*self.function.params, *self.function.locals)
        found = [value for value in values if isinstance(value, Var) and value in own]
        if len(values) != 1 or not found:
            raise UnknownName(
                f"{self.function.name} does not return a number or pointer everywhere"
            )
        return found[0]

    def _outer(self, name: str) -> Var | FunctionAddress:
        names = [n for n in self._globals if n == name or n.startswith(f"{name}@")]
        if len(names) == 1 or name in self._globals:
            return self._globals[name if name in self._globals else names[0]]
        if names:
            raise UnknownName(f"several files have a static variable {name}")
        function = self.program.functions.get(name)
        if function is not None:
            return FunctionAddress(name, self.program.data_model.pointer(function.type))
        where = "global" if self.function is None else f"known in {self.function.name}"
        advice = "the program does not use it, or it is a macro or enumerator: write the number"
        if self.function is None and any(
            var.short == name
            for function in self.program.functions.values()
            for var in (*function.params, *function.locals)
        ):
            advice = "a predicate over a procedure's variables stands in its section"
        raise UnknownName(f"no variable {name} is {where} ({advice})")

    def constant(self, stars: int, name: str) -> Var:
        function = self.function
        if function is None:
            raise UnknownName("only a procedure has symbolic constants: it is entered")
        value: Expr = self.variable(name)
        if isinstance(value, FunctionAddress):
            raise UnknownName(f"{name} is a procedure, not a variable")
        if value in function.locals:
            raise UnknownName(f"{name} has no value yet when {function.name} is entered")
        for _ in range(stars):
            target = value.type.target if isinstance(value.type, PointerType) else VOID
            if target is VOID or isinstance(target, FunctionType):
                raise UnknownName(f"{name} does not point to a value behind {stars} `*`")
            value = make.deref(value)
        if not isinstance(value.type, IntType | FloatType | PointerType):
            raise UnknownName(f"only numbers and pointers have a symbolic constant, not {name}")
        var = Var(f"{function.name}::'{'*' * stars}{name}", value.type)
        self.constants[var] = value
        return var
