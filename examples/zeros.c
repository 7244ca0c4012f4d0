// Fills the beginning of an array and looks at it; zeros.preds has a quantifier for the loops.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_uint() % 1000, i = 0, j = 0;
  while (i < n) {
    a[i] = 0;
    i = i + 1;
  }
  while (j < i) {
    assert(a[j] == 0);
    j = j + 1;
  }
  return 0;
}
