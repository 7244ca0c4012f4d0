// verdict: TRUE
// bounded: TRUE
// Where a run ends after the last error is of no importance: the slice must still run.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct pair {
  int first, second;
};
struct pair any(int x)
{
  struct pair one = {1, 1}, two = {2, 2};
  if (x)
    return one;
  if (x == 7)
    exit(2);
  return two;
}
int main(void)
{
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x == 5)
    assert(x == 5);
  any(y);
  if (y)
    exit(0);
  return 0;
}
