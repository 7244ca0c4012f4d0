// expect: exit 0
// &&, || and ?: evaluate only what they need; side effects in every position.
#include <assert.h>
#include <stdio.h>

static int trace;
static int yes(int n) { trace = trace * 10 + n; return 1; }
static int no(int n) { trace = trace * 10 + n; return 0; }
static int traced(int expected)
{
  int same = trace == expected;
  trace = 0;
  return same;
}

int main(void)
{
  assert((yes(1) && no(2) && yes(3)) == 0 && traced(12));
  assert((no(1) || yes(2) || no(3)) == 1 && traced(12));
  assert((yes(1) || no(2)) && traced(1));
  assert(!(no(1) && yes(2)) && traced(1));
  assert((no(1) && yes(2) || yes(3) && yes(4)) && traced(134));
  assert(((no(1) || no(2)) && yes(3)) == 0 && traced(12));
  int r = yes(1) ? no(2) : yes(3);
  assert(r == 0 && traced(12));
  r = (no(1) ? yes(2) : no(3)) ? 10 : 20;
  assert(r == 20 && traced(13));
  int x = 0;
  int *null = 0;
  if (null && *null)
    x = 1;
  assert(x == 0 && (!null || *null == 3));
  r = x && 1 / x;
  assert(r == 0);
  r = x == 0 ? 7 : 1 / x;
  assert(r == 7);
  int i = 0, j = 0;
  if (i++ && j++)
    x = 5;
  assert(i == 1 && j == 0 && x == 0);
  if (i++ || j++)
    x = 6;
  assert(i == 2 && j == 0 && x == 6);
  i && (j = 4);
  assert(j == 4);
  i || (j = 5);
  assert(j == 4);
  i ? (j = 8) : (j = 9);
  assert(j == 8);
  int value = (i = 3, i && (j = i + 1) > 2 && i < j);
  assert(value == 1 && j == 4);
  while (i && --i)
    j++;
  assert(i == 0 && j == 6);
  assert((2 && 3) == 1 && (0 || 5) == 1 && (0.5 && "s") == 1 && !0.0 && !(0 || 0.0));
  assert((x = yes(1) && yes(2)) == 1 && traced(12));
  int a[2] = {no(1) || yes(2), yes(3) && no(4)};
  assert(a[0] == 1 && a[1] == 0 && traced(1234));
  a[no(1) || no(2)] = yes(3) && yes(4);
  assert(a[0] == 1);
  trace = 0;
  assert((yes(1), no(2)) == 0 && traced(12));
  printf("%d\n", yes(1) + 2 * (no(2) || yes(3)) + trace);
  return 0;
}
