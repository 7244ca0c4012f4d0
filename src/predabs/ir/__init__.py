"""The program model: types, interned expressions, operations and control flow automata."""
