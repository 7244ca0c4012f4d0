// verdict: TRUE
// bounded: UNKNOWN
// The loop of main is left at the error only, the functions never return: none of these may be
// taken to end.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void stop(void)
{
  int noise = 0;
  for (;;)
    noise++;
}
static void need(int c)
{
  if (!c) {
  STOP:
    goto STOP;
  }
}
int main(void)
{
  int noise = 0;
  for (;;) {
    int x = __VERIFIER_nondet_int();
    if (x > 100)
      stop();
    need(x > 3);
    while (x > 50)
      noise++;
    assert(x > 3 && x <= 50);
  }
}
