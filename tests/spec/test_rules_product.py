"""Programs with rules, run in the interpreter: each event at its moment, with its values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.outcome import ErrorReached, Exited, Stopped
from predabs.errors import InputError, UnsupportedFeature
from predabs.ir.ops import ErrorKind
from support.rule_programs import outcome, product

LOCKING = """state { int locked = 0; }
event lock.entry() {
    if (locked) error "taken twice";
    locked = 1;
}
event unlock.entry() {
    if (!locked) error "not taken";
    locked = 0;
}
"""


def violation(rule: str, *files: str, inputs: tuple[int, ...] = ()) -> str | None:
    """What the run violates, with the position in the rule; None if it ends well."""
    match outcome(rule, *files, inputs=inputs):
        case ErrorReached(_, text, edge):
            return f"{edge.coord}: {text}"
        case Exited() | Stopped():
            return None
        case other:
            raise AssertionError(other)


# --- moments --------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(
    st.lists(st.sampled_from(["lock", "unlock"]), max_size=8),
    st.sampled_from(["void {0}(void);", "void {0}();", "static void {0}(void) {{ }}"]),
    st.booleans(),
)
def test_the_rule_is_an_automaton(calls: list[str], form: str, by_pointer: bool) -> None:
    expected = None
    locked = False
    for call in calls:
        if locked == (call == "lock"):
            expected = "r.rule:3:17: taken twice" if locked else "r.rule:7:18: not taken"
            break
        locked = not locked
    declared = "".join(form.format(name) for name in ("lock", "unlock"))
    used = "(void)lock; (void)unlock; void (*f)(void);"
    body = "".join(f"f = {call}; f();" if by_pointer else f"{call}();" for call in calls)
    text = f"{declared} int main(void) {{ {used} {body} return 0; }}"
    assert violation(LOCKING, text) == expected


def test_without_a_violation_the_program_does_what_it_did() -> None:
    text = """
    int lock(int x) { x++; return x * 2; } void unlock(void);
    int main(void) { int y = lock(20); unlock(); return y; }"""
    assert outcome(LOCKING, text) == Exited(42)


def test_errors_of_the_program_do_not_count() -> None:
    text = "void lock(void); void unlock(void); int main(void) { reach_error(); unlock(); }"
    assert violation(LOCKING, text) is None


def test_entry_comes_before_the_body_and_exit_after() -> None:
    rule = """state { int inside = 0; int seen = 0; }
    event f.entry() { inside = 1; }
    event g.entry() { if (!inside) error "outside"; seen = 1; }
    event f.exit() { if (!seen) error "not seen"; inside = 0; }"""
    text = "void g(void) {} void f(int n) { if (n) g(); } int main(void) { f(1); %s return 0; }"
    assert violation(rule, text % "") is None
    assert violation(rule, text % "g();") == "r.rule:3:36: outside"
    assert violation(rule, text % "") is None


def test_a_loop_back_to_the_start_is_no_entry() -> None:
    rule = 'state { int n; } event f.entry() { n++; if (n > 1) error "twice"; }'
    text = """int f(void) { do { if (__VERIFIER_nondet_int()) return 1; } while (1); }
    int main(void) { return f(); }"""
    assert violation(rule, text, inputs=(0, 0, 1)) is None


def test_every_return_is_an_exit() -> None:
    rule = 'event f.exit(int x, int result) { if (result == x) error "same"; }'
    text = """int f(int x) { if (x == 1) return 2; if (x == 2) return 2; return 0; }
    int main(void) { return f(__VERIFIER_nondet_int()); }"""
    assert violation(rule, text, inputs=(1,)) is None
    assert violation(rule, text, inputs=(2,)) == "r.rule:1:52: same"
    assert violation(rule, text, inputs=(0,)) == "r.rule:1:52: same"


@pytest.mark.parametrize("change", ["x = 7;", "int *p = &x; *p = 7;", ""])
def test_exit_has_the_arguments_of_the_entry(change: str) -> None:
    rule = 'event f.exit(int x) { if (x != 3) error "changed"; }'
    assert violation(rule, f"void f(int x) {{ {change} }} int main(void) {{ f(3); }}") is None


def test_a_recursive_function_has_its_own_arguments() -> None:
    rule = """state { int last = 0; }
    event f.exit(int n, int result) {
        if (n != last || result != n) error "out of order";
        last = n + 1;
    }"""
    text = """int f(int n) { int m = n; if (n > 0) { n--; f(n); } return m; }
    int main(void) { return f(3); }"""
    assert violation(rule, text) is None


def test_main_has_events_too() -> None:
    rule = 'event main.exit(int result) { if (result) error "it failed"; }'
    assert violation(rule, "int main(void) { return 1; }") == "r.rule:1:43: it failed"
    assert violation(rule, "int main(void) { }") is None


# --- functions without a body, and of the library -------------------------------------------------


def test_the_result_of_a_function_without_a_body() -> None:
    rule = 'event get.exit(int result) { if (result == 5) error "five"; }'
    text = "int get(void); int main(void) { get(); return get(); }"
    assert violation(rule, text, inputs=(4, 5)) == "r.rule:1:47: five"
    assert violation(rule, text, inputs=(4, 4)) is None


def test_events_may_name_the_parameters_differently() -> None:
    rule = """event put.entry(int a, int b) { if (a != 1 || b != 2) error "mixed"; }
    event put.exit(int b) { if (b != 1) error "mixed"; }"""
    assert violation(rule, "void put(int, int, int); int main(void) { put(1, 2, 3); }") is None


def test_without_a_prototype_the_event_knows_the_parameters() -> None:
    rule = 'event put.entry(int *where, int what) { if (where && what == 5) error "five"; }'
    text = "void put(); int main(void) { int x; put(&x, (char)%d); put(); }"
    assert violation(rule, text % 5) == "r.rule:1:65: five"
    assert violation(rule, text % 6) is None


def test_functions_that_are_operations_of_predabs() -> None:
    rule = """state { void *last = 0; }
    event malloc.exit(unsigned long size, void *result) { last = result; }
    event free.entry(void *block) { if (block == last) error "the last one"; }
    event exit.entry(int status) { if (status) error "it failed"; }"""
    text = """void free(void *); void exit(int);
    int main(void) { void *p = malloc(1), *q = malloc(2); %s }"""
    assert violation(rule, text % "free(p);") is None
    assert violation(rule, text % "free(q);") == "r.rule:3:56: the last one"
    assert violation(rule, text % "__builtin_free(q);") == "r.rule:3:56: the last one"
    assert violation(rule, text % "exit(0);") is None
    assert violation(rule, text % "exit(1);") == "r.rule:4:48: it failed"


def test_what_library_functions_call_is_their_own_business() -> None:
    rule = 'event strlen.entry(const char *s) { error "strlen"; }'
    head = "unsigned long strlen(const char *); char *strcat(char *, const char *);"
    text = head + 'int main(void) { char s[8] = "a"; strcat(s, "b"); return %s; }'
    assert violation(rule, text % "s[1] - 'b'") is None
    assert violation(rule, text % "strlen(s)") == "r.rule:1:37: strlen"


def test_static_functions_of_several_files() -> None:
    text = "static void lock(void) { } void %s(void) { lock(); }"
    main = "void a(void); void b(void); void unlock(void); int main(void) { a(); b(); }"
    assert violation(LOCKING, main, text % "a", text % "b") == "r.rule:3:17: taken twice"


def test_a_function_that_cannot_be_watched() -> None:
    rule = "event __VERIFIER_nondet_int.exit(int result) { }"
    with pytest.raises(UnsupportedFeature, match="cannot watch calls of __VERIFIER_nondet_int"):
        product(rule, "int main(void) { return __VERIFIER_nondet_int(); }")


# --- state and names ------------------------------------------------------------------------------


def test_the_names_of_a_rule_are_its_own() -> None:
    text = """int locked = 7; void lock_entry(void) { locked++; }
    void lock(void) { lock_entry(); } void unlock(void);
    int main(void) { lock(); return locked; }"""
    program = product(LOCKING, text)
    assert {"locked", "::locked"} == {item.var.name for item in program.globals}
    assert [i.var.short for i in program.globals] == ["locked", "locked"]
    assert outcome(LOCKING, text) == Exited(8)


def test_state_may_have_any_type() -> None:
    rule = """#define MOST 4
    state { struct { int count; _Bool busy[MOST]; } ports = {1, {[2] = 1}}; enum { NONE = 9 } e; }
    event use.entry(int n) {
        int next = ports.count + 1;
        if (ports.busy[n]) error "busy";
        ports.busy[n] = 1; ports.count = next; e = NONE;
        if (ports.count > 3) error "too many";
    }"""
    text = "void use(int n); int main(void) { int i = 0; for (; i < %d; i++) use(i + %d); }"
    assert violation(rule, text % (2, 0)) is None
    assert violation(rule, text % (2, 1)) == "r.rule:5:28: busy"
    assert violation(rule, text % (3, -1) + "//") is not None


def test_what_goes_wrong_in_an_event_is_an_error() -> None:
    text = "void use(int *p, int n); int main(void) { int x = 0; use(%s); }"
    look = "state { int a[4]; int b; } event use.entry(int *p, int n) { b = %s; }"
    for expression, good, bad in [
        ("*p", "&x, 0", "0, 0"),
        ("a[n]", "0, 3", "0, 4"),
        ("8 / n", "0, 1", "0, 0"),
    ]:
        assert isinstance(outcome(look % expression, text % good), Exited)
        wrong = outcome(look % expression, text % bad)
        assert isinstance(wrong, ErrorReached) and wrong.kind is ErrorKind.CHECK
        assert wrong.edge.coord.file == "r.rule"


def test_what_is_read_through_a_pointer_is_assumed_to_be_there() -> None:
    program = product(
        'event f.entry(int *p) { if (p && *p) error "set"; }',
        "void f(int *p); int main(void) { f(0); }",
    )
    assert program.assumptions == (
        "r.rule:1:34: where the event looks through a pointer, there is an object",
    )


def test_records_of_rule_and_program_must_agree() -> None:
    rule = 'state { struct s { int x; }; } event f.entry(struct s *p) { if (p->x) error "x"; }'
    text = "struct s { %s; }; void f(struct s *p); int main(void) { struct s s = { 1 }; f(&s); }"
    assert violation(rule, text % "int x") == "r.rule:1:71: x"
    with pytest.raises(InputError, match="struct s is laid out differently"):
        product(rule, text % "char c; int x")


# --- mistakes -------------------------------------------------------------------------------------

PROGRAM = """void f(int x); long g(char *p, ...); static void idle(void) { }
int main(void) { f(1); g(0); return 0; }"""


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("event other.entry() { }", "r.rule:1:1: the program has no function other; correct"),
        ("event lokc.entry() { }", "no function lokc; did you mean lock?"),
        ("event f.entry(int x, int y) { }", "r.rule:1:1: f has 1 parameter, but the event has 2"),
        ("event f.exit(int result) { }", "r.rule:1:1: f returns nothing"),
        ("event f.entry(int result) { }", "r.rule:1:1: only an exit event has a result"),
        ("event g.exit(long result, char *p) { }", "r.rule:1:1: the result comes last"),
        ("event f.entry(short x) { }", "x of f.entry cannot hold .* declare it as int x"),
        ("event f.entry(char *x) { }", "x of f.entry cannot hold .* declare it as int x"),
        ("event g.exit(int result) { }", "declare it as long long result"),
        ("event g.entry(char *p, ...) { }", r"r.rule:1:1: g.entry cannot have \.\.\."),
        ("event f.entry() { y = 1; }", "r.rule:1:19: use of undeclared identifier 'y'"),
        ("event f.entry() {\n  f(1);\n}", "r.rule:2:3: an event can only .* cannot call f"),
        ("event f.entry() { exit(1); }", "r.rule:1:19: .* cannot end the run"),
        ("event f.entry() { reach_error(); }", 'r.rule:1:19: .* write error "..."'),
        ("event g.entry(char *p) { *p = 1; }", "r.rule:1:26: .* cannot write through a pointer"),
        ("event f.entry() { int x; x = 1; }", "r.rule:1:23: .* give x a value where it is"),
        (
            '#define IF(c, s) if (c) s\nevent f.entry(int x) { IF(x, error "x";) }',
            "r.rule:2:24: .* macro",
        ),
        ("state { void f(int); } event f.entry() { if (f) ; }", "r.rule:1:46: .* the function f"),
        ("state { void f(int); void *p = f; } event f.entry() { p = 0; }", "r.rule:1:28: .* f"),
        ("state { extern int x; } event f.entry() { x = 1; }", "r.rule:1:20: x has no definition"),
        (
            "state { void h(void) { } } event f.entry() { }",
            "r.rule:1:14: .* no room for a function",
        ),
    ],
)
def test_mistakes(rule: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        product(rule, f"void lock(void); {PROGRAM}")


def test_a_function_that_is_never_called_is_told() -> None:
    for name in ("idle", "unused", "free"):
        program = product(f"event {name}.entry() {{ }}", f"void unused(void); {PROGRAM}")
        assert program.assumptions == (
            f"r.rule:1:1: {name}.entry never happens: {name} is not called",
        )


def test_different_declarations_of_a_function_without_a_body() -> None:
    one, two = "int f(int); int main(void) { g(); return f(1); }", "int f(char); int g() { f(2); }"
    with pytest.raises(UnsupportedFeature, match="f has no body and is declared in different ways"):
        product("event f.entry() { }", one, two)
