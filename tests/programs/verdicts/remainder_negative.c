// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  int bucket = x % 8;
  assert(bucket >= 0); // error: assertion failed: bucket >= 0
  return 0;
}
