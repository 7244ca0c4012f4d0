"""The check of a whole proof, whatever its method, with solvers that have not found it.

Making a certificate and checking it are the same questions. While one is made, what an engine has
used without saying so is searched: bounds of variables, facts of other engines, how many pieces an
unrolling has; and if the way of the engine does not succeed, another one is tried. What was found
is part of the certificate; whoever checks it searches for nothing.

Soundness duty: `Certified` only if the checks of `certificate` or `unrolling_check` say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from time import monotonic

from ..analysis.facts import ProgramFacts
from ..encode.encoding import BitVectorEncoding, Encoding
from ..encode.environment import Formulas
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir.configuration import Configuration
from ..ir.expr import And, Expr
from ..records import dataclass, replace
from ..smt.branch_and_prune import BRANCH_AND_PRUNE
from ..verdict import Invariant, Method, Proof, Safe, ShapesAt, Unsafe
from .certificate import Candidates, Claims, InductionCheck, interval_candidates, no_candidates
from .obligations import START, Certificate, CertificateRefuted, Certified, Effort, Unchecked
from .only_run import OnlyRun
from .proof_program import ProofPrograms, told_of
from .recursion_copies import recursive_groups
from .shape_check import check_shapes
from .summaries import SummarizedFacts
from .unrolling_check import check_induction, check_unrolling

_SHARE = 0.5  # of the time, for the first encoding; it may be hopeless where the other is not
_FIRST = 0.7  # of the time, for the method of the engine; then others are tried
_SECONDS_PER_CALL = 30.0
_FIRST_DEPTH, _DEEPER, _DEEPEST = 2, 4, 512  # of recursion; and how often it becomes deeper
INTERPRETER, SHAPES = "the interpreter", "entailment of shapes"  # in place of a solver
# what engines say in them is less than they know
_BY_CANDIDATES = (Method.SUMMARIES, Method.CELLS, Method.CURSORS)


def other_solvers(solver: str) -> Mapping[str, tuple[str, ...]]:
    """Solvers by encoding that are not the given one, which may be a procedure that is none of
    them, the quick ones first.

    >>> other_solvers("z3")
    {'int': ('cvc5',), 'bv': ('bitwuzla', 'cvc5')}
    """
    if solver == "bitwuzla":
        return {"int": ("z3", "cvc5"), "bv": ("z3", "cvc5")}
    return {"int": ("cvc5",), "bv": ("bitwuzla", "cvc5")}


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """A proof of one of the programs: invariants, and how they prove it. `pieces` are those of an
    unrolling, `recursion` the depth of its recursion; None: to be found. With `search`, what is
    missing is searched for, among `support` too: each of these is proved, or left out; with
    `others`, other methods are tried where that of the proof does not succeed."""

    programs: ProofPrograms
    proof: Proof
    invariants: tuple[Invariant, ...]
    pieces: int | None = None
    recursion: int | None = None
    search: bool = False
    support: tuple[Invariant, ...] = ()
    others: bool = True
    shapes: tuple[ShapesAt, ...] = ()

    def run(self, seconds: float) -> Certificate:
        """Check it in so much time."""
        if not self.search:
            return self._checked(seconds)
        until = monotonic() + seconds
        first = self._judged(self._checked(_FIRST * seconds))
        if not isinstance(first, Unchecked):
            return first
        for method in self._others() if self.others else ():
            other = replace(self, proof=replace(self.proof, method=method, depth=0))
            answer = other._checked((until - monotonic()) / 2)
            if isinstance(answer, Certified):
                return answer
        return first

    def _others(self) -> Iterator[Method]:
        """The methods that may succeed where that of the engine does not."""
        recursive = bool(recursive_groups(self.programs.facts))
        for method in (Method.INVARIANTS, Method.SUMMARIES, Method.UNROLLING):
            if method is not self.proof.method and (recursive or method is not Method.SUMMARIES):
                yield method

    def _checked(self, seconds: float) -> Certificate:
        """With integers, and with bit-vectors if these do not do; the other way round, where the
        proof was found with bit-vectors."""
        begun = monotonic()
        answer: Certificate = Unchecked("")
        encodings: list[Encoding] = [IntegerEncoding(), BitVectorEncoding()]
        if self.proof.solver in ("bitwuzla", BRANCH_AND_PRUNE):
            encodings.reverse()
        try:
            facts = self.programs.of(self.proof.method)
            if self.proof.method is Method.EXECUTION:
                return self._executed(facts, seconds)
            if self.proof.method is Method.SHAPES:
                return self._by_shapes(facts, begun + seconds)
            for encoding in encodings:
                share = _SHARE if encoding is encodings[0] else 1.0
                solvers = other_solvers(self.proof.solver)
                effort = Effort(begun + share * seconds, _SECONDS_PER_CALL, solvers=solvers)
                try:
                    answer = self._attempt(facts, encoding, effort)
                except NeedsBitVectors:
                    continue
                if not isinstance(answer, Unchecked):
                    break
        except UnsupportedFeature as problem:
            return Unchecked(str(problem))
        return answer if not isinstance(answer, Certified) else replace(answer, proof=self.proof)

    def _judged(self, answer: Certificate) -> Certificate:
        """A search that fails refutes the proof of an engine only if a run comes to an error, or if
        the invariants were meant to be enough. Symbolic states know more than the formulas here:
        which objects live and where they end. So an unrolling is never refuted."""
        match answer:
            case CertificateRefuted(where, why, certain, limit):
                alarm = certain or (self.proof.whole and not limit)
                if self.proof.method in (Method.CELLS, Method.CURSORS, Method.SHAPES):
                    alarm = False  # what they speak of has more runs than the program
                if self.proof.method is Method.UNROLLING or not alarm:
                    short = f"what {self.proof.engine} hands on is not enough"
                    return Unchecked(f"{short}: {where}: {why}")
        return answer

    def _executed(self, facts: ProgramFacts, seconds: float) -> Certificate:
        """The only run of the program, once more."""
        match OnlyRun(facts.program).verdict(seconds):
            case Safe():
                return Certified((INTERPRETER,), proof=self.proof)
            case Unsafe(_, text):
                return CertificateRefuted(START, f"the run comes to an error: {text}", certain=True)
        return Unchecked("the only run did not come to its end, or is not the only one")

    def _by_shapes(self, facts: ProgramFacts, deadline: float) -> Certificate:
        """Symbolic memory graphs are checked without a solver."""
        answer = check_shapes(facts, self.shapes, deadline)
        if isinstance(answer, Certified):
            return Certified((SHAPES,), proof=self.proof, shapes=self.shapes)
        return answer

    def _attempt(self, facts: ProgramFacts, encoding: Encoding, effort: Effort) -> Certificate:
        if self.proof.method is Method.UNROLLING:
            return self._unrolled(facts, encoding, effort)
        formulas = Formulas(facts.partition, encoding)
        answer = self._by_invariants(facts, formulas, no_candidates, effort)
        if isinstance(answer, CertificateRefuted) and self.search:
            formulas = Formulas(facts.partition, encoding)
            return self._by_invariants(facts, formulas, self._candidates(facts), effort)
        return answer

    def _unrolled(self, facts: ProgramFacts, encoding: Encoding, effort: Effort) -> Certificate:
        """With copies of recursive functions, if there are any."""
        if not recursive_groups(facts):
            formulas = Formulas(facts.partition, encoding)
            return check_unrolling(facts, formulas, effort, self.pieces)
        if self.recursion is None and not self.search:
            return Unchecked("it does not say how deep recursion is")
        depth = self.recursion or _FIRST_DEPTH
        while True:
            copied = self.programs.copied(facts, depth)
            formulas = Formulas(copied.partition, encoding)
            answer = check_unrolling(copied, formulas, effort, self.pieces)
            if isinstance(answer, Certified):
                return replace(answer, recursion=depth)
            deeper = isinstance(answer, CertificateRefuted) and answer.limit
            if not deeper or self.recursion is not None or depth >= _DEEPEST or effort.is_spent:
                return answer
            depth *= _DEEPER

    def _by_invariants(
        self, facts: ProgramFacts, formulas: Formulas, candidates: Candidates, effort: Effort
    ) -> Certificate:
        depth = self.proof.depth if self.proof.method is Method.INDUCTION else 0
        # facts that an induction uses may have been found with others: all of them are candidates
        loose = self.search and (bool(depth) or self.proof.method in _BY_CANDIDATES)
        given = () if loose and candidates is not no_candidates else self._told(facts)
        claims = Claims(facts.program, given)
        check = InductionCheck(facts, formulas, claims, candidates, effort, errors=not depth)
        answer = check.run()
        if depth and isinstance(answer, Certified):
            return check_induction(check, depth)
        return answer

    def _told(self, facts: ProgramFacts) -> Iterable[Invariant]:
        """What the proof says, about the program that is at hand."""
        return told_of(facts.program, self.invariants)

    def _candidates(self, facts: ProgramFacts) -> Candidates:
        intervals = interval_candidates(facts)
        told = told_of(facts.program, (*self.invariants, *self.support))
        others = Claims(facts.program, _parts(told))
        ends: dict[Configuration, list[Expr]] = {}
        if isinstance(facts, SummarizedFacts):
            ends = facts.exit_candidates()

        def at(configuration: Configuration) -> list[Expr]:
            found = (*others.at(configuration), *ends.get(configuration, ()))
            return list(dict.fromkeys((*found, *intervals(configuration))))

        return at


def _parts(invariants: Iterable[Invariant]) -> Iterable[Invariant]:
    """The conjuncts, so that each is a candidate."""
    for item in invariants:
        for part in item.expr.args if isinstance(item.expr, And) else (item.expr,):
            yield Invariant(item.location, item.stack, part)
