"""Refinement: is a path feasible, and if not, which predicates exclude it?"""
