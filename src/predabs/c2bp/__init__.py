"""C programs and predicates to Boolean programs (papers 000, 001 and 002)."""
