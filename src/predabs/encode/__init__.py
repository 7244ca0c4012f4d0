"""From programs to formulas: expressions, operations and loop-free blocks as terms."""
