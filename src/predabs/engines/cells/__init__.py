"""The cells engine: distinguished cells of arrays and heaps, and invariants about them."""
