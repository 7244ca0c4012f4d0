// expect: exit 0
// Static locals: initialised once, kept between calls, one per function and block.
#include <assert.h>
#include <stdio.h>

static int counter(void)
{
  static int n = 10;
  return n++;
}
static int other(void)
{
  static int n;
  return n += 2;
}
static int blocks(int which)
{
  if (which) {
    static int n = 100;
    return ++n;
  } else {
    static int n = 200;
    return ++n;
  }
}
static int *address(void)
{
  static int kept[3] = {1, 2, 3};
  return kept;
}
static int recursive(int depth)
{
  static int most;
  if (depth > most)
    most = depth;
  return depth == 0 ? most : recursive(depth - 1);
}
static const char *name(int i)
{
  static const char *const names[] = {"zero", "one", [3] = "three"};
  return names[i];
}
static int self(void)
{
  static int five = 5, *p = &five, q = sizeof p;
  static struct {
    int n;
    void *me;
  } s = {7, &s};
  return (*p)++ + (s.me == &s) + (q == sizeof(void *));
}

int main(void)
{
  assert(counter() == 10 && counter() == 11 && other() == 2 && other() == 4 && counter() == 12);
  assert(blocks(0) == 201 && blocks(1) == 101 && blocks(0) == 202 && blocks(1) == 102);
  address()[1] = 20;
  assert(address()[0] == 1 && address()[1] == 20);
  assert(recursive(5) == 5 && recursive(2) == 5);
  assert(name(1)[0] == 'o' && name(2) == 0 && name(3)[4] == 'e' && self() == 7 && self() == 8);
  for (int i = 0; i < 3; i++) {
    static int total = 5;
    total += i;
    printf("%d ", total);
  }
  goto skip;
  {
    static int skipped = 9;
  skip:
    assert(skipped == 9);
  }
  printf("%d\n", counter());
  return 0;
}
