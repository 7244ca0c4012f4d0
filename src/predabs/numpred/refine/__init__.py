"""What the numpred engine tracks next, after a spurious path."""
