"""Newton: predicates from symbolic execution of a spurious path, as in SLAM."""
