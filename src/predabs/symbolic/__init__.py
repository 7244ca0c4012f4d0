"""Symbolic states: what the variables and the memory hold, as formulas over the inputs."""
