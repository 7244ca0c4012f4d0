// expect: exit 0
// ++ and --, before and after, on every type.
#include <assert.h>
#include <stdio.h>

#define EACH(T, start)                                                                             \
  do {                                                                                             \
    T v = start;                                                                                   \
    printf("%lld", (long long)v++);                                                                \
    printf(" %lld", (long long)v--);                                                               \
    printf(" %lld", (long long)--v);                                                               \
    printf(" %lld", (long long)++v);                                                               \
    printf(" %lld\n", (long long)v);                                                               \
  } while (0)

struct s {
  int n;
  unsigned f : 2;
  char *p;
} s = {1, 3, "xyz"};

int main(void)
{
  EACH(_Bool, 1);
  EACH(char, 127);
  EACH(signed char, -128);
  EACH(unsigned char, 255);
  EACH(short, 32767);
  EACH(unsigned short, 0);
  EACH(int, 2147483647);
  EACH(unsigned, 0);
  EACH(long, -1);
  EACH(unsigned long, 0);
  EACH(long long, 9223372036854775807);
  EACH(unsigned long long, 0);
  EACH(float, 1.5f);
  EACH(double, -0.5);
  assert(s.n++ == 1 && ++s.n == 3 && s.f++ == 3 && s.f == 0 && --s.f == 3 && *s.p++ == 'x');
  assert(*s.p == 'y' && *++s.p == 'z' && s.p-- && *s.p == 'y');
  struct s *q = &s;
  q->n--;
  assert(q->n-- == 2 && s.n == 1);
  int a[3] = {1, 2, 3}, *p = a;
  int x = *p++ + *p++;
  assert(x == 3 && p == a + 2 && (*p)++ == 3 && a[2] == 4 && ++*p == 5 && *--p == 2);
  int i = 0;
  a[i++]++;
  assert(i == 1 && a[0] == 2);
  ++a[--i];
  assert(i == 0 && a[0] == 3);
  int **pp = &p;
  (*pp)++;
  assert(p == a + 2);
  ++**pp;
  assert(a[2] == 6 && i++ + 1 == 1 && -i-- == -1 && !i);
  unsigned char c = 255;
  assert(c++ == 255 && c == 0 && (c-- == 0) && c == 255 && ++c == 0 && sizeof c++ == 1 && c == 0);
  float f = 0.5f;
  assert(f++ == 0.5f && f == 1.5f);
  return 0;
}
