// verdict: FALSE
// bounded: FALSE
// A difference of addresses, added to one of them, leads into the other object.
#include <assert.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
struct relative {
  long distance;
  int value;
};
static struct relative a, b;
int main(void)
{
  struct relative *p = __VERIFIER_nondet_int() == 3987654 ? &a : &b;
  p->distance = (char *)&b - (char *)p;
  struct relative *q = (struct relative *)((uintptr_t)p + p->distance);
  q->value = 3;
  assert(b.value == 3);
  if (p == &a)
    assert(b.value != 3); // error: assertion failed: b.value != 3
  return 0;
}
