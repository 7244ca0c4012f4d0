"""From C to abstract programs over predicates and numbers: [GC10, section 6.1].

To read in this order: `ground` is what is known about a program, `cells` are the integers that can
be tracked as numbers, `values` the linear forms that expressions come down to, `reader` reads the
expressions of C, `translate` makes a transformer of each move. `graph` is the abstract program,
`thresholds` where widening stops in it, `solution` its fixpoint, `trace` a path to an error in it,
`learn` what such a path tells when no run follows it, `plan` what is tracked next, and `invariant`
what is known at the end, in C. `precision` and `table` are what is tracked; `sources`, `switches`
and `alive` tell which integers belong together, are flags, or matter; `quotients` is a part of
`values`. `relations` is what the lazy engine asks for.
"""
