"""The kinduction engine: k-induction over blocks, strengthened by invariants of other engines."""
