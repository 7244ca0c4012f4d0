"""The direct method: a basic block becomes one parallel assignment."""
