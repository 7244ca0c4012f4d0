// verdict: TRUE
// bounded: TRUE
// Only the reads of a volatile object are unknown; what was read stays.
#include <assert.h>
volatile unsigned char port;
int main(void)
{
  int a = port, b = a + port;
  assert(a <= 255 && b <= 510 && b >= a);
  return 0;
}
