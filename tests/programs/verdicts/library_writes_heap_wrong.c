// verdict: FALSE
// bounded: UNKNOWN
// A buffer whose size is not known at the call; only its first bytes are written.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
  int n = __VERIFIER_nondet_int() == 1 ? 8 : 4;
  char *text = malloc(n);
  text[0] = text[1] = 'x';
  sprintf(text, "%d", n);
  assert(text[1] != 0); // error: assertion failed
  return 0;
}
