"""The bounded engine: symbolic execution of the unrolled program, with merging."""
