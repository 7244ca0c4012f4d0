// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  int a[8];
  for (int i = 0; i < 8; i++)
    a[i] = i * i;
  unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
  a[i] = 100;
  assert(a[j] == (i == j ? 100 : (int)(j * j)));
  a[j] = 200;
  assert(a[i] == (i == j ? 200 : 100));
  int *p = &a[i];
  *p = 7;
  assert(a[i] == 7 && (i == j || a[j] == 200) && p - a == i);
  return 0;
}
