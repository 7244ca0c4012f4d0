"""A run in terms of the source: what happened, with which values, and what the error depends on."""
