"""Symbolic memory graphs: abstract states of programs with lists on the heap."""
