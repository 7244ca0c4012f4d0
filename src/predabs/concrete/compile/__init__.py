"""Control flow automata compiled to Python code."""
