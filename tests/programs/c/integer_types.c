// expect: exit 0
// The sizes and limits of all integer types, and which of them wrap.
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

signed char sc = SCHAR_MIN;
unsigned char uc = UCHAR_MAX;
short s = SHRT_MIN;
unsigned short us = USHRT_MAX;
int i = INT_MIN;
unsigned int u = UINT_MAX;
long l = LONG_MIN;
unsigned long ul = ULONG_MAX;
long long ll = LLONG_MIN;
unsigned long long ull = ULLONG_MAX;

int main(void)
{
  printf("%d %d %d %d\n", sc, uc, s, us);
  printf("%d %u %ld %lu %lld %llu\n", i, u, l, ul, ll, ull);
  printf("%d %d %d %d %d\n", (int)sizeof sc, (int)sizeof s, (int)sizeof i, (int)sizeof l,
         (int)sizeof ll);
  sc--, uc++, s--, us++, i--, u++, l--, ul++, ll--, ull++;
  assert(sc == SCHAR_MAX && uc == 0 && s == SHRT_MAX && us == 0);
  assert(i == INT_MAX && u == 0 && l == LONG_MAX && ul == 0 && ll == LLONG_MAX && ull == 0);
  sc++, uc--, s++, us--, i++, u--, l++, ul--, ll++, ull--;
  assert(sc == SCHAR_MIN && uc == UCHAR_MAX && s == SHRT_MIN && us == USHRT_MAX);
  assert(i == INT_MIN && u == UINT_MAX && l == LONG_MIN && ul == ULONG_MAX);
  assert(ll == LLONG_MIN && ull == ULLONG_MAX);
  int8_t a = -128;
  uint8_t b = 255;
  int16_t c = -32768;
  uint16_t d = 65535;
  int32_t e = INT32_MIN;
  uint32_t f = UINT32_MAX;
  int64_t g = INT64_MIN;
  uint64_t h = UINT64_MAX;
  assert(sizeof a == 1 && sizeof b == 1 && sizeof c == 2 && sizeof d == 2);
  assert(sizeof e == 4 && sizeof f == 4 && sizeof g == 8 && sizeof h == 8);
  assert(a + b == 127 && c + d == 32767 && (uint32_t)(e + f) == 0x7fffffffu);
  printf("%lld\n", (long long)(g + h));
  assert(sizeof(intptr_t) == sizeof(void *) && sizeof(size_t) == sizeof(long));
  return 0;
}
