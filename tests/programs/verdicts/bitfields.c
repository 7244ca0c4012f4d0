// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct bits {
  unsigned a : 3;
  int b : 5;
  unsigned c : 20, d : 12;
};
int main(void)
{
  struct bits s = {1, -2, 3, 4};
  int x = __VERIFIER_nondet_int();
  s.a = x;
  assert(s.a == (x & 7) && s.b == -2);
  s.b = x;
  assert(s.b >= -16 && s.b <= 15 && ((x - s.b) & 31) == 0 && s.a == (x & 7));
  s.d += x;
  assert(s.d == ((x + 4) & 0xfff) && s.c == 3);
  struct bits t = s;
  t.c--;
  assert(t.c == 2 && s.c == 3 && t.d == s.d && s.a - 8 < 0);
  return 0;
}
