"""Running a program: the byte-accurate interpreter of control flow automata."""
