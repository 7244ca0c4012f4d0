"""Programs as text, dot and JSON."""

from __future__ import annotations

import json
import re

import pytest

from predabs.errors import InternalError
from predabs.ir import make
from predabs.ir.cfa import Coord, Edge, Function, Global, Location, Program
from predabs.ir.export import dot, to_json
from predabs.ir.expr import Binary, FunctionAddress, Index, Op, Var
from predabs.ir.listing import literal_text, show_function, show_program
from predabs.ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Call,
    Error,
    ErrorKind,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Source,
)
from predabs.ir.types import (
    CHAR,
    INT,
    LLONG,
    ULLONG,
    VOID,
    ArrayType,
    DataModel,
    FunctionType,
    IntType,
    Member,
    PointerType,
    Record,
    RecordType,
)
from support.ir_samples import program_of

X = Var("main::x", INT)
BUFFER = Var("main::b", PointerType(CHAR, 64))
FUNCTION = FunctionType(INT, (INT,), False)
PAIR = Record(
    RecordType("struct pair", 8),
    (Member("a", INT, 0, False), Member("f", IntType(3, False), 32, True)),
    False,
)


def at(line: int) -> Coord:
    return Coord("dir/loop.c", line, 3)


def text_global(text: bytes, name: str = "str.1") -> Global:
    var = Var(name, ArrayType(CHAR, len(text) + 1))
    init = tuple(
        Assign(Index(var, make.const(n, LLONG), CHAR), make.const(byte, CHAR))
        for n, byte in enumerate(text)
    )
    return Global(var, init, False, at(1))


GREETING = text_global(b'hi "you"\\\n\x80\x001')


def sample() -> Program:
    """x = nondet(); while (x < 3) x = g(x); printf(...); if (x == 3) error; return x;"""
    less = make.less(X, make.const(3, INT))
    three = make.equal(X, make.const(3, INT))
    steps: list[tuple[int, Operation, int]] = [
        (0, Havoc(X, Source.NONDET, "__VERIFIER_nondet_int"), 1),
        (1, Assume(less), 2),
        (1, Assume(make.negate(less)), 3),
        (2, Call(X, FunctionAddress("g", PointerType(FUNCTION, 64)), (X,)), 1),
        (3, Print(None, "printf", (make.decay(GREETING.var, 64), X)), 4),
        (4, Assume(three), 5),
        (5, Error(ErrorKind.ASSERTION, 'assertion failed: "x"'), 6),
        (4, Assume(make.negate(three)), 7),
        (7, Alloc(BUFFER, make.const(8, ULLONG), AllocKind.HEAP, True), 8),
        (8, Return(X), 10),
        (8, Halt("exit", X), 9),
    ]
    locations = [Location("main", n) for n in range(11)]
    edges = tuple(Edge(locations[a], op, locations[b], at(10 + a)) for a, op, b in steps)
    type_ = FunctionType(INT, (), False)
    main = Function(
        "main",
        type_,
        (),
        (X, BUFFER),
        locations[0],
        locations[10],
        edges,
        at(9),
        {"out": locations[4]},
    )
    n = Var("g::n", INT)
    start, end = Location("g", 0), Location("g", 1)
    back = Edge(start, Return(Binary(Op.ADD, n, make.const(1, INT), INT)), end, at(3))
    g = Function("g", FUNCTION, (n,), (), start, end, (back,), at(2))
    total = Var("total", LLONG)
    numbers = Var("numbers", ArrayType(INT, 3))
    second = Assign(Index(numbers, make.const(1, LLONG), INT), make.const(7, INT))
    globals_ = (
        GREETING,
        Global(total, (Assign(total, make.const(5, LLONG)),), False, at(4)),
        Global(numbers, (second,), False, at(5)),
        Global(Var("port", INT), (), True, at(6)),
    )
    program = program_of(main, g, records=(PAIR,), globals_=globals_)
    return Program(
        program.functions,
        program.globals,
        program.records,
        "main",
        DataModel.LP64,
        {"getpid": at(7)},
        ("getpid returns any value",),
        ("dir/loop.c",),
    )


