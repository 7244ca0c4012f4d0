"""The explicit engine: a program's states, told apart by the values of some of its variables."""
