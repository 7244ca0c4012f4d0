// expect: exit 0
// Layout of structs, nested and self-referring ones, and access through values and pointers.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

struct mixed {
  char a;
  short b;
  char c;
  long long d;
  char e;
  int f;
  void *g;
};
struct inner {
  int x, y;
};
struct outer {
  struct inner first, second[2];
  struct {
    int deep;
    struct {
      char deeper;
    } in;
  } named;
  struct outer *self;
};
struct empty {
};
struct with_empty {
  int a;
  struct empty none;
  int b;
};

int main(void)
{
  printf("%d %d\n", (int)sizeof(struct mixed), (int)_Alignof(struct mixed));
  printf("%d %d %d %d %d %d %d\n", (int)offsetof(struct mixed, a), (int)offsetof(struct mixed, b),
         (int)offsetof(struct mixed, c), (int)offsetof(struct mixed, d),
         (int)offsetof(struct mixed, e), (int)offsetof(struct mixed, f),
         (int)offsetof(struct mixed, g));
  struct outer o = {{1, 2}, {{3, 4}, {5, 6}}, {7, {8}}, &o};
  assert(o.self == &o && o.self->self->second[1].y == 6);
  o.self->named.in.deeper++;
  assert(o.named.in.deeper == 9);
  struct inner *p = o.second;
  p++;
  p->x = 50;
  (*p).y = 60;
  assert(o.second[1].x == 50 && o.second[1].y == 60);
  struct inner *base = &o.first;
  assert((char *)&base->y - (char *)base == 4);
  int *y = &o.second[0].y;
  *y += 10;
  assert(o.second[0].y == 14);
  struct inner *back = (struct inner *)((char *)y - offsetof(struct inner, y));
  assert(back == &o.second[0] && back->x == 3);
  struct with_empty w = {1, {}, 2};
  assert(sizeof(struct empty) == 0 && w.a == 1 && w.b == 2 && sizeof w == 8);
  struct local {
    int here;
  } l = {5}, *pl = &l;
  {
    struct local {
      char other[7];
    } inside = {"abc"};
    assert(sizeof inside == 7 && inside.other[2] == 'c');
  }
  assert(pl->here == 5 && sizeof *pl == 4);
  const struct inner c = {1, 2};
  struct inner copy = c;
  copy.x = c.y;
  assert(copy.x == 2 && c.x == 1);
  return 0;
}
