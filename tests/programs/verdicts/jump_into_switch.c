// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int first = 0;
  for (int i = 0; i < 2; i++)
    switch (__VERIFIER_nondet_int()) {
      int x = 9;
    case 1:
      x = 5;
      first = x;
      break;
    case 2:
      assert(first == 0 || x == first); // error: assertion failed
    }
  return 0;
}
