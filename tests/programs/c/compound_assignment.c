// expect: exit 0
// op= on every type: computed in the common type, then converted back.
#include <assert.h>
#include <stdio.h>

#define EACH(T, F, start, x)                                                                       \
  do {                                                                                             \
    T v = start;                                                                                   \
    printf(F, v += x);                                                                             \
    printf(F, v -= 2 * x);                                                                         \
    printf(F, v *= x);                                                                             \
    printf(F, v /= x);                                                                             \
    printf(F, v <<= 3);                                                                            \
    printf(F, v >>= 2);                                                                            \
    printf(F, v %= 100 + x);                                                                       \
    printf(F, v |= x);                                                                             \
    printf(F, v ^= 0x55 + x);                                                                      \
    printf(F "\n", v &= ~x);                                                                       \
  } while (0)

int main(void)
{
  EACH(signed char, "%d ", 120, 13);
  EACH(unsigned char, "%d ", 120, 13);
  EACH(short, "%d ", 32000, 1300);
  EACH(unsigned short, "%d ", 32000, 1300u);
  EACH(int, "%d ", 2000000000, 777777777);
  EACH(int, "%d ", 2000000000, 5LL);
  EACH(unsigned, "%u ", 4000000000u, -3);
  EACH(long, "%ld ", 2000000000L, 77);
  EACH(unsigned long, "%lu ", 4000000000UL, 77);
  EACH(long long, "%lld ", 1LL << 62, 3);
  EACH(unsigned long long, "%llu ", ~0ULL, 1000);
  unsigned char c = 200;
  c += 100;
  assert(c == 44);
  c -= 45;
  assert(c == 255);
  c /= -1;
  assert(c == 1);
  signed char s = -128;
  s /= -1;
  assert(s == -128);
  s >>= 1;
  assert(s == -64);
  int i = -8;
  i /= 3u;
  assert(i == 1431655762);
  i = -8;
  i >>= 1u;
  assert(i == -4);
  i %= 3;
  assert(i == -1);
  i += 0x100000000LL;
  assert(i == -1);
  i *= 2.5;
  assert(i == -2);
  i -= 0.75;
  assert(i == -2);
  float f = 1;
  f += 0.5;
  f *= 3;
  f /= 2;
  assert(f == 2.25f);
  double d = 10;
  d -= i;
  assert(d == 12);
  char *p = "abcdef";
  p += 2;
  assert(*p == 'c');
  p -= 1u;
  assert(*p == 'b');
  p += (signed char)-1;
  assert(*p == 'a');
  p += 3LL;
  assert(*p == 'd');
  int a[] = {1, 2, 3}, k = 0;
  a[k++] += 10;
  assert(k == 1 && a[0] == 11 && a[1] == 2);
  *(a + ++k) -= k;
  assert(a[2] == 1);
  int *q = a;
  *q++ *= 2;
  assert(a[0] == 22 && q == a + 1);
  i = 3;
  i += i += 4;
  printf("%d\n", (i = 10, i -= 3) * 2);
  unsigned short us = 1;
  us <<= 15;
  assert(us == 32768);
  us <<= 1;
  assert(us == 0);
  us = ~us;
  assert(us == 65535);
  us *= us;
  assert(us == 1);
  return 0;
}
