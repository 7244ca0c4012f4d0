// expect: exit 0
// Old-style definitions, calls without prototypes, implicit int and implicit declarations.
#include <assert.h>
#include <stdio.h>

int add(a, b)
int a, b;
{
  return a + b;
}
double scale(x, n, c)
double x;
short n;
char c;
{
  return x * n + c;
}
implicit(x) { return x + 1; }
int first(s, rest)
char *s;
int (*rest)();
{
  return s[0] + rest(1, 2);
}
int defaulted(c, f)
float f;
{
  return c * 10 + (int)f;
}
static int nothing() { return 7; }
int declared();

int main()
{
  assert(add(2, 3) == 5 && scale(1.5, 4, 2) == 8.0 && implicit(4) == 5);
  assert(first("A", add) == 'A' + 3 && nothing() == 7 && defaulted(3, 2.5) == 32);
  assert(declared(4, 2) == 6 && later(3) == 9);
  int (*f)() = add;
  assert(f(20, 22) == 42);
  auto x = 5;
  register int r = x;
  assert(r == 5);
  char c = 200;
  short s = -5;
  assert(scale(2.0f, s, c) == -66.0);
  printf("%d\n", r);
  return 0;
}

int declared(a, b)
char a;
short b;
{
  return a + b;
}
int later(x) { return 3 * x; }
