"""The partition of storage: scalar variables, typed regions, regions of bytes, pieces of copies."""

from __future__ import annotations

from pathlib import Path

from predabs.analysis.memory.partition import (
    NOTHING,
    BlockPiece,
    InRegion,
    MemoryRegion,
    Partition,
    Scalar,
    lvalue_of,
    partition,
)
from predabs.ir import make
from predabs.ir.cfa import ExternPointers
from predabs.ir.def_use import op_reads, op_target
from predabs.ir.expr import Index, Lvalue, Var
from predabs.ir.ops import Copy, Fill
from predabs.ir.show import show_expr
from predabs.ir.types import CBOOL, INT, VOID, DataModel, IntType, PointerType
from support.analysis_programs import Analysed, from_text


class Subject:
    """The partition of a text; lvalues are asked for as the text writes them."""

    def __init__(
        self,
        text: str,
        folder: Path,
        model: DataModel = DataModel.ILP32,
        extern_pointers: ExternPointers = ExternPointers.FRESH,
        single: bool = False,
    ) -> None:
        self.item: Analysed = from_text(text, folder, model, extern_pointers)
        self.partition: Partition = self.item.partition
        if not single:
            self.partition = partition(self.item.program, self.partition.points_to, single=False)
        self._named: dict[str, Lvalue] = {}
        for function in self.item.program.functions.values():
            for edge in function.edges:
                target = op_target(edge.op)
                found = op_reads(edge.op) if target is None else (*op_reads(edge.op), target)
                for lvalue in found:
                    self._named[show_expr(lvalue)] = lvalue

    def lvalue(self, text: str) -> Lvalue:
        return self._named[text]

    def scalar(self, text: str) -> Var:
        storage = self.partition.storage(self._named[text])
        assert isinstance(storage, Scalar)
        return storage.var

    def region(self, text: str) -> MemoryRegion:
        storage = self.partition.storage(self._named[text])
        assert isinstance(storage, InRegion)
        return self.partition.region(storage.region)

    def pieces(self, kind: type[Fill] | type[Copy]) -> tuple[BlockPiece, ...]:
        """The pieces of the only memset or memcpy in `main`."""
        (op,) = (e.op for e in self.item.program.functions["main"].edges if isinstance(e.op, kind))
        return self.partition.pieces(op)


def test_plain_variables(tmp_path: Path) -> None:
    subject = Subject(
        """
        struct in { short a; char b[4]; };
        struct out { int x; struct in i; unsigned bits : 3; union { int u; char c; } un; } g;
        int scalar, taken;
        int main(void) {
            struct in local; struct out copy = g;
            int *p = &taken;
            scalar = g.x; local.a = copy.i.a; local.b[1] = copy.bits; copy.un.u = *p;
            struct { unsigned f : 5; } flags; flags.f = taken;
            return copy.un.c;
        }
        """,
        tmp_path,
    )
    assert subject.scalar("scalar").name == "scalar"
    assert subject.scalar("g.x") is Var("g.x", INT)
    assert subject.scalar("copy.i.a") is Var("main::copy.i.a", IntType(16, True))
    assert subject.scalar("local.a").name == "main::local.a"
    assert subject.scalar("flags.f") is Var("main::flags.f", IntType(5, False))
    # an array, a union, a bit-field next to a union, and what has an address: no scalars
    assert subject.region("local.b[1]").unit is IntType(8, True)
    assert subject.region("copy.un.u") is subject.region("copy.un.c")
    assert subject.region("copy.un.u").unit is None
    assert subject.region("copy.bits").unit is None
    assert subject.region("*p").unit is INT
    assert subject.region("taken") is subject.region("*p")


