"""What a program must never do: properties, and how they become error edges of the program."""
