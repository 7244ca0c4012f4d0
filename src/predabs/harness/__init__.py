"""A main function for a module that has none: which functions it calls, and with what."""