def test_fields_of_heap_objects_are_apart(tmp_path: Path) -> None:
    subject = Subject(
        """
        void *malloc(unsigned);
        struct node { int key; struct node *next; _Bool seen; float weight; };
        int main(void) {
            struct node *list = 0;
            for (int i = 0; i < 3; i++) {
                struct node *n = malloc(sizeof *n);
                n->key = i; n->next = list; n->seen = 0; n->weight = 1.0f;
                list = n;
            }
            return list->next->key;
        }
        """,
        tmp_path,
    )
    regions = [subject.region(f"n->{name}") for name in ("key", "next", "seen", "weight")]
    assert len({region.id for region in regions}) == 4
    assert [region.unit for region in regions[:3]] == [INT, subject.lvalue("list").type, CBOOL]
    assert subject.region("list->next->key") is regions[0]
    assert not any(region.unknown for region in regions)
    assert all("alloc" in region.members[0] for region in regions)


def test_units(tmp_path: Path) -> None:
    subject = Subject(
        """
        int a[4]; unsigned *u = (unsigned *)a; float f; int *bits = (int *)&f;
        char text[8]; short *half = (short *)text;
        int *x, **px = &x; char *y; void **pv;
        unsigned char raw[16]; int *odd = (int *)(raw + 2);
        int main(int i) {
            a[i] = 1; *u = 2;
            f = 1.5f; *bits = 3;
            text[i] = 4; *half = 5;
            *px = a; pv = (void **)px; *pv = &y;
            odd[i] = 6;
            return *x;
        }
        """,
        tmp_path,
    )
    assert subject.region("a[i]").unit is IntType(
        32, False
    )  # signed and not: a number of that size
    assert subject.region("*bits").unit is None  # floating point and an integer
    assert subject.region("*half").unit is None  # two sizes
    assert subject.region("*px").unit is PointerType(VOID, 32)  # two types of pointers
    assert subject.region("odd[i]").unit is INT  # alike, though not where integers usually are
    assert subject.region("a[i]") is subject.region("*u")


def test_whole_cells_in_memset_and_memcpy(tmp_path: Path) -> None:
    subject = Subject(
        """
        void *memset(void *, int, unsigned); void *memcpy(void *, const void *, unsigned);
        struct s { int x; short y; char z; } a[3], b[3], *p = b;
        int main(int n) {
            memset(a, 0, sizeof a);
            memcpy(p, a, n * sizeof *a);
            p[n].z = 1; p[n].y = 3; a[n].y = 2;
            return p[n].x + a[n].x;
        }
        """,
        tmp_path,
    )
    assert subject.region("a[n].x").unit is INT
    assert subject.region("a[n].y").unit is IntType(16, True)
    filled, copied = subject.pieces(Fill), subject.pieces(Copy)
    assert [(p.offsets.first, p.offsets.step, p.size) for p in filled] == [
        (0, 8, 4),
        (4, 8, 2),
        (6, 8, 1),
    ]
    assert [(p.offsets.first, p.size) for p in copied] == [(0, 4), (4, 2), (6, 1)]
    assert all(piece.source is not None and piece.source != piece.target for piece in copied)
    assert all(piece.source is None for piece in filled)


def test_blocks_of_odd_sizes_need_bytes(tmp_path: Path) -> None:
    text = """
        void *memset(void *, int, unsigned);
        int a[4], b[4], *p = a, *q = b;
        int main(int n) {{ memset(p, 0, {size}); return p[n] + *q; }}
        """
    assert Subject(text.format(size="n"), tmp_path).region("p[n]").unit is None
    assert Subject(text.format(size="6"), tmp_path).region("p[n]").unit is None
    assert Subject(text.format(size="n << 2"), tmp_path).region("p[n]").unit is INT
    assert Subject(text.format(size="n"), tmp_path).region("*q").unit is INT


def test_leaves_of_records(tmp_path: Path) -> None:
    subject = Subject(
        """
        struct p { int x; struct { char c; short s[2]; } in; } a, b, *q = &b;
        union u { int i; char c[4]; } v, w;
        struct large { int many[100]; } l, m;
        int main(void) {
            a = *q; v = w; l = m;
            return a.in.s[1] + v.i + w.c[1] + l.many[3];
        }
        """,
        tmp_path,
    )
    partition = subject.partition
    leaves = partition.leaves(subject.lvalue("a"))
    assert leaves is not None
    assert [show_expr(leaf) for leaf in leaves] == ["a.x", "a.in.c", "a.in.s[0]", "a.in.s[1]"]
    assert len(partition.leaves(subject.lvalue("*q")) or ()) == 4
    assert partition.leaves(subject.lvalue("v")) is None
    assert partition.leaves(subject.lvalue("l")) is None
    (piece,) = partition.record_pieces(subject.lvalue("l"), subject.lvalue("m"))
    assert (piece.offsets.first, piece.size) == (12, 4)


