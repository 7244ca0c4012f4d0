"""Interpolation strategies: each finds predicates that exclude a spurious path."""
