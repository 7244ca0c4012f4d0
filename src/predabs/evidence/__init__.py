"""What backs a verdict: replayed runs, traces to read, C tests, reports."""
