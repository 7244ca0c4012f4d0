# What `make demo` shows: a C program as an automaton, a run of it, a bug in it, and two proofs; the
# second one is of a loop without a bound, and shows its invariant.
show() { printf '\n$ %s\n' "$*"; "$@"; }
set -e
show predabs cfa examples/ring.c --function put
show predabs run examples/ring.c --inputs 1,1,0
show predabs check examples/ring.c || test $? -eq 1
show predabs check examples/ring_fixed.c
show predabs check -v examples/locking.c
