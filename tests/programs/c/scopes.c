// expect: exit 0
// Scopes and shadowing, block-level prototypes and externs, labels, empty statements.
#include <assert.h>
#include <stdio.h>

int x = 1;
static int later = 5;
static int shadow(int x)
{
  {
    int x = 3;
    assert(x == 3);
    {
      extern int x;
      assert(x == 1);
      x++;
    }
  }
  return x;
}
static int uses_prototype(void)
{
  int helper(int);
  return helper(4);
}
int helper(int n) { return n * n; }

int main(void)
{
  assert(shadow(7) == 7 && x == 2 && uses_prototype() == 16);
  int x = x = 4;
  for (int x = 0; x < 2; x++) {
    int y = x;
    int x = 10;
    assert(x + y >= 10);
  }
  assert(x == 4);
  if (x > 3) {
    struct t {
      char a;
    };
    assert(sizeof(struct t) == 1);
  } else
    ;
  ;
  ;
  {}
  {
    ;
    {
      int x = 8, y = x;
      assert(y == 8);
    }
  }
x:
  x++;
  if (x < 8)
    goto x;
  assert(x == 8);
  for (int i = 0, x = 3; i < 3; i++, x++)
    assert(x == i + 3);
  extern int later_defined;
  assert(later_defined == 12 && later == 5);
  int a = 1, *b = &a, c[2] = {*b, a + 1}, (*d)[2] = &c, (*e)(int) = helper;
  assert((*d)[1] == 2 && e(3) == 9);
  if (1)
    if (0)
      x = 1;
    else
      x = 2;
  assert(x == 2);
  enum { x_inside = 4 } v = x_inside;
  int old = 0;
  for (int round = 0; round < 3; round++) {
    int each;
    if (round)
      each = round;
    else
      each = 10;
    old += each;
  }
  assert(old == 13);
  printf("%d %d\n", v, x);
  return 0;
}
int later_defined = 12;
