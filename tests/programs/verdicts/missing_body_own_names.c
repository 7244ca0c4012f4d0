// verdict: FALSE
// bounded: FALSE
// The program's own functions may have names that are builtins with a prefix only.
#include <assert.h>
int parity(unsigned x);
void trap(void);
int unreachable(void);
int clz(unsigned x);
int main(void)
{
  trap();
  if (unreachable() == 0 && clz(1) == -4)
    assert(parity(0) != 55); // error: assertion failed: parity(0) != 55
  return 0;
}
