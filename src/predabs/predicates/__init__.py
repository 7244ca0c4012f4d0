"""Predicates: which are tracked where, regions as decision diagrams over them, and abstraction."""
