// verdict: TRUE
// bounded: TRUE
#include <assert.h>
int main(void)
{
  double x = 0.1, y = 0.2;
  assert(x + y > 0.3 && x + y < 0.30000001);
  float f = x;
  assert(f != x && (int)(f * 100) == 10 && (int)-2.7 == -2);
  return 0;
}
