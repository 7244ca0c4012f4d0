// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int both(int a, int b) { return (a & b) + (a | b); }
static int (*const table[])(int, int) = {add, sub, both};
int main(void)
{
  unsigned i = __VERIFIER_nondet_uint() % 3;
  int a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  int (*f)(int, int) = table[i];
  assert(f(a, b) == (i == 1 ? a - b : a + b));
  assert((f == add) == (i == 0));
  return 0;
}
