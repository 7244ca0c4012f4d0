// expect: exit 0
// Every integer type converted to every other, for values at the borders.
#include <assert.h>
#include <stdio.h>

#define SHOW(T, v) printf(" %lld", (long long)(T)(v))
#define ALL(v)                                                                                     \
  do {                                                                                             \
    SHOW(_Bool, v);                                                                                \
    SHOW(char, v);                                                                                 \
    SHOW(signed char, v);                                                                          \
    SHOW(unsigned char, v);                                                                        \
    SHOW(short, v);                                                                                \
    SHOW(unsigned short, v);                                                                       \
    SHOW(int, v);                                                                                  \
    SHOW(unsigned, v);                                                                             \
    SHOW(long, v);                                                                                 \
    SHOW(unsigned long, v);                                                                        \
    SHOW(long long, v);                                                                            \
    SHOW(unsigned long long, v);                                                                   \
    printf("\n");                                                                                  \
  } while (0)

static void from_narrow(long long x)
{
  char c = x;
  signed char sc = x;
  unsigned char uc = x;
  short s = x;
  unsigned short us = x;
  ALL(c);
  ALL(sc);
  ALL(uc);
  ALL(s);
  ALL(us);
}

static void from_wide(long long x)
{
  _Bool b = x;
  int i = x;
  unsigned u = x;
  long l = x;
  unsigned long ul = x;
  unsigned long long ull = x;
  ALL(b);
  ALL(i);
  ALL(u);
  ALL(l);
  ALL(ul);
  ALL(x);
  ALL(ull);
}

static const long long borders[] = {0,          1,      -1,      127,        128,       -128,
                                    -129,       255,    256,     32767,      32768,     -32768,
                                    65535,      65536,  1 << 30, 2147483647, 1LL << 31, -1LL << 31,
                                    0xffffffff, 1LL << 32, 1LL << 62, -1LL - (~0ULL >> 1)};

int main(void)
{
  for (unsigned i = 0; i < sizeof borders / sizeof *borders; i++) {
    from_narrow(borders[i]);
    from_wide(borders[i]);
  }
  signed char sc = -1;
  unsigned u = sc;
  assert(u == 0xffffffffu);
  unsigned char uc = sc;
  assert(uc == 255 && (int)uc == 255 && (signed char)uc == -1);
  unsigned long long wide = (unsigned)sc;
  assert(wide == 0xffffffffULL);
  wide = sc;
  assert(wide == ~0ULL);
  return 0;
}
