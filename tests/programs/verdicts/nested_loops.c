// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint() % 5, count = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = i; j < n; j++) {
      if ((i + j) % 3 == 2)
        continue;
      if (j == 3)
        break;
      count++;
    }
  assert(count != 4); // error: assertion failed: count != 4
  return 0;
}
