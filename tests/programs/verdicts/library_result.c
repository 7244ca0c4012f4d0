// verdict: TRUE
// bounded: UNKNOWN
// What the library computes is not an input: no violation may rest on it.
#include <assert.h>
#include <math.h>
int main(void)
{
  double x = cos(3.0);
  assert(x != 817636.0);
  assert(exp2(3.0) > 7.0);
  return 0;
}
