// verdict: FALSE
// bounded: FALSE
// A function of the authors that only has the name of one of math.h is not that one.
#include <assert.h>
int round(int n);
int main(void)
{
  assert(round(3) != 7); // error: assertion failed: round(3) != 7
  return 0;
}
