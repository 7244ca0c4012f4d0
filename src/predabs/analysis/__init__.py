"""What can be said about a program without running it: pointers, memory, effects, relevance."""
