// verdict: TRUE
// bounded: TRUE
// A sum of 1024 terms in one expression.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define FOUR(s) s + s + s + s
#define SIXTEEN(s) FOUR(s) + FOUR(s) + FOUR(s) + FOUR(s)
#define MANY(s) SIXTEEN(s) + SIXTEEN(s) + SIXTEEN(s) + SIXTEEN(s)
int main(void)
{
  int x = __VERIFIER_nondet_int();
  int y = MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) +
          MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x) + MANY(x);
  assert(y != 3);
  return 0;
}
