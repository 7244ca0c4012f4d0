"""Predicates for a whole proof at once: blocks and procedures as Horn clauses."""
