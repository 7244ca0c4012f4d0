"""What the words of the command line do, one module each."""
