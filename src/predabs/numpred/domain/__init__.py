"""Predicates and numbers in one abstract domain: [GC10], with its four data structures.

To read in this order: `formula` and `transformers` are what an abstract program is written in,
`vocabulary` is what is tracked of it, `numpred_domain` is the interface of all structures, `apply`
is what they share. `nexpoint`, `nex`, `mtndd` and `ndd` are the structures, `numeric` and
`predicate` those with one half only; `structures` makes one by its name. `reduction` is a part of
all, `guarded_cases` of nex and mtndd; `numeric_terms`, `path_contexts`, `breakpoints` and `hulls`
are parts of ndd; `diagram_walk` and `counters` are tools.

Here `locked` is true exactly if n is 1, which neither half can say alone:

>>> from ...domains.box import BoxDomain
>>> from ...domains.fixpoint import solve
>>> from ...domains.linear import constant, variable
>>> from .structures import make
>>> from .formula import FALSE, TRUE, Predicate, literal
>>> from .transformers import Both, Choices, exactly, numeric
>>> n, locked = variable("n"), Predicate("locked", None)
>>> lock, unlock = Choices((exactly(locked, TRUE),)), Choices((exactly(locked, FALSE),))
>>> program = {
...     "start": [(Both(TRUE, numeric(n=constant(0)), unlock), "loop")],
...     "loop": [
...         (Both(literal(locked, False), numeric(n=n + 1), lock), "loop"),
...         (Both(literal(locked), numeric(n=n - 1), unlock), "loop"),
...     ],
... }
>>> domain = make("nex", BoxDomain(), [locked], ["n"])
>>> found = solve(domain, program, "start", domain.top)
>>> sorted(str(part) for part in domain.gamma(found.values["loop"]).parts)
['!locked & n == 0', 'locked & n == 1']
"""
