// expect: exit 0
// Pointers to everything, their arithmetic and comparisons, and conversions between them.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

struct node {
  int value;
  struct node *next;
};
static int global = 7;
static int *to_global = &global;
static int array[5] = {10, 20, 30, 40, 50};
static int *middle = &array[2], *tail = array + 4, **to_middle = &middle;
static char *inside = (char *)&array[1] + 1;

static void set(int *p, int v) { *p = v; }
static void redirect(int **p, int *q) { *p = q; }
static int *largest(int *a, int *b) { return *a > *b ? a : b; }

int main(void)
{
  int x = 1, y = 2, *p = &x, **pp = &p, ***ppp = &pp;
  ***ppp = 5;
  assert(x == 5 && *p == 5 && **pp == 5);
  redirect(&p, &y);
  assert(*p == 2 && **pp == 2);
  set(p, 9);
  assert(y == 9 && *largest(&x, &y) == 9);
  *largest(&x, &y) = 0;
  assert(y == 0);
  assert(*to_global == 7 && **to_middle == 30 && *tail == 50 && inside - (char *)array == 5);
  assert(tail - middle == 2 && middle[-1] == 20 && middle[1] == 40);
  assert(middle < tail && middle <= middle && !(tail < middle) && tail != middle);
  p = array;
  assert(*p++ == 10 && *p == 20 && *++p == 30 && (*p)++ == 30 && *p == 31 && ++*p == 32);
  assert(*p-- == 32 && *p == 20 && *--p == 10);
  p += 3;
  assert(*p == 40);
  p -= 2;
  assert(*p == 20 && p - array == 1 && &p[1] == array + 2);
  p = 0;
  assert(!p && p == 0 && p == (void *)0);
  void *v = &x;
  int *back = v;
  assert(*back == 5 && v == &x);
  v = (char *)v + 1;
  assert((char *)v - (char *)&x == 1);
  uintptr_t n = (uintptr_t)&array[1];
  assert(n - (uintptr_t)array == 4 && *(int *)(n + 4) == 32 && n % 4 == 0);
  unsigned char *bytes = (unsigned char *)&x;
  assert(bytes[0] == 5 && bytes[1] == 0);
  bytes[1] = 1;
  assert(x == 261);
  short *halves = (short *)&array[3];
  halves[1] = 1;
  assert(array[3] == 65536 + 40);
  struct node c = {3, 0}, b = {2, &c}, a = {1, &b}, *walk = &a;
  int total = 0;
  while (walk) {
    total = total * 10 + walk->value;
    walk = walk->next;
  }
  assert(total == 123 && a.next->next->value == 3);
  struct node **link = &a.next;
  *link = (*link)->next;
  assert(a.next == &c && a.next->next == 0);
  const char *s = "abc";
  const char *const *ps = &s;
  assert((*ps)[1] == 'b' && *(*ps + 2) == 'c');
  int *q[3] = {&x, &y, array};
  assert(q[2][1] == 20 && *q[0] == 261);
  *q[1] = 4;
  assert(y == 4 && &*q[1] == &y && *&y == 4);
  int unsigned_offset = array[(unsigned char)255 - 254];
  printf("%d %d %d\n", unsigned_offset, *middle, (int)(tail - array));
  return 0;
}