TEXT = r"""program dir/loop.c, LP64, entry main

records:
  struct pair {    // 8 bytes
    int a;    // at byte 0
    unsigned f : 3;    // bits 32 to 34
  };

globals:
  char str.1[14] = "hi \"you\"\\\n\200\0001";    // dir/loop.c:1:3
  long long total = 5;    // dir/loop.c:4:3
  int numbers[3];    // dir/loop.c:5:3
    numbers[1] = 7;
  extern int port;    // dir/loop.c:6:3: defined elsewhere, any value

functions without a body:
  getpid    dir/loop.c:7:3

assumptions:
  getpid returns any value

int main(void)    // dir/loop.c:9:3
  entry 0; exit 10; loop heads 1; label out at 4
  int x;
  char *b;
     0 -> 1     dir/loop.c:10    x = __VERIFIER_nondet_int();
  *  1 -> 2     dir/loop.c:11    [x < 3]
  *  1 -> 3     dir/loop.c:11    [x >= 3]
     2 -> 1     dir/loop.c:12    x = g(x);
     3 -> 4     dir/loop.c:13    printf("hi \"you\"\\\n\200\0001", x);
     4 -> 5     dir/loop.c:14    [x == 3]
     5 -> 6     dir/loop.c:15    ERROR: assertion failed: "x"
     4 -> 7     dir/loop.c:14    [x != 3]
     7 -> 8     dir/loop.c:17    b = malloc(8);  // zeroed
     8 -> 10    dir/loop.c:18    return x;
     8 -> 9     dir/loop.c:18    HALT: exit(x)

int g(int n)    // dir/loop.c:2:3
  entry 0; exit 1
    0 -> 1    dir/loop.c:3    return n + 1;
"""


def test_text_of_a_program() -> None:
    assert show_program(sample()) == TEXT


def test_text_of_a_function() -> None:
    program = sample()
    main = program.functions["main"]
    assert show_function(main, program) in TEXT
    assert "printf(str.1, x);" in show_function(main)


def test_literals_only_where_they_are_known() -> None:
    assert literal_text(text_global(b"")) == '""'
    assert literal_text(text_global(b"a", "text")) is None
    assert literal_text(text_global(b"a", "f.str")) is None
    odd = Var("str.2", ArrayType(CHAR, 2))
    first = Index(odd, make.const(0, LLONG), CHAR)
    assert literal_text(Global(odd, (Assign(first, first),), False, at(1))) is None
    wide = Var("str.3", ArrayType(INT, 2))
    assert literal_text(Global(wide, (), False, at(1))) is None


# --- JSON ---


def test_json_has_its_documented_keys() -> None:
    tree = json.loads(to_json(sample()))
    assert list(tree) == [
        "format",
        "version",
        "files",
        "entry",
        "data_model",
        "assumptions",
        "externals",
        "records",
        "globals",
        "functions",
    ]
    assert (tree["format"], tree["version"], tree["data_model"]) == ("predabs-cfa", 1, "LP64")
    assert tree["externals"] == [
        {"name": "getpid", "at": {"file": "dir/loop.c", "line": 7, "column": 3}}
    ]
    assert tree["records"][0]["members"][1] == {
        "name": "f",
        "type": "uint3",
        "bit": 32,
        "bitfield": True,
    }
    assert [(g["name"], g["type"], g["external"]) for g in tree["globals"]][1:] == [
        ("total", "long long", False),
        ("numbers", "int[3]", False),
        ("port", "int", True),
    ]
    assert tree["globals"][2]["init"] == [{"target": "numbers[1]", "value": "7"}]


