"""Numeric abstract domains, and what is built on them [GC10]."""
