"""Acceleration: many rounds of a loop as one step, in closed form."""
