"""Predicates: which are tracked where, regions as BDDs over them, and abstraction."""