def test_json_of_functions_and_operations() -> None:
    main, g = json.loads(to_json(sample()))["functions"]
    assert main["loop_heads"] == [1]
    assert main["labels"] == {"out": 4}
    assert main["locals"][0] == {"name": "main::x", "type": "int"}
    assert g["params"] == [{"name": "g::n", "type": "int"}]
    assert g["edges"] == [
        {
            "from": 0,
            "to": 1,
            "at": {"file": "dir/loop.c", "line": 3, "column": 3},
            "op": {"type": "return", "value": "g::n + 1"},
            "text": "return n + 1;",
        }
    ]
    ops = [edge["op"] for edge in main["edges"]]
    assert ops[0] == {
        "type": "havoc",
        "target": "main::x",
        "source": "nondet",
        "name": "__VERIFIER_nondet_int",
        "extent": None,
    }
    assert ops[3] == {"type": "call", "target": "main::x", "callee": "g", "args": ["main::x"]}
    assert ops[4] == {
        "type": "print",
        "target": None,
        "function": "printf",
        "args": ["str.1", "main::x"],
    }
    text = 'assertion failed: "x"'
    assert ops[6] == {"type": "error", "kind": "assertion", "text": text, "check": None}
    assert ops[8] == {
        "type": "alloc",
        "target": "main::b",
        "size": "8",
        "kind": "heap",
        "zeroed": True,
        "reuse": True,
    }


def test_json_of_one_function_has_the_same_shape() -> None:
    program = sample()
    whole = json.loads(to_json(program))
    part = json.loads(to_json(program, program.functions["g"]))
    assert part["functions"] == whole["functions"][1:]
    assert {**part, "functions": 0} == {**whole, "functions": 0}


def test_json_refuses_an_unknown_part() -> None:
    program = sample()
    location = Location("h", 0)
    odd = Edge(location, Halt("exit", 3.5), location, at(1))
    type_ = FunctionType(VOID, (), False)
    broken = Function("h", type_, (), (), location, Location("h", 1), (odd,), at(1))
    with pytest.raises(InternalError, match=r"3\.5"):
        to_json(program, broken)


# --- dot ---

_STRING = r'"(?:[^"\\\n]|\\[\\"n])*"'
_ATTRIBUTES = rf"\[\w+=(?:{_STRING}|\w+)(?:, \w+=(?:{_STRING}|\w+))*\]"
_DOT_LINE = re.compile(
    rf"digraph cfa {{|}}|subgraph cluster_\d+ {{|label={_STRING};|"
    rf"(?:node|edge|{_STRING}(?: -> {_STRING})?) {_ATTRIBUTES};"
)


def test_every_line_of_dot_is_well_formed() -> None:
    for line in dot(sample()).splitlines():
        assert _DOT_LINE.fullmatch(line.strip()), line


def test_dot_marks_what_matters() -> None:
    lines = {line.strip() for line in dot(sample()).splitlines()}

    def node(name: str) -> str:
        (found,) = (line for line in lines if line.startswith(f'"{name}" ['))
        return found

    assert "darkgreen" in node("main:0")
    assert "diamond" in node("main:1")
    assert "doublecircle" in node("main:10")
    assert "octagon" in node("main:6")
    assert "square" in node("main:9")
    (error,) = (line for line in lines if line.startswith('"main:5" -> "main:6"'))
    assert 'color="red"' in error
    assert r'label="ERROR: assertion failed: \"x\""' in error
    assert 'tooltip="dir/loop.c:15:3"' in error


def test_dot_of_one_function() -> None:
    program = sample()
    text = dot(program, program.functions["g"])
    assert '"g:0" -> "g:1"' in text
    assert "main" not in text


def test_long_labels_are_cut() -> None:
    name = "x" * 5000
    location = Location("f", 0)
    edge = Edge(location, Error(ErrorKind.ASSERTION, name), Location("f", 1), at(1))
    type_ = FunctionType(VOID, (), False)
    f = Function("f", type_, (), (), location, Location("f", 2), (edge,), at(1))
    assert len(dot(program_of(f))) < 2000
