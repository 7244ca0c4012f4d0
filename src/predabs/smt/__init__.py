"""Formulas and the solvers that decide them.

Terms and the `Solver` protocol are spoken by all who ask questions (`predicates`, `c2bp`, `refine`,
`numpred`, `engines`, `evidence.certificate`). The objects of a solver's library never leave this
folder; for a person to read, terms become expressions of the program (`to_expr`).
"""
