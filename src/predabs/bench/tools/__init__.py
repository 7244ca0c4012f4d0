"""The tools that `predabs bench` can run: a small class for each."""
