// expect: exit 0
// Recursion: plain, mutual, through pointers, with arrays and structs on the stack, deep.
#include <assert.h>
#include <stdio.h>

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ackermann(int m, int n)
{
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int moves;
static void hanoi(int n, char from, char to, char over)
{
  if (!n)
    return;
  hanoi(n - 1, from, over, to);
  moves = moves * 3 + from - to;
  hanoi(n - 1, over, to, from);
}

static int local_array(int n)
{
  int a[3] = {n, n + 1, n + 2};
  if (n > 0) {
    int below = local_array(n - 1);
    return below + a[0] * a[2];
  }
  return a[1];
}

static int through_pointer(int n, int *up)
{
  int mine = n;
  if (n == 0)
    return *up;
  int r = through_pointer(n - 1, &mine);
  mine++;
  *up += mine;
  return r * 10 + n;
}

struct tree {
  int value;
  struct tree *left, *right;
};
static int sum(const struct tree *t) { return t ? t->value + sum(t->left) + sum(t->right) : 0; }
static int permutations(int *a, int k, int n)
{
  if (k == n)
    return a[0] < a[n - 1];
  int count = 0;
  for (int i = k; i < n; i++) {
    int t = a[k];
    a[k] = a[i], a[i] = t;
    count += permutations(a, k + 1, n);
    t = a[k];
    a[k] = a[i], a[i] = t;
  }
  return count;
}
static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }

int main(void)
{
  assert(even(10) && odd(7) && !even(3) && factorial(10) == 3628800 && fib(15) == 610);
  assert(ackermann(2, 3) == 9 && gcd(84, 36) == 12 && local_array(4) == 1 + 3 + 8 + 15 + 24);
  hanoi(5, 1, 2, 3);
  int top = 0;
  assert(through_pointer(3, &top) == 1123 && top == 9);
  struct tree d = {4, 0, 0}, c = {3, 0, &d}, b = {2, 0, 0}, a = {1, &b, &c};
  int p[] = {1, 2, 3, 4};
  assert(sum(&a) == 10 && permutations(p, 0, 4) == 12 && deep(3000) == 3000);
  printf("%d %d\n", moves, top);
  return 0;
}
