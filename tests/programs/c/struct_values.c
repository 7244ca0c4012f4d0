// expect: exit 0
// Structs and unions assigned, passed and returned by value; members of results; aliasing copies.
#include <assert.h>
#include <stdio.h>

struct small {
  char c;
};
struct pair {
  int a, b;
};
struct large {
  int v[20];
  struct pair p;
};
struct odd {
  char c[3];
};
union either {
  int i;
  char c[8];
};
struct nest {
  struct large l;
  struct pair *pp;
};

static struct pair swap(struct pair p)
{
  int t = p.a;
  p.a = p.b;
  p.b = t;
  return p;
}
static struct large fill(int n)
{
  struct large l;
  for (int i = 0; i < 20; i++)
    l.v[i] = n + i;
  l.p = (struct pair){n, -n};
  return l;
}
static int total(struct large l, struct pair p, struct small s, struct odd o)
{
  int t = l.p.a + p.a + s.c + o.c[2];
  for (int i = 0; i < 20; i++)
    t += l.v[i];
  l.v[0] = 1000;
  p.a = 1000;
  return t;
}
static struct pair chain(struct pair p, int n) { return n ? chain(swap(p), n - 1) : p; }
static union either as_union(int i) { return (union either){i}; }
static struct nest wrap(struct pair *p) { return (struct nest){.l = fill(p->a), .pp = p}; }
static struct pair global = {1, 2};
static struct pair get(void) { return global; }
static struct pair bump(void) { global.a++; return global; }

int main(void)
{
  struct pair p = {1, 2}, q;
  q = swap(p);
  assert(p.a == 1 && q.a == 2 && q.b == 1);
  p = swap(p);
  assert(p.a == 2 && p.b == 1 && swap(p).a == 1 && swap(swap(p)).a == 2);
  struct large l = fill(5), m = l;
  m.v[3] = 0;
  assert(l.v[3] == 8 && m.v[3] == 0 && l.p.b == -5 && fill(1).v[19] == 20 && fill(9).p.a == 9);
  assert(total(l, q, (struct small){3}, (struct odd){"ab"}) == 5 + 2 + 3 + 0 + 290);
  assert(l.v[0] == 5 && q.a == 2);
  assert(chain(p, 5).a == 1 && as_union(0x4142).c[0] == 'B');
  struct nest n = wrap(&p);
  n.pp->a = 77;
  assert(p.a == 77 && n.l.v[1] == 3 && wrap(&q).pp->a == 2 && wrap(&q).l.p.b == -2);
  struct pair array[3] = {{1, 2}, {3, 4}, {5, 6}};
  array[0] = array[2];
  array[1] = swap(array[1]);
  assert(array[0].b == 6 && array[1].a == 4);
  struct pair *pp = &array[1];
  *pp = *(pp + 1);
  assert(array[1].a == 5);
  *pp = *pp;
  assert(array[1].b == 6);
  p = q = array[0];
  assert(p.a == 5 && q.b == 6);
  global = get();
  struct pair first = get(), second = bump();
  assert(first.a == 1 && second.a == 2 && global.a == 2);
  assert(bump().a + get().b == 5 && global.a == 3);
  l.p = (p.a > 3 ? p : q);
  assert(l.p.a == 5);
  struct large ls[2] = {l, m};
  ls[1] = ls[0];
  assert(ls[1].v[3] == 8 && ls[1].p.a == 5);
  union either u = as_union(1), w = u;
  w.c[1] = 1;
  assert(u.i == 1 && w.i == 257);
  const struct pair fixed = swap((struct pair){8, 9});
  struct pair (*f)(struct pair) = swap;
  assert(fixed.a == 9 && f(fixed).a == 8 && (*f)(f(fixed)).a == 9);
  swap(p);
  (void)fill(1);
  printf("%d %d %d\n", swap(p).a, fill(3).v[4], (q = swap(p)).b);
  struct odd x = {"xy"}, y = x;
  y.c[0]++;
  assert(x.c[0] == 'x' && y.c[0] == 'y' && sizeof x == 3);
  return 0;
}
