"""Predicates as text: C expressions and predicates files."""
