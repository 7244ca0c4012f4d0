// verdict: TRUE
// bounded: UNKNOWN
// Almost every value would violate this, but not the one that the library computes.
#include <assert.h>
#include <math.h>
int main(void)
{
  if (sqrt(9.0) != 3.0)
    assert(0);
  return 0;
}
