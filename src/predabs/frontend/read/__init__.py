"""From C files to a typed syntax tree, by libclang."""
