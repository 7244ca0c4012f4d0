// verdict: FALSE
// bounded: FALSE
// The error function is one behind a pointer, too.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  void (*stop)(void) = x == 5 ? abort : x == 47110815 ? reach_error : 0;
  if (stop) {
    stop(); // error: reach_error() is called
    return 1;
  }
  return 0;
}
