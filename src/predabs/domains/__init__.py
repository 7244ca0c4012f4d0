"""Numeric abstract domains, and what is built on them (paper 003)."""
