// expect: exit 0
// Bit-fields: signed, unsigned, full width, zero width, and what their operations give.
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct bits {
  signed s : 3;
  unsigned u : 3;
  int plain : 5;
  unsigned : 2;
  unsigned last : 1;
  unsigned : 0;
  unsigned next : 4;
  long long wide : 40;
  unsigned long long uwide : 33;
  signed char sc : 8;
  _Bool flag : 1;
  unsigned whole : 32;
};

static struct bits g = {-4, 7, -16, 1, 15, -1, 1ULL << 32, -1, 1, ~0u};

int main(void)
{
  assert(g.s == -4 && g.u == 7 && g.plain == -16 && g.last == 1 && g.next == 15);
  assert(g.wide == -1 && g.uwide == 1ULL << 32 && g.sc == -1 && g.flag && g.whole == ~0u);
  struct bits b;
  memset(&b, 0, sizeof b);
  b.s = 5;
  assert(b.s == -3);
  assert((b.u = 9) == 1 && b.u == 1);
  assert((b.s = 7) == -1);
  b.u = 7;
  b.u++;
  assert(b.u == 0);
  assert(b.u-- == 0 && b.u == 7);
  assert(++b.u == 0);
  b.s = 3;
  b.s++;
  assert(b.s == -4);
  b.plain = 15;
  b.plain += 1;
  assert(b.plain == -16);
  b.plain <<= 1;
  assert(b.plain == 0);
  b.u = 5;
  b.u *= 3;
  assert(b.u == 7);
  b.u /= 2;
  assert(b.u == 3);
  b.u |= 12;
  assert(b.u == 7);
  b.u ^= 2;
  assert(b.u == 5);
  b.u >>= 1;
  assert(b.u == 2);
  b.u -= 3;
  assert(b.u == 7);
  b.u %= 4;
  assert(b.u == 3);
  assert(b.u - 5 < 0 && b.whole - 1 > 0);
  b.uwide = ~0ULL;
  assert(b.uwide == 0x1ffffffffULL);
  b.uwide += 1;
  assert(b.uwide == 0);
  b.wide = 1LL << 39;
  assert(b.wide == -(1LL << 39));
  b.flag = 2;
  assert(b.flag == 1);
  b.last = 2;
  assert(b.last == 0);
  struct bits *p = &b;
  p->s = -1;
  p->u = 6;
  assert(p->s == -1 && p->u == 6 && p->s < (int)p->u);
  assert(-p->u < 0 && ~p->u == -7 && !p->s == 0);
  int i = 0;
  struct bits a[2] = {{1, 2}, {3, 4}};
  a[i++].u += 2;
  assert(i == 1 && a[0].u == 4 && a[1].u == 4);
  unsigned char raw[sizeof g];
  memcpy(raw, &g, sizeof g);
  for (unsigned k = 0; k < 8; k++)
    printf("%02x ", raw[k]);
  printf("%d\n", (int)sizeof(struct bits));
  b.plain = i = 300;
  printf("%d %d %lld %llu\n", b.plain, i, (long long)b.wide, (unsigned long long)b.uwide);
  return 0;
}
