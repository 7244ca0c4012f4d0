// At the end i == n. examples/count.preds proves it with --method direct only: after i = i + 1, one of
// its two predicates holds, but neither of them by itself.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0;
  while (i < n)
    i = i + 1;
  if (i != n)
    reach_error();
  return 0;
}
