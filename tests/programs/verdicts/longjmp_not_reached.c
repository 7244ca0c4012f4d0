// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <setjmp.h>
int __VERIFIER_nondet_int(void);
static jmp_buf env;
int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (setjmp(env))
    assert(0);
  if (x > 3 && x < 4)
    longjmp(env, 1);
  return 0;
}
