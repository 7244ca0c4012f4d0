"""Structs and unions of several files: which are the same."""

from __future__ import annotations

from pathlib import Path

from predabs.frontend.load import load
from predabs.ir.expr import Cast
from predabs.ir.ops import Call
from predabs.ir.types import PointerType, RecordType


def test_an_opaque_struct_has_the_size_of_the_complete_one(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("struct s { int a, b; }; int get(struct s *p) { return p->a; }")
    (tmp_path / "b.c").write_text(
        "struct s; int get(struct s *p); struct s *some(void);"
        "int main(void) { return get(some()); }"
    )
    for names in (["a.c", "b.c"], ["b.c", "a.c"]):
        program = load([str(tmp_path / name) for name in names])
        calls = [e.op for e in program.functions["main"].edges if isinstance(e.op, Call)]
        (argument,) = calls[-1].args
        assert not isinstance(argument, Cast)
        assert argument.type == PointerType(RecordType("struct s", 8), 64)


def test_files_of_the_same_name(tmp_path: Path) -> None:
    files = []
    for number, text in enumerate(("int a;", "long a;", "char a[3];")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "x.c").write_text(
            f"struct s {{ {text} }};"
            f"int size{number}(void) {{ struct s v = {{}}; return sizeof v; }}"
        )
        files.append(str(folder / "x.c"))
    main = tmp_path / "main.c"
    main.write_text(
        "int size0(), size1(), size2(); int main(void) { return size0() + size1() + size2(); }"
    )
    program = load([*files, str(main)])
    assert sorted(record.type.size for record in program.records.values()) == [3, 4, 8]
