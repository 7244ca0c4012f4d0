"""Results of `strcmp`, `memcmp` and their kin of which a program looks at more than the sign.

C says of such a result only whether it is negative, zero or positive. The models give the
difference of the first characters that differ, as many libraries do; others, and compilers that
know the strings, give 1 or -1. Wherever a result may be looked at in another way than by comparing
it with 0, any number of the same sign takes its place. Which variables get such results, and in
which of them more than the sign counts, is a flow-insensitive closure; what lies behind a pointer
counts. Where only signs count, the program stays as it is and needs no further input.

Soundness duty: each run that some C library allows is a run of the program up to numbers at which
it never looks.

>>> from ..ir.cfa import Program
>>> from ..ir.types import DataModel
>>> program = Program({}, (), {}, "main", DataModel.LP64, {}, (), ())
>>> with_any_magnitude(program, "models.c") is program
True
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import make
from ..ir.cfa import Edge, Function, Program
from ..ir.def_use import op_target, op_values
from ..ir.expansion import expanded
from ..ir.expr import Binary, Cast, Const, Expr, FunctionAddress, Op, Var
from ..ir.ops import Assign, Call, Havoc, Operation, Return, Source
from ..ir.types import INT, IntType, Type
from ..ir.walk import children
from ..records import dataclass, replace
from .points_to.address_taken import address_taken

_COMPARING = frozenset({"strcmp", "strncmp", "strcasecmp", "strncasecmp", "memcmp"})
_COMPARISONS = frozenset({Op.EQ, Op.LT, Op.LE})


@dataclass(frozen=True, slots=True)
class _Result:
    """What a function returns; of all that are called through pointers together, the name is ''."""

    function: str


_THROUGH_POINTERS = _Result("")


def with_any_magnitude(program: Program, models: str) -> Program:
    """The program with any number of the same sign where more than signs may count; the functions
    of the file of models are meant, not the program's own of these names."""
    comparing = {
        name
        for name in _COMPARING & program.functions.keys()
        if program.functions[name].coord.file == models
    }
    if not comparing:
        return program
    flow = _Flow(program, comparing)
    functions = {name: flow.changed(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


class _Flow:
    """Where values go as they are, and which of them are looked at."""

    def __init__(self, program: Program, comparing: Iterable[str]) -> None:
        self._comparing = frozenset(comparing)
        self._comes_from: dict[Var | _Result, list[Var | _Result]] = {}
        self._seen: set[Expr] = set()
        self._looked_at: set[Var | _Result] = set()
        taken = address_taken(program)
        self._behind_pointers = taken.variables
        self._taken = taken.functions & program.functions.keys()
        for name in self._taken:
            self._goes(_Result(name), _THROUGH_POINTERS)
        for function in program.functions.values():
            for edge in function.edges:
                self._edge(function.name, edge.op)
        todo = list(self._looked_at)
        while todo:
            for source in self._comes_from.get(todo.pop(), ()):
                if source not in self._looked_at:
                    self._looked_at.add(source)
                    todo.append(source)

    def _edge(self, function: str, op: Operation) -> None:
        target = op_target(op)
        if target is not None and not isinstance(target, Var):
            self._look(target)
        match op:
            case Assign(Var() as to, value) if (var := _moved(value, to.type)) is not None:
                self._goes(var, to)
            case Return(value) if (
                value is not None and (var := _moved(value, value.type)) is not None
            ):
                self._goes(var, _Result(function))
            case Call(to, callee, args):
                source = _THROUGH_POINTERS
                if isinstance(callee, FunctionAddress):
                    source = _Result(callee.name)
                if isinstance(to, Var):
                    self._goes(source, to)
                elif to is not None:
                    self._looked_at.add(source)
                for value in (callee, *args):
                    self._look(value)
            case _:
                for value in op_values(op):
                    self._look(value)

    def _goes(self, source: Var | _Result, to: Var | _Result) -> None:
        self._comes_from.setdefault(to, []).append(source)
        if isinstance(to, Var) and to.name in self._behind_pointers:
            self._looked_at.add(to)

    def _look(self, value: Expr) -> None:
        """The variables of a value count, save for those that it only compares with 0."""
        todo = [value]
        while todo:
            term = todo.pop()
            if term in self._seen:
                continue
            self._seen.add(term)
            if isinstance(term, Var):
                self._looked_at.add(term)
            elif _compared_with_zero(term) is None:
                todo += children(term)

    # --- the changed program ----------------------------------------------------------------------

    def changed(self, function: Function) -> Function:
        """The function with any number of the same sign after its calls of those that compare; one
        of those itself, where it returns, if what is called through pointers is looked at."""
        through = self._comparing & self._taken if _THROUGH_POINTERS in self._looked_at else ()
        chains: dict[Edge, tuple[Operation, ...]] = {}
        drawn: list[Var] = []

        def fresh() -> Var:
            drawn.append(Var(f"{function.name}::comparison.{len(drawn) + 1}", INT))
            return drawn[-1]

        for edge in function.edges:
            match edge.op:
                case Call(Var() as to, FunctionAddress(name), _) if name in self._comparing:
                    if to in self._looked_at:
                        chains[edge] = (edge.op, *_any_like(to, fresh(), name))
                case Return(value) if value is not None and function.name in through:
                    result = fresh()
                    like = _any_like(result, fresh(), function.name)
                    chains[edge] = (Assign(result, value), *like, Return(result))
        return expanded(function, chains, drawn) if chains else function


def _any_like(result: Var, number: Var, name: str) -> tuple[Operation, Operation]:
    """Put any number of the same sign in the place of a result."""
    zero, one, less = (make.const(value, INT) for value in (0, 1, -1))
    negative = make.ite(make.less(number, zero), number, less)
    positive = make.ite(make.less(zero, number), number, one)
    value = make.ite(make.less(result, zero), negative, positive)
    whole = make.ite(make.equal(result, zero), zero, value)
    return Havoc(number, Source.LIBRARY, name), Assign(result, whole)


def _moved(value: Expr, type_: Type) -> Var | None:
    """The variable whose value this is, as it is or in a wider type."""
    if isinstance(type_, IntType) and type_.signed and type_.bits >= INT.bits:
        if isinstance(value, Cast) and value.arg.type is INT:
            value = value.arg
        if isinstance(value, Var) and value.type is INT:
            return value
    return None


def _compared_with_zero(term: Expr) -> Var | None:
    """The variable of which the term asks for the sign."""
    match term:
        case Binary(op, Var() as var, Const(0)) | Binary(op, Const(0), Var() as var):
            return var if op in _COMPARISONS else None
    return None
