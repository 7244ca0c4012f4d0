// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (x == 10)
    reach_error(); // error: reach_error() is called
  if (x == 20)
    assert(x != 20); // error: assertion failed: x != 20
  if (x == 30 && x == 31)
    reach_error();
  return 0;
}
