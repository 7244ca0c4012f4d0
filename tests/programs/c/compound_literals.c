// expect: exit 0
// Compound literals: as values, as lvalues, passed, assigned, in loops, of arrays and scalars.
#include <assert.h>
#include <stdio.h>

struct point {
  int x, y;
};
static int area(struct point p) { return p.x * p.y; }
static int through(const struct point *p) { return p->x - p->y; }
static int sum(const int *a, int n)
{
  int s = 0;
  while (n--)
    s += *a++;
  return s;
}
static struct point origin(void) { return (struct point){.y = 1}; }
static struct point *kept = &(struct point){3, 4};
static const char *text = (char[]){"static text"};

int main(void)
{
  int n = 6;
  assert((area((struct point){n, 7})) == 42 && through(&(struct point){n, 1}) == 5);
  assert(sum((int[]){1, n, 3}, 3) == 10 && sum((int[5]){1, [3] = 2}, 5) == 3);
  struct point p;
  p = (struct point){1, 2};
  assert(p.x == 1 && p.y == 2);
  p = (struct point){p.y, p.x};
  assert(p.x == 2 && p.y == 1);
  assert(((struct point){8, 9}).y == 9 && (int){n} + 1 == 7 && origin().y == 1 && origin().x == 0);
  int *q = &(int){n};
  (*q)++;
  assert(*q == 7 && n == 6);
  int *a = (int[]){1, 2, 3};
  a[1] = 20;
  assert(a[0] + a[1] + a[2] == 24);
  ((struct point){1, 2}).x = 5;
  assert(((int[]){4, 5, 6})[n - 5] == 5 && ((char[]){'a', 'b'})[1] == 'b' && "x"[0] == 'x');
  int total = 0;
  for (int i = 0; i < 3; i++) {
    struct point *fresh = &(struct point){i};
    fresh->y++;
    total += fresh->x * 10 + fresh->y;
  }
  assert(total == 33);
  kept->x++;
  assert(kept->x == 4 && kept->y == 4 && text[7] == 't');
  const char *s = (const char *[]){"zero", "one", "two"}[n - 5];
  assert(s[0] == 'o' && sizeof((int[]){1, 2, 3}) == 12);
  struct {
    struct point p;
    int *list;
  } nested = {(struct point){1, 2}, (int[]){7, 8}};
  assert(nested.p.y == 2 && nested.list[1] == 8);
  int (*f)(struct point) = area;
  assert(f((struct point){.y = 3, .x = 4}) == 12);
  struct point chosen = n > 5 ? (struct point){1, 1} : (struct point){2, 2};
  assert(chosen.x == 1);
  printf("%d %d %s\n", total, *q, s);
  return 0;
}
