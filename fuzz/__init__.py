"""Random well-defined C programs, and the comparison of predabs' interpreter with a compiler.

Everything predabs proves stands on its reading of C. Here that reading meets a real compiler: each
program prints checksums of its state, and both sides must print the same text.
"""
