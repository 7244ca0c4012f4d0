"""The auto engine: the other engines, each in a process of its own, in turns or side by side."""
