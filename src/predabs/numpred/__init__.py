"""From C to abstract programs over predicates and numbers: [GC10, section 6.1].

To read in this order. In `program/`: `numpred_facts`, the facts that are used; `numeric_variables`,
the integers that can be tracked; `precision` and `predicate_meanings`, what is tracked;
`linear_cases` (with `quotients`), integer expressions as linear forms; `formulas`, conditions of C
as formulas; `translation`, a transformer for each transition; `abstract_program`, the graph of
these; `thresholds`, where widening stops; `solution`, the fixpoint. In `refine/`: `abstract_paths`
to an error, `path_refinement` for a spurious one, `flag_variables` and `sources` of values, and
`plan`, the order in which all this is used. `loop_invariants` are the result in C, `relations` the
numeric relations for the lazy engine.
"""
