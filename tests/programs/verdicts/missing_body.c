// verdict: FALSE
// bounded: FALSE
// A function without a body returns any value, each time another, and changes nothing.
#include <assert.h>
int unknown(int *p);
int expect(int x, int y);
int main(void)
{
  int x = 3;
  int a = unknown(&x), b = unknown(&x);
  assert(x == 3);
  if (a == b && expect(5, 1) == 99)
    assert(a != 12); // error: assertion failed: a != 12
  return 0;
}
