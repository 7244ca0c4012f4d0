// verdict: FALSE
// bounded: FALSE
// check: div-by-zero
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  return 100 % (x - 4711); // error: division by zero
}
