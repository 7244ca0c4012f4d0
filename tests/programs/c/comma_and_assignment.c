// expect: exit 0
// Comma, chained and nested assignment, and the values these have.
#include <assert.h>
#include <stdio.h>

struct pair {
  int a;
  char b;
  unsigned f : 4;
};

int main(void)
{
  int a, b, c;
  a = b = c = 5;
  assert(a == 5 && b == 5 && c == 5);
  a = (b = 3) + (c = 4);
  assert(a == 7);
  a = (1, 2, 3);
  assert(a == 3);
  a = b, c = 9;
  assert(a == 3 && c == 9);
  char narrow;
  a = narrow = 300;
  assert(a == 44 && narrow == 44);
  unsigned char u;
  int wide = u = -1;
  assert(wide == 255);
  _Bool flag;
  a = flag = 7;
  assert(a == 1);
  struct pair p, q, *pp = &q;
  *pp = p = (struct pair){1, 2, 3};
  assert(q.a == 1 && q.b == 2 && q.f == 3 && p.f == 3);
  a = p.f = 21;
  assert(a == 5);
  assert((p = q).a == 1 && p.f == 3);
  for (a = 0, b = 10; a < b; a++, b--)
    ;
  assert(a == 5 && b == 5);
  int x[3], i = 0;
  x[i++] = 10, x[i++] = 20, x[i] = 30;
  assert(i == 2 && x[0] + x[1] + x[2] == 60);
  if (a = 0, b = 7)
    c = 1;
  assert(a == 0 && b == 7 && c == 1);
  if ((a = b))
    c = a;
  assert(c == 7);
  while ((a = a - 1) > 3)
    c += a;
  assert(c == 7 + 6 + 5 + 4 && a == 3);
  (void)(a += 2), a;
  return printf("%d %d\n", a, (1, a + 1)), (a, b, 0);
}
