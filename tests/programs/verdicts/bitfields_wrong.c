// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct flags {
  int ready : 1;
  unsigned mode : 2;
};
int main(void)
{
  struct flags f = {0, 0};
  if (__VERIFIER_nondet_int() == 6)
    f.ready = 1;
  f.mode = 3;
  f.mode++;
  assert(f.mode == 0 && f.ready != -1); // error: assertion failed
  return 0;
}
