"""From terms back to expressions of the program."""
