// verdict: FALSE
// bounded: FALSE
#include <assert.h>
int main(void)
{
  int x, y;
  if (x > 5)
    y = x;
  assert(x <= 5 || y == x);
  assert(y != 31337); // error: assertion failed: y != 31337
  return 0;
}
