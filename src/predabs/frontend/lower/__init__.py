"""From the syntax tree to operations on the edges of control flow automata."""
