"""Measurements: how much of a collection of C programs predabs reads, solves, and how fast.

Run `python -m bench` for the list. Nothing here is needed to use or to test predabs.
"""
