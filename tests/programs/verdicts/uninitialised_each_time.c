// verdict: FALSE
// bounded: FALSE
// A local of a loop's body, or of a new call, holds any value again.
#include <assert.h>
static int fresh(int set)
{
  int x;
  if (set)
    x = 7;
  return x;
}
int main(void)
{
  fresh(1);
  int a = fresh(0), b = fresh(0);
  assert(a == b || a > b); // error: assertion failed
  return 0;
}
