"""From C to the abstract program over predicates and numeric variables."""
