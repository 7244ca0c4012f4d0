// verdict: FALSE
// bounded: FALSE
// A long loop without a choice is run concretely.
#include <assert.h>
int main(void)
{
  unsigned x = 1;
  for (int i = 0; i < 20000; i++)
    x = x * 1664525 + 1013904223;
  assert(x == 0); // error: assertion failed: x == 0
  return 0;
}
