"""What surrounds an engine: from files to a result, and the result as text and JSON."""
