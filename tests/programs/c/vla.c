// expect: exit 0
// Variable-length arrays of one dimension, as locals and parameters, in loops; alloca.
#include <alloca.h>
#include <assert.h>
#include <stdio.h>

static int sum(int n, int a[n])
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
static int squares(int n)
{
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i * i;
  return sum(n, a) + (int)(sizeof a / sizeof a[0]);
}
static int recursive(int n)
{
  char buffer[n + 1];
  buffer[n] = n;
  return n == 0 ? 0 : buffer[n] + recursive(n - 1);
}
struct pair {
  int a, b;
};

int main(void)
{
  assert(squares(5) == 35 && squares(1) == 1 && recursive(6) == 21);
  int total = 0;
  for (int n = 1; n < 5; n++) {
    short row[n * 2];
    row[2 * n - 1] = n;
    total += row[2 * n - 1] + sizeof row;
  }
  assert(total == 10 + 40);
  int n = 3;
  struct pair pairs[n];
  int size = sizeof pairs;
  n = 10;
  assert(sizeof pairs == size && size == 24);
  for (int i = 0; i < 3; i++)
    pairs[i] = (struct pair){i, -i};
  struct pair *p = &pairs[2];
  assert(p->b == -2 && pairs[1].a == 1 && p - pairs == 2);
  char *mem = alloca(n);
  for (int i = 0; i < n; i++)
    mem[i] = 'a' + i;
  assert(mem[9] == 'j');
  const char *names[n];
  names[9] = "nine";
  assert(names[9][0] == 'n' && sizeof names == 10 * sizeof(char *));
  int i = 2;
  int side[i++];
  assert(i == 3 && sizeof side == 8);
  side[1] = 4;
  int *q = side;
  assert(q[1] == 4 && &side[1] == q + 1);
  printf("%d %d\n", total, (int)sizeof names[0]);
  return 0;
}
