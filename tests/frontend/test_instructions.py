"""Instructions of x86 in inline assembly: which are known, and what stays any value."""

from __future__ import annotations

import pytest

from predabs.ir.cfa import Program
from predabs.ir.ops import Havoc, Source
from support.c_programs import program_of_c


def sources(program: Program) -> list[Source]:
    edges = program.functions["main"].edges
    return [edge.op.source for edge in edges if isinstance(edge.op, Havoc)]


def of(statement: str) -> Program:
    text = "int main(void) { int a = 1, b = 2, c = 3; char k = 0; long w = 0; int *p = &a;"
    return program_of_c(f"{text} {statement} return a + b + c + k + w; }}")


@pytest.mark.parametrize(
    "statement",
    [
        'asm("addl %1,%0" : "+r"(a) : "r"(b));',
        'asm("add %1,%0" : "+r"(a) : "ir"(7));',
        'asm("lock; xaddl %0, %1" : "+r"(a), "+m"(b) : : "memory");',
        'asm("xchg %0,%1" : "+r"(a), "+m"(b));',
        'asm("lock; cmpxchgl %2,%1" : "=a"(a), "+m"(b) : "r"(c), "0"(a));',
        'asm("decl %0; sete %1" : "+m"(a), "=qm"(k));',
        'asm("btsl %1,%0\\n\\tsetc %2" : "+m"(*p), "+r"(b), "=q"(k));',
        'asm("bts %2,%1; sbb %0,%0" : "=r"(a), "+m"(*p) : "Ir"(b));',
        'asm("movl %[from],%[to]" : [to] "=r"(a) : [from] "m"(b));',
        'asm("" : "=r"(a) : "0"(b));',
        'asm("mfence" ::: "memory");',
        'asm(".pushsection .smp_locks,\\"a\\"\\n.long 671f - .\\n.popsection\\n671:\\n\\tlock; "'
        '    "incl %0" : "+m"(a));',
        'asm("movl %%gs:%P1,%0" : "=r"(a) : "m"(b));',
        'asm("movl %%gs:%P1,%0" : "=r"(a) : "p"(&b));',
    ],
)
def test_what_is_known_is_no_input(statement: str) -> None:
    assert sources(of(statement)) == []


@pytest.mark.parametrize(
    "statement",
    [
        'asm("frobnicate %0" : "+r"(a));',
        'asm("mov %0,%1" : "=r"(a) : "r"(b));',  # it would write an input: not this syntax
        'asm("addl %1,%0" : "=r"(a) : "r"(b));',  # what was in the register?
        'asm("sete %0" : "=q"(k));',  # after what?
        'asm("bt %1,%2; sete %0" : "=q"(k) : "r"(a), "r"(b));',  # tells the carry alone
        'asm("addb %1,%0" : "+r"(a) : "r"(b));',  # a part of a register
        'asm("movl %%eax,%0" : "=r"(a));',
        'asm("1: movl %1,%0\\n.section .fixup,\\"ax\\"\\n" : "=r"(a) : "m"(b));',
        'asm("{addl %1,%0|add %0,%1}" : "+r"(a) : "r"(b));',
        'asm("nop" : "=m"(a));',
        'asm("bts %1,%0" : "+m"(a) : "r"(b));',  # may be a bit behind the variable
    ],
)
def test_all_else_may_write_anything(statement: str) -> None:
    assert sources(of(statement)) == [Source.ASM]


def test_a_port_is_an_input() -> None:
    assert sources(of('asm("inl %w1,%0" : "=a"(a) : "Nd"(b));')) == [Source.LIBRARY]
    assert sources(of('asm("outl %0,%w1" : : "a"(a), "Nd"(b));')) == []


def test_a_function_without_a_body_gives_anything() -> None:
    called = of('asm("call __get_user_4" : "=a"(a), "=d"(b) : "0"(p));')
    assert sources(called) == [Source.LIBRARY] * 2
    assert any("port" in text for text in called.assumptions)


def test_a_function_with_a_body_is_not_looked_into() -> None:
    text = 'int main(void) { int a = 0; asm("call f" : "=a"(a)); return f(); }'
    program = program_of_c(f"int f(void) {{ return 1; }} {text}")
    assert sources(program) == [Source.ASM]
