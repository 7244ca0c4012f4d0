// verdict: FALSE
// bounded: FALSE
// What the library computes is only shown: the violation does not rest on it.
#include <assert.h>
#include <math.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
  char text[20];
  int x = __VERIFIER_nondet_int();
  double y = cos(x);
  double z = y + 1;
  sprintf(text, "%d", x);
  printf("%f %s\n", z, text);
  assert(x != 77); // error: assertion failed: x != 77
  return 0;
}
