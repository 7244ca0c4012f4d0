"""Formulas and the solvers that decide them; only `ir.expr` is spoken outside of this folder."""
