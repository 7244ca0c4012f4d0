// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int zero, *null, array[10];
static struct {
  char c;
  double d;
} record;
int main(void)
{
  static long count;
  assert(zero == 0 && !null && array[__VERIFIER_nondet_uint() % 10] == 0);
  assert(record.c == 0 && record.d == 0 && count == 0);
  return 0;
}
