"""The engine that explores symbolic memory graphs."""
