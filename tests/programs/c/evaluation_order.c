// expect: exit 0
// native: no, C leaves these orders open; predabs goes from left to right
#include <assert.h>

static int log_, count;
static int note(int n)
{
  log_ = log_ * 10 + n;
  return n;
}
static int logged(int expected)
{
  int same = log_ == expected;
  log_ = 0;
  return same;
}
static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
static int global;
static int change(int n) { return global = n; }
static int *where(int *p, int n) { note(n); return p; }
struct pair {
  int a, b;
};

int main(void)
{
  assert(note(1) + note(2) * note(3) == 7 && logged(123));
  assert(three(note(1), note(2), note(3)) == 123 && logged(123));
  assert((note(2) < note(1)) == 0 && logged(21));
  int a[3] = {0}, i = 0;
  a[note(1)] = note(2);
  assert(logged(12) && a[1] == 2);
  *where(a, 1) = note(2);
  assert(logged(12) && a[0] == 2);
  *where(a, 1) += note(2);
  assert(logged(12) && a[0] == 4);
  assert(three(i++, i++, i++) == 12 && i == 3);
  i = 1;
  assert(i + i++ == 2 && i == 2);
  assert(i++ + i == 5 && i == 3);
  assert((i = 5) + (i = 6) == 11 && i == 6);
  global = 1;
  assert(global + change(5) == 6 && change(2) + global == 4);
  global = 1;
  assert(global + change(4) + global == 9);
  i = 0;
  a[i] = i++ + 10;
  assert(a[0] == 10 && i == 1);
  i = 0;
  a[i++] = i;
  assert(a[0] == 1);
  i = 2;
  i += i++;
  assert(i == 4);
  struct pair p = {i++, i++};
  assert(p.a == 4 && p.b == 5 && i == 6);
  int *q = &i;
  assert(i + (*q = 1) == 7 && i == 1);
  i = 3;
  int r = i-- - --i;
  assert(r == 2 && i == 1);
  i = 1;
  r = i * 100 + (i = 2) * 10 + i;
  assert(r == 122);
  assert(three(i, i = 7, i) == 277);
  global = 3;
  r = global ? change(0) + global : 9;
  assert(r == 0);
  count = 1;
  (count ? a : a + 1)[count ? 0 : 1] = (count = 0, 55);
  assert(a[0] == 55);
  assert(note(1) == 1 && (note(2) || note(3)) && logged(12));
  struct pair *pp = &p, other = {70, 80};
  assert(pp->a + (pp = &other, pp->a) == 74);
  return 0;
}
