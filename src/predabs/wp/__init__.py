"""Weakest preconditions of operations, by Morris' axiom of assignment."""
