"""C programs and predicates to Boolean programs [BPR01; BMR05; Mir13]."""
