"""Distinguished cells: programs with arrays and heaps as programs with scalars."""
