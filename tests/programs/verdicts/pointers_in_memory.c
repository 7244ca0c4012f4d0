// verdict: FALSE
// bounded: FALSE
// Pointers copied byte by byte still point to their objects.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  int x = 1, y = 2, *from[2] = {&x, &y}, *to;
  unsigned i = __VERIFIER_nondet_uint() & 1;
  char *s = (char *)&from[i], *d = (char *)&to;
  for (unsigned k = 0; k < sizeof to; k++)
    d[k] = s[k];
  *to = 50;
  assert(x != 50 || i == 0);
  assert(y != 50); // error: assertion failed: y != 50
  return 0;
}
