"""Eliminate symbols from a condition: what it says about the others.

By z3's tactics: `qe-light`, which is cheap and may leave a quantifier, and then `qe_rec`, which can
do linear integers. (`qe2` takes bit-vectors too, but hardly ever comes to an end.)
Soundness duty: the result is equivalent to `exists symbols. condition`, which is checked anew in
both directions, because tactics have been seen to lose symbols; else the answer is `None`.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

import z3

from . import build
from .backends.z3 import Z3Solver
from .backends.z3_decode import decode
from .solver import Statistics
from .term import INT, TRUE, ArraySort, BitVecSort, Symbol, Term, postorder, symbols


def project(
    condition: Term, away: Sequence[Symbol], statistics: Statistics, timeout: float = 5.0
) -> Term | None:
    """The strongest condition without these symbols that follows, or None."""
    deadline = monotonic() + timeout
    present = symbols([condition])
    gone = [symbol for symbol in dict.fromkeys(away) if symbol in present]
    if not gone:
        return condition
    if len({symbol.name for symbol in present}) < len(present):
        return None  # z3 gives symbols back by their names
    work = _Projection(condition, gone, Z3Solver(statistics))
    for tactics in (("qe-light",), ("qe-light", "qe_rec")):
        left = deadline - monotonic()
        if left <= 0:
            return None
        found = work.eliminate(tactics, left)
        if found is not None:
            same = work.equivalent(found, max(0.05, deadline - monotonic()))
            return found if same else None
    return None


class _Projection:
    """One elimination, in the z3 context of a solver."""

    def __init__(self, condition: Term, gone: Sequence[Symbol], solver: Z3Solver) -> None:
        self._solver = solver
        self._translate = solver._translate
        self._ref = self._translate.ref
        self._condition = condition
        self._kept = {s.name: s for s in symbols([condition]) if s not in set(gone)}
        bound = (z3.Ast * len(gone))(*(self._translate(symbol) for symbol in gone))
        body = self._translate(condition)
        self._quantified = self._translate.keep(
            z3.Z3_mk_exists_const(self._ref, 0, len(gone), bound, 0, (z3.Pattern * 0)(), body)
        )

    def eliminate(self, tactics: Sequence[str], seconds: float) -> Term | None:
        """What the tactics make of it, if that is a condition over the other symbols."""
        ref = self._ref
        goal = z3.Z3_mk_goal(ref, False, False, False)
        z3.Z3_goal_inc_ref(ref, goal)
        try:
            z3.Z3_goal_assert(ref, goal, self._quantified)
            return self._apply(goal, tactics, seconds)
        except z3.Z3Exception:
            return None  # out of time, or a tactic gave up
        finally:
            z3.Z3_goal_dec_ref(ref, goal)

    def _apply(self, goal: Any, tactics: Sequence[str], seconds: float) -> Term | None:
        ref = self._ref
        chain = self._tactic(tactics, seconds)
        try:
            with self._solver.counted():
                result = z3.Z3_tactic_apply(ref, chain, goal)
        finally:
            z3.Z3_tactic_dec_ref(ref, chain)
        z3.Z3_apply_result_inc_ref(ref, result)
        try:
            cases = []
            for number in range(z3.Z3_apply_result_get_num_subgoals(ref, result)):
                subgoal = z3.Z3_apply_result_get_subgoal(ref, result, number)
                parts = [
                    decode(ref, z3.Z3_goal_formula(ref, subgoal, i), self._kept)
                    for i in range(z3.Z3_goal_size(ref, subgoal))
                ]
                known = [part for part in parts if part is not None]
                if len(known) < len(parts):
                    return None
                cases.append(build.and_(*known) if known else TRUE)
            return build.or_(*cases)
        finally:
            z3.Z3_apply_result_dec_ref(ref, result)

    def _tactic(self, names: Sequence[str], seconds: float) -> Any:
        ref = self._ref
        chain = z3.Z3_mk_tactic(ref, names[0])
        z3.Z3_tactic_inc_ref(ref, chain)
        parts = [z3.Z3_mk_tactic(ref, name) for name in names[1:]]
        for part in parts:
            z3.Z3_tactic_inc_ref(ref, part)
            joined = z3.Z3_tactic_and_then(ref, chain, part)
            z3.Z3_tactic_inc_ref(ref, joined)
            z3.Z3_tactic_dec_ref(ref, chain)
            z3.Z3_tactic_dec_ref(ref, part)
            chain = joined
        limited = z3.Z3_tactic_try_for(ref, chain, max(1, int(seconds * 1000)))
        z3.Z3_tactic_inc_ref(ref, limited)
        z3.Z3_tactic_dec_ref(ref, chain)
        return limited

    def equivalent(self, found: Term, seconds: float) -> bool:
        """Does the result say the same as the quantified condition?"""
        result = self._translate(found)
        refuted = self._translate(build.not_(found))
        body = self._translate(self._condition)
        ref = self._ref
        denied = self._translate.keep(z3.Z3_mk_not(ref, self._quantified))
        return self._unsat((body, refuted), seconds) and self._unsat((result, denied), seconds)

    def _unsat(self, natives: Sequence[Any], seconds: float) -> bool:
        ref = self._ref
        logic = z3.Z3_mk_string_symbol(ref, self._logic())
        solver = z3.Z3_mk_solver_for_logic(ref, logic)
        z3.Z3_solver_inc_ref(ref, solver)
        try:
            params = z3.Z3_mk_params(ref)
            z3.Z3_params_inc_ref(ref, params)
            key = z3.Z3_mk_string_symbol(ref, "timeout")
            z3.Z3_params_set_uint(ref, params, key, max(1, int(seconds * 1000)))
            z3.Z3_solver_set_params(ref, solver, params)
            z3.Z3_params_dec_ref(ref, params)
            with self._solver.counted():
                for native in natives:
                    z3.Z3_solver_assert(ref, solver, native)
                return bool(z3.Z3_solver_check(ref, solver) == z3.Z3_L_FALSE)
        except z3.Z3Exception:
            return False
        finally:
            z3.Z3_solver_dec_ref(ref, solver)

    def _logic(self) -> str:
        """The logic whose procedure decides quantifiers best."""
        sorts = {term.sort for term in postorder([self._condition])}
        if any(isinstance(sort, ArraySort) for sort in sorts):
            return "ALL"
        if any(isinstance(sort, BitVecSort) for sort in sorts):
            return "ALL" if INT in sorts else "BV"
        return "LIA"
