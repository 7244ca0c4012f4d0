"""Ghost state: where pointers point and how large that is, as numbers of the program."""
