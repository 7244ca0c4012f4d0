// expect: exit 0
// sizeof, offsetof and alignof, of types and expressions that are not evaluated.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

struct inner {
  char c;
  double d;
  char tail[3];
};
struct outer {
  short s;
  struct inner in[4];
  union {
    int i;
    long long ll;
  } u;
};
static int called;
static int effect(void) { return ++called; }
static int parameter(int a[10]) { return sizeof a; }

int main(void)
{
  printf("%d %d %d %d\n", (int)sizeof(struct inner), (int)sizeof(struct outer),
         (int)_Alignof(struct outer), (int)_Alignof(double));
  printf("%d %d %d\n", (int)offsetof(struct outer, in), (int)offsetof(struct outer, in[2].tail[1]),
         (int)offsetof(struct outer, u.ll));
  printf("%d %d\n", (int)sizeof(long), (int)sizeof(long double));
  int x = 5, a[7];
  assert(sizeof(x++) == 4 && x == 5 && sizeof effect() == 4 && called == 0);
  assert(sizeof a == 28 && sizeof a[0] == 4 && sizeof &a == sizeof(void *) && sizeof *a == 4);
  assert(parameter(a) == sizeof(int *) && sizeof(char[3][5]) == 15 && sizeof "four" == 5);
  assert(sizeof(int (*)[5]) == sizeof(void *) && sizeof(int *[5]) == 5 * sizeof(void *));
  assert(sizeof(void) == 1 && sizeof(effect) == 1 && sizeof(((struct outer *)0)->in) == 4 * sizeof(struct inner));
  assert(_Alignof(char) == 1 && __alignof__(x) == 4 && _Alignof(struct inner) == _Alignof(double));
  size_t n = sizeof(struct inner) * 2 - 1;
  assert(n % sizeof(struct inner) == sizeof(struct inner) - 1);
  assert(sizeof(int) - 5 > 0);
  enum { BYTES = sizeof(struct outer) };
  char buffer[BYTES];
  assert(sizeof buffer == sizeof(struct outer));
  assert(__builtin_offsetof(struct outer, u) == offsetof(struct outer, u.i));
  return 0;
}
