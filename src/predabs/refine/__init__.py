"""Refinement: is a path feasible, and if not, what does the abstraction have to learn?"""
