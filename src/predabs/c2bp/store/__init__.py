"""Abstractions kept in files and used again, also by callers without the source [BMR05]."""