def test_unknown_addresses_are_in_one_map(tmp_path: Path) -> None:
    subject = Subject(
        """
        int *outside(void); int a, c; short b; int *pa = &a; short *pb = &b;
        int main(void) { int *p = outside(); *p = 1; *pa = 2; *pb = 3; c = 4; return a + b; }
        """,
        tmp_path,
        extern_pointers=ExternPointers.ANY,
    )
    wild = subject.region("*p")
    assert wild.unknown and wild.unit is None
    assert subject.region("*pa") is subject.region("*pb") is wild
    assert subject.scalar("c").name == "c"


OUTSIDE = """
struct list { struct list *next; int key; };
union both { int number; short half; };
struct dev { int count, flags; struct list head; int table[4]; union both u; unsigned b : 3; };
struct dev *outside(void); struct dev own; int *taken;
"""


def test_memory_of_the_environment_has_a_view_for_each_member(tmp_path: Path) -> None:
    subject = Subject(
        OUTSIDE
        + """
        int main(int n) {
            struct dev *d = outside(); struct list *l = &d->head;
            taken = &d->flags; *taken = 1;
            d->count = 2; d->head.key = 3; l->key = 4; d->flags = 5; d->table[n] = 6;
            d->u.number = 7; d->u.half = 8; d->b = 1; own.count = 9;
            l->next->key = 10;
        }
        """,
        tmp_path,
    )
    region = subject.region
    assert region("d->count").unit is INT and region("d->count").unknown
    assert region("d->head.key") is region("l->key") is region("l->next->key")
    assert region("d->flags") is region("*taken")  # its address is taken
    assert region("d->u.number") is region("d->u.half") and region("d->u.half").unit is None
    apart = ["d->count", "d->flags", "d->head.key", "d->table[n]", "d->u.half", "d->b"]
    assert len({region(name).id for name in apart}) == len(apart)
    assert subject.scalar("own.count").name == "own.count"


def test_an_object_that_may_be_of_the_environment_shares_its_view(tmp_path: Path) -> None:
    subject = Subject(
        OUTSIDE
        + """
        int main(int n) {
            struct dev *d = n ? outside() : &own, *e = outside();
            d->count = 1; e->count = 2; d->flags = 3; own.flags = 4; *e = own;
        }
        """,
        tmp_path,
    )
    region = subject.region
    assert region("d->count") is region("e->count")
    assert region("d->flags") is region("own.flags") is not region("d->count")
    pieces = subject.partition.record_pieces(subject.lvalue("*e"), subject.lvalue("own"))
    assert all(piece.offsets is None for piece in pieces)  # anything, as there is a union in it
    assert region("d->count").id in {
        p.target.region for p in pieces if isinstance(p.target, InRegion)
    }


def test_maps_have_the_same_numbers_each_time(tmp_path: Path) -> None:
    text = "int a[3], b[4], *p = a, *q = b; int main(int n) { p[n] = 1; q[n] = 2; return *p; }"
    one, two = (Subject(text, tmp_path).partition.regions for _ in range(2))
    assert [region.members for region in one] == [region.members for region in two]
    assert [str(region.id) for region in one] == ["m0", "m1", "m2"]


def test_members_of_a_record_that_is_copied_byte_by_byte_are_no_variables(tmp_path: Path) -> None:
    text = """
        struct p {{ int x, y; }} t, u; char *c;
        int main(int n) {{
            struct p s, kept;
            s.x = n; s.y = 1; kept.x = 2; kept.y = n;
            c = (char *)&t; {access}
            u = kept; t = s;
            return s.x + kept.y + t.y + u.x;
        }}
        """
    plain = Subject(text.format(access=""), tmp_path)
    assert plain.scalar("s.x") != plain.scalar("s.y")
    subject = Subject(text.format(access="c[n] = 1;"), tmp_path)
    assert subject.region("s.x") is subject.region("s.y")
    assert subject.region("s.x").unit is None
    assert subject.scalar("kept.x") != subject.scalar("kept.y")


