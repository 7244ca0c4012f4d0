"""A small program, and ways to ask solvers about its conditions."""

from __future__ import annotations

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.encode.encoding import Encoding
from predabs.encode.environment import Formulas
from predabs.ir.cfa import Program
from predabs.predicates.cube import Logic
from predabs.smt.solver import Statistics
from predabs.smt.solvers import create
from support.c_programs import program_of_c

PROGRAM = program_of_c("int x, y, z, *p; int main(void) { p = &x; z = y + *p; return z; }")
SPLIT = partition(PROGRAM, points_to(PROGRAM))
SOLVERS = {"int": "z3", "bv": "bitwuzla"}


def logic(encoding: Encoding, program: Program = PROGRAM) -> Logic:
    split = SPLIT if program is PROGRAM else partition(program, points_to(program), single=False)
    return Logic(Formulas(split, encoding), create(SOLVERS[encoding.name], Statistics()))
