"""C programs and predicates to Boolean programs (papers 000 and 001)."""
