// expect: exit 0
// GNU statement expressions: values, scopes, control flow in and out, structs, in macros.
#include <assert.h>
#include <stdio.h>

#define MAX(a, b)                                                                                  \
  ({                                                                                               \
    __typeof__(a) _a = (a);                                                                        \
    __typeof__(b) _b = (b);                                                                        \
    _a > _b ? _a : _b;                                                                             \
  })
struct pair {
  int a, b;
};
static int calls;
static int next(void) { return ++calls; }
static int early(int n) { return 10 + ({ if (n) return 5; n + 1; }); }

int main(void)
{
  int x = ({ int y = 3; y * 2; });
  assert(x == 6);
  assert(MAX(next(), 0) == 1 && calls == 1 && MAX(MAX(1, 5), MAX(3, 2)) == 5);
  assert(early(0) == 11 && early(1) == 5);
  int total = 0;
  for (int i = 0; i < 5; i++)
    total += ({ if (i == 3) continue; i; });
  assert(total == 7);
  struct pair p = ({ struct pair t = {1, 2}; t.a++; t; });
  assert(p.a == 2 && ({ p; }).b == 2);
  ({ x = 9; });
  ({ ; });
  assert(x == 9 && ({ x++; x; }) == 10);
  char c = ({ char d = 5; d; });
  assert(c == 5);
  int r = ({
    int n = 0;
  again:
    if (n++ < 3)
      goto again;
    n;
  });
  assert(r == 4);
  int *q = ({ &x; });
  *q = 3;
  assert(x == 3 && ({ int a[] = {1, 2, 3}; a[1]; }) == 2);
  if (({ x > 2; }) && ({ x < 5; }))
    x = 0;
  assert(x == 0);
  while (({ x++; x < 4; }))
    ;
  assert(x == 4);
  r = x + ({ x = 10; x; }) + x;
  assert(({ switch (x) { case 10: r = 1; break; default: r = 2; } r; }) == 1);
  void *v = ({ (void *)&p; });
  assert(((struct pair *)v)->a == 2);
  int array[({ enum { N = 3 }; N; })];
  array[2] = ({ 1, 2, 3; });
  assert(array[2] == 3);
  printf("%d %d\n", ({ int s = 0; for (int i = 0; i < 4; i++) s += i; s; }), calls);
  return 0;
}
