// expect: exit 0
// The type in which an operator computes: promotions and the usual arithmetic conversions.
#include <assert.h>
#include <stdio.h>

int main(void)
{
  unsigned char a = 200, b = 100;
  assert(a + b == 300);
  assert((unsigned char)(a + b) == 44);
  assert(~a == -201 && -a == -200);
  unsigned short big = 65535;
  assert(big * big == -131071);
  int minus = -1;
  unsigned one = 1;
  assert(minus > one);
  assert(minus + one == 0 && minus * one == 0xffffffffu);
  long l = -1;
  assert((l < one) == (sizeof(long) > sizeof(unsigned)));
  long long ll = -1;
  unsigned long ul = 1;
  assert((ll < ul) == (sizeof(long) < sizeof(long long)));
  unsigned long long ull = 1;
  assert(ll > ull);
  assert((1 ? -1 : 1u) > 0);
  printf("%d\n", (1 ? -1 : 1u) > 0);
  assert(sizeof(a + b) == sizeof(int) && sizeof(a ? a : b) == sizeof(int));
  assert(sizeof(+a) == sizeof(int) && sizeof(a << 1LL) == sizeof(int));
  assert(sizeof(1 + 1u) == 4 && sizeof(1 + 1LL) == 8 && sizeof(1 + 1.0f) == 4);
  assert(sizeof 'x' == sizeof(int) && sizeof(1 == 1LL) == sizeof(int));
  signed char c = -128;
  assert(-c == 128 && c - 1 == -129 && c / -1 == 128);
  c = -c;
  assert(c == -128);
  short s = -32768;
  s = s / -1;
  assert(s == -32768);
  unsigned u = -5 / 2u;
  assert(u == 2147483645u);
  assert(-5 / 2 == -2 && -5 % 2 == -1 && 5 % -2 == 1 && 5 / -2 == -2);
  assert((minus >> 31) == -1 && (one << 31) >> 31 == 1u && (int)(one << 31) < 0);
  assert((char)0x80 == -128);
  long long mixed = 0x80000000 + 0;
  assert(mixed == 2147483648LL);
  mixed = -0x80000000;
  assert(mixed == 2147483648LL);
  mixed = -2147483648;
  assert(mixed < 0);
  return 0;
}
