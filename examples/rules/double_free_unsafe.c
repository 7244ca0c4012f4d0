/* The one who sends a message frees it, whether or not it was delivered; a callback frees it too. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void (*done)(void *) = free;

static void deliver(int *message)
{
  if (*message >= 0)
    done(message);
}

int main(void)
{
  int *message = malloc(sizeof *message);
  if (!message)
    return 1;
  *message = __VERIFIER_nondet_int();
  deliver(message);
  free(message);
  return 0;
}
