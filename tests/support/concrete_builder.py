"""Small programs built straight from the IR, for tests of the interpreter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from predabs.concrete.inputs import Inputs, ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ExecutedStep, Outcome, Value
from predabs.ir import make
from predabs.ir.cfa import Coord, Edge, ExternPointers, Function, Global, Location, Program
from predabs.ir.expr import Expr, FunctionAddress, Lvalue, Var
from predabs.ir.ops import Assign, Error, Halt, Operation, Return
from predabs.ir.types import (
    INT,
    VOID,
    ArrayType,
    DataModel,
    FunctionType,
    IntType,
    PointerType,
    Record,
    Type,
)

SIZE = IntType(64, False)
DIFF = IntType(64, True)
HERE = Coord("t.c", 1, 1)


def pointer(target: Type) -> PointerType:
    return PointerType(target, 64)


def number(value: int, type_: IntType | PointerType = INT) -> Expr:
    return make.const(value, type_)


def address(lvalue: Lvalue) -> Expr:
    return make.address_of(lvalue, pointer(lvalue.type))


def element(array: Lvalue, index: Expr | int) -> Lvalue:
    return make.index(array, number(index, DIFF) if isinstance(index, int) else index)


def function(
    name: str,
    edges: Sequence[tuple[int, Operation, int]],
    *,
    params: Sequence[Var] = (),
    local: Iterable[Var] = (),
    result: Type = INT,
    variadic: bool = False,
) -> Function:
    """A function whose locations are numbers; it starts at 0 and ends at 999. The n-th edge stands
    in line n + 1."""
    made = tuple(
        Edge(Location(name, src), op, Location(name, dst), Coord(f"{name}.c", line, 1))
        for line, (src, op, dst) in enumerate(edges, 1)
    )
    type_ = FunctionType(result, tuple(param.type for param in params), variadic)
    entry, exit_ = Location(name, 0), Location(name, 999)
    return Function(name, type_, tuple(params), tuple(local), entry, exit_, made, HERE)


def straight(name: str, *ops: Operation, **options: object) -> Function:
    """A function without branches; the last operation leads to the exit."""
    edges = [(n, op, n + 1) for n, op in enumerate(ops)]
    if ops and isinstance(ops[-1], Return | Halt | Error):
        edges[-1] = (len(ops) - 1, ops[-1], 999)
    return function(name, edges, **options)


def global_(var: Var, *init: Assign, external: bool = False) -> Global:
    return Global(var, init, external, HERE)


def text(name: str, content: str) -> Global:
    """A string literal."""
    data = [*content.encode(), 0]
    var = Var(name, ArrayType(IntType(8, True), len(data)))
    stores = [
        Assign(element(var, place), number(byte, IntType(8, True)))
        for place, byte in enumerate(data)
    ]
    return global_(var, *stores)


def program(
    *functions: Function,
    globals_: Sequence[Global] = (),
    records: Sequence[Record] = (),
    externals: Sequence[str] = (),
    model: DataModel = DataModel.LP64,
    extern_pointers: ExternPointers = ExternPointers.FRESH,
) -> Program:
    """A program that starts in `main`."""
    return Program(
        {f.name: f for f in functions},
        tuple(globals_),
        {record.type.tag: record for record in records},
        "main",
        model,
        dict.fromkeys(externals, HERE),
        (),
        ("t.c",),
        extern_pointers,
    )


def run(subject: Program, *values: int, inputs: Inputs | None = None) -> Outcome:
    """Run fast and step by step; both must end alike."""
    steps: list[ExecutedStep] = []
    fast = execute(subject, inputs or ListInputs(values))
    if inputs is None:
        assert execute(subject, ListInputs(values), trace=steps.append) == fast
    return fast


def written(subject: Program, *values: int) -> list[tuple[str, Value]]:
    """What a run writes to variables, in order, by their short names."""
    steps: list[ExecutedStep] = []
    execute(subject, ListInputs(values), trace=steps.append)
    return [
        (place.short, value)
        for step in steps
        for place, value in step.values
        if isinstance(place, Var)
    ]


def callee(made: Function) -> FunctionAddress:
    return FunctionAddress(made.name, pointer(made.type))


def unknown(name: str, result: Type = VOID) -> FunctionAddress:
    return FunctionAddress(name, pointer(FunctionType(result, (), True)))
