// expect: exit 0
// goto: forward, backward, out of loops, into blocks and loops; labels in odd places.
#include <assert.h>
#include <stdio.h>

static int backward(int n)
{
  int s = 0;
again:
  s += n;
  if (--n > 0)
    goto again;
  return s;
}

static int search(int wanted)
{
  static const int grid[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  int i, j;
  for (i = 0; i < 3; i++)
    for (j = 0; j < 3; j++)
      if (grid[i][j] == wanted)
        goto found;
  return -1;
found:
  return i * 3 + j;
}

static int into_loop(int skip)
{
  int i = 10, n = 0;
  if (skip)
    goto inside;
  for (i = 0; i < 5; i++) {
    n += 100;
  inside:
    n++;
  }
  return n;
}

static int into_block(int skip)
{
  int r = 0;
  if (skip)
    goto in;
  {
    int x;
    x = 1;
    r += x;
  in:
    x = 5;
    r += x;
  }
  return r;
}

static int state_machine(const char *s)
{
  int words = 0;
outside:
  if (!*s)
    goto end;
  if (*s++ == ' ')
    goto outside;
  words++;
inside:
  if (!*s)
    goto end;
  if (*s++ != ' ')
    goto inside;
  goto outside;
end:;
  return words;
}

static int cleanup(int fail_at)
{
  int log = 0;
  if (fail_at == 1)
    goto out;
  log += 1;
  if (fail_at == 2)
    goto undo_one;
  log += 10;
  if (fail_at == 3)
    goto undo_two;
  return log;
undo_two:
  log += 1000;
undo_one:
  log += 100;
out:
  return -log;
}

static int into_else(int n)
{
  if (n == 1)
    goto other;
  if (n > 5)
    return 1;
  else {
  other:
    return 2;
  }
}

int main(void)
{
  assert(backward(4) == 10 && search(6) == 5 && search(10) == -1);
  assert(into_loop(0) == 505 && into_loop(1) == 1 && into_block(0) == 6 && into_block(1) == 5);
  assert(state_machine("  one two  three ") == 3 && state_machine("") == 0);
  assert(into_else(1) == 2 && into_else(7) == 1 && into_else(3) == 2);
  printf("%d %d %d %d\n", cleanup(1), cleanup(2), cleanup(3), cleanup(0));
  int i = 0;
loop:
  while (1) {
    if (i++ < 3)
      goto loop;
    goto done;
  }
  goto loop;
done: {
  int fresh = i;
  assert(fresh == 4);
}
a: b: c:
  i++;
  if (i < 7)
    goto b;
  assert(i == 7);
  if (i == 100)
  unused:
    i = 0;
  goto last;
  i = 50;
last:
  assert(i == 7);
  return 0;
}
