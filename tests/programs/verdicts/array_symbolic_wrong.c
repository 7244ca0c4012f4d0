// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  int a[6] = {5, 4, 2, 1, 3, 0};
  unsigned i = __VERIFIER_nondet_uint();
  if (i < 6) {
    a[a[i]] = 9;
    assert(a[i] != 9); // error: assertion failed: a[i] != 9
  }
  return 0;
}
