// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int state = 0, locked = 0;
  for (int i = 0; i < 6; i++)
    switch (state) {
    case 0:
      if (__VERIFIER_nondet_int()) {
        assert(!locked);
        locked = 1;
        state = 2;
      }
      break;
    case 2 ... 4:
      if (state++ < 4)
        break;
    default:
      assert(locked);
      locked = 0;
      state = 0;
    }
  assert(locked == (state != 0));
  return 0;
}
