"""One module for each solver; their own terms stay in here."""
