"""Coverage-guided fuzzing: many concrete runs, directed at what errors depend on."""
