"""Boolean programs for other checkers: a common core, legal names, a writer for each."""
