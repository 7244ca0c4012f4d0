// expect: exit 0
// ?: with all kinds of operands, nested, GNU's two-operand form, structs, void, pointers.
#include <assert.h>
#include <stdio.h>

struct pair {
  int a, b;
};
static int calls;
static int count(int r) { return calls++, r; }
static void bump(void) { calls += 10; }
static const char *grade(int n) { return n > 90 ? "A" : n > 70 ? "B" : n > 50 ? "C" : "D"; }
static int three(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

int main(void)
{
  assert(grade(95)[0] == 'A' && grade(80)[0] == 'B' && grade(60)[0] == 'C' && grade(0)[0] == 'D');
  assert(three(-9) == -1 && three(0) == 0 && three(12) == 1);
  int n = count(5) ?: 7;
  assert(n == 5 && calls == 1);
  n = count(0) ?: 7;
  assert(n == 7 && calls == 2);
  const char *s = 0, *t = s ?: "default";
  assert(t[0] == 'd');
  n = 0 ?: count(0) ?: count(3);
  assert(n == 3 && calls == 4);
  long long w = n ? n : 5LL;
  assert(w == 3 && sizeof(n ? n : 5LL) == 8);
  unsigned char uc = 200;
  signed char sc = -1;
  assert((n ? uc : sc) == 200 && (n ? sc : uc) == -1);
  struct pair p = {1, 2}, q = {3, 4}, r = n > 2 ? p : q;
  assert(r.b == 2 && (n > 5 ? p : q).a == 3 && (n ? &p : &q)->b == 2);
  int x = 1, y = 2;
  *(n ? &x : &y) = 50;
  assert(x == 50 && y == 2);
  n ? bump() : (void)0;
  assert(calls == 14);
  n ? (void)count(1) : bump();
  assert(calls == 15);
  int *null = 0, *ip = n ? 0 : &x, *vp = n ? (void *)&y : &x;
  assert(ip == null && *vp == 2);
  int (*f)(int) = n ? count : three;
  assert(f(9) == 9 && calls == 16);
  double d = n ? 1 : 2.5;
  assert(d == 1.0 && (0 ? 1 : 2.5) == 2.5);
  assert((n == 3 ? x++ : y++) == 50 && x == 51 && y == 2);
  assert((x > 50) + (y > 50 ? 1 : 0) * 2 == 1);
  char c = n ? 'a' : 0;
  x = (n, c) ? (y = 8, y + 1) : (y = 9);
  assert(x == 9 && y == 8);
  assert((_Bool)(n ? 0.5 : 0) == 1);
  assert(-1 ?: 5 == -1);
  printf("%d %d %s %d\n", x, calls, grade(71), (sc ?: 4) + 1);
  return 0;
}
