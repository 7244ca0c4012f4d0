// expect: exit 0
// Library functions behind pointers do what they do by name.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct allocator {
  void *(*get)(size_t);
  void (*put)(void *);
};
static const struct allocator heap = {malloc, free};
static void (*leave)(int) = exit;

static int apply(int (*f)(int), int x) { return f(x); }

int main(void)
{
  char *p = heap.get(10);
  void *(*copy)(void *, const void *, size_t) = memcpy, *(*fill)(void *, int, size_t) = memset;
  fill(p, 'x', 10);
  assert(copy(p, "abc", 4) == p && p[2] == 'c' && p[4] == 'x');
  size_t (*length)(const char *) = strlen;
  assert(length(p) == 3 && apply(toupper, 'a') == 'A' && apply(putchar, 'B') == 'B');
  heap.put(p);
  int (*print)(const char *) = puts;
  assert(print("line") >= 0 && heap.get == malloc && heap.get != (void *)free);
  leave(0);
  return 1;
}
