"""What the points-to analysis answers: precise where it should be, honest where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.analysis.points_to.sets import PointsTo
from predabs.ir import make
from predabs.ir.cfa import Edge, ExternPointers
from predabs.ir.expr import Expr, FunctionAddress, Lvalue
from predabs.ir.ops import Call
from predabs.ir.types import INT, DataModel
from support.analysis_programs import from_text


class Answers:
    """The analysis of a text, asked by names of variables."""

    def __init__(
        self, text: str, folder: Path, extern_pointers: ExternPointers = ExternPointers.FRESH
    ) -> None:
        item = from_text(text, folder, DataModel.ILP32, extern_pointers)
        self.points_to: PointsTo = item.partition.points_to
        self.vars = self.points_to.address_taken.declared

    def __call__(self, name: str) -> set[str]:
        return self.ask(self.vars[name])

    def ask(self, e: Expr) -> set[str]:
        return {str(target) for target in self.points_to.targets(e)}

    def calls(self) -> list[Edge]:
        """The calls through pointers."""
        return [
            edge
            for function in self.points_to.program.functions.values()
            for edge in function.edges
            if isinstance(edge.op, Call) and not isinstance(edge.op.callee, FunctionAddress)
        ]


def test_assignments_and_fields(tmp_path: Path) -> None:
    ask = Answers(
        """
        int a, b, c;
        struct s { int *x, *y; struct { int *z; } in; } s, t, *ps = &s;
        int *p, *q, *r, **pp;
        int main(void) {
            s.x = &a; ps->y = &b; ps->in.z = &c;
            p = s.x; q = ps->y; t = s; r = t.in.z;
            pp = &ps->y; *pp = p;
        }
        """,
        tmp_path,
    )
    assert ask("p") == {"a+0"}
    assert ask("q") == {"b+0", "a+0"}  # the last assignment counts before it happens, too
    assert ask("r") == {"c+0"}
    assert ask("pp") == {"s+4"}


def test_arrays_and_arithmetic(tmp_path: Path) -> None:
    ask = Answers(
        """
        int row[8]; struct { int head; int body[4]; char tail; } box[2];
        int *p, *q, *r, *w; char *c;
        int main(int n) {
            p = row; q = &row[2]; r = p + n; q++;
            w = &box[1].body[1];
            c = (char *)&box[n].tail;
        }
        """,
        tmp_path,
    )
    assert ask("p") == {"row+0"}
    assert ask("r") == {"row+0+4k"}
    assert "row+12" in ask("q")
    assert ask("w") == {"box+32"}
    assert ask("c") == {"box+20+24k"}


def test_a_pointer_that_walks_stays_in_its_stride(tmp_path: Path) -> None:
    ask = Answers(
        """
        struct item { int key; struct item *next; } items[9];
        int *p;
        int main(void) { for (struct item *i = items; i < items + 9; i++) p = &i->key; }
        """,
        tmp_path,
    )
    assert ask("p") >= {"items+0+8k"}
    assert all(int(text.split("+")[1].split("k")[0]) % 8 == 0 for text in ask("p"))


def test_calls_and_the_heap(tmp_path: Path) -> None:
    ask = Answers(
        """
        void *malloc(unsigned);
        int a, b, *p, *q, *h, *k;
        int *same(int *x) { return x; }
        int *fresh(void) { return malloc(4); }
        int main(void) { p = same(&a); q = same(&b); h = fresh(); k = malloc(8); }
        """,
        tmp_path,
    )
    assert ask("p") == ask("q") == {"a+0", "b+0"}
    assert len(ask("h")) == len(ask("k")) == 1
    assert not ask("h") & ask("k")
    assert all("alloc" in text for text in ask("h") | ask("k"))


def test_numbers_keep_addresses_but_are_none(tmp_path: Path) -> None:
    ask = Answers(
        """
        int a, *p, *q, *r, *s, *u; unsigned long n, m;
        int main(void) {
            n = (unsigned long)&a; p = (int *)n;
            m = n & ~3ul; q = (int *)m;
            r = (int *)1234; s = 0;
            { int *never; u = never; }
        }
        """,
        tmp_path,
    )
    assert ask("p") == {"a+0"}
    assert ask("q") == {"a+0+1k"}
    assert ask("r") == ask("s") == set()
    assert ask("u") == {"unknown+0+1k"}  # nobody writes it, and still it is read


def test_unknown_addresses_are_visible(tmp_path: Path) -> None:
    ask = Answers(
        """
        int *other(void); int a, b, *p, *q, *r;
        int main(int argc) { p = other(); q = &a; r = (int *)(unsigned long)argc; b = 1; *p = 2; }
        """,
        tmp_path,
        ExternPointers.ANY,
    )
    assert ask("p") == ask("r") == {"unknown+0+1k"}
    points_to = ask.points_to

    def pointed(name: str) -> Lvalue:
        return make.deref(ask.vars[name])

    a, b = ask.vars["a"], ask.vars["b"]
    assert points_to.may_alias(pointed("p"), a)  # its address was taken
    assert not points_to.may_alias(pointed("p"), b)  # nobody can know where it is
    assert points_to.may_alias(pointed("p"), pointed("r"))
    assert points_to.may_alias(pointed("q"), a)


def test_aliases_of_members(tmp_path: Path) -> None:
    ask = Answers(
        """
        struct s { int x, y; char name[4]; } one, two, *p, *q; union { int i; char c[4]; } u, *pu;
        int main(int n) { p = n ? &one : &two; q = &two; pu = &u; p->x = q->y; pu->i = 1; }
        """,
        tmp_path,
    )
    points_to = ask.points_to

    def member(pointer: str, name: str) -> Lvalue:
        base = make.deref(ask.vars[pointer])
        return make.field(base, name, points_to.access_paths.member(base.type, name).type)

    assert points_to.may_alias(member("p", "x"), member("q", "x"))
    assert not points_to.may_alias(member("p", "x"), member("q", "y"))
    third = make.index(member("pu", "c"), make.const(3, INT))
    assert points_to.may_alias(third, member("pu", "i"))
    assert not points_to.may_alias(third, member("p", "x"))


def test_targets_of_calls(tmp_path: Path) -> None:
    ask = Answers(
        """
        typedef void (*handler)(int);
        extern handler lookup(int); extern void undefined(int);
        void on(int n) {} void off(int n) {} void unused(int n) {}
        struct rec { int x; }; void record(struct rec r) {} int never(void) { return 0; }
        handler table[2] = {on, off}, chosen;
        int main(int i) {
            struct rec r = {1}; void *any = record; any = never;
            table[i](1);
            chosen = i ? undefined : on;
            chosen(2);
            lookup(3)(4);
        }
        """,
        tmp_path,
    )
    first, second, third = ask.calls()
    points_to = ask.points_to
    assert points_to.call_targets(first) == ("off", "on")
    assert points_to.call_targets(second) == ("on", "undefined")
    assert not points_to.may_be_unknown(first) and not points_to.may_be_unknown(second)
    # any function whose address was taken and that can take the arguments
    assert points_to.call_targets(third) == ("off", "on", "undefined")
    assert points_to.may_be_unknown(third)


def test_a_call_of_nothing_has_no_targets(tmp_path: Path) -> None:
    ask = Answers("int main(void) { void (*f)(void) = 0; f(); }", tmp_path)
    assert [ask.points_to.call_targets(edge) for edge in ask.calls()] == [()]


def test_extra_arguments(tmp_path: Path) -> None:
    ask = Answers(
        """
        int a, b, *p;
        void put(int n, ...) {
            __builtin_va_list l; __builtin_va_start(l, n);
            p = __builtin_va_arg(l, int *);
        }
        int main(void) { put(1, &a); put(2, &b, 3.0); }
        """,
        tmp_path,
    )
    assert ask("p") == {"a+0", "b+0"}


@pytest.mark.parametrize("size", ["sizeof from", "n * sizeof(int *)"])
def test_copied_addresses_stay_where_they_were(tmp_path: Path, size: str) -> None:
    ask = Answers(
        f"""
        void *memcpy(void *, const void *, unsigned);
        int a, b, *p, *q;
        int main(int n) {{
            int *from[2] = {{&a, &b}}, *to[3];
            memcpy(to + 1, from, {size});
            p = to[1]; q = to[2];
        }}
        """,
        tmp_path,
    )
    assert ask("p") == {"a+0"}
    assert ask("q") == {"b+0"}


def test_questions_about_new_terms(tmp_path: Path) -> None:
    ask = Answers(
        "int a[4], *p = a, **pp = &p; int main(void) { return **pp; }",
        tmp_path,
    )
    pp = ask.vars["pp"]
    displaced = make.pointer_add(make.deref(pp), make.const(2, INT))
    assert ask.ask(displaced) == {"a+8"}
    assert ask.ask(make.address_of(make.deref(displaced), ask.vars["p"].type)) == {"a+8"}


def test_a_long_chain_of_terms(tmp_path: Path) -> None:
    ask = Answers("int a[4], *p = a; int main(void) { return *p; }", tmp_path)
    term: Expr = ask.vars["p"]
    one = make.const(1, INT)
    for _ in range(5000):
        term = make.pointer_add(term, one)
    assert len(ask.ask(term)) == 1
