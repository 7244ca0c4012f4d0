"""The numpred engine: a fixpoint over predicates and a numeric domain, refined."""
