/* A worker that must never take a lock twice, nor give back one that it does not have. No number of
   rounds is enough to prove it: that takes an invariant of the loop. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked;

static void lock(void)
{
  assert(!locked);
  locked = 1;
}

static void unlock(void)
{
  assert(locked);
  locked = 0;
}

int main(void)
{
  int requests = 0, seen;
  do {
    lock();
    seen = requests;
    if (__VERIFIER_nondet_int()) {
      requests++;
      unlock();
    }
  } while (requests != seen);
  unlock();
  return 0;
}
