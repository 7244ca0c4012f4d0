// expect: exit 0
// Functions as values: in tables and structs, as parameters and results, compared, cast.
#include <assert.h>
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static void note(int *where) { *where += 1; }

typedef int binary(int, int);
struct operation {
  char symbol;
  int (*apply)(int, int);
  void (*after)(int *);
};
static const struct operation table[] = {
    {'+', add, 0}, {'-', &sub, note}, {.apply = mul, .symbol = '*', .after = &note}};
static binary *const plain[3] = {add, sub, mul};
static int (*global)(int, int) = mul;

static int apply(int f(int, int), int a, int b) { return f(a, b); }
static binary *pick(char symbol)
{
  for (int i = 0; i < 3; i++)
    if (table[i].symbol == symbol)
      return table[i].apply;
  return 0;
}
static int (*(*select_picker(int which))(char))(int, int)
{
  return which ? pick : 0;
}
static int fold(binary *f, const int *a, int n) { return n == 1 ? *a : f(fold(f, a, n - 1), a[n - 1]); }
static int calls;
static int counted(int x) { return calls++, x; }

int main(void)
{
  int (*f)(int, int) = add;
  assert(f(2, 3) == 5 && (*f)(2, 3) == 5 && (**f)(2, 3) == 5 && (&add)(2, 3) == 5);
  f = sub;
  assert(f(2, 3) == -1 && f == sub && f != add && f == &sub && global(4, 5) == 20);
  assert(apply(mul, 6, 7) == 42 && apply(f, 1, 1) == 0 && pick('*')(3, 3) == 9);
  assert(!pick('?') && pick('+') && select_picker(1)('-')(9, 4) == 5);
  int notes = 0;
  for (int i = 0; i < 3; i++) {
    printf("%c %d %d\n", table[i].symbol, table[i].apply(8, 2), plain[i](8, 2));
    if (table[i].after)
      table[i].after(&notes);
  }
  assert(notes == 2);
  int a[] = {1, 2, 3, 4};
  assert(fold(add, a, 4) == 10 && fold(mul, a, 4) == 24 && fold(sub, a, 4) == -8);
  struct operation o = table[2], *p = &o;
  assert(p->apply(5, 5) == 25 && (*p->apply)(2, 2) == 4);
  p->apply = calls ? sub : add;
  assert(o.apply(5, 5) == 10);
  void (*generic)(void) = (void (*)(void))mul;
  assert(((binary *)generic)(3, 4) == 12);
  int (*one)(int) = counted;
  assert(one(one(one(3))) == 3 && calls == 3);
  binary *locals[2][2] = {{add, sub}, {mul, add}};
  assert(locals[1][0](locals[0][0](1, 2), locals[0][1](5, 1)) == 12);
  assert((notes > 1 ? add : sub)(1, 1) == 2);
  return 0;
}
