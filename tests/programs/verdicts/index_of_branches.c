// verdict: TRUE
// bounded: TRUE
// An index that depends on 30 branches: its term has 2^30 ways from the top to the leaves.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct token {
  int start, end, size;
};
int main(void)
{
  struct token tokens[64];
  unsigned n = 0;
  for (int i = 0; i < 30; i++) {
    if (__VERIFIER_nondet_int())
      n = n + 1;
    else
      n = n + 1 + (n & 1);
  }
  if (n < 64) {
    struct token *p = &tokens[n];
    p->size = 1;
    assert(p->size == 1);
  }
  return 0;
}
