"""The auto engine: the other engines as a portfolio, each in a process of its own."""
