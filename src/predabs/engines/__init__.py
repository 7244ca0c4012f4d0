"""Engines: each one decides whether an error can be reached, in its own way."""
