"""The partition of storage into scalars and memory regions."""
