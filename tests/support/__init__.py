"""What tests share: programs, generators, reference implementations, ways to run things."""