# --- single objects -------------------------------------------------------------------------------


def test_what_exists_once_is_a_scalar(tmp_path: Path) -> None:
    subject = Subject(
        """
        void *malloc(unsigned);
        struct machine { int state; struct machine *self; int queue[3]; } global;
        void run(struct machine *m) { m->state = 1; m->queue[2] = 2; }
        void drive(struct machine *d) { d->state = 3; }
        int main(void) {
            struct machine *made = malloc(sizeof *made);
            struct machine own;
            struct machine *p = &own;
            p->state = 4; own.state = p->state; own.self = p;
            run(made);
            drive(&global);
            return made->queue[2] + global.state;
        }
        """,
        tmp_path,
        single=True,
    )
    made = subject.scalar("m->state")
    assert not made.function, "calls may write it, so it is no variable of one function"
    assert show_expr(lvalue_of(subject.partition, made)) == "m->state"
    assert subject.scalar("m->queue[2]") is subject.scalar("made->queue[2]")
    assert subject.scalar("d->state") is subject.scalar("global.state")
    assert subject.scalar("p->state") is subject.scalar("own.state")
    own = subject.scalar("own.state")
    assert len({made, own, subject.scalar("global.state"), subject.scalar("own.self")}) == 4
    assert lvalue_of(subject.partition, subject.scalar("d->state")) is subject.lvalue(
        "global.state"
    )


def test_what_may_exist_twice_is_memory(tmp_path: Path) -> None:
    subject = Subject(
        """
        void *malloc(unsigned);
        int n;
        int *twice(void) { int *made = malloc(4); *made = 1; return made; }
        int nested(int depth) { int own = depth, *o = &own; return *o ? nested(depth - 1) : own; }
        int main(void) {
            int *looped = 0;
            for (int i = 0; i < n; i++) { looped = malloc(4); *looped = i; }
            int *one = twice(), *two = twice();
            return *one + *two + *looped + nested(3);
        }
        """,
        tmp_path,
        single=True,
    )
    for text in ("*looped", "*one", "*made", "*o", "own"):
        subject.region(text)


def test_what_is_accessed_otherwise_too_is_memory(tmp_path: Path) -> None:
    subject = Subject(
        """
        struct pair { int a, b; } one, two, other;
        unsigned whole; int array[4];
        int main(int n) {
            struct pair *p = n ? &one : &two, *q = &other;
            p->a = 1; one.b = 2; q->b = 3; q->a = 4;
            unsigned *w = &whole; *w = 5; *(unsigned char *)w = 6;
            int *a = array; a[2] = 7;
            return array[n] + one.a;
        }
        """,
        tmp_path,
        single=True,
    )
    assert subject.region("p->a") is subject.region("one.a")
    assert subject.region("*w").unit is None
    assert subject.region("a[2]") is subject.region("array[n]")
    assert subject.scalar("one.b") is not subject.scalar("q->b")
    assert subject.scalar("q->a") is not subject.scalar("q->b")


def test_what_lies_beyond_an_array_is_no_other_place(tmp_path: Path) -> None:
    """Formulas may speak of an element that no run has: it is not the number behind the array."""
    subject = Subject(
        """
        struct text { char data[6]; int size; } global;
        int main(int n) {
            struct text *t = &global;
            t->size = n;
            return t->data[n] + t->size;
        }
        """,
        tmp_path,
        single=True,
    )
    size = subject.lvalue("t->size")
    element = subject.lvalue("t->data[n]")
    assert isinstance(element, Index)
    beyond = make.index(element.base, make.const(8, INT))
    assert isinstance(subject.partition.storage(size), Scalar)
    assert subject.partition.storage(beyond) == InRegion(NOTHING)
