"""From C source files to a `Program`: read (libclang), link, lower to control flow automata."""
