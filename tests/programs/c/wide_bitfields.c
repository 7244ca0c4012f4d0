// expect: exit 0
// Bit-fields that are wider than int: gcc computes in a type of their own width.
#include <stdio.h>

struct wide {
  unsigned long long u33 : 33, u40 : 40;
  long long s33 : 33, s40 : 40;
  unsigned long long u63 : 63;
};

int main(void) {
  struct wide w = {0x100000000, 0x8000000001, -0x100000000, -3, 5}, *p = &w;
  int i = -1;
  long long l = -2;
  unsigned long long ul = 7;
  printf("%lld\n", (long long)(w.u33 + w.u33));
  printf("%lld\n", (long long)(w.u33 * w.u40));
  printf("%lld\n", (long long)(w.u33 << 1));
  printf("%lld\n", (long long)((w.u33 << 1) >> 1));
  printf("%lld\n", (long long)(((unsigned long long)w.u33 << 1) >> 1));
  printf("%lld\n", (long long)(w.u33 / i));
  printf("%lld\n", (long long)(w.u33 + ul));
  printf("%d\n", w.u33 + l < 0);
  printf("%d\n", w.u33 - w.u63 > ul);
  printf("%d\n", i > w.u33);
  printf("%d %d\n", w.s33 + w.u33 < 0, p->s33 + p->u33 == 0);
  printf("%d\n", p->s40 < p->u33);
  printf("%lld\n", (long long)~w.u33);
  printf("%lld\n", (long long)-w.u40);
  printf("%lld\n", (long long)(i ? w.u33 : i) * 2);
  printf("%lld\n", (long long)((i ? w.u33 : i) * 2));
  printf("%lld\n", (long long)((w.u33 = 0x1ffffffff) + 1));
  printf("%lld\n", (long long)(++w.u33));
  printf("%lld\n", (long long)(w.u33-- - 1));
  i = -1;
  w.u40 /= i;
  printf("%lld\n", (long long)w.u40);
  w.u33 %= i;
  printf("%lld\n", (long long)w.u33);
  w.u33 = 0x1ffffffff;
  i /= p->u33;
  printf("%d\n", i);
  return 0;
}
