/* A message is freed by whoever is the last to have it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int deliver(int *message)
{
  if (*message < 0)
    return 0;
  free(message);
  return 1;
}

int main(void)
{
  while (__VERIFIER_nondet_int()) {
    int *message = malloc(sizeof *message);
    if (!message)
      return 1;
    *message = __VERIFIER_nondet_int();
    if (!deliver(message))
      free(message);
  }
  return 0;
}
